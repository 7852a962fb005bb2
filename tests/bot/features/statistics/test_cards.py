"""The content of a player's card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.statistics.cards import (
    MAX_ROWS,
    CardContents,
    between_line,
    stats_card,
    stats_lines,
)
from bot.features.statistics.rules import Coverage, Rank, Standing
from bot.features.statistics.store import LevelTally, PlayerSummary
from bot.i18n import Translator, say_in
from bot.ratings.glicko import NEWCOMER
from bot.ratings.levels import class_of
from bot.store.records import Rating
from bot.store.results import ResultRecord
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from engine.strength.ladder import ladder_of
from renderers import Result
from tests.builders import CLASSIC

ENGLISH, SPANISH = say_in("en"), say_in("es")
EASY = next(rung for rung in ladder_of(CLASSIC).rungs if rung.level == "easy")
NEXT = ladder_of(CLASSIC).rungs[EASY.number]
MET = f"auto (~{round((2 * EASY.elo + NEXT.elo) / 30) * 10})"
SHOWN = CardContents(CLASSIC, "hard")
NUMBERED = Rating(1234.0, 75.0, 0.06, 30, shown=1190.0)
SUMMARY = PlayerSummary(
    tallies=(
        LevelTally("hard", 2, 0, 1, 1, variant="6x7"),
        LevelTally(None, 1, 1, 0, 0, variant="6x7"),
        LevelTally("easy", 1, 0, 0, 1, variant="6x7"),
        LevelTally("easy", 2, 2, 0, 0, auto=True, variant="6x7"),
        LevelTally(NEXT.name, 1, 1, 0, 0, auto=True, variant="6x7"),
    ),
    recent=(
        ResultRecord("6x7", "easy", True, True),
        ResultRecord("6x7", "easy", True, None),
        ResultRecord("6x7", "easy", True, False),
    ),
    moves=70,
    seconds=630.0,
    hints=3,
)
NOTHING = PlayerSummary((), (), 0, 0.0, 0)


def test_a_card_orders_its_table_by_level() -> None:
    """`auto` comes first, at the strength met, and is highlighted; people come last."""
    card = stats_card(SUMMARY, Standing(), "Ana", SHOWN, ENGLISH)
    assert card.table is not None
    assert [row[0] for row in card.table.rows] == [MET, "easy", "hard", "people"]
    assert card.table.rows[0] == (MET, "3", "3", "0", "0")
    assert card.table.rows[1] == ("easy", "1", "0", "0", "1")
    assert card.table.highlight == 0


def test_rare_opponents_are_summed_up() -> None:
    """A card has a limited number of rows: rare opponents share one, and `auto` has its own."""
    names = ("easy", "medium", "expert", "perfect", "greedy", "lines", None)
    many = tuple(LevelTally(name, 9, 4, 2, 3, variant="6x7") for name in names)
    history = replace(SUMMARY, tallies=(*many, LevelTally("hard", 1, 1, 0, 0, True, "6x7")))
    card = stats_card(history, Standing(), "Ana", SHOWN, ENGLISH)
    assert card.table is not None
    assert len(card.table.rows) == MAX_ROWS
    assert card.table.rows[-1] == ("others", "27", "12", "6", "9")
    assert card.table.highlight is not None
    assert card.table.rows[card.table.highlight][0].startswith("auto (~")
    assert sum(int(row[1]) for row in card.table.rows) == history.games


def test_other_figures_are_in_the_text() -> None:
    """Games, results, lengths, streak and hints are in the message, not in its picture."""
    card = stats_card(SUMMARY, Standing(), "Ana", SHOWN, ENGLISH)
    assert {f.label: f.value for f in card.figures} == {"Rating · classic": "–"}
    standing = Standing(NUMBERED, best_win=1312.4, rank=Rank(3, 40))
    assert stats_lines(SUMMARY, standing, "A*a", SHOWN, ENGLISH) == (
        "**A\\*a** · All sizes · all time\n"
        "Games **7** · Wins **4** · Draws **1** · Losses **2** · Win rate **57%**\n"
        "Rank **3 of 40** · Best win **1312** · Streak **1 win** · Moves per game **10.0** · "
        "Time per game **1 min 30 s** · Hints used **3**"
    )
    assert "Racha **1 ganada** ·" in stats_lines(SUMMARY, Standing(), "Ana", SHOWN, SPANISH)
    lines = stats_lines(NOTHING, Standing(), "Ana", SHOWN, ENGLISH)
    assert lines == "**Ana** · All sizes · all time"
    assert card.form is not None
    assert card.form.results == (Result.LOST, Result.DRAWN, Result.WON)
    assert card.course is None


def test_a_card_shows_the_rating() -> None:
    """A card shows a rating with its deviation and its course."""
    course = tuple(Rating(0, 100 - i, 0.06, i, shown=1000 + 10 * i) for i in range(20))
    card = stats_card(SUMMARY, Standing(course[-1], course), "Ana", SHOWN, ENGLISH)
    assert {f.label: f.value for f in card.figures} == {"Rating · classic": "1190 ± 81"}
    assert card.course is not None
    assert card.course.values[0] == 1000
    assert len(card.course.values) == len(card.course.deviations) == 20


def test_placement_has_no_number() -> None:
    """During placement a card shows the progress; a provisional rating is marked and explained."""
    placing = Standing(replace(NUMBERED, games=3, shown=None))
    card = stats_card(SUMMARY, placing, "Ana", SHOWN, ENGLISH)
    assert [f.value for f in card.figures] == ["game 3 of 5"]
    assert "first 5 rated games" in stats_lines(SUMMARY, placing, "Ana", SHOWN, ENGLISH)
    unsure = Standing(replace(NUMBERED, deviation=181.0))
    card = stats_card(SUMMARY, unsure, "Ana", SHOWN, ENGLISH)
    assert [f.value for f in card.figures] == ["1190 ± 181 ?"]
    assert "provisional" in stats_lines(SUMMARY, unsure, "Ana", SHOWN, ENGLISH)
    assert "provisional" not in stats_lines(SUMMARY, Standing(NUMBERED), "Ana", SHOWN, ENGLISH)


def test_a_card_says_what_it_covers() -> None:
    """A card names the sizes that it covers, with their ratings, and its period."""
    small, classic = class_of("connect4", "5x4"), class_of("connect4", "6x7")
    others = ((small, replace(NUMBERED, shown=900.0)),)
    whole = CardContents(CLASSIC, "hard", Coverage(None, 1_790_000_000.0), others)
    card = stats_card(SUMMARY, Standing(NUMBERED), "Ana", whole, ENGLISH)
    assert [(f.label, f.value) for f in card.figures] == [
        ("Rating · classic", "1190 ± 75"),
        ("Rating · small", "900 ± 75"),
    ]
    assert card.footer == "All sizes · since 9/21/26 · On 6x7, auto now plays at: hard."
    one = CardContents(CLASSIC, "hard", Coverage(classic, 1_790_000_000.0))
    lines = stats_lines(SUMMARY, Standing(NUMBERED), "Ana", one, SPANISH)
    assert lines.startswith("**Ana** · Tableros clásicos (26 a 48 casillas) · desde el 21/9/26\n")
    gato = CardContents(game_of("gato", "4x4"), "hard")
    card = stats_card(NOTHING, Standing(), "Ana", gato, ENGLISH)
    assert card.footer.startswith("4x4 · all time")
    assert [f.label for f in card.figures] == ["Rating"]


def test_two_people_see_their_record_against_each_other() -> None:
    """On a card the record of two people is from the point of view of the card's owner."""
    tally = LevelTally(None, 6, 3, 1, 2)
    assert between_line(tally, "Ana", "B_a", ENGLISH) == (
        "**Ana** against **B\\_a**: 3 wins · 1 draw · 2 losses"
    )
    assert "3 ganadas · 1 empatada · 2 perdidas" in between_line(tally, "Ana", "Bea", SPANISH)
    nothing = LevelTally(None, 0, 0, 0, 0)
    assert "not finished a game" in between_line(nothing, "Ana", "Bea", ENGLISH)


