"""What pictures and cards say about a session."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.cards import stats_card
from bot.scenes import alt_phrases, board_scene, footer
from bot.session import Session
from bot.store import (
    EndRecord,
    GameRecord,
    LevelTally,
    MoveRecord,
    NewGameRecord,
    PlayerSummary,
    ResultRecord,
    SeatRecord,
)
from bot.words import Say, say_in
from engine.game import Move, Player, Square
from engine.games import game_of
from engine.kernels.scores import WIN
from engine.search import SearchResult
from renderers import board_alt_text, draw

ANA = 10
NAMES = {ANA: "Ana"}
ENGLISH, SPANISH = say_in("en"), say_in("es")
CLASSIC = game_of("connect4", "6x7")


def session_after(moves: str, end: EndRecord | None = None, hinted: int = 0) -> Session:
    """Ana's 5x4 game against medium after some moves, ten seconds a move."""
    opening = NewGameRecord(
        "connect4", "5x4", 1, 2, "en", SeatRecord(ANA, None), SeatRecord(None, "medium"), True, 0.0
    )
    records = [
        MoveRecord(1, ANA, move, False, 10.0 * n, 10.0)
        if n % 2
        else MoveRecord(2, None, move, False, 10.0 * n, 0.25, 1000, 4, 3)
        for n, move in enumerate(moves, 1)
    ]
    hints = frozenset(range(1, hinted + 1))
    return Session.from_record(GameRecord(7, opening, 5, tuple(records), hints, end))


def test_a_running_game_shows_whose_turn_it_is() -> None:
    """Names, whose turn, the last stone and the search's footer."""
    scene = board_scene(session_after("12"), NAMES, ENGLISH)
    assert scene.names == ("Ana", "Cuatro (medium)")
    assert scene.active is Player.FIRST
    assert scene.status == "Ana to move"
    assert scene.last == {Square(4, 1)}
    assert scene.footer == "depth 4 · 1,000 nodes · 0.25 s"
    assert scene.panel is None


def test_an_agents_turn_says_that_it_thinks() -> None:
    """After the person's move the status names the agent."""
    scene = board_scene(session_after("1"), NAMES, ENGLISH)
    assert scene.status == "Cuatro (medium) is thinking…"
    assert footer(session_after("1"), ENGLISH) == ""


def test_a_hint_is_marked_where_the_stone_would_land() -> None:
    """The hint's square is the landing square of its column; the footer tells of its search."""
    hint = SearchResult(Move(1), 5, 20, 123456, 0.5, (Move(1),))
    scene = board_scene(session_after("12"), NAMES, ENGLISH, hint)
    assert scene.hint == {Square(3, 1)}
    assert scene.footer == "depth 20 · 123,456 nodes · 0.50 s"


@pytest.mark.parametrize(
    ("score", "english", "spanish"),
    [
        (WIN - 7, "proven win in 3", "victoria demostrada en 3"),
        (8 - WIN, "proven loss in 3", "derrota demostrada en 3"),
        (0, "proven draw", "tablas demostradas"),
    ],
)
def test_a_proof_is_told_in_the_footer(score: int, english: str, spanish: str) -> None:
    """What was proven stands in place of the depth: a win or loss in so many of its moves."""
    proof = SearchResult(Move(1), score, 5, 12345, 0.5, (Move(1),), proven=True)
    for say, text in ((ENGLISH, english), (SPANISH, spanish)):
        scene = board_scene(session_after("12"), NAMES, say, proof)
        assert scene.footer.startswith(f"{text} · 12")
    session = session_after("12")
    move = replace(session.moves[1], score=score, proven=True)
    shown = replace(session, moves=(session.moves[0], move))
    assert board_scene(shown, NAMES, ENGLISH).footer.startswith("proven ")


def test_a_win_shows_its_line_and_all_figures() -> None:
    """The final picture marks the four and gives winner, times, moves, hints, engine and level."""
    end = EndRecord("line", 1, 72.5)
    scene = board_scene(session_after("1212121", end, hinted=2), NAMES, ENGLISH)
    assert scene.status == "Ana wins"
    assert scene.active is None
    assert scene.line == {Square(row, 0) for row in (1, 2, 3, 4)}
    assert scene.panel is not None
    assert {figure.label: figure.value for figure in scene.panel.figures} == {
        "Winner": "Ana",
        "Total time": "1 min 12 s",
        "Moves of each side": "4 + 3",
        "Hints": "2",
        "Engine time": "0.75 s",
        "Engine time a move": "0.25 s",
        "Nodes": "3,000",
        "Level": "medium",
        "Rating": "unrated: hint",
    }


@pytest.mark.parametrize(
    ("end", "english", "spanish"),
    [
        (EndRecord("draw", None, 1.0), "A draw", "Tablas"),
        (
            EndRecord("resigned", 2, 1.0),
            "Cuatro (medium) wins: Ana resigned",
            "Gana Cuatro (medio): Ana se rindió",
        ),
        (
            EndRecord("time", 2, 1.0),
            "Cuatro (medium) wins: Ana ran out of time",
            "Gana Cuatro (medio): a Ana se le acabó el tiempo",
        ),
        (EndRecord("stopped", None, 1.0), "The game was stopped", "La partida fue detenida"),
    ],
)
def test_every_ending_is_told(end: EndRecord, english: str, spanish: str) -> None:
    """Draws, resignations and stopped games have their own sentence in each language."""
    session = session_after("12", end)
    assert board_scene(session, NAMES, ENGLISH).status == english
    assert board_scene(session, NAMES, SPANISH).status == spanish


@pytest.mark.parametrize("say", [ENGLISH, SPANISH], ids=lambda say: say.language)
def test_a_scene_can_be_drawn_and_told(say: Say) -> None:
    """Scenes of sessions fit the drawing of their game and its alternative text."""
    session = session_after("1212121", EndRecord("line", 1, 72.5))
    scene = board_scene(session, NAMES, say)
    assert draw(session.game.key, scene).startswith(b"\x89PNG")
    text = board_alt_text(scene, alt_phrases(say))
    assert "Ana" in text
    assert len(text) <= 1024


SUMMARY = PlayerSummary(
    tallies=(
        LevelTally("hard", 2, 0, 1, 1),
        LevelTally(None, 1, 1, 0, 0),
        LevelTally("easy", 4, 3, 0, 1),
    ),
    recent=(ResultRecord("6x7", "easy", True, True), ResultRecord("6x7", "easy", True, False)),
    moves=70,
    hints=3,
)


def test_a_card_orders_its_table_by_level() -> None:
    """Levels come from the weakest to the strongest, people last; the present level stands out."""
    card = stats_card(SUMMARY, "Ana", CLASSIC, "hard", ENGLISH)
    assert card.table is not None
    assert [row[0] for row in card.table.rows] == ["easy", "hard", "people"]
    assert card.table.rows[0] == ("easy", "4", "3", "0", "1", "75 %")
    assert card.table.highlight == 1
    assert {f.label: f.value for f in card.figures} == {
        "Games": "7",
        "Wins": "4",
        "Draws": "1",
        "Losses": "2",
        "Level now": "hard",
        "Streak": "1 won",
        "Moves a game": "10.0",
        "Hints used": "3",
    }


def test_a_card_without_games_has_no_table() -> None:
    """Without finished games the card invites to play instead of dividing by nothing."""
    empty = replace(SUMMARY, tallies=(), recent=(), moves=0, hints=0)
    card = stats_card(empty, "Ana", CLASSIC, "easy", SPANISH)
    assert card.table is None
    assert "/conecta4 empezar" in card.note
