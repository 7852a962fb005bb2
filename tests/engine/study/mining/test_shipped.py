"""The consistency of the shipped puzzle files, without asking any agent."""

from __future__ import annotations

import pytest

from engine.core.game import Game
from engine.study.mining.files import Graded, rows
from engine.study.mining.grading import rating_of
from engine.study.mining.miner import id_of
from engine.study.mining.ranking import ranking
from engine.study.puzzles import boards, file_of

EVERY = 20
"""Every twentieth puzzle is checked."""


ENOUGH = 400
"""Puzzles by which rungs are ranked."""


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


def test_the_number_of_shipped_puzzles() -> None:
    """The usual board has two thousand puzzles, the others have hundreds."""
    counts = [len(shipped(game)) for game in boards()]
    assert counts[0] >= 2000
    assert min(counts) >= 300
