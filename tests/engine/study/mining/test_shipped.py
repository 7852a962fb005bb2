"""The consistency of the shipped puzzle files, without asking any agent."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from engine.core.game import Game
from engine.study.mining.describing import described
from engine.study.mining.files import Graded, rows
from engine.study.mining.grading import rating_of
from engine.study.mining.lines import judge_of
from engine.study.mining.miner import canonical, id_of, passed
from engine.study.mining.ranking import ranking
from engine.study.puzzles import boards, file_of, puzzle, puzzles_of

EVERY = 40
"""Every fortieth puzzle is checked."""


ENOUGH = 400
"""Puzzles by which rungs are ranked."""


@cache
def shipped(game: Game) -> list[Graded]:
    """All puzzles of a board, with the answers of the rungs."""
    return list(rows(game, file_of(game).read_text("utf-8").splitlines()))


@pytest.mark.parametrize("game", boards(), ids=lambda game: f"{game.key}-{game.variant}")
def test_rungs_that_win_more_games_solve_more_puzzles(game: Game) -> None:
    """The ratings of rungs correlate with the share of puzzles that they solve."""
    puzzles = shipped(game)
    found = ranking(game, puzzles[:: max(1, len(puzzles) // ENOUGH)])
    assert found.pearson >= 0.9
    assert found.spearman >= 0.9


@pytest.mark.parametrize("game", boards(), ids=lambda game: f"{game.key}-{game.variant}")
def test_ids_and_ratings_follow_from_the_rest(game: Game) -> None:
    """Ratings follow from the answers on the current ladder, and ids from the positions."""
    for one in shipped(game)[::EVERY]:
        assert one.puzzle.rating == round(rating_of(game, one.halves[0] + one.halves[1]))
        assert one.puzzle.id == id_of(one.puzzle.problem.position(0))


@pytest.mark.parametrize("game", boards(), ids=lambda game: f"{game.key}-{game.variant}")
def test_what_is_stored_follows_from_the_puzzle(game: Game) -> None:
    """The themes, distances and finishes in the files are those that are derived again."""
    judge = judge_of(game)
    for one in puzzles_of(game)[::EVERY]:
        assert replace(described(one, judge), within=one.within) == one


@pytest.mark.parametrize("game", boards(), ids=lambda game: f"{game.key}-{game.variant}")
def test_puzzles_within_others_are_known(game: Game) -> None:
    """A puzzle whose position occurs in another's solution names that one."""
    for one in [one for one in puzzles_of(game) if one.within][::3]:
        outer = puzzle(one.within)
        assert outer is not None
        inner = passed(outer.problem.position(0), outer.played.line)
        assert canonical(one.problem.position(0)) in inner


def test_the_number_of_shipped_puzzles() -> None:
    """The usual board has two thousand puzzles, the others have hundreds."""
    counts = [len(shipped(game)) for game in boards()]
    assert counts[0] >= 2000
    assert min(counts) >= 300
