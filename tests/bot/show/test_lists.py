"""What pages of lists say, before they are drawn."""

from __future__ import annotations

import pytest

from bot.show.lists import history_card, leaders_card, option_text
from bot.store import PastGame, Rating, RatingRecord
from bot.words import Say, say_in

ENGLISH, SPANISH = say_in("en"), say_in("es")
DAY = 1_790_000_000.0
GAMES = (
    PastGame(12, "6x7", None, "hard", True, "line", 23, DAY),
    PastGame(11, "5x4", 7, None, False, "resigned", 9, DAY),
    PastGame(10, "6x7", None, "window-6", None, "draw", 42, DAY),
    PastGame(9, "6x7", None, "easy", None, "stopped", 3, DAY),
)


def player(user_id: int, value: float, deviation: float) -> RatingRecord:
    """Somebody's rating."""
    return RatingRecord(user_id, "connect4-classic", Rating(value, deviation, 0.06, 30), DAY)


def test_a_history_tells_each_game() -> None:
    """Number, date, opponent, result and moves, as the language writes them."""
    card = history_card("Ana", "connect4", GAMES, {7: "Bea"}, (0, 2), ENGLISH)
    assert card.table is not None
    assert card.table.rows[0] == ("12", "9/21/26", "hard", "won", "23")
    assert [row[2] for row in card.table.rows] == ["hard", "Bea", "window, depth 6", "easy"]
    assert [row[3] for row in card.table.rows] == ["won", "lost", "drawn", "stopped"]
    assert card.footer == "Page 1 of 2"
    spanish = history_card("Ana", "connect4", GAMES, {7: "Bea"}, (0, 1), SPANISH)
    assert spanish.table is not None
    assert spanish.table.rows[0][1] == "21/9/26"
    assert spanish.footer == ""


def test_a_menu_names_each_game() -> None:
    """What a menu says of a game fits its hundred characters."""
    text = option_text("connect4", GAMES[1], {7: "Bea"}, ENGLISH)
    assert text == "No. 11: Bea, lost"


@pytest.mark.parametrize(("say", "command"), [(ENGLISH, "/gato start"), (SPANISH, "/gato empezar")])
def test_an_empty_history_invites(say: Say, command: str) -> None:
    """Without games there is no table but a word on how to begin."""
    card = history_card("Ana", "gato", (), {}, (0, 0), say)
    assert card.table is None
    assert command in card.note


def test_leaders_are_placed_and_the_provisional_marked() -> None:
    """Places go on over pages; a provisional rating has its mark, its row steps back."""
    players = (player(1, 1500.4, 60.0), player(2, 1400.0, 200.0))
    card = leaders_card("server", "connect4", players, {1: "Ana", 2: "Bea"}, (1, 2), ENGLISH)
    assert card.table is not None
    assert card.table.rows == (("11", "Ana", "1500", "30"), ("12", "Bea", "1400 ?", "30"))
    assert card.table.muted == {1}
    assert "provisional" in card.note


def test_a_settled_leaderboard_needs_no_explanation() -> None:
    """Where every rating is settled nothing is said of marks; without players there is a word."""
    settled = leaders_card("server", "gato", (player(1, 1500, 60),), {1: "Ana"}, (0, 1), ENGLISH)
    assert settled.note == ""
    empty = leaders_card("everywhere", "gato", (), {}, (0, 0), ENGLISH)
    assert empty.table is None
    assert "/gato start" in empty.note
