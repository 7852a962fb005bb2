"""Puzzles, and the files of puzzles that games ship.

A puzzle is a position from a game in which exactly one move is right each time the solver is asked.
Files only grow: a puzzle keeps its place in its file, and its id, for ever. The ratings may be
measured again.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from engine.core.game import Game
from engine.core.problem import Problem, Step
from engine.core.registry import game_of, games, package_of
from engine.strength.ladder import size_class


class PuzzleKind(StrEnum):
    """What is to be found (docs/puzzles.md says exactly what each kind promises)."""

    WIN = "win"
    """A win, in `Puzzle.wins_in` moves: the line goes on until nothing can stop it any more."""
    HOLD = "hold"
    """The only move that does not lose, and then the next one."""
    REFUTE = "refute"
    """The opponent's last move was a mistake: the only move that wins now, and then the next one.
    The line may stop before the win is on the board."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A problem of which every step has exactly one answer, with what it is known by."""

    id: str
    """Six letters and digits, made from the position: the same for ever and in every process."""
    kind: PuzzleKind
    problem: Problem
    rating: int
    """Whoever is rated so on the ladder of the game's size class solves it half of the time."""

    @property
    def game(self) -> Game:
        """Which game, and on which board."""
        return self.problem.game

    @property
    def asked(self) -> int:
        """How many moves are to be found."""
        return len(self.problem.steps)

    @property
    def wins_in(self) -> int | None:
        """With which of the solver's moves a win is completed; None for other kinds.

        The last one is not asked where it could be made in several ways.
        """
        if self.kind is not PuzzleKind.WIN:
            return None
        return self.asked + (self.problem.position(self.asked).outcome is None)


@cache
def boards() -> tuple[Game, ...]:
    """The boards that there are puzzles for, the usual one first."""
    return tuple(
        package.from_variant(board)
        for package in games().values()
        if package.puzzles is not None
        for board in package.puzzles.boards
    )


def puzzles_of(game: Game) -> tuple[Puzzle, ...]:
    """All puzzles on one board, in the order of their file; none where there are none."""
    return _puzzles(game.key, game.variant) if game in boards() else ()


@cache
def puzzles_in(ladder: str) -> tuple[Puzzle, ...]:
    """All puzzles of a size class, such as `connect4-classic`: their ratings are comparable."""
    return tuple(
        puzzle for game in boards() if size_class(game) == ladder for puzzle in puzzles_of(game)
    )


@cache
def has_puzzles(ladder: str) -> bool:
    """Whether there are puzzles in a size class; quick, since no file is read."""
    return any(file_of(game).exists() for game in boards() if size_class(game) == ladder)


def puzzle(id: str) -> Puzzle | None:
    """The puzzle of an id, whatever the case of its letters; None if there is none."""
    return _by_id().get(id.strip().upper())


def nearest(
    puzzles: Sequence[Puzzle], rating: float, besides: Collection[str] = ()
) -> Puzzle | None:
    """The puzzle whose rating is nearest, leaving out some ids; of equal ones the first.

    None where all are left out.
    """
    left = (one for one in puzzles if one.id not in besides)
    return min(left, key=lambda one: abs(one.rating - rating), default=None)


def file_of(game: Game) -> Path:
    """Where the puzzles of a board are, or would be."""
    return package_of(game).folder("puzzles") / f"{game.key}-{game.variant}.csv"


def read(game: Game, lines: Iterable[str]) -> Iterator[Puzzle]:
    """The puzzles in the lines of a file: columns id, kind, moves, line and rating.

    Of the line, spaces part the steps: a step is the answer and what the other side replies.
    """
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    for row in rows:
        steps = tuple(_step(game, text) for text in row["line"].split())
        problem = Problem(game, game.moves(row["moves"]), steps)
        yield Puzzle(row["id"], PuzzleKind(row["kind"]), problem, int(row["rating"]))


def _step(game: Game, text: str) -> Step:
    answer, *replies = game.moves(text)
    return Step((answer,), tuple(replies))


@cache
def _puzzles(key: str, variant: str) -> tuple[Puzzle, ...]:
    game = game_of(key, variant)
    path = file_of(game)
    return tuple(read(game, path.read_text("utf-8").splitlines())) if path.exists() else ()


@cache
def _by_id() -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for game in boards() for puzzle in puzzles_of(game)}
