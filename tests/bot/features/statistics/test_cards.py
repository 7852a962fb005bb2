"""The content of a player's card, and of the details beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.statistics.cards import (
    between_line,
    details_text,
    long_day,
    near_day,
    stats_scene,
)
from bot.features.statistics.rules import Coverage, PlayerStatistics, Rank, Standing
from bot.features.statistics.store import BestWin, LevelTally, PlayerSummary
from bot.i18n import say_in
from bot.ratings.levels import class_of
from bot.store.records import Rating, RatingPoint
from bot.store.results import ResultRecord
from engine.strength.ladder import ladder_of
from renderers import Figure, StatisticsScene, card_alt_text
from tests.builders import CLASSIC

ENGLISH, SPANISH = say_in("en"), say_in("es")
DAY = 24 * 3600.0
NOW = 1_790_000_000.0
"""September 21, 2026."""
NUMBERED = Rating(1234.0, 75.0, 0.06, 30, shown=1190.0)
SUMMARY = PlayerSummary(
    tallies=(
        LevelTally("hard", 2, 0, 1, 1, variant="6x7"),
        LevelTally(None, 1, 1, 0, 0, variant="6x7"),
        LevelTally("easy", 4, 3, 0, 1, auto=True, variant="6x7"),
    ),
    recent=(
        ResultRecord("6x7", "easy", True, True),
        ResultRecord("6x7", "easy", True, True),
        ResultRecord("6x7", "easy", True, False),
    ),
)
CLASSIC_SIZE, SMALL = class_of("connect4", "6x7"), class_of("connect4", "5x4")
COURSE = tuple(
    RatingPoint(NOW, Rating(900 + 10 * n, 100, 0.06, n, shown=None if n < 5 else 900.0 + 10 * n))
    for n in range(1, 21)
)
FOUND = PlayerStatistics(
    SUMMARY,
    Coverage(None, NOW - 200 * DAY),
    CLASSIC,
    Standing(NUMBERED, COURSE, BestWin(1300, "hard", "6x7"), Rank(4, 38), CLASSIC_SIZE, 27),
    "hard",
)


def card(found: PlayerStatistics, language: str = "en") -> StatisticsScene:
    """Ana's card."""
    return stats_scene(7, "Ana", found, NOW, say_in(language))


def test_a_card_has_one_number_one_chart_and_one_bar() -> None:
    """The rating, its change and rank, its course, and the results are on the card."""
    scene = card(FOUND)
    assert (scene.face.key, scene.title, scene.subtitle) == (7, "Ana", "Connect 4")
    assert scene.number == Figure("rating", "1190")
    assert scene.rank == Figure("rank", "4 of 38")
    assert (scene.change, scene.change_text) == (27, "27 this week")
    assert scene.tally.texts == ("4 wins", "1 draw", "2 losses")
    assert scene.footer == "7 games since March 5 · best win: hard"
    spanish = card(FOUND, "es")
    assert spanish.number == Figure("puntaje", "1190")
    assert spanish.rank == Figure("puesto", "4 de 38")
    assert spanish.change_text == "27 esta semana"
    assert spanish.tally.texts == ("4 ganadas", "1 empatada", "2 perdidas")
    assert spanish.footer == "7 partidas desde el 5 de marzo · mejor victoria: difícil"


def test_analysts_figures_are_not_on_the_card() -> None:
    """Deviations, times, hints and moves per game are in the export, not on the card."""
    text = card_alt_text(card(FOUND))
    assert "±" not in text
    assert "?" not in text
    for word in ("hints", "time", "per game", "75"):
        assert word not in text


def test_the_course_shows_placement_apart() -> None:
    """The course begins with the placement games, of which no number is given in words."""
    course = card(FOUND).course
    assert course is not None
    assert (course.placement, len(course.values)) == (4, 20)
    assert course.summary == "Rating from 950 to 1100, lowest 950, highest 1100."


