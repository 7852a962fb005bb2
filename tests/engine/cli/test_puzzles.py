"""The command `python -m engine puzzles`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.cli.main import main
from engine.core.registry import game_called
from engine.study.mining.files import COLUMNS
from engine.study.puzzles import puzzles_of
from tests.builders import Output


def test_a_line_of_json_each_puzzle(capsys: Output) -> None:
    """`puzzles` prints the requested number of puzzles in file order, one JSON object per line."""
    assert main(["puzzles", "show", "6x7", "--count", "3"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    shipped = puzzles_of(game_called("6x7"))[:3]
    assert [line["id"] for line in lines] == [puzzle.id for puzzle in shipped]
    for line, puzzle in zip(lines, shipped, strict=True):
        assert line["rating"] == puzzle.rating
        assert line["kind"] == puzzle.kind
        assert line["line"] == "".join(line["steps"])
        assert len(line["steps"]) == puzzle.asked
        assert (line["wins_in"] is None) == (line["kind"] != "win")


def test_boards_without_puzzles_print_nothing(capsys: Output) -> None:
    """A board without puzzles prints nothing and exits with 0."""
    assert main(["puzzles", "show", "4x4"]) == 0
    assert capsys.readouterr().out == ""


def test_a_file_is_made_and_graded(tmp_path: Path, capsys: Output) -> None:
    """A file begins with its command; repeating that adds nothing, nor does grading change it."""
    path = str(tmp_path / "5x4.csv")
    words = ["puzzles", "--game", "5x4", "--count", "3", "--out", path]
    assert main(words) == 0
    assert capsys.readouterr().out == f"{path}: 3 puzzles\n"
    assert main(words) == 0
    assert capsys.readouterr().out == f"{path}: no new puzzles\n"
    assert (
        Path(path).read_text("utf-8").startswith("# python -m engine puzzles --game connect4:5x4")
    )
    assert main(["puzzles", "grade", "5x4", "--file", path, "--out", f"{path}.new"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("3 puzzles\n")
    assert re.search(r"\| perfect \| \d{4} \|", output)
    assert "Pearson" in output
    assert Path(f"{path}.new").read_text("utf-8") == Path(path).read_text("utf-8")
    assert main(["puzzles", "describe", "5x4", "--file", path, "--out", f"{path}.new"]) == 0
    assert Path(f"{path}.new").read_text("utf-8") == Path(path).read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["puzzles"], "needs --out FILE"),
        (["puzzles", "--out", "no/such/folder/file.csv"], "No such file"),
        (["puzzles", "grade", "4x4"], "No such file"),
        (["puzzles", "grade", "6x7", "--file", "few.csv"], "too few puzzles"),
        (["puzzles", "--out", "other.csv"], "no file of puzzles"),
    ],
)
def test_invalid_requests_are_reported(
    words: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    """A request that cannot be fulfilled prints one line and exits with 2."""
    monkeypatch.chdir(tmp_path)
    Path("few.csv").write_text(f"{','.join(COLUMNS)}\n", "utf-8")
    Path("other.csv").write_text("a,b\n1,2\n", "utf-8")
    assert main(words) == 2
    (output,) = capsys.readouterr().err.splitlines()
    assert why in output
    assert "Errno" not in output
