"""Lines of puzzles."""

from __future__ import annotations

import pytest

from engine.core.game import Game
from engine.core.registry import game_called
from engine.study.mining.lines import LineStep, is_trivial, judge_of, line_from, only_move
from tests.builders import after

CLASSIC, GATO, BOOM = map(game_called, ("6x7", "gato", "boom"))


def every(_asked: LineStep) -> bool:
    """Accept every step."""
    return True


def text(game: Game, line: list[LineStep]) -> str:
    """A line in the notation of files: spaces separate the steps."""
    steps = (asked.step for asked in line)
    return " ".join("".join(map(game.label, (*s.answers, *s.replies))) for s in steps)


def test_a_puzzle_has_exactly_one_best_move() -> None:
    """A puzzle has exactly one answer, and some move that is wrong."""
    column = CLASSIC.columns_as_moves
    assert only_move({column[0]: 1, column[1]: 0}, winning=True) == column[0]
    assert only_move({column[0]: 0, column[1]: -1}, winning=False) == column[0]
    for results in ((1, 1, 0), (0, -1), (1,), (-1, -1)):
        given = dict(zip(column, results, strict=False))
        assert only_move(given, winning=True) is None


@pytest.mark.parametrize(
    ("game", "moves", "winning", "line"),
    [
        (CLASSIC, "6643315733414416455", True, "65 6"),
        (CLASSIC, "473244472265355364477", False, "56 63 3"),
        (CLASSIC, "634434436643573342661776", True, "77 72 22 22 11 1"),
        (GATO, "c3b1b2b4b3d2c1a1d1d3", True, "c2a4 c4"),
        (BOOM, "25141423", True, "336 7 B"),
        (BOOM, "6735534", True, "5 5"),
        (CLASSIC, "", True, "4"),
        (CLASSIC, "", False, ""),
    ],
    ids=["win", "hold", "long", "gato", "explosion", "two puts", "opening", "none"],
)
def test_a_line_continues_while_there_is_an_only_move(
    game: Game, moves: str, winning: bool, line: str
) -> None:
    """Replies resist as long as possible; in BOOM the same player may be asked twice in a row."""
    most = 1 if not moves else 7
    found = line_from(judge_of(game), after(game, moves), most, every, winning=winning)
    assert text(game, found) == line


def test_a_step_is_decided_once_the_win_is_certain() -> None:
    """A step is marked as decided only if nothing can stop the win after it."""
    judge, position = judge_of(CLASSIC), after(CLASSIC, "6547545541445571477112221266717636")
    whole = line_from(judge, position, 7, every, winning=True)
    assert text(CLASSIC, whole) == "62 2"
    assert [asked.decided for asked in whole] == [False, True]
    assert position.play(whole[0].step.answers[0]).outcome is None
    (cut,) = line_from(judge, position, 1, every, winning=True)
    assert not cut.decided


def test_completing_and_parrying_a_line_is_trivial() -> None:
    """A move that only completes or parries a line is trivial."""
    column = CLASSIC.columns_as_moves
    assert is_trivial(after(CLASSIC, "414141"), column[3])
    assert is_trivial(after(CLASSIC, "41414"), column[3])
    assert not is_trivial(after(CLASSIC, "4455"), column[2])
