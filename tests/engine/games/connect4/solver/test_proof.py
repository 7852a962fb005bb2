"""Proofs of the value of every move."""

from __future__ import annotations

import weakref
from random import Random

import pytest

from engine.core.compiled.scores import WIN
from engine.core.game import Move, replay
from engine.core.limits import Stop
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver import Solver
from engine.games.connect4.solver.exact import Connect4Solver
from tests.builders import TIMEOUT, NearlyFull, PlayPerfectly, RandomPosition


def by_the_solver(position: Connect4Position, solver: Solver) -> dict[Move, int]:
    """The value of every move, each solved by itself, on the scale of all searches."""
    found = {}
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is not None:
            found[move] = 0 if after.outcome.winner is None else WIN - after.ply
            continue
        score = solver.solve(after).score
        assert score is not None
        # The k-th last stone of the winner is one of two; the parity decides which.
        wins = position.to_move if score < 0 else after.to_move
        last = after.game.rows * after.game.columns + 2 - 2 * abs(score)
        last -= last % 2 != wins % 2
        found[move] = 0 if score == 0 else WIN - last if score < 0 else last - WIN
    return found


@pytest.mark.parametrize("size", ["5x4", "4x5", "6x7"])
def test_a_proof_agrees_with_the_solver(size: str, random_position: RandomPosition) -> None:
    """Every move of a position has the value that solving the position after it gives."""
    game = Connect4.from_variant(size)
    rng, solver, seen = Random(5), Solver(game), 0
    while seen < 25:
        position = random_position(game, rng, 14 + rng.randrange(4))
        if position.ply < 14:
            continue
        seen += 1
        proof = Connect4Solver(position.game).values(position, seconds=TIMEOUT)
        assert proof is not None
        assert proof.scores == by_the_solver(position, solver)


@pytest.mark.parametrize("size", ["4x4", "5x4", "4x5", "6x7", "5x5"])
def test_a_proof_agrees_with_playing_all_games(
    size: str, nearly_full: NearlyFull, play_perfectly: PlayPerfectly
) -> None:
    """Every move has the value that playing all games to their end gives."""
    game, rng = Connect4.from_variant(size), Random(7)
    for _ in range(12):
        position = nearly_full(game, rng, 7)
        proof = Connect4Solver(position.game).values(position, seconds=TIMEOUT)
        assert proof is not None
        assert proof.scores == play_perfectly(position)


def test_a_win_in_one_has_the_number_of_its_stone() -> None:
    """A win in one scores WIN - (ply + 1), in the opening and later, for either side."""
    game = Connect4(6, 7)
    for moves, winning in {"121212": 0, "1232526": 1, "121315266537": 0}.items():
        position = replay(game, game.moves(moves))
        proof = Connect4Solver(position.game).values(position, seconds=TIMEOUT)
        assert proof is not None
        assert proof.scores[Move(winning)] == WIN - (position.ply + 1)
        assert proof.depth == 1


def test_the_opening_is_proven_from_the_books() -> None:
    """The moves of the empty board of 6x7 have their known values without any search."""
    proof = Connect4Solver(Connect4(6, 7)).values(Connect4(6, 7).start(), seconds=TIMEOUT)
    assert proof is not None
    sides = [40 - WIN, 42 - WIN, 0]
    assert list(proof.scores.values()) == [*sides, WIN - 41, *sides[::-1]]
    assert (proof.depth, proof.nodes) == (41, 0)


def test_a_proof_out_of_time_is_none() -> None:
    """A proof that runs out of time or is stopped returns None."""
    start = Connect4(8, 8).start()
    assert Connect4Solver(start.game).values(start, seconds=0.05) is None
    stop = Stop()
    stop.set()
    assert Connect4Solver(start.game).values(start, seconds=TIMEOUT, stop=stop) is None


HARD = "1234567123456771"
"""A position of 6x7 that takes a tenth of a second."""


def test_a_solver_remembers_its_proofs() -> None:
    """A second proof of a position visits fewer nodes and gives the same values."""
    game = Connect4(6, 7)
    position, prover = replay(game, game.moves(HARD)), Connect4Solver(game)
    once, again = (prover.values(position) for _ in range(2))
    assert once is not None
    assert again is not None
    assert again.scores == once.scores
    assert again.nodes < once.nodes / 2


def test_a_node_limit_is_repeatable() -> None:
    """A proof succeeds with the nodes that it needs and fails with fewer, on every machine."""
    game = Connect4(6, 7)
    position = replay(game, game.moves(HARD))
    whole = Connect4Solver(game).values(position)
    assert whole is not None
    assert whole.nodes > 100
    limited = Connect4Solver(game).values(position, nodes=whole.nodes)
    assert limited is not None
    assert limited.scores == whole.scores
    assert Connect4Solver(game).values(position, nodes=whole.nodes // 2) is None


def test_the_books_need_no_nodes() -> None:
    """With no nodes allowed, positions in the books are still proven."""
    proof = Connect4Solver(Connect4(6, 7)).values(Connect4(6, 7).start(), nodes=1)
    assert proof is not None
    assert proof.nodes == 0


@pytest.mark.parametrize("all_books", [True, False])
def test_its_tables_are_freed_with_it(all_books: bool) -> None:
    """A solver that is no longer used frees its tables at once, without a garbage collection."""
    position = replay(Connect4(6, 7), [Move(column) for column in (0, 1, 0, 1, 0, 1, 6, 6, 6, 5)])
    solver = Connect4Solver(position.game, all_books=all_books)
    solver.values(position, nodes=10)
    solver.winners(position)
    gone = weakref.ref(solver)
    del solver
    assert gone() is None
