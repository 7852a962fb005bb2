"""The questions of puzzles."""

from __future__ import annotations

import pytest

from bot.features.puzzles.rules import prompt_words
from bot.i18n import say_in
from engine.study.puzzles import puzzle


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Win in 5 moves."), ("es", "Gana en 5 jugadas.")]
)
def test_a_win_counts_the_move_that_completes_it(language: str, words: str) -> None:
    """A win's length includes the winning move even if the puzzle does not ask for that move."""
    found = puzzle("XFJWZF")
    assert found is not None
    assert (found.asked, found.wins_in) == (4, 5)
    assert prompt_words(found, say_in(language)) == words
