"""The content of list pages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.statistics.lists import (
    PageOf,
    history_lines,
    history_scene,
    leaders_lines,
    leaders_scene,
    option_text,
    own_line,
)
from bot.features.statistics.rules import (
    Coverage,
    LeaderboardPage,
    ListedGame,
    OwnPlace,
    Rank,
)
from bot.features.statistics.store import PastGame
from bot.game.session import Session
from bot.i18n import say_in
from bot.ratings.levels import class_of
from bot.store.records import Ending, EndRecord, Rating, RatingChange, RatingRecord
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of
from renderers import Leader, Result
from tests.bot.builders import ANA, session_of
from tests.builders import CLASSIC

ENGLISH, SPANISH = say_in("en"), say_in("es")
NOW = 1_790_000_000.0
HARD = f"auto (~{round(ladder_of(CLASSIC).named('hard').elo / 10) * 10})"
PAGE = PageOf(0, 12, games=60, reader=ANA, now=NOW)


def past(
    game_id: int, won: bool | None, ending: Ending = Ending.LINE, **values: object
) -> PastGame:
    """A game against an agent, today, unless other values are given."""
    game = PastGame(game_id, "6x7", None, "hard", won, ending, NOW)
    return replace(game, **values)  # type: ignore[arg-type]


def session(*shown: float | None) -> Session:
    """A game that Ana has won on her fourth move, and her numbers before and after it."""
    moves = list("1212121")
    played = session_of(CLASSIC, moves)
    changes = ()
    if shown:
        before, after = (Rating(900.0, 75.0, 0.06, 30, shown=one) for one in shown)
        changes = (RatingChange(ANA, before, after, 900.0),)
    return replace(played, changes=changes)


GAMES = (
    ListedGame(past(12, True, auto=True), 60, session(1038.0, 1065.0)),
    ListedGame(past(11, False, Ending.RESIGNED, variant="5x4", opponent=7, agent=None), 59),
    ListedGame(past(10, None, Ending.DRAW, agent="window-6", at=NOW - 86_400), 58, session()),
    ListedGame(past(9, None, Ending.STOPPED, agent="easy"), 57, session(None, None)),
)


def test_a_history_says_what_happened_to_its_reader() -> None:
    """Rows say who was beaten, by number, level, moves and day, and what it did to the rating."""
    scene = history_scene("connect4", GAMES, {7: "Bea"}, PAGE, ENGLISH)
    assert (scene.title, scene.subtitle) == ("Your games", "Connect 4 · 60 games · page 1 of 12")
    rows = scene.rows
    assert [row.number for row in rows] == ["60", "59", "58", "57"]
    assert [row.result for row in rows] == [Result.WON, Result.LOST, Result.DRAWN, None]
    assert [row.title for row in rows] == [
        "You beat Cuatro", "You lost to Bea", "You drew with Cuatro", "Stopped: Cuatro",
    ]  # fmt: skip
    assert rows[0].details == f"{HARD} · 4 moves · today"
    assert rows[1].details == "5x4 · today"
    assert rows[2].details == "window 6 · 4 moves · yesterday"
    assert [row.change for row in rows] == [27, None, None, None]
    assert [row.remark for row in rows] == ["", "", "not rated", "placement"]


def test_a_history_in_spanish() -> None:
    """The history speaks to its reader in their language."""
    scene = history_scene("connect4", GAMES, {7: "Bea"}, PAGE, SPANISH)
    assert scene.subtitle == "Conecta 4 · 60 partidas · página 1 de 12"
    assert [row.title for row in scene.rows] == [
        "Le ganaste a Cuatro", "Perdiste contra Bea", "Empataste con Cuatro", "Detenida: Cuatro",
    ]  # fmt: skip
    assert [row.remark for row in scene.rows] == ["", "", "sin puntaje", "ubicación"]


def test_a_history_shows_the_last_positions() -> None:
    """Each readable game has its last position; one that cannot be read has none."""
    boards = [row.board for row in history_scene("connect4", GAMES, {7: "B"}, PAGE, ENGLISH).rows]
    assert boards[1] is None
    assert boards[0] is not None
    assert [cell.value for cell in boards[0].cells[2]] == list("1......")


def test_a_rating_that_is_due_is_not_called_unrated() -> None:
    """While a game's rating is being computed, its place is empty."""
    due = ListedGame(past(12, True), 60, replace(session(), rating_due=True))
    (row,) = history_scene("connect4", (due,), {}, PAGE, ENGLISH).rows
    assert (row.change, row.remark) == (None, "")


def test_watched_games_name_both_agents() -> None:
    """A watched game is listed without a number, with both agents, the first player first."""
    seen = ListedGame(past(8, None, agent="easy", watched=("easy", "tuples-7"), winner=2), None)
    (row,) = history_scene("connect4", (seen,), {}, PAGE, ENGLISH).rows
    assert (row.title, row.details, row.result) == ("easy – tuples 7", "0-1 · today", None)
    assert (row.number, row.remark) == ("", "")
    assert option_text("connect4", seen, {}, ENGLISH) == "easy – tuples 7"


