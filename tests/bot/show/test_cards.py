"""What a player's card says, before it is drawn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.rating.ratings import NEWCOMER
from bot.rating.standing import Standing
from bot.show.cards import stats_card
from bot.store import LevelTally, PlayerSummary, Rating, ResultRecord
from bot.words import Say, say_in
from engine.games import FAMILIES, game_of
from engine.ladder import ladder_of
from renderers import Result

CLASSIC = game_of("connect4", "6x7")
ENGLISH, SPANISH = say_in("en"), say_in("es")
EASY = next(rung for rung in ladder_of(CLASSIC).rungs if rung.level == "easy")
SUMMARY = PlayerSummary(
    tallies=(
        LevelTally("hard", 2, 0, 1, 1),
        LevelTally(None, 1, 1, 0, 0),
        LevelTally("easy", 3, 2, 0, 1),
        LevelTally(f"rung-{EASY.number + 1}", 1, 1, 0, 0),
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
    """Rungs count with the nearest level; the present level stands out, people come last."""
    card = stats_card(SUMMARY, Standing(), "Ana", CLASSIC, "hard", ENGLISH)
    assert card.table is not None
    assert [row[0] for row in card.table.rows] == ["easy", "hard", "people"]
    assert card.table.rows[0] == ("easy", "4", "3", "0", "1", "75%")
    assert card.table.highlight == 1


def test_a_card_tells_the_figures() -> None:
    """Games, results, lengths, streak, hints; a dash where nothing is known."""
    card = stats_card(SUMMARY, Standing(), "Ana", CLASSIC, "hard", ENGLISH)
    assert {f.label: f.value for f in card.figures} == {
        "Rating": "–",
        "Best win": "–",
        "Games": "7",
        "Wins": "4",
        "Draws": "1",
        "Losses": "2",
        "Moves per game": "10.0",
        "Time per game": "1 min 30 s",
        "Streak": "1 win",
        "Hints used": "3",
    }
    assert card.form is not None
    assert card.form.results == (Result.LOST, Result.DRAWN, Result.WON)
    assert card.course is None


def test_a_card_tells_how_strong_somebody_is() -> None:
    """A rating comes with its deviation, its course and the strongest opponent beaten."""
    course = [Rating(1000 + 10 * i, 200 - i, 0.06, i) for i in range(20)]
    standing = Standing(course[-1], course, best_win=1312.4)
    card = stats_card(SUMMARY, standing, "Ana", CLASSIC, "hard", ENGLISH)
    figures = {f.label: f.value for f in card.figures}
    assert figures["Rating"] == "1190 ± 181"
    assert figures["Best win"] == "1312"
    assert card.course is not None
    assert card.course.values[0] == 1000
    assert len(card.course.values) == len(card.course.deviations) == 20


@pytest.mark.parametrize("say", [ENGLISH, SPANISH], ids=["en", "es"])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_card_without_games_invites_to_play(family: str, say: Say) -> None:
    """Without finished games nothing is divided by nothing, in any game and language."""
    game = game_of(family, FAMILIES[family].usual)
    card = stats_card(NOTHING, Standing(NEWCOMER), "Ana", game, "easy", say)
    assert card.table is None
    assert card.form is None
    assert say("command.start.name") in card.note


def test_one_game_is_enough_for_a_card() -> None:
    """A single game has its row, its mark and its place in the course."""
    once = replace(SUMMARY, tallies=SUMMARY.tallies[:1], recent=SUMMARY.recent[:1], moves=7)
    card = stats_card(once, Standing(NEWCOMER, [NEWCOMER]), "Ana", CLASSIC, "easy", ENGLISH)
    assert card.table is not None
    assert len(card.table.rows) == 1
    assert card.form is not None
    assert len(card.form.results) == 1
