"""The rating with which a person begins on a ladder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.ratings.glicko import NEWCOMER, newcomer
from bot.ratings.levels import current_rung, fitting_rung
from bot.ratings.start import ANSWERED, STANDING, TRANSFER, rating_on, starting_rating
from bot.store.records import (
    Background,
    Ending,
    EndRecord,
    Experience,
    GameSetup,
    RatedEnd,
    Rating,
    RatingChange,
    RatingRecord,
    SeatRecord,
)
from engine.core.registry import game_of, games
from engine.strength.ladder import Ladder, ladder_named, ladder_of

ANA = 1
CLASSIC, SMALL = ladder_of(game_of("connect4", "6x7")), ladder_of(game_of("connect4", "5x4"))
BOOM = ladder_of(game_of("boom", "7x7"))
NAMES = [name for package in games().values() for name in package.people]


def standing(ladder: Ladder, value: float) -> float:
    """How far a rating is from the average person's, in standard deviations."""
    assert ladder.people is not None
    return (value - ladder.people.mean) / ladder.people.deviation


def known(name: str, value: float, deviation: float = 80.0) -> Background:
    """A person with a rating on one ladder."""
    rating = Rating(value, deviation, 0.06, 20)
    return Background({name: RatingRecord(ANA, name, rating, 0.0)})


@pytest.mark.parametrize("name", NAMES)
def test_somebody_unknown_begins_as_the_average_person(name: str) -> None:
    """On every ladder people begin at the mean of simulated people, which is below `medium`."""
    ladder = ladder_named(name)
    assert ladder is not None
    assert ladder.people is not None
    start = starting_rating(ladder, Background())
    assert start == newcomer(ladder)
    assert start == replace(NEWCOMER, value=ladder.people.mean)
    assert ladder.rungs[0].elo < start.value < ladder.named("medium").elo


def test_a_ladder_without_figures_begins_in_its_lower_half() -> None:
    """Where nothing is known about people, they begin between the lowest rung and `medium`."""
    unknown = replace(SMALL, people=None)
    half_way = (unknown.rungs[0].elo + 1200) / 2
    assert starting_rating(unknown, Background()).value == half_way


def test_a_second_board_begins_where_the_first_one_is() -> None:
    """A rating on another ladder counts by its place among people, with a wide deviation."""
    for value in (750.0, 900.0, 1150.0):
        start = starting_rating(BOOM, known("connect4-classic", value))
        assert standing(BOOM, start.value) == pytest.approx(standing(CLASSIC, value))
        assert TRANSFER < start.deviation < TRANSFER + 30
    unsure = starting_rating(BOOM, known("connect4-classic", 900.0, 300.0))
    assert TRANSFER + 100 < unsure.deviation < NEWCOMER.deviation


def test_the_most_certain_rating_counts() -> None:
    """Of several ratings the one with the smallest deviation is taken; unknown ladders are not."""
    sure, unsure = known("connect4-classic", 1100.0), known("gato", 1000.0, 200.0)
    both = Background({**unsure.ratings, **sure.ratings})
    assert starting_rating(BOOM, both) == starting_rating(BOOM, sure)
    lost = known("chess", 1100.0)
    assert starting_rating(BOOM, lost) == newcomer(BOOM)


def test_an_answer_moves_the_start() -> None:
    """A person who says that they play more begins higher; no answer leaves the average."""
    values = []
    for answer in STANDING:
        start = starting_rating(CLASSIC, Background(experience=answer))
        assert start.deviation == ANSWERED
        values.append(start.value)
    assert values == sorted(values)
    unsaid = starting_rating(CLASSIC, Background(experience=Experience.UNKNOWN))
    assert unsaid == newcomer(CLASSIC)
    played = replace(known("gato", 1100.0), experience=Experience.CLUB)
    assert starting_rating(CLASSIC, played) == starting_rating(CLASSIC, known("gato", 1100.0))


def test_a_rating_is_its_own_start() -> None:
    """On a ladder with a rating, what is known of other ladders does not matter."""
    both = Background({**known("boom", 400.0).ratings, **known("gato", 1200.0).ratings})
    assert rating_on(BOOM, "boom", both, 10.0).value == 400


async def test_the_first_game_of_a_second_board_is_rated_from_there(services: Any) -> None:
    """The store begins with the rating that `auto` chose the opponent by."""
    store, gato = services.store, game_of("gato", "4x4")
    me, other = SeatRecord(ANA, None), SeatRecord(None, "medium")
    setup = GameSetup("connect4", "6x7", 5, None, "en", me, other)
    game_id = await store.games.add(setup, 1.0)
    strong = Rating(1300.0, 80.0, 0.06, 20)
    change = RatingChange(ANA, strong, strong, 1200.0)
    await store.games.finish(game_id, EndRecord(Ending.LINE, 1, 1.0), counts=True)
    await store.ratings.rate(
        game_id, RatedEnd("connect4-classic", (ANA,), lambda _known: (change,))
    )
    background = await store.ratings.background(ANA)
    assert [*background.ratings] == ["connect4-classic"]
    start = starting_rating(ladder_of(gato), background)
    assert start.value > newcomer(ladder_of(gato)).value
    assert await current_rung(store, ANA, gato, 2.0) == fitting_rung(ladder_of(gato), start)
    seen: list[RatingRecord] = []

    def rate(present: Any) -> tuple[RatingChange, ...]:
        seen.append(present[ANA])
        return (RatingChange(ANA, present[ANA].rating, strong, 1200.0),)

    setup = replace(setup, family="gato", variant="4x4", channel_id=6)
    game_id = await store.games.add(setup, 3.0)
    await store.games.finish(game_id, EndRecord(Ending.LINE, 1, 4.0), counts=True)
    begin = RatedEnd("gato", (ANA,), rate, start=lambda of: starting_rating(ladder_of(gato), of))
    await store.ratings.rate(game_id, begin)
    assert seen == [RatingRecord(ANA, "gato", start, 4.0)]


async def test_an_answer_is_kept(services: Any) -> None:
    """What a person said is stored with them, also if they are new."""
    store = services.store
    assert await store.players.experience(ANA) is None
    await store.players.note_experience(ANA, Experience.CLUB, 1.0)
    assert await store.players.experience(ANA) is Experience.CLUB
    assert (await store.ratings.background(ANA)).experience is Experience.CLUB
