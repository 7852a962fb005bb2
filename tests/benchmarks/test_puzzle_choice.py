"""How many puzzles held-out players solve, by decile of the puzzles' ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from random import Random

import pytest

from benchmarks.adaptive.characters import CHARACTERS
from benchmarks.adaptive.people import STYLES
from benchmarks.puzzle_choice import (
    SOLVERS,
    as_measured,
    grade_rows,
    in_parts,
    ordered_pairs,
    solved,
    solved_cells,
)
from engine.core.game import Move, Position
from engine.games.connect4.rules import Connect4
from engine.games.gato.rules import Gato
from engine.study.puzzles import Puzzle, puzzles_of

GAME = Connect4(5, 4)


@dataclass(frozen=True, slots=True)
class Knowing:
    """A player who knows the moves of some puzzles, except with one seed."""

    moves: dict[Position, Move]
    fails: str = ""

    def choose(self, position: Position, rng: Random) -> Move:
        """Choose the right move, or with the seed `fails` another one."""
        right = self.moves[position]
        if rng.getstate() == Random(self.fails).getstate():
            return next(move for move in position.legal_moves() if move != right)
        return right


def knowing(puzzle: Puzzle, fails: str = "") -> Knowing:
    """A player who knows the moves of one puzzle, as people play it."""
    problem = puzzle.played
    answers = [step.answers[-1] for step in problem.steps]
    return Knowing({problem.position(n): move for n, move in enumerate(answers)}, fails)


def test_solvers_are_held_out() -> None:
    """The two players are no rungs, which graded the puzzles, and no styles, which habits fit."""
    assert len(set(SOLVERS)) == 2
    assert set(SOLVERS) <= set(CHARACTERS)
    assert not set(SOLVERS) & set(STYLES)


def test_parts_are_of_equal_size() -> None:
    """All values are in ten parts in their order; sizes differ by one at most."""
    values = [float(number) for number in range(57)]
    parts = in_parts(values)
    assert [value for part in parts for value in part] == values
    assert sorted({len(part) for part in parts}) == [5, 6]
    assert len(parts) == 10


@pytest.mark.parametrize(
    ("shares", "order"),
    [([1.0, 1.0, 0.0], 1.0), ([0.0, 0.0, 1.0], 0.0), ([0.5] * 3, 0.5), ([1.0, 0.0, 1.0], 0.5)],
)
def test_pairs_say_whether_lower_ratings_are_solved(shares: Sequence[float], order: float) -> None:
    """All pairs are in order if only the lowest are solved, none if only the highest are."""
    assert ordered_pairs([600.0, 700.0, 800.0], shares) == pytest.approx(order)


def test_equal_ratings_order_nothing() -> None:
    """Pairs of equal ratings count half, and without solved or failed tries there is no figure."""
    assert ordered_pairs([700.0] * 3, [1.0, 0.0, 0.5]) == 0.5
    assert isnan(ordered_pairs([700.0, 800.0], [1.0, 1.0]))


def test_a_row_has_deciles_all_and_what_was_foreseen() -> None:
    """A player rated like all puzzles is expected to solve half; the order of shares is -1 to 1."""
    shares = [1.0] * 10 + [0.5] * 5 + [0.0] * 5
    cells = solved_cells([800.0] * 20, shares, 800.0)
    assert cells[:10] == ["100"] * 5 + ["50", "50", "25", "0", "0"]
    assert cells[10:12] == ["62", "50"]
    assert len(cells) == 14
    falling = [1.0 - number / 10 for number in range(10)]
    assert solved_cells([800.0] * 10, falling, 800.0)[12] == "-1.00"
    assert solved_cells([800.0] * 10, falling[::-1], 800.0)[12] == "1.00"


def test_every_move_must_be_right() -> None:
    """Only tries in which all moves that people are asked are right count as solved."""
    puzzle = next(one for one in puzzles_of(GAME) if one.finish)
    assert solved(knowing(puzzle), puzzle, 2, "seed") == 1.0
    assert solved(knowing(puzzle, f"seed {puzzle.id} 1"), puzzle, 2, "seed") == 0.5
    first, *_ = knowing(puzzle).moves.items()
    wrong = next(move for move in first[0].legal_moves() if move != first[1])
    assert solved(Knowing({first[0]: wrong}), puzzle, 1, "seed") == 0.0


def test_tries_are_repeatable() -> None:
    """The same seed gives the same share."""
    player = CHARACTERS[SOLVERS[0]]
    some = puzzles_of(GAME)[:3]
    found = [[solved(player, one, 2, "seed") for one in some] for _ in range(2)]
    assert found[0] == found[1]


def test_puzzles_are_sorted_by_measured_ratings() -> None:
    """All puzzles of a board, from the lowest rating; in Gato more than the grades' three."""
    game = Gato()
    ratings = [one.rating for one in as_measured(game)]
    assert ratings == sorted(ratings)
    assert len(ratings) == len(puzzles_of(game))
    assert len(set(ratings)) > len({one.rating for one in puzzles_of(game)})


def test_grades_have_a_row_where_there_are_some() -> None:
    """In Gato a row has the share of each grade; other boards have no such row."""
    shares = {one.id: float(one.grade == 1) for one in puzzles_of(Gato())}
    assert grade_rows(Gato(), "x", shares) == [
        "| gato | x | grade 1: 100 % | grade 2: 0 % | grade 3: 0 % |"
    ]
    assert grade_rows(GAME, "x", {one.id: 1.0 for one in puzzles_of(GAME)}) == []
