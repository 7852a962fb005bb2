"""The names of threads, which Discord limits to 100 characters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.threads.view import LONGEST, name_with_result, thread_name
from bot.game.session import Session
from bot.i18n import LANGUAGES, say_in
from bot.store.records import (
    AUTO,
    Ending,
    EndRecord,
    GameRecord,
    GameSetup,
    SeatRecord,
    agent,
    person,
)
from engine.core.game import Player

ANA, BEA, LONG = person(1), person(2), person(3)
NAMES = {1: "Ana", 2: "Bea", 3: "Wolfgang Amadeus Theophilus Chrysostomus "}

CASES: list[tuple[SeatRecord, SeatRecord, str, EndRecord | None, str]] = [
    (ANA, BEA, "6x7", None, "Ana vs Bea · Connect 4"),
    (ANA, agent(AUTO), "5x4", None, "Ana vs Cuatro · Connect 4 · 5x4"),
    (agent("easy"), agent("hard"), "6x7", None, "easy vs hard · Connect 4"),
    (ANA, BEA, "6x7", EndRecord(Ending.LINE, Player.SECOND, 9.0), "Bea won"),
    (ANA, BEA, "6x7", EndRecord(Ending.AGREED, None, 9.0), "draw"),
    (ANA, BEA, "6x7", EndRecord(Ending.ABORTED, None, 9.0), "stopped"),
]


def made(first: SeatRecord, second: SeatRecord, variant: str) -> GameSetup:
    """A game in a server."""
    return GameSetup("connect4", variant, 5, 6, "en", first, second, 1)


def over(setup: GameSetup, end: EndRecord) -> Session:
    """A game that is over."""
    return replace(Session.from_record(GameRecord(1, setup, 0.0, None, (), (), None)), end=end)


@pytest.mark.parametrize(("first", "second", "variant", "end", "expected"), CASES)
def test_a_name_says_who_plays_what_and_how_it_ended(
    first: SeatRecord, second: SeatRecord, variant: str, end: EndRecord | None, expected: str
) -> None:
    """The name of a thread has both sides, the game, its size if unusual and, later, the result."""
    setup, say = made(first, second, variant), say_in("en")
    name = thread_name(setup, NAMES, say)
    if end is None:
        assert name == expected
    else:
        assert name_with_result(over(setup, end), NAMES, say) == f"{name} · {expected}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("length", [24, 32, 45, 120])
def test_long_names_are_cut_alike(language: str, length: int) -> None:
    """Long names are shortened so far that the game and the result fit, and short ones are not."""
    say, names = say_in(language), {1: NAMES[3][:1] * length, 2: "Bea", 3: NAMES[3] * 3}
    for first, second in ((ANA, LONG), (LONG, BEA), (LONG, LONG)):
        setup = made(first, second, "8x8")
        end = EndRecord(Ending.LINE, Player.FIRST, 9.0)
        for name in (
            thread_name(setup, names, say),
            name_with_result(over(setup, end), names, say),
        ):
            assert 0 < len(name) <= LONGEST
            assert f"{say('game.connect4')} · 8x8" in name
            assert ("Bea" in name) == (BEA in (first, second))
