"""The words on the plates and on the banner of a board's picture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.replays import replay_scenes
from bot.i18n import Translator, say_in
from bot.show.scenes import board_scene
from bot.store.records import Ending, EndRecord, Rating, RatingChange, SeatRecord
from engine.core.registry import game_of
from renderers import Banner
from tests.bot.builders import ANA, NAMES, session_of
from tests.bot.finished_games import BOMBS, played

ENGLISH, SPANISH = say_in("en"), say_in("es")
CONNECT4, BOOM = game_of("connect4", "6x7"), game_of("boom", "7x7")


def test_the_plates_show_whose_turn_it_is_and_the_level() -> None:
    """The player to move is marked in words too, and Cuatro's level is below its name."""
    scene = board_scene(session_of(CONNECT4, ["4"]), NAMES, ENGLISH)
    assert scene.plates == ("Ana", "Cuatro")
    assert scene.details == ("", "to move · medium")
    scene = board_scene(session_of(CONNECT4, ["4", "4"]), NAMES, SPANISH)
    assert scene.details == ("en turno", "medio")


def test_the_plates_show_ratings() -> None:
    """Below a person's name is their rating, where they have one; an agent keeps its level."""
    session = session_of(CONNECT4, ["4", "4"])
    scene = board_scene(session, NAMES, ENGLISH, {ANA: 1038.4})
    assert scene.details == ("to move · 1038", "medium")


def test_two_agents_are_called_by_their_levels() -> None:
    """In a watched game the levels are the names; two of the same level are numbered."""
    session = session_of(CONNECT4, [])
    agents = SeatRecord(None, "hard"), SeatRecord(None, "medium")
    for (first, second), names in (
        (agents, ("hard", "medium")),
        (agents[:1] * 2, ("hard 1", "hard 2")),
    ):
        watched = replace(session, setup=replace(session.setup, first=first, second=second))
        scene = board_scene(watched, NAMES, ENGLISH)
        assert (scene.plates, scene.details[1]) == (names, "Cuatro")


def test_a_turn_of_two_movements_is_counted_on_the_plate() -> None:
    """BOOM's plate says which movement it is, and the line below the board the other facts."""
    scene = board_scene(session_of(BOOM, ["1", "2"]), NAMES, ENGLISH)
    assert scene.details == ("", "move 2 of 2 · medium")
    assert scene.remark == "Next bomb in 3 turns"
    assert scene.status.endswith("(move 2 of 2)")
    start = board_scene(session_of(BOOM, []), NAMES, SPANISH)
    assert start.details == ("jugada 1 de 1", "medio")


def test_a_bomb_says_what_it_can_clear() -> None:
    """While the player to move has a bomb, the line below the board counts what it would clear."""
    session = played("boom", "7x7", BOMBS, "line", 1)
    remarks = {board_scene(session.until(ply), NAMES, ENGLISH).remark for ply in range(36)}
    assert any(words.startswith("The bomb can clear ") and " of row " in words for words in remarks)
    assert all(words[:1].isupper() for words in remarks)


@pytest.mark.parametrize(
    ("ending", "winner", "english", "spanish"),
    [
        (
            "line", 1,
            ("Ana wins!", "in 2 moves against Cuatro"),
            ("¡Gana Ana!", "en 2 jugadas contra Cuatro"),
        ),
        ("resigned", 2, ("Cuatro wins", "Ana resigned"), ("Gana Cuatro", "Ana se rindió")),
        (
            "time", 2,
            ("Cuatro wins", "Ana ran out of time"),
            ("Gana Cuatro", "a Ana se le acabó el tiempo"),
        ),
        (
            "stuck", 1,
            ("Ana wins!", "Cuatro can't move"),
            ("¡Gana Ana!", "Cuatro no puede jugar"),
        ),
        (
            "draw", None,
            ("A draw!", "3 moves, nobody has four"),
            ("¡Empate!", "3 jugadas y nadie tiene cuatro"),
        ),
        ("agreed", None, ("A draw!", "by agreement"), ("¡Empate!", "de común acuerdo")),
        (
            "aborted", None,
            ("Game cancelled", "too short to count"),
            ("Partida cancelada", "muy corta para contar"),
        ),
        ("stopped", None, ("Game stopped", "it doesn't count"), ("Partida detenida", "no cuenta")),
    ],
)  # fmt: skip
def test_every_ending_has_a_banner(
    ending: str, winner: int | None, english: tuple[str, str], spanish: tuple[str, str]
) -> None:
    """The banner says who won and how, in both languages; a running game has none."""
    session = played("connect4", "6x7", "444", ending, winner)
    session = replace(session, setup=replace(session.setup, second=SeatRecord(None, "medium")))
    for say, words in ((ENGLISH, english), (SPANISH, spanish)):
        assert board_scene(session, NAMES, say).banner == Banner(*words)
    assert board_scene(replace(session, end=None), NAMES, ENGLISH).banner is None


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [(1038.2, 1065.4, "27"), (1038.2, 1038.3, ""), (None, 1065.0, "")],
)
def test_the_banner_has_what_the_winner_gained(
    before: float | None, after: float, change: str
) -> None:
    """Only a gain of a rating that was known before is a number on the banner."""
    session = played("connect4", "6x7", "444", "line", 1)
    old, new = (Rating(1000.0, 70.0, 0.06, 40, shown=shown) for shown in (before, after))
    rated = replace(session, changes=(RatingChange(1, old, new, 1000.0),))
    banner = board_scene(rated, NAMES, ENGLISH).banner
    assert banner is not None
    assert banner.change == change


@pytest.mark.parametrize(
    ("say", "title"), [(ENGLISH, "Player 1 wins!"), (SPANISH, "¡Gana Persona 1!")]
)
def test_a_winner_whose_name_cannot_be_written_has_a_number(say: Translator, title: str) -> None:
    """A banner never has a name that the typeface cannot write."""
    session = played("connect4", "6x7", "444", "line", 1)
    banner = board_scene(session, {1: "王小明", 2: "Bea"}, say).banner
    assert banner is not None
    assert banner.title == title


def test_a_replay_keeps_its_size_and_shows_the_banner_at_its_end() -> None:
    """No scene before the last has a banner, and all have room for BOOM's line of facts."""
    session = played("boom", "7x7", BOMBS, "line", 1)
    *before, end = replay_scenes(session, board_scene(session, NAMES, ENGLISH))
    assert {scene.banner for scene in before} == {None}
    assert end.banner is not None
    assert all(scene.has_remark for scene in (*before, end))


def test_the_end_of_a_game_is_told_apart_from_its_last_move() -> None:
    """When the game is over, the plates no longer say whose turn it is."""
    over = session_of(CONNECT4, ["4"], EndRecord(Ending.RESIGNED, 1, 9.0))
    assert board_scene(over, NAMES, ENGLISH).details == ("", "medium")
