"""Files of puzzles."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from engine.study.mining.files import produce, regrade, row, rows
from engine.study.mining.ranking import correlation, ranking, ranks
from tests.builders import SMALL


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of four puzzles."""
    path = tmp_path_factory.mktemp("puzzles") / "5x4.csv"
    assert list(produce(SMALL, path, 4, 1, "the command")) == [1, 2, 3, 4]
    return path


def test_an_interrupted_file_is_continued(made: Path, tmp_path: Path) -> None:
    """An interrupted file continues as if it had not been interrupted."""
    path = tmp_path / "stopped.csv"
    stopped = produce(SMALL, path, 4, 1, "the command")
    assert list(islice(stopped, 2)) == [1, 2]
    stopped.close()
    assert len(list(rows(SMALL, path.read_text("utf-8").splitlines()))) == 2
    assert list(produce(SMALL, path, 4, 1, "the command")) == [3, 4]
    assert path.read_text("utf-8") == made.read_text("utf-8")


def test_a_complete_file_stays_unchanged(made: Path) -> None:
    """A file with enough puzzles stays unchanged."""
    before = made.read_text("utf-8")
    assert list(produce(SMALL, made, 3, 1, "the command")) == []
    assert made.read_text("utf-8") == before


def test_grades_are_repeatable(made: Path, tmp_path: Path) -> None:
    """Grading again gives the same answers, and a line is read back as its puzzle."""
    again = tmp_path / "again.csv"
    graded = regrade(SMALL, made, again)
    assert again.read_text("utf-8") == made.read_text("utf-8")
    assert [row(one) for one in graded] == made.read_text("utf-8").splitlines()[2:]


def test_rungs_are_ranked_by_solved_puzzles(made: Path) -> None:
    """Rungs are ranked by the puzzles they solve; half of the seeds predicts the other half."""
    graded = list(rows(SMALL, made.read_text("utf-8").splitlines()))
    found = ranking(SMALL, graded)
    assert found.pearson > 0.8
    assert found.rungs[0].share < found.rungs[-1].share
    assert [one.rung.elo for one in found.rungs] == sorted(one.rung.elo for one in found.rungs)


def test_ranks_and_correlation() -> None:
    """Equal numbers share the mean of their ranks."""
    assert ranks(np.array([5.0, 1.0, 5.0, 7.0])).tolist() == [1.5, 0.0, 1.5, 3.0]
    assert correlation(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])) == pytest.approx(-1)