def test_a_menu_names_each_game() -> None:
    """A menu entry has the game's number, what happened, and the level."""
    assert option_text("connect4", GAMES[0], {}, ENGLISH) == f"60 · You beat Cuatro · {HARD}"
    assert option_text("connect4", GAMES[1], {7: "Bea"}, ENGLISH) == "59 · You lost to Bea"


def player(user_id: int, value: float, deviation: float = 60.0) -> RatingRecord:
    """A person's rating."""
    rating = Rating(0.0, deviation, 0.06, 30, shown=value)
    return RatingRecord(user_id, "connect4-classic", rating, NOW)


def board(*players: RatingRecord, own: OwnPlace | None = None) -> LeaderboardPage:
    """A page of a leaderboard, with changes of the players 1 and 3."""
    return LeaderboardPage(players, 2, Coverage(), own or OwnPlace(), {1: 8, 3: -12})


def test_leaders_are_placed_with_their_changes() -> None:
    """Places continue across pages; each player has a face, a number and the week's change."""
    found = board(player(1, 1500.4), player(2, 1400.0, 200.0))
    scene = leaders_scene("server", "connect4", found, {1: "Ana", 2: "Bea"}, PageOf(1, 2), ENGLISH)
    assert scene.subtitle == "Connect 4 · this server · rated games"
    assert [(row.rank, row.name, row.number, row.change) for row in scene.rows] == [
        (9, "Ana", "1500", 8),
        (10, "Bea", "1400", None),
    ]
    assert [row.face.key for row in scene.rows] == [1, 2]
    assert scene.own is None
    spanish = leaders_scene("everywhere", "gato", found, {1: "A", 2: "B"}, PageOf(0, 1), SPANISH)
    assert spanish.subtitle == "Gato 4x4 · todos los servidores · con puntaje"


def test_one_size_is_named() -> None:
    """A leaderboard of an unusual size class names it."""
    page = PageOf(0, 1, Coverage(class_of("connect4", "5x4")))
    scene = leaders_scene("server", "connect4", board(player(1, 1500)), {1: "Ana"}, page, ENGLISH)
    assert scene.subtitle.startswith("Connect 4 (small) · ")


@pytest.mark.parametrize(("is_private", "name"), [(True, "Ana (you)"), (False, "Ana")])
def test_readers_find_themselves(is_private: bool, name: str) -> None:
    """The reader's row is lit, on the page or below it; `you` is said in private only."""
    names = {1: "Ana", 2: "Bea"}
    page = PageOf(0, 1, reader=1)
    own = OwnPlace(Rank(23, 38), player(1, 1065))
    inside = leaders_scene(
        "server", "gato", board(player(1, 1065), own=own), names, page, ENGLISH,
        is_private=is_private,
    )  # fmt: skip
    assert [(row.is_reader, row.name) for row in inside.rows] == [(True, name)]
    assert inside.own is None
    below = leaders_scene(
        "server", "gato", board(player(2, 1500), own=own), names, page, ENGLISH,
        is_private=is_private,
    )  # fmt: skip
    assert [row.is_reader for row in below.rows] == [False]
    assert isinstance(below.own, Leader)
    assert (below.own.rank, below.own.name, below.own.number) == (23, name, "1065")


def test_people_are_told_their_placement() -> None:
    """A leaderboard tells its reader their placement progress; a rating is in the picture."""
    placing = replace(player(1, 0), rating=Rating(900.0, 200.0, 0.06, 3))
    line = own_line("A*a", placing, ENGLISH)
    assert line == "**A\\*a**: game 3 of 5 before a rating."
    assert own_line("Ana", None, ENGLISH) == own_line("Ana", player(1, 1500), ENGLISH) == ""
    assert leaders_lines((player(1, 1500),), {1: "Ana"}, line, ENGLISH) == line


def test_names_that_no_picture_writes_are_in_the_text() -> None:
    """Names that the font cannot draw are numbered players, explained in a line of text."""
    names = {1: "王小明", 2: "Bea", 3: "محمد", 7: "김_민준"}
    players = tuple(player(user_id, 1500 - user_id) for user_id in (1, 2, 3))
    scene = leaders_scene("server", "gato", board(*players), names, PageOf(0, 1), ENGLISH)
    assert [row.name for row in scene.rows] == ["Player 1", "Bea", "Player 2"]
    assert leaders_lines(players, names, "", ENGLISH) == "Player 1: **王小明** · Player 2: **محمد**"
    history = history_scene("connect4", GAMES, names, PAGE, SPANISH)
    assert history.rows[1].title == "Perdiste contra Persona 1"
    assert history_lines(GAMES, names, SPANISH) == "Persona 1: **김\\_민준**"
    assert history_lines(GAMES, {7: "Bea"}, ENGLISH) == ""


def test_thumbnails_are_of_every_game() -> None:
    """A last position is drawn as its game is."""
    gato = game_of("gato", "4x4")
    ended = session_of(gato, ["a1", "b1"], EndRecord(Ending.RESIGNED, 1, NOW))
    listed = ListedGame(past(1, True, Ending.RESIGNED, variant="4x4"), 1, ended)
    (row,) = history_scene("gato", (listed,), {}, PAGE, ENGLISH).rows
    assert row.board is not None
    assert len(row.board.cells) == 4
