"""The check of the puzzles that shares no code with what makes them."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from engine.cli.puzzles import as_json
from engine.core.game import Game
from engine.core.registry import game_called
from engine.study.puzzles import PuzzleKind, boards, puzzles_of

FOLDER = Path(__file__).parents[1] / "engine" / "puzzle_check"
LATE = {"6x7": 26, "8x8": 52, "5x4": 10, "4x4": 8, "7x7": 0}
"""Moves after which plain Python proves a board's positions in a moment; BOOM is compiled."""
SAMPLE_SIZE = 3
"""The number of puzzles that are checked per kind and board."""
MIN_MOVES = {PuzzleKind.WIN: 3, PuzzleKind.HOLD: 1, PuzzleKind.REFUTE: 2}
"""The minimum number of moves to find in the puzzles that a test spoils, by kind.

The line of a win has to be long enough that a shortened one still has moves.
"""

Puzzle = dict[str, Any]
Program = Callable[..., list[str]]


@pytest.fixture(scope="module")
def faults() -> Program:
    """A function that returns the faults the program finds in puzzles.

    It runs in plain Python, which takes less time than compiling the program.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUZZLE_CHECK_PLAIN", "1")
        program = import_module("tests.engine.puzzle_check.checks")

    def found(*shown: Puzzle) -> list[str]:
        kinds, wrong = program.check(json.dumps(one) for one in shown)
        assert sum(kinds[name] for name in kinds if name.endswith(tuple(PuzzleKind))) == len(shown)
        return list(wrong)

    return found


def late(game: Game, kind: PuzzleKind, asked: int = 1) -> Iterator[Puzzle]:
    """Late puzzles of a kind with at least `asked` moves to find, as `puzzles show` prints them."""
    for puzzle in puzzles_of(game):
        is_late = len(puzzle.problem.moves) >= LATE[game.variant]
        if puzzle.kind is kind and puzzle.asked >= asked and is_late:
            yield as_json(puzzle)


@pytest.mark.parametrize("game", boards(), ids=lambda game: f"{game.key}-{game.variant}")
def test_a_sample_of_the_shipped_puzzles_keeps_its_promises(game: Game, faults: Program) -> None:
    """A few late puzzles of each kind and board have no fault."""
    shown = [one for kind in PuzzleKind for one in islice(late(game, kind), SAMPLE_SIZE)]
    assert len(shown) >= SAMPLE_SIZE
    assert faults(*shown) == []


def test_nothing_of_the_engine_is_used() -> None:
    """The check imports nothing of the engine, since it could share its errors."""
    imports = 0
    for source in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            names = [alias.name for alias in getattr(node, "names", [])]
            module = getattr(node, "module", None) or ""
            if isinstance(node, ast.Import | ast.ImportFrom):
                assert not [name for name in (*names, module) if name.startswith("engine")]
                imports += 1
    assert imports > 10


@pytest.mark.parametrize("board", ["6x7", "boom"])
def test_what_is_wrong_is_found(board: str, faults: Program) -> None:
    """Each fault is reported with the puzzle's id."""
    game = game_called(board)
    win, hold, refute = (next(late(game, kind, asked)) for kind, asked in MIN_MOVES.items())
    wrong = {
        "an illegal mov": {**win, "moves": win["moves"][:2] + "1111111111"},
        "right, not": {**hold, "line": _other(hold["line"])},
        "the line is too": {**win, "line": win["line"][:1]},
        "before" if board == "boom" else "the result is": {**hold, "kind": "refute"},
        "no mov": {**win, "line": "x"},
    }
    for why, shown in wrong.items():
        (fault,) = faults(shown)
        assert why in fault
        assert shown["id"] in fault
    assert len(faults(refute, _mirrored(refute))) == len(refute["steps"]) + 1


def _other(line: str) -> str:
    """A line with one move, which is wrong."""
    return "4" if line[0] != "4" else "3"


def _mirrored(shown: Puzzle) -> Puzzle:
    """A puzzle with its moves and line mirrored, but not its steps."""
    swap = str.maketrans("1234567", "7654321")
    return {**shown, "moves": shown["moves"].translate(swap), "line": shown["line"].translate(swap)}
