"""The check of the solver against every position, on the smallest board."""

from __future__ import annotations

import pytest

from benchmarks.exhaustive import check, describe, main
from benchmarks.exhaustive_truth import Truth
from engine.games.connect4.rules import Connect4
from engine.games.connect4.solver.compiled.rules import ALL, Rule

GAME = Connect4(4, 4)
BITS = 10


@pytest.fixture(scope="module")
def truth() -> Truth:
    """Every position with its score, as the benchmark lists them."""
    return Truth.of(GAME)


def falsified(truth: Truth, key: int) -> Truth:
    """The same truth with the score of one position one too high."""
    scores = truth.scores.copy()
    scores[key] += 1
    return Truth(truth.game, truth.board, truth.layers, scores, truth.won)


def test_no_answer_is_wrong(truth: Truth) -> None:
    """Every unfinished position is queried at least twice, and all results are right."""
    tallies = list(check(truth, ALL, BITS))
    assert [tally.positions for tally in tallies] == [layer.size for layer in truth.layers[:-1]]
    assert all(2 * tally.positions <= tally.asked <= 4 * tally.positions for tally in tallies)
    assert not any(tally.wrong for tally in tallies)


def test_one_wrong_score_is_found(truth: Truth) -> None:
    """A position with a different score than the solver's is reported."""
    stones = 7
    layer = truth.layers[stones]
    key = int(layer[layer.size // 2])
    other = falsified(truth, key)
    tallies = list(check(other, ALL, BITS))
    assert [tally.stones for tally in tallies if tally.wrong] == [stones]
    fault = tallies[stones].fault
    assert fault
    assert fault[0] == key
    assert f"is worth {other.scores[key]};" in describe(other, tallies[stones])


def test_the_command_prints_a_line_per_layer_and_the_sum(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """If no answer is wrong the exit status is 0; `--rules` leaves out each rule once."""
    assert main(["4x4", "--rules", "--table-bits", str(BITS)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "4x4: 139,625 positions without a four, 21,404 with one"
    assert "| 15 | 12,990 | 0 |" in lines
    assert sum(line.startswith("without ") for line in lines) == len(Rule)
    asked = 338_622 * (1 + len(Rule))
    assert lines[-1].startswith(f"134,289 positions, {asked:,} questions, 0 wrong, ")


def test_the_command_fails_if_an_answer_is_wrong(
    truth: Truth, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit status is 1, and the position is printed."""
    other = falsified(truth, int(truth.layers[0][0]))
    monkeypatch.setattr(Truth, "of", lambda game, report: other)
    assert main(["4x4", "--table-bits", str(BITS)]) == 1
    assert "is worth 1; wrong when asked if it is worth more than 0" in capsys.readouterr().out
