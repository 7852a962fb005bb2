"""The questions of puzzles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.puzzles.rules import (
    OFTEN,
    STARS,
    prompt_words,
    questions,
    stars_of,
    theme_figures,
    try_words,
)
from bot.features.puzzles.store import PuzzleTry
from bot.i18n import say_in
from engine.core.registry import game_called, package_of
from engine.core.threat import ThreatKind
from engine.study.puzzles import PuzzleKind, puzzle, puzzles_of
from engine.study.themes import Theme


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
    asked = questions(near, say, say("puzzle.first_try"))
    assert [one.title for one in asked] == [
        "**Win in 3 moves.** Your turn.",
        "**Win in 2 moves.** Your turn.",
        "**Win in 1 move.** Your turn.",
    ]
    assert [one.task for one in asked] == ["Win in 3 moves", "Win in 2 moves", "Win in 1 move"]
    assert {one.prompt for one in asked} == {say("puzzle.first_try")}
    later = [one.task for one in questions(far, say)]
    assert later == [
        "There is a forced win. Find its first move",
        *(f"Win in {moves} moves" for moves in (4, 3, 2)),
        "Win in 1 move",
    ]


def test_a_defence_is_called_one() -> None:
    """A defence is called so, and a block of the only four a block."""
    holds = [one for one in puzzles_of(game_called("6x7")) if one.kind is PuzzleKind.HOLD]
    words = {prompt_words(one, say_in("en")) for one in holds[:80]}
    assert words == {
        "Defend: only one move doesn't lose.",
        "Block it: only one move stops the four.",
    }
    parried = next(one for one in holds if "Block" in prompt_words(one, say_in("en")))
    threats = package_of(parried.game).threats_in(parried.problem.position(0))
    assert threats[0].kind is ThreatKind.THREAT


def test_a_returning_puzzle_says_how_long_ago_it_was_failed() -> None:
    """A puzzle that returns says when it was failed; until it is due, nothing is said."""
    day = 86_400.0
    tried = PuzzleTry(1, "AAAAAA", "x", 0.0, 0.0, day, False, 0.0, 0.0, returns_at=2 * day)
    say = say_in("en")
    assert try_words(replace(tried, settled_at=None), 0.0, say) == "The first try counts."
    assert try_words(tried, 1.5 * day, say) == ""
    assert try_words(tried, 4.5 * day, say) == "This one got away from you 3 days ago."


def test_themes_are_listed_by_the_share_that_was_solved() -> None:
    """A card lists the themes that were tried often, the one that is solved best first."""
    forks, defences = (
        [one for one in puzzles_of(game_called("gato")) if one.themes == themes][:OFTEN]
        for themes in ((Theme.WIN_IN_TWO, Theme.FORK), (Theme.DEFENCE,))
    )
    tried = [
        PuzzleTry(1, one.id, "gato", 0.0, 0.0, 1.0, one is forks[0], 0.0, 0.0)
        for one in (*forks, *defences[:-1])
    ]
    say = say_in("en")
    assert theme_figures(tried, say) == "Win in two **1 of 5** · Two threats at once **1 of 5**"
    solved = PuzzleTry(1, defences[-1].id, "gato", 0.0, 0.0, 1.0, True, 0.0, 0.0)
    again = [replace(solved, puzzle=one.id) for one in defences[-2:]]
    assert theme_figures([*tried[:-1], *again], say).startswith("Defence **2 of 5**")


def test_stars_grow_with_the_rating_of_a_puzzle() -> None:
    """Easy puzzles have one star, the hardest three, and all puzzles have some."""
    low, high = STARS
    one = puzzle("ZC2FBN")
    assert one is not None
    rated = [replace(one, rating=int(r)) for r in (0.0, low - 1, low, high - 1, high, 9e9)]
    assert [stars_of(found) for found in rated] == [1, 1, 2, 2, 3, 3]
    assert [stars_of(replace(one, grade=grade)) for grade in (1, 2, 3)] == [1, 2, 3]
