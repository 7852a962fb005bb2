"""Each claim of the student programs' documents is measured."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random

import pytest

from benchmarks.documents.__main__ import HEADS, MEASURES
from benchmarks.documents.ablation import FULL, Weighted, Weights
from benchmarks.documents.adaptive import next_level
from benchmarks.documents.claims import CLAIMS, of_mean, of_scores
from benchmarks.documents.others import opening
from engine.core.registry import game_called
from engine.games.boom.agents import Tokens
from tests.builders import ROOT

RESULTS = ROOT / "docs" / "data" / "documents.csv"
SMALLEST = 0.001
"""A factor with which each row plays two games of a kind."""


def rows_of(file: Path) -> list[dict[str, str]]:
    """The rows of a file whose first line is the command."""
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# python -m benchmarks.documents")
    return list(csv.DictReader(lines[1:]))


def test_every_claim_is_measured_and_documented() -> None:
    """The seventeen claims are numbered, and each has published results."""
    assert [claim.row for claim in CLAIMS] == list(MEASURES) == list(range(1, 18))
    rows = rows_of(RESULTS)
    assert tuple(rows[0]) == HEADS
    assert {int(row["row"]) for row in rows} == set(MEASURES)
    assert all(row["measured"] and f"--row {row['row']}" in row["command"] for row in rows)


@pytest.mark.parametrize("row", [2, 6, 7, 8, 9, 12, 13, 14, 17])
def test_rows_can_be_measured_quickly(row: int) -> None:
    """A small factor plays the same games in seconds."""
    assert list(MEASURES[row](SMALLEST, 1))


def test_counts_and_examples_are_exact() -> None:
    """The greedy tree has 2,801 nodes, and the original's figure has its last digit."""
    assert [line.measured for line in MEASURES[13](1, 1)] == ["2,801"]
    figures = [line.measured for line in MEASURES[14](1, 1)]
    assert figures == ["3, -96000002.80000001", "3, -96000002.800"]


def test_without_people_one_claim_is_not_measured() -> None:
    """How often people ask for help cannot be measured by simulated players."""
    (line,) = MEASURES[2](1, 1)
    assert line.what == "not reproducible without people"


def test_the_rule_of_five_games() -> None:
    """Four wins of the last five games lead a level up, one or fewer a level down, at once."""
    won, lost = True, False
    assert next_level(1, [lost]) == next_level(1, [won]) == 0
    assert next_level(1, [won, won]) == 1
    assert next_level(1, [won] * 4) == next_level(1, [won, lost, won, won, won]) == 2
    assert next_level(1, [won, won, won, won, lost, lost, lost, lost]) == 0
    assert (next_level(0, [lost]), next_level(2, [won] * 5)) == (0, 2)


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_the_weighted_search_is_that_of_tokens(depth: int) -> None:
    """With all terms, values and moves are those of `tokens`; without one, values differ."""
    rng, game, differs = Random(depth), game_called("boom"), 0
    for number in range(20):
        position = opening(game, rng, 4 + number)
        seen = Tokens(depth).explain(position)
        chosen = Weighted(FULL, depth).choose(position)
        assert (chosen.move, chosen.value) == (seen.choices[0], seen.values[seen.choices[0]])
        differs += Weighted(Weights(column=0), depth).choose(position).value != chosen.value
    assert differs > 10


def test_intervals() -> None:
    """A share has Wilson's interval, which is not empty without a case; a mean has half of one."""
    assert of_scores("losses, games", [0.0] * 100).interval == "0.0 to 3.7 %"
    assert of_scores("score, games", [0.0, 0.5, 1.0] * 100).interval == "± 4.6"
    assert of_mean("moves", [1, 2, 3]).measured == "2.0"
    assert of_mean("moves", []).measured == "none"
