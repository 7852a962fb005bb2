"""The second step of a hint, which must not give the move away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from bot.features.hints.rules import Hint, HintLevel
from bot.features.hints.threats import clues, open_lines
from bot.features.hints.view import hint_scene, hint_text
from bot.i18n import LANGUAGES, say_in
from engine.core.analysis import SearchResult
from engine.core.game import Cell, Player, Square
from engine.core.registry import game_called
from engine.core.values import Score
from tests.bot.builders import NAMES
from tests.bot.features.hints.example_hints import hint_of, session_of

ROWS = re.compile(r"(row|fila) \d+")
"""Rows, which are no moves."""


def second_steps(kind: str, seed: int, count: int) -> Iterator[Hint]:
    """Hints at their second step in random positions, for every move that can be played there."""
    rng = Random(seed)
    for _ in range(count):
        game = game_called(kind)
        position, made = game.start(), list[str]()
        for _ in range(rng.randrange(3, 26)):
            move = rng.choice(position.legal_moves())
            if position.play(move).outcome is not None:
                break
            position = position.play(move)
            made.append(game.label(move))
        session = session_of(kind, "".join(made))
        for move in session.position.legal_moves():
            score = Score.from_stored(0, session.position.to_move, proven=False)
            found = SearchResult(move, score, 9, 1, 0.1, (move,), proven=False)
            yield Hint(session, found, HintLevel.THREAT)


@pytest.mark.parametrize(
    ("kind", "count"), [("6x7", 8), ("5x4", 6), ("8x8", 2), ("gato", 8), ("boom", 3)]
)
def test_the_second_step_does_not_give_the_move_away(kind: str, count: int) -> None:
    """Whichever move is the answer: the text does not name it, and the picture does not mark it."""
    steps, ringed = 0, 0
    for hint in second_steps(kind, 7, count):
        session, move = hint.session, hint.result.move
        scene = hint_scene(hint, NAMES, say_in("en"))
        cells = session.position.cells()
        assert all(cells[row][column] is not Cell.EMPTY for row, column in scene.marked)
        assert scene.hint == frozenset()
        for language in LANGUAGES:
            say = say_in(language)
            text = hint_text(hint, NAMES, say)
            assert text.strip()
            assert "{" not in text
            label = say.move(session.game.key, session.game.label(move))
            assert not re.search(rf"\b{re.escape(label)}\b", ROWS.sub("", text), re.IGNORECASE), (
                session.game.key,
                [one.move for one in session.moves],
                label,
                text,
            )
        steps, ringed = steps + 1, ringed + bool(scene.marked)
    assert ringed > steps / 5


@pytest.mark.parametrize(
    ("kind", "moves", "move", "discs", "english", "spanish"),
    [
        (
            "6x7",
            "44344325",
            0,
            {(5, 1), (5, 2), (5, 3)},
            "You have three in a row at the bottom: columns 2, 3 and 4.",
            "Tienes tres en línea abajo: columnas 2, 3 y 4.",
        ),
        (
            "6x7",
            "442323144",
            2,
            {(5, 0), (4, 1), (2, 3)},
            "The diagonal of **Ana** goes up from column 1 to column 4, "
            "and one square of it is open.",
            "La diagonal de **Ana** sube de la columna 1 a la 4, y le queda una casilla libre.",
        ),
        (
            "6x7",
            "44556",
            2,
            {(5, 3), (5, 4), (5, 5)},
            "**Ana** has three in a row, open at both ends: columns 4, 5 and 6.",
            "**Ana** tiene tres en línea con los dos extremos libres: columnas 4, 5 y 6.",
        ),
        (
            "6x7",
            "41424",
            3,
            {(5, 3), (4, 3), (3, 3)},
            "**Ana** has three discs, one on top of the other.",
            "**Ana** tiene tres fichas, una encima de la otra.",
        ),
        (
            "6x7",
            "11224",
            2,
            {(5, 0), (5, 1), (5, 3)},
            "**Ana** has three in the bottom row: columns 1, 2 and 4.",
            "**Ana** tiene tres en la fila de abajo: columnas 1, 2 y 4.",
        ),
        (
            "gato",
            "a1a2b1b2c1",
            3,
            {(0, 0), (0, 1), (0, 2)},
            "**Ana** has three marks in one line: a1, b1 and c1.",
            "**Ana** tiene tres marcas en una línea: a1, b1 y c1.",
        ),
    ],
)
def test_a_line_is_named_by_its_discs(
    kind: str, moves: str, move: int, discs: set[tuple[int, int]], english: str, spanish: str
) -> None:
    """A line that can be completed is named by its discs, which are ringed, in both languages."""
    hint = hint_of(session_of(kind, moves), move, HintLevel.THREAT)
    for language, text in (("en", english), ("es", spanish)):
        (clue,) = clues(hint, NAMES, say_in(language))
        assert clue.text == text
        assert clue.discs == discs


def test_an_answer_among_the_discs_columns_is_not_named() -> None:
    """A line whose discs are in the answer's column is not named by its columns."""
    session = session_of("6x7", "4332254")
    open_at_5 = hint_of(session, 4, HintLevel.THREAT)
    (named,) = clues(open_at_5, NAMES, say_in("en"))
    assert named.text == "**Ana** has three in row 2: columns 2, 3 and 4."
    elsewhere = hint_of(session, 1, HintLevel.THREAT)
    (clue,) = clues(elsewhere, NAMES, say_in("en"))
    assert clue.text == "**Ana** can make four next."
    assert clue.discs == named.discs


def test_a_waiting_threat_above_the_answer_is_not_named() -> None:
    """The square of a waiting threat is named, unless it is in the answer's column."""
    session = session_of("6x7", "1453156367374366")
    named, *_ = clues(hint_of(session, 4, HintLevel.THREAT), NAMES, say_in("en"))
    assert named.text == "You have a waiting threat on an even row: column 2, row 4."
    clue, *_ = clues(hint_of(session, 1, HintLevel.THREAT), NAMES, say_in("en"))
    assert clue.text == "You have a waiting threat on an even row."
    assert clue.discs == named.discs


def test_lines_that_can_be_completed() -> None:
    """An open line has discs of one player alone, at least one, and is empty elsewhere."""
    position = session_of("6x7", "4455").position
    lines = {line.discs: line.gaps for line in open_lines(position, Player.FIRST)}
    assert lines[(Square(5, 3), Square(5, 4))] in (
        (Square(5, 1), Square(5, 2)),
        (Square(5, 2), Square(5, 5)),
        (Square(5, 5), Square(5, 6)),
    )
    assert not any(line.is_upright for line in open_lines(position, Player.FIRST))