@pytest.mark.parametrize("games", [0, 3, 4])
def test_placement_has_no_number(games: int) -> None:
    """Before there is a rating, the card shows how many games are missing."""
    rating = replace(NUMBERED, games=games, shown=None) if games else None
    standing = Standing(rating, COURSE[:games], size=CLASSIC_SIZE if games else None)
    scene = card(replace(FOUND, standing=standing))
    assert scene.number == Figure("placement games", f"{games} of 5")
    assert scene.progress == (games, 5)
    assert (scene.course, scene.change, scene.rank) == (None, None, None)
    noun = "game" if games == 4 else "games"
    assert scene.note == f"{5 - games} more rated {noun} and there's a rating."


def test_a_card_names_an_unusual_size() -> None:
    """The size class of the rating is named unless it is the usual one."""
    standing = replace(FOUND.standing, size=SMALL)
    assert card(replace(FOUND, standing=standing)).subtitle == "Connect 4 (small)"
    one = replace(FOUND, coverage=Coverage(class_of("connect4", "8x8"), NOW))
    assert card(one, "es").subtitle == "Conecta 4 (grande)"
    chosen = replace(FOUND, coverage=Coverage(CLASSIC_SIZE, NOW))
    assert card(chosen).subtitle == "Connect 4 (classic)"


def test_a_week_without_change_says_so() -> None:
    """A number that came back to where it was is the same; without rated games nothing is said."""
    same = replace(FOUND, standing=replace(FOUND.standing, change=0))
    assert card(same).change_text == "same this week"
    nothing = replace(FOUND, standing=replace(FOUND.standing, change=None))
    assert card(nothing).change is None


def test_the_best_win_names_the_opponent() -> None:
    """The best win is a level, an automatic opponent at a strength, or a person with a rating."""
    rung = ladder_of(CLASSIC).rungs[0].name
    for best, words in (
        (BestWin(1312.4, None, "6x7"), "a player rated 1312"),
        (BestWin(870.0, rung, "6x7"), "auto at 870"),
        (BestWin(870.0, "medium", "6x7"), "medium"),
    ):
        scene = card(replace(FOUND, standing=replace(FOUND.standing, best_win=best)))
        assert scene.footer.endswith(f"best win: {words}")
    none = card(replace(FOUND, standing=replace(FOUND.standing, best_win=None)))
    assert none.footer == "7 games since March 5"


def test_details_have_what_the_card_leaves_out() -> None:
    """The details have the streak, figures and lines of other features, and `auto`'s level."""
    text = details_text("A*a", FOUND, [Figure("Puzzles", "872")], ["Solved **3**"], ENGLISH)
    assert text == (
        "**A\\*a** · Connect 4\nStreak **2 wins**\nPuzzles **872**\nSolved **3**\n"
        "In **auto** I'd play you at this level now: hard."
    )
    assert "Racha **2 ganadas**" in details_text("Ana", FOUND, [], [], SPANISH)


def test_two_people_see_their_record_against_each_other() -> None:
    """In details the record of two people is from the point of view of the card's owner."""
    tally = LevelTally(None, 6, 3, 1, 2)
    assert between_line(tally, "Ana", "B_a", ENGLISH) == (
        "**Ana** against **B\\_a**: 3 wins · 1 draw · 2 losses"
    )
    assert "3 ganadas · 1 empatada · 2 perdidas" in between_line(tally, "Ana", "Bea", SPANISH)
    nothing = LevelTally(None, 0, 0, 0, 0)
    assert "haven't finished a game" in between_line(nothing, "Ana", "Bea", ENGLISH)


def test_names_that_no_picture_writes_are_replaced() -> None:
    """A name that the font cannot draw is replaced on the card, and so is its initial."""
    scene = stats_scene(7, "王小明", FOUND, NOW, ENGLISH)
    assert scene.title == scene.face.name == "Player"


def test_days_are_named_as_people_do() -> None:
    """Recent days have words, days of this year no year, and others have one."""
    days = [near_day(NOW - n * DAY, NOW, ENGLISH) for n in (0, 1, 2, 400)]
    assert days == ["today", "yesterday", "Sep 19", "Aug 17, 2025"]
    assert near_day(NOW - DAY, NOW, SPANISH) == "ayer"
    assert long_day(NOW - 2 * DAY, NOW, SPANISH) == "19 de septiembre"
    assert long_day(NOW - 400 * DAY, NOW, ENGLISH) == "August 17, 2025"
