"""The file of a board's puzzles, with what their ratings rest on.

`engine.puzzle_book` reads the columns id, kind, moves, line and rating. The others are for
whoever makes the file: what each rung answered, and the game that the puzzle is from.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.game import Game, Move
from engine.mining.grading import Answers, judges, tries
from engine.problem import Step
from engine.puzzle import Puzzle
from engine.puzzle_book import read

HALVES = ("solved", "again")
"""The columns with a digit for each rung: how often it solved the puzzle."""
COLUMNS = ("id", "kind", "moves", "line", "rating", *HALVES, "source")


@dataclass(frozen=True, slots=True)
class Graded:
    """A puzzle with the answers of the rungs that were asked."""

    puzzle: Puzzle
    halves: tuple[Answers, Answers]
    """What the rungs answered with one half of the seeds, and with the other."""
    source: str
    """The game that it was found in: the seed of all games, and the number of this one."""

    @property
    def number(self) -> int:
        """The number of the game."""
        return int(self.source.partition("/")[2])


def row(graded: Graded) -> str:
    """A puzzle's line in the file."""
    one, label = graded.puzzle, graded.puzzle.game.label

    def text(moves: Iterable[Move]) -> str:
        return "".join(map(label, moves))

    def step(asked: Step) -> str:
        return text((*asked.answers, *asked.replies))

    fields = (
        one.id,
        one.kind.value,
        text(one.problem.moves),
        " ".join(map(step, one.problem.steps)),
        str(one.rating),
        *("".join(map(str, half.solved)) for half in graded.halves),
        graded.source,
    )
    return ",".join(fields)


def rows(game: Game, lines: Sequence[str]) -> Iterator[Graded]:
    """The puzzles of a file with all that it says about them; ValueError for any other file."""
    data = [line for line in lines if not line.startswith("#")]
    if data[:1] != [",".join(COLUMNS)]:
        raise ValueError("this is no file of puzzles")
    asked = tuple(map(tries, judges(game)))
    for puzzle, told in zip(read(game, data), csv.DictReader(data), strict=True):
        one, other = (Answers(tuple(map(int, told[half])), asked) for half in HALVES)
        yield Graded(puzzle, (one, other), told["source"])
