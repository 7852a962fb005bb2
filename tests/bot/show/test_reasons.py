"""Reasons for and against moves in sentences."""

from __future__ import annotations

import pytest

from bot.i18n import LANGUAGES, say_in
from bot.show.reasons import reason_words
from engine.core.game import Move, Square
from engine.core.reason import Reason, ReasonKind
from engine.core.registry import game_called
from engine.study.reasons import fault_of
from tests.builders import after

PLACE = {
    ReasonKind.FOLLOW_UP: Square(1, 2),
    ReasonKind.WAITING: Square(1, 2),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rival", ["me", "rival", "other"])
@pytest.mark.parametrize("kind", ReasonKind)
def test_every_reason_is_one_sentence(kind: ReasonKind, rival: str, language: str) -> None:
    """Every kind has a sentence about Cuatro, about a player with a name, and about an opponent."""
    reason = Reason(kind, () if kind in PLACE else (Move(2),), square=PLACE.get(kind))
    position = game_called("6x7").start()
    said = reason_words(reason, position, say_in(language), rival, "**Ana**")
    assert said.lstrip("*")[0].isupper()
    assert said.endswith(".")
    assert "{" not in said
    assert ("Ana" in said) is (rival == "other" and "rival" in said_by(kind, language))


def said_by(kind: ReasonKind, language: str) -> str:
    """The sentence about a nameless opponent, with the same word in each language."""
    reason = Reason(kind, () if kind in PLACE else (Move(2),), square=PLACE.get(kind))
    said = reason_words(reason, game_called("6x7").start(), say_in(language))
    return (
        said.replace("your opponent", "rival")
        .replace("Your opponent", "rival")
        .replace("Tu rival", "rival")
    )


@pytest.mark.parametrize(
    ("moves", "made", "english", "spanish"),
    [
        ("625142", "1", "You had four: column 3 or 7.", "Tenías el cuatro: la columna 3 o 7."),
        (
            "31564",
            "1",
            "Column 2 was the block: I had three.",
            "Había que bloquear la columna 2: yo tenía tres.",
        ),
        (
            "5547",
            "1",
            "Column 3 made two threats at once.",
            "La columna 3 creaba dos amenazas a la vez.",
        ),
        (
            "415",
            "1",
            "Now I can make two threats at once with column 3.",
            "Ahora puedo crear dos amenazas a la vez con la columna 3.",
        ),
    ],
)
def test_reasons_against_a_move(moves: str, made: str, english: str, spanish: str) -> None:
    """What was missed or allowed is named by its columns; of several the one nearest the middle."""
    position = after("6x7", moves)
    reason = fault_of(position, position.game.parse(made))
    assert reason is not None
    assert reason_words(reason, position, say_in("en"), "me") == english
    assert reason_words(reason, position, say_in("es"), "me") == spanish


def test_squares_of_gato_have_their_names() -> None:
    """In Gato a reason names squares instead of columns."""
    reason = Reason(ReasonKind.NOT_BLOCKED, (Move(4),))
    position = game_called("gato").start()
    assert reason_words(reason, position, say_in("en")).startswith("Square a2 was the block")
