"""Moves after which an opponent of known strength is likeliest to err."""

from __future__ import annotations

from functools import cache
from random import Random

from engine.core.game import Move, Position, replay
from engine.core.limits import Stop
from engine.core.registry import package_of
from engine.games.connect4.solver.exact import Connect4Solver
from engine.strength.opponent import RatedOpponent
from engine.strength.traps import Effort, Replies, Traps
from tests.builders import SMALL

DRAWN = replay(SMALL, SMALL.moves("22344221311"))
"""A position in which the second, third and fourth column all draw."""
COLUMNS = (Move(1), Move(2), Move(3))
AMPLE = Effort(seconds=60.0)


@cache
def best_moves(position: Position) -> list[Move]:
    """The proven best moves of a position, in order."""
    proof = package_of(SMALL).prove(position, seconds=60.0)
    assert proof is not None
    return sorted(proof.best())


def traps(elo: float, effort: Effort = AMPLE, stop: Stop | None = None) -> Traps:
    """A search for traps against an opponent of this rating."""
    replies = Replies(RatedOpponent(elo).model(SMALL))
    return Traps(Connect4Solver(SMALL, nodes=effort.nodes), replies, effort, stop)


def scored(position: Position, move: Move, elo: float, games: int) -> float:
    """The points per game after a move, if its player gives nothing away and the opponent errs."""
    model, us, total = RatedOpponent(elo).model(SMALL), position.to_move, 0.0
    for seed in range(games):
        rng, after = Random(seed), position.play(move)
        while after.outcome is None:
            if after.to_move is us:
                after = after.play(rng.choice(best_moves(after)))
            else:
                after = after.play(model.choose(after, rng=rng).move)
        total += 0.5 if after.outcome.winner is None else float(after.outcome.winner is us)
    return total / games


def test_the_expected_share_predicts_results() -> None:
    """Of moves that all draw, one with a higher expected share scores more against `medium`."""
    values = traps(1200).values(DRAWN, COLUMNS)
    assert values[Move(1)] > values[Move(3)] > values[Move(2)] >= 0.5
    points = {move: scored(DRAWN, move, 1200, 60) for move in (Move(1), Move(2))}
    assert points[Move(1)] > points[Move(2)] + 0.15


def test_each_strength_has_traps_of_its_own() -> None:
    """A beginner errs after another move than `medium`, and a strong player after none."""
    weak, strong = traps(900).values(DRAWN, COLUMNS), traps(1336).values(DRAWN, COLUMNS)
    assert max(weak, key=lambda move: weak[move]) == 2
    assert set(strong.values()) == {0.5}


def test_it_ends_when_all_replies_are_searched() -> None:
    """The search ends once all replies until the end of the game have been searched."""
    search = traps(1200)
    search.values(DRAWN, COLUMNS)
    assert 1 < search.depth <= (20 - DRAWN.ply) // 2 + 1


def test_less_work_searches_fewer_replies() -> None:
    """With less work fewer replies are completed; with none, all moves have the value 0."""
    brief, none = traps(1200, Effort(searches=3, seconds=60.0)), traps(1200, Effort(searches=1))
    assert max(brief.values(DRAWN, COLUMNS).values()) > 0.5
    assert brief.depth == 1
    assert set(none.values(DRAWN, COLUMNS).values()) == {0.0}
    unknown = traps(1200, Effort(nodes=0))
    assert set(unknown.values(DRAWN, COLUMNS).values()) == {0.0}


def test_it_can_be_stopped() -> None:
    """A stop that is set, or an expired time limit, ends the search before the first reply."""
    stop = Stop()
    stop.set()
    for search in (traps(1200, stop=stop), traps(1200, Effort(seconds=0.0))):
        search.values(DRAWN, COLUMNS)
        assert search.depth == 0
