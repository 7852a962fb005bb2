"""What moves say about strength."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from bot.rating.evidence import LEAST_DEVIATION, evidence_from, evidence_of
from bot.store import GameRecord, MoveRecord, NewGameRecord, SeatRecord
from bot.table.session import Session
from engine.game import Player
from engine.games import game_of
from engine.ladder import ladder_of

CLASSIC = game_of("connect4", "6x7")


def played(strong: str, weak: str, seed: int) -> Session:
    """A game of two rungs, the stronger one first."""
    rng, position, moves = Random(seed), CLASSIC.start(), list[MoveRecord]()
    ladder = ladder_of(CLASSIC)
    agents = (ladder.named(strong).agent, ladder.named(weak).agent)
    while position.outcome is None:
        side = position.to_move
        move = agents[side - 1].choose(position, rng=rng).move
        moves.append(MoveRecord(int(side), 1, CLASSIC.label(move), False, 1.0, 1.0))
        position = position.play(move)
    seats = (SeatRecord(1, None), SeatRecord(2, None))
    opening = NewGameRecord("connect4", "6x7", 1, None, "en", *seats, False, 1.0)
    return Session.from_record(GameRecord(1, opening, None, tuple(moves), frozenset(), None))


def test_better_moves_say_more() -> None:
    """Over a few games the moves of a medium player say more than those of the weakest rung."""
    games = [played("medium", "rung-1", seed) for seed in range(6)]
    found = [evidence_of(game, tuple(Player)) for game in games]
    means = {side: fmean(one[side].elo for one in found if side in one) for side in Player}
    assert means[Player.FIRST] > means[Player.SECOND] + 100


def test_only_those_asked_for_are_looked_at() -> None:
    """A game against an agent says something of the person alone, and the same as with both."""
    game = played("medium", "easy", 1)
    both = evidence_of(game, tuple(Player))
    assert evidence_of(game, [Player.SECOND]) == {Player.SECOND: both[Player.SECOND]}


def test_a_game_says_no_more_than_it_can() -> None:
    """However steady the moves, the deviation of the evidence has a floor."""
    found = evidence_of(played("medium", "easy", 1), tuple(Player))
    assert all(one.deviation >= LEAST_DEVIATION for one in found.values())
    assert set(found) == set(Player)


def test_a_few_moves_say_nothing() -> None:
    """A game of hardly any moves is no evidence."""
    short = played("medium", "easy", 1).until(4)
    assert evidence_of(short, tuple(Player)) == {}


@pytest.mark.parametrize("value", [0.0, 0.02, 0.5])
def test_evidence_lies_on_the_ladder(value: float) -> None:
    """Whatever the quality, the estimate is no stronger and no weaker than the rungs."""
    ladder = ladder_of(CLASSIC)
    found = evidence_from(ladder, value)
    assert found is not None
    assert ladder.rungs[0].elo <= found.elo <= ladder.rungs[-1].elo