@pytest.mark.parametrize("name", ["王小明", "さくら", "김민준", "محمد", "🦊"])
def test_a_name_that_no_picture_writes_is_in_the_text(name: str) -> None:
    """A name that the font cannot draw is `Player` on the card and itself in the text."""
    card = stats_card(SUMMARY, Standing(), name, SHOWN, ENGLISH)
    assert card.title == "Player"
    assert stats_lines(SUMMARY, Standing(), name, SHOWN, ENGLISH).startswith(f"**{name}**")


@pytest.mark.parametrize("say", [ENGLISH, SPANISH], ids=["en", "es"])
@pytest.mark.parametrize("family", all_games())
def test_a_card_without_games_invites_to_play(family: str, say: Translator) -> None:
    """The card of a player without games invites to play, in every game and language."""
    game = game_of(family, all_games()[family].usual)
    card = stats_card(NOTHING, Standing(NEWCOMER), "Ana", CardContents(game, "easy"), say)
    assert card.table is None
    assert card.form is None
    assert say("command.start.name") in card.note


def test_one_game_is_enough_for_a_card() -> None:
    """A single game has its row, its mark and its place in the course."""
    once = replace(SUMMARY, tallies=SUMMARY.tallies[:1], recent=SUMMARY.recent[:1], moves=7)
    card = stats_card(
        once, Standing(NEWCOMER, [NEWCOMER]), "Ana", CardContents(CLASSIC, "easy"), ENGLISH
    )
    assert card.table is not None
    assert len(card.table.rows) == 1
    assert card.form is not None
    assert len(card.form.results) == 1
