"""The questions of puzzles."""

from __future__ import annotations

import pytest

from bot.features.puzzles.rules import prompt_words
from bot.i18n import say_in
from engine.study.puzzles import puzzle


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Win in 3 moves."), ("es", "Gana en 3 jugadas.")]
)
def test_a_win_counts_the_move_that_completes_it(language: str, words: str) -> None:
    """A win's length includes the winning move even if the puzzle does not ask for that move."""
    found = puzzle("ZC2FBN")
    assert found is not None
    assert (found.asked, found.wins_in) == (2, 3)
    assert prompt_words(found, say_in(language)) == words


def test_a_long_win_is_not_counted() -> None:
    """A win in more than four moves is asked for without its length."""
    found = puzzle("XFJWZF")
    assert found is not None
    assert (found.asked, found.wins_in) == (4, 5)
    words = "There is a forced win. Find its first move."
    assert prompt_words(found, say_in("en")) == words
