"""Agents of adjustable strength: how far they look ahead, and how much they err."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.core.game import Move, Position, replay
from engine.core.kernel import KernelKind
from engine.core.limits import Limit
from engine.core.registry import game_called, games, package_of
from engine.core.search import analyse
from engine.games.boom.rules import Boom
from engine.games.connect4.rules import Connect4
from engine.games.gato.rules import Gato
from engine.strength.agent import Strength
from tests.builders import RandomPosition


@pytest.mark.parametrize("text", ["6x7", "5x4", "gato", "boom"])
def test_an_agent_that_overlooks_everything_still_searches(text: str) -> None:
    """An agent that overlooks everything still searches, and chooses by what it sees."""
    careless = Strength("careless", depth=2, overlook=1.0, blind=0.99)
    start, rng = game_called(text).start(), Random(8)
    results = [careless.choose(start, rng=rng) for _ in range(200)]
    assert {result.depth for result in results} == {1}
    assert all(result.nodes for result in results)
    best = analyse(start, Limit(depth=1)).scores
    assert {result.move for result in results} == set(best) < set(start.legal_moves())


def test_a_timid_agent_wastes_quiet_moves_and_still_wins() -> None:
    """A timid agent makes the move that it likes least, but takes a win that it sees."""
    agent, open_three = (
        Strength("timid", depth=1, timid=1.0),
        replay(Connect4(), (0, 1, 0, 1, 0, 1)),
    )
    start = Connect4().start()
    made = {agent.choose(start, rng=Random(seed)).move for seed in range(20)}
    assert made == {0, 6}
    assert Strength("bold", depth=1).choose(start, rng=Random(1)).move == 3
    assert agent.choose(open_three, rng=Random(1)).move == 0
    half = Strength("half", depth=1, timid=0.5)
    counts = Counter(half.choose(start, rng=Random(seed)).move for seed in range(400))
    assert abs(counts[3] - 200) < 60


def test_the_fitted_evaluation_is_used_with_its_probability() -> None:
    """On a board with a fitted evaluation an agent searches by it as often as its setting says."""
    start, small = Connect4(8, 8).start(), Connect4(5, 4).start()
    limit = Limit(nodes=20_000)
    kinds = (KernelKind.USUAL, KernelKind.FITTED)
    plain, fitted = (analyse(start, limit, kind=kind).top for kind in kinds)
    assert plain != fitted
    half = Strength("half", depth=40, nodes=20_000, fitted=0.5)
    scores = Counter(half.choose(start, rng=Random(seed)).score.points for seed in range(60))
    assert scores.keys() == {plain, fitted}
    assert abs(scores[fitted] - 30) < 20
    always, never = replace(half, fitted=1.0), replace(half, fitted=0.0)
    assert always.choose(start, rng=Random(1)).score.points == fitted
    found = [agent.choose(small, rng=Random(1)) for agent in (always, never)]
    assert found[0].score == found[1].score


def test_far_plies_are_overlooked_before_near_ones() -> None:
    """From the furthest inwards, each ply but the sure ones is missed with the same probability."""
    agent, rng = Strength("half", depth=4, overlook=0.5, surely=2), Random(8)
    start = Connect4().start()
    counts = Counter(agent.choose(start, rng=rng).depth for _ in range(2000))
    assert counts.keys() == {2, 3, 4}
    assert abs(counts[4] - 1000) < 100
    assert abs(counts[3] - 500) < 80
    assert abs(counts[2] - 500) < 80


def test_sure_plies_ignore_the_node_limit() -> None:
    """With any node limit, an agent sees the plies that it never overlooks."""
    agent = Strength("hasty", depth=20, surely=3, nodes=1)
    result = agent.choose(Connect4().start(), rng=Random(1))
    assert result.depth == 3


def test_the_budget_ends_the_search() -> None:
    """A node limit is exceeded only by the nodes of the current move."""
    agent = Strength("busy", depth=40, surely=2, nodes=5000)
    result = agent.choose(Connect4().start(), rng=Random(1))
    assert result.nodes < 6000
    assert result.depth < 40


def test_noise_does_not_affect_wins(random_position: RandomPosition) -> None:
    """With any noise, a win in sight is taken."""
    agent, rng, seen = Strength("noisy", depth=2, noise=500, surely=2), Random(5), 0
    for seed in range(200):
        position = random_position(Connect4(), Random(seed), 16)
        ends = {move: position.play(move).outcome for move in position.legal_moves()}
        winning = [move for move, end in ends.items() if end is not None and end.winner]
        if winning:
            seen += 1
            assert agent.choose(position, rng=rng).move in winning
    assert seen > 10


def test_results_are_never_marked_as_proven() -> None:
    """The result of an adjustable agent is never marked as proven."""
    game = Connect4()
    position = replay(game, game.moves("121212"))
    result = Strength("any", depth=4).choose(position, rng=Random(1))
    assert result.is_win
    assert not result.proven


def test_an_agent_that_always_knows_plays_perfectly(random_position: RandomPosition) -> None:
    """An agent that always knows makes only moves that keep the value of the game."""
    agent, rng, game = Strength("wise", depth=1, knows=1.0), Random(3), Connect4(5, 4)
    for seed in range(40):
        position = random_position(game, Random(seed), seed % 12)
        if position.outcome is not None:
            continue
        proof = package_of(game).prove(position, seconds=10.0)
        assert proof is not None
        result = agent.choose(position, rng=rng)
        assert proof.scores[result.move] == max(proof.scores.values())
        assert not result.proven


def test_knowing_is_random() -> None:
    """An agent that knows half of the positions searches the others."""
    agent, rng, start = Strength("half", depth=1, knows=0.5), Random(3), Connect4(4, 4).start()
    searched = sum(agent.choose(start, rng=rng).depth == 1 for _ in range(200))
    assert 70 < searched < 130


def test_unprovable_positions_are_searched() -> None:
    """If nothing can be proven, an agent that always knows searches to its depth."""
    result = Strength("wise", depth=2, knows=1.0).choose(Boom().start(), rng=Random(1))
    assert result.depth == 2


@pytest.mark.parametrize("blind", [0, 0.9])
def test_a_game_that_is_over_has_no_move(blind: float) -> None:
    """A finished game raises ValueError, with any setting of overlooking."""
    game = Connect4()
    over = replay(game, game.moves("1212121"))
    agent = Strength("any", depth=2, overlook=1.0, blind=blind)
    with pytest.raises(ValueError, match="over"):
        agent.choose(over, rng=Random(1))


@pytest.mark.parametrize(
    "settings",
    [
        {"depth": 0, "surely": 0},
        {"depth": 2, "surely": 0},
        {"depth": 2, "surely": 3},
        {"depth": 2, "surely": -1},
        {"depth": 2, "noise": -1},
        {"depth": 2, "overlook": 1.5},
        {"depth": 2, "blind": 1.0},
        {"depth": 2, "blind": -0.1},
    ],
)
def test_settings_outside_their_ranges_are_refused(settings: dict[str, int]) -> None:
    """Settings outside their ranges raise ValueError."""
    with pytest.raises(ValueError, match="must"):
        Strength("wrong", **settings)


@pytest.mark.parametrize(("text", "ply"), [("6x7", 18), ("gato", 9)])
def test_more_overlooking_misses_more_wins_and_threats(
    text: str, ply: int, random_position: RandomPosition
) -> None:
    """Agents that overlook more lines miss more threats, and fewer own wins than threats.

    The same seed makes the same moves.
    """
    game, missed, unparried = game_called(text), Counter[float](), Counter[float]()
    positions = [random_position(game, Random(seed), ply) for seed in range(300)]
    for blind in (0.0, 0.3, 0.9):
        agent = Strength("blind", depth=2, noise=10, blind=blind)
        for seed, position in enumerate(positions):
            ends = {move: position.play(move).outcome for move in position.legal_moves()}
            winning = [move for move, end in ends.items() if end is not None and end.winner]
            if winning:
                result = agent.choose(position, rng=Random(seed))
                assert result == replace(
                    agent.choose(position, rng=Random(seed)), seconds=result.seconds
                )
                assert result.depth >= 1
                missed[blind] += result.move not in winning
            elif threat := _only_threat(position):
                unparried[blind] += agent.choose(position, rng=Random(seed)).move not in threat
    assert 0 == missed[0.0] <= missed[0.3] < missed[0.9]
    # With open eyes only positions are left that every move loses.
    assert unparried[0.0] < unparried[0.3] < unparried[0.9]
    assert missed[0.9] < unparried[0.9] / 2


def _only_threat(position: Position) -> set[Move]:
    """The move that would complete the other side's only line; empty without or with several."""
    other = position.to_move.other
    threats = set()
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is not None:
            return set()
        for reply in after.legal_moves():
            end = after.play(reply).outcome
            if end is not None and end.winner is other and reply != move:
                threats.add(reply)
    return threats if len(threats) == 1 else set()


def test_overlooking_has_no_effect_without_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a game whose package has no `sight`, overlooking lines has no effect."""
    without = replace(games()["gato"], sight=None)
    monkeypatch.setattr("engine.strength.agent.package_of", lambda position: without)
    start = Gato().start()
    moves = [
        Strength("any", depth=2, noise=9, blind=blind).choose(start, rng=Random(4)).move
        for blind in (0.0, 0.9)
    ]
    assert moves[0] == moves[1]
