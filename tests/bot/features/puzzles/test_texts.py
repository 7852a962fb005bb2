"""The questions of puzzles."""

from __future__ import annotations

import pytest

from bot.features.puzzles.rules import STARS, prompt_words, questions, stars_of
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


def test_each_step_asks_for_what_is_left() -> None:
    """After a right move a puzzle asks for the moves that are left, not for those of the start."""
    say = say_in("en")
    near, far = puzzle("ZC2FBN"), puzzle("XFJWZF")
    assert near is not None
    assert far is not None
    asked = questions(near, say, counts=True)
    assert [one.title for one in asked] == [
        "**Win in 3 moves.** Your turn.",
        "**Win in 2 moves.** Your turn.",
    ]
    assert [one.task for one in asked] == ["Win in 3 moves", "Win in 2 moves"]
    assert {one.prompt for one in asked} == {say("puzzle.first_try")}
    later = [one.task for one in questions(far, say, counts=False)]
    assert later == [
        "There is a forced win. Find its first move",
        *(f"Win in {moves} moves" for moves in (4, 3, 2)),
    ]


def test_stars_grow_with_the_rating_of_a_puzzle() -> None:
    """Easy puzzles have one star, the hardest three, and all puzzles have some."""
    low, high = STARS
    assert [stars_of(rating) for rating in (0.0, low - 1, low, high - 1, high, 9e9)] == [
        1, 1, 2, 2, 3, 3,
    ]  # fmt: skip
