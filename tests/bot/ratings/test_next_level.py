"""The level that is offered after a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.game.session import Session
from bot.ratings.levels import next_level
from bot.store.records import (
    Ending,
    EndRecord,
    GameRecord,
    GameSetup,
    SeatRecord,
    agent,
    channel,
    person,
)
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of
from engine.strength.roster import LEVELS

NAMES = list(LEVELS)


def ended(other: SeatRecord, winner: int | None, ending: Ending = Ending.LINE) -> Session:
    """A finished game of a person, who had the first move."""
    setup = GameSetup("connect4", "6x7", 1, 2, "en", person(10), other)
    return Session.from_record(GameRecord(7, setup, 0.0, 5, (), (), EndRecord(ending, winner, 9.0)))


def test_the_neighbour_follows_the_result() -> None:
    """After a defeat the level below is offered, after a win or a draw the one above."""
    assert next_level(ended(agent("medium"), 2)) == "easy"
    assert next_level(ended(agent("medium"), 1)) == "hard"
    assert next_level(ended(agent("medium"), None, Ending.DRAW)) == "hard"
    assert next_level(ended(agent("medium"), 2, Ending.RESIGNED)) == "easy"


def test_there_is_none_beyond_the_ends() -> None:
    """Below the easiest and above the hardest level nothing is offered."""
    assert next_level(ended(agent(NAMES[0]), 2)) is None
    assert next_level(ended(agent(NAMES[-1]), 1)) is None


def test_an_adapted_opponent_lies_between_two_levels() -> None:
    """For an opponent of another strength the named levels next to it are offered."""
    ladder = ladder_of(game_of("connect4", "6x7"))
    elos = {name: ladder.elo_of(name) or 0.0 for name in NAMES}
    rung = next(r for r in ladder.rungs if elos["easy"] < r.elo < elos["medium"] and not r.level)
    assert next_level(ended(agent(rung.name), 2)) == "easy"
    assert next_level(ended(agent(rung.name), 1)) == "medium"


@pytest.mark.parametrize("ending", [Ending.ABORTED, Ending.STOPPED])
def test_a_game_without_a_result_has_none(ending: Ending) -> None:
    """A cancelled or stopped game, a running one and one between people offer no level."""
    without = ended(agent("medium"), None, ending)
    assert next_level(without) is None
    assert next_level(replace(without, end=None)) is None
    assert next_level(ended(person(20), 1)) is None
    together = ended(agent("medium"), 1)
    setup = replace(together.setup, first=channel())
    assert next_level(replace(together, setup=setup)) is None
