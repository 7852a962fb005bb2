"""The content of list pages."""

from __future__ import annotations

import pytest

from bot.features.statistics.lists import (
    PageOf,
    history_card,
    history_lines,
    leaders_card,
    leaders_lines,
    option_text,
    own_line,
)
from bot.features.statistics.rules import Coverage, Rank
from bot.features.statistics.store import PastGame
from bot.i18n import Translator, say_in
from bot.ratings.levels import class_of
from bot.store.records import Ending, Rating, RatingRecord
from engine.strength.ladder import ladder_of
from tests.builders import CLASSIC

ENGLISH, SPANISH = say_in("en"), say_in("es")
DAY = 1_790_000_000.0
ONE = PageOf(0, 1, Coverage(None, DAY))
FOOTER = "All sizes · since 9/21/26"
GAMES = (
    PastGame(12, "6x7", None, "hard", True, Ending.LINE, 23, DAY, auto=True),
    PastGame(11, "5x4", 7, None, False, Ending.RESIGNED, 9, DAY),
    PastGame(10, "6x7", None, "window-6", None, Ending.DRAW, 42, DAY),
    PastGame(9, "6x7", None, "easy", None, Ending.STOPPED, 3, DAY),
)


HARD = f"auto (~{round(ladder_of(CLASSIC).named('hard').elo / 10) * 10})"


def test_watched_games_name_both_agents() -> None:
    """A watched game is listed with both agents, the first player first."""
    seen = PastGame(
        8, "6x7", None, "easy", None, Ending.LINE, 30, DAY, False, ("easy", "tuples-7"), 2
    )
    drawn = PastGame(7, "6x7", None, "easy", None, Ending.DRAW, 42, DAY, False, ("easy", "hard"))
    card = history_card("Ana", "connect4", (seen, drawn), {}, ONE, ENGLISH)
    assert card.table is not None
    assert [row[3:] for row in card.table.rows] == [
        ("easy – tuples 7", "0-1"),
        ("easy – hard", "drawn"),
    ]
    assert option_text("connect4", seen, {}, ENGLISH) == "No. 8: easy – tuples 7, 0-1"


def player(user_id: int, value: float, deviation: float) -> RatingRecord:
    """A person's rating."""
    return RatingRecord(
        user_id, "connect4-classic", Rating(0.0, deviation, 0.06, 30, shown=value), DAY
    )


def test_a_history_lists_each_game() -> None:
    """Each row of a history has number, date, opponent and result in the reader's language."""
    card = history_card(
        "Ana", "connect4", GAMES, {7: "Bea"}, PageOf(0, 2, Coverage(None, DAY)), ENGLISH
    )
    assert card.table is not None
    assert card.table.rows[0] == ("12", "9/21/26", "6x7", HARD, "won")
    assert [row[3] for row in card.table.rows] == [HARD, "Bea", "window 6", "easy"]
    assert [row[4] for row in card.table.rows] == ["won", "lost", "drawn", "stopped"]
    assert card.footer == f"{FOOTER} · Page 1 of 2"
    spanish = history_card("Ana", "connect4", GAMES, {7: "Bea"}, ONE, SPANISH)
    assert spanish.table is not None
    assert spanish.table.rows[0][1] == "21/9/26"
    assert spanish.footer == "Todos los tamaños · desde el 21/9/26"


def test_a_menu_names_each_game() -> None:
    """A menu entry for a game fits into a hundred characters."""
    text = option_text("connect4", GAMES[1], {7: "Bea"}, ENGLISH)
    assert text == "No. 11: Bea, lost"


@pytest.mark.parametrize(("say", "command"), [(ENGLISH, "/gato start"), (SPANISH, "/gato empezar")])
def test_an_empty_history_invites(say: Translator, command: str) -> None:
    """An empty history has no table but a text on how to begin."""
    card = history_card("Ana", "gato", (), {}, PageOf(0, 0), say)
    assert card.table is None
    assert command in card.note


def test_leaders_are_placed_and_the_provisional_marked() -> None:
    """Places continue across pages; provisional ratings are marked and dimmed."""
    players = (player(1, 1500.4, 60.0), player(2, 1400.0, 200.0))
    card = leaders_card("server", "connect4", players, {1: "Ana", 2: "Bea"}, PageOf(1, 2), ENGLISH)
    assert card.table is not None
    assert card.table.rows == (
        ("9", "Ana", "classic", "1500", "30"),
        ("10", "Bea", "classic", "1400 ?", "30"),
    )
    assert card.table.muted == {1}
    words = leaders_lines(players, {1: "Ana", 2: "Bea"}, "", ENGLISH)
    assert words.startswith("A question mark means a provisional rating")


def test_one_size_needs_no_column() -> None:
    """A leaderboard of a single size class names it below instead of in a column."""
    small = Coverage(class_of("connect4", "5x4"))
    for family, coverage, expected in (
        ("connect4", small, "Small boards (up to 25 squares) · all time"),
        ("gato", Coverage(), "4x4 · all time"),
    ):
        page = PageOf(0, 1, coverage)
        card = leaders_card("server", family, (player(1, 1500, 60),), {1: "Ana"}, page, ENGLISH)
        assert card.table is not None
        assert card.table.rows == (("1", "Ana", "1500", "30"),)
        assert card.footer == expected


def test_people_are_shown_their_own_rank() -> None:
    """A leaderboard tells its reader their place or placement progress, unless they are hidden."""
    rated = player(1, 1500, 60).rating
    assert own_line("A*a", Rank(12, 40), rated, ENGLISH) == "**A\\*a**: rank 12 of 40"
    placing = Rating(900.0, 200.0, 0.06, 3)
    assert own_line("Ana", None, placing, ENGLISH) == "**Ana**: placement, game 3 of 5"
    assert own_line("Ana", None, None, ENGLISH) == ""
    assert own_line("Ana", None, rated, ENGLISH) == ""
    lines = leaders_lines((player(1, 1500, 60),), {1: "Ana"}, "**Ana**: rank 1 of 1", ENGLISH)
    assert lines == "**Ana**: rank 1 of 1"


def test_a_settled_leaderboard_needs_no_explanation() -> None:
    """Marks are explained only if a rating is provisional; an empty leaderboard has a text."""
    settled = leaders_card("server", "gato", (player(1, 1500, 60),), {1: "Ana"}, ONE, ENGLISH)
    assert settled.note == ""
    empty = leaders_card("everywhere", "gato", (), {}, PageOf(0, 0), ENGLISH)
    assert empty.table is None
    assert "/gato start" in empty.note


def test_names_that_no_picture_writes_are_in_the_text() -> None:
    """Names that the font cannot draw are numbered players, explained in a line of text."""
    names = {1: "王小明", 2: "Bea", 3: "محمد", 7: "김_민준"}
    players = tuple(player(user_id, 1500 - user_id, 60) for user_id in (1, 2, 3))
    card = leaders_card("server", "gato", players, names, ONE, ENGLISH)
    assert card.table is not None
    assert [row[1] for row in card.table.rows] == ["Player 1", "Bea", "Player 2"]
    assert leaders_lines(players, names, "", ENGLISH) == "Player 1: **王小明** · Player 2: **محمد**"
    history = history_card("Ana", "connect4", GAMES, names, ONE, SPANISH)
    assert history.table is not None
    assert history.table.rows[1][3] == "Jugador 1"
    assert history_lines(GAMES, names, SPANISH) == "Jugador 1: **김\\_민준**"
    assert history_lines(GAMES, {7: "Bea"}, ENGLISH) == ""
