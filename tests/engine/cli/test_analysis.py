"""The command `python -m engine analyze`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.cli.main import main
from tests.builders import Output


def output_of(capsys: Output, *arguments: str) -> dict[str, Any]:
    """Run the command and return the object that it prints."""
    assert main(["analyze", *arguments]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_the_empty_board_is_won_in_the_middle(capsys: Output) -> None:
    """On the empty 6x7 board the values are those of all solvers, and the line has 41 stones."""
    found = output_of(capsys, "6x7")
    assert found["values"] == [-2, -1, 0, 1, 0, -1, -2]
    assert (found["to_move"], found["best_moves"], found["depth"]) == (1, ["4"], None)
    assert (len(found["line"]), found["line_proven"]) == (41, True)
    assert found["code"] == "1d0d3"


def test_a_full_column_has_no_value(capsys: Output) -> None:
    """A full column keeps its place with a null value; values are those of the player to move."""
    found = output_of(capsys, "5x4", "111112")
    assert found["values"][0] is None
    assert None not in found["values"][1:]
    assert found["to_move"] == 1


def test_unproven_values_have_a_depth(capsys: Output) -> None:
    """Unproven values come with their search depth; in BOOM the bomb is the eighth move."""
    found = output_of(capsys, "boom", "--seconds", "0.1")
    assert found["values"] == [None] * 8
    assert found["depth"] > 1
    assert not found["line_proven"]


@pytest.mark.parametrize("arguments", [["6x7", "8"], ["6x7", "1111111"], ["6x7", "1212121"]])
def test_invalid_positions_are_reported(capsys: Output, arguments: list[str]) -> None:
    """A missing move, a full column or a finished game exits with 2 and one line of explanation."""
    assert main(["analyze", *arguments]) == 2
    assert capsys.readouterr().err.startswith("python -m engine: ")
