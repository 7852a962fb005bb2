"""The search and the proofs of Gato compared with the enumeration of all its positions."""

from __future__ import annotations

import dataclasses
from random import Random

import numpy as np
import pytest

from engine.core.compiled.scores import WIN
from engine.core.exact import winners_of_game
from engine.core.game import Move, Player, replay
from engine.core.limits import Stop
from engine.games.gato.exact import GatoSolver, prove
from engine.games.gato.kernel import load
from engine.games.gato.rules import Gato, GatoPosition
from engine.strength.perfect import Perfect
from tests.builders import TIMEOUT
from tests.engine.games.counts import counts_of
from tests.engine.games.gato.gato_positions import GatoPositions

# Almost without a table, the opening takes long.
TABLES = [(bits, ply) for bits, first in ((4, 6), (16, 0)) for ply in range(first, 16)]


@pytest.fixture(scope="module")
def gato_positions() -> GatoPositions:
    """Every position of Gato with its exact value; computing them takes some seconds."""
    return GatoPositions()


def test_counts_of_positions_are_as_known(gato_positions: GatoPositions) -> None:
    """At each ply, the numbers of positions, wins and exact values are as published."""
    assert len(gato_positions.counts) == 17
    for known, counts in zip(counts_of("gato"), gato_positions.counts, strict=True):
        assert dataclasses.asdict(counts) == {name: int(known[name]) for name in vars(counts)}
    assert gato_positions.score(Gato().start()) == 0
    assert sum(counts.positions for counts in gato_positions.counts) == 9_722_011


@pytest.mark.parametrize(("table_bits", "ply"), TABLES)
def test_a_search_to_the_end_finds_the_exact_value(
    ply: int, table_bits: int, gato_positions: GatoPositions
) -> None:
    """Searched to the last square, a position has the value that enumeration gives it."""
    flag = np.zeros(1, np.uint8)
    for position in gato_positions.some(ply, 10 if ply < 6 else 50, seed=ply):
        kernel = load(position, table_bits)
        kernel.allow(None)
        found = kernel.score_moves(kernel.deepest, 0, position.legal_moves(), flag)
        assert found is not None
        assert set(found.values()) == {gato_positions.score(position)}


def test_the_empty_board_is_a_draw() -> None:
    """After every first move, perfect play fills the board without a line."""
    proof = prove(Gato().start(), TIMEOUT)
    assert proof is not None
    assert proof.scores == dict.fromkeys(range(16), 0)
    assert proof.depth == 16
    assert proof.nodes < 100_000


def test_a_verdict_agrees_with_enumeration(gato_positions: GatoPositions) -> None:
    """Each move has the result that enumeration gives: a point, half a point or none."""
    positions = [one for ply in (0, 3, 6, 9, 12, 15) for one in gato_positions.some(ply, 10, ply)]
    for position, verdict in zip(
        positions, winners_of_game(GatoSolver(Gato()), positions), strict=True
    ):
        scores = {m: -gato_positions.score(position.play(m)) for m in position.legal_moves()}
        assert verdict == {m: 0.5 + 0.5 * ((s > 0) - (s < 0)) for m, s in scores.items()}


@pytest.mark.parametrize("ply", range(16))
def test_a_proof_agrees_with_enumeration(ply: int, gato_positions: GatoPositions) -> None:
    """At every ply, each move has the exact value of the position after it."""
    for position in gato_positions.some(ply, 16 if ply < 4 else 60, seed=100 + ply):
        proof = prove(position, TIMEOUT)
        assert proof is not None
        after = {move: position.play(move) for move in position.legal_moves()}
        assert proof.scores == {move: -gato_positions.score(after[move]) for move in after}
        top = max(proof.scores.values())
        assert proof.depth == (WIN - abs(top) if top else 16) - ply


def test_a_win_in_one_has_the_number_of_its_stone() -> None:
    """A win in one scores WIN - (ply + 1)."""
    game = Gato()
    position = replay(game, game.moves("a1a2b1b2c1c2"))
    assert isinstance(position, GatoPosition)
    proof = prove(position, TIMEOUT)
    assert proof is not None
    assert proof.scores[Move(3)] == WIN - 7
    assert proof.depth == 1


def test_a_stopped_proof_is_none() -> None:
    """A stop that is set, or a limit of time or nodes, ends a proof without a result."""
    stop = Stop()
    stop.set()
    assert prove(Gato().start(), TIMEOUT, stop) is None
    assert prove(Gato().start(), TIMEOUT, nodes=100) is None
    # A proof takes so few milliseconds that on a busy machine it may end before the clock's thread.
    assert any(prove(Gato().start(), 1e-4) is None for _ in range(1000))


@pytest.mark.parametrize("perfect", Player)
def test_a_perfect_player_never_loses(perfect: Player, gato_positions: GatoPositions) -> None:
    """After any replies, each move of the perfect level keeps the value of its position.

    All replies are followed; of the resulting positions, a limited number for each ply.
    """
    agent, game, rng, most = Perfect(), Gato(), Random(1), 40
    layer: set[GatoPosition] = {game.start()}
    while layer:
        following = set()
        for position in layer:
            if position.to_move is perfect:
                result = agent.choose(position, rng=rng)
                assert result.proven
                after = position.play(result.move)
                assert result.score.points == -gato_positions.score(after) >= 0
                assert result.score.points == gato_positions.score(position)
                following.add(after)
            else:
                following |= {position.play(move) for move in position.legal_moves()}
        assert all(gato_positions.score(p) >= 0 for p in following if p.to_move is perfect)
        going_on = [position for position in following if position.outcome is None]
        going_on.sort(key=lambda position: (position.first, position.second))
        layer = set(rng.sample(going_on, min(most, len(going_on))))


@pytest.mark.parametrize("seed", range(6))
def test_best_play_against_best_play_is_a_draw(seed: int) -> None:
    """Two perfect players draw; a player who moves at random never beats a perfect one."""
    rng, game = Random(seed), Gato()
    for guests in ((), (Player.FIRST,), (Player.SECOND,)):
        position = game.start()
        while position.outcome is None:
            if position.to_move in guests:
                move = rng.choice(position.legal_moves())
            else:
                move = Perfect().choose(position, rng=rng).move
            position = position.play(move)
        assert position.outcome.winner not in guests
        assert guests or position.outcome.winner is None


def test_a_solver_keeps_its_node_limit() -> None:
    """With enough nodes the solver gives the proof's verdict, with too few nodes None."""
    start = Gato().start()
    found = GatoSolver(Gato()).values(start, nodes=100_000, seconds=TIMEOUT)
    assert found is not None
    assert set(found.scores.values()) == {0}
    assert GatoSolver(Gato()).values(start, nodes=1_000, seconds=TIMEOUT) is None
