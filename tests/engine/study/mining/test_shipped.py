"""What the shipped files say of themselves, without asking any agent."""

from __future__ import annotations

import pytest

from engine.core.game import Game
from engine.study.mining.files import Graded, rows
from engine.study.mining.grading import rating_of
from engine.study.mining.miner import id_of
from engine.study.mining.ranking import ranking
from engine.study.puzzles import boards, file_of

EVERY = 20
"""One in so many puzzles is looked at."""


def shipped(game: Game) -> list[Graded]:
    """All puzzles of a board, with what the rungs answered."""
    return list(rows(game, file_of(game).read_text("utf-8").splitlines()))


@pytest.mark.parametrize("game", boards(), ids=lambda game: f"{game.key}-{game.variant}")
def test_rungs_that_win_more_games_solve_more_puzzles(game: Game) -> None:
    """Puzzles and games measure the same: ratings go with the share of puzzles solved."""
    found = ranking(game, shipped(game)[::EVERY])
    assert found.pearson >= 0.9
    assert found.spearman >= 0.9


@pytest.mark.parametrize("game", boards(), ids=lambda game: f"{game.key}-{game.variant}")
def test_ids_and_ratings_follow_from_the_rest(game: Game) -> None:
    """The rating from the answers, on the ladder as it is now; the id from the position."""
    for one in shipped(game)[::EVERY]:
        assert one.puzzle.rating == round(rating_of(game, one.halves[0] + one.halves[1]))
        assert one.puzzle.id == id_of(one.puzzle.problem.position(0))


def test_there_are_enough() -> None:
    """Two thousand on the usual board, hundreds on the others."""
    counts = [len(shipped(game)) for game in boards()]
    assert counts[0] >= 2000
    assert min(counts) >= 300
