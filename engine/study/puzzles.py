"""Puzzles, and the files of puzzles that games ship.

A puzzle is a position from a game in which exactly one move is correct at each step. Files only
grow: a puzzle keeps its place in its file, and its id, for ever. The ratings may be measured again.
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
    """The kinds of puzzles (docs/puzzles.md defines each exactly)."""

    WIN = "win"
    """A win, in `Puzzle.wins_in` moves: the line continues until nothing can stop it."""
    HOLD = "hold"
    """The only move that does not lose, and then the next one."""
    REFUTE = "refute"
    """The opponent's last move was a mistake: the only move that wins now, and then the next one.
    The line may stop before the win is completed."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A problem in which every step has exactly one answer, with an id, a kind and a rating."""

    id: str
    """Six letters and digits, derived from the position: the same for ever and in every process."""
    kind: PuzzleKind
    problem: Problem
    rating: int
    """The rating, on the ladder of the game's size class, of players who solve it half of the
    time."""

    @property
    def game(self) -> Game:
        """The game and its variant."""
        return self.problem.game

    @property
    def asked(self) -> int:
        """The number of moves to be found."""
        return len(self.problem.steps)

    @property
    def wins_in(self) -> int | None:
        """The number of the solver's move that completes the win; None for other kinds.

        The last move is not asked if there are several ways to win.
        """
        if self.kind is not PuzzleKind.WIN:
            return None
        return self.asked + (self.problem.position(self.asked).outcome is None)


@cache
def boards() -> tuple[Game, ...]:
    """The boards that have puzzles, the usual one first."""
    return tuple(
        package.from_variant(board)
        for package in games().values()
        if package.puzzles is not None
        for board in package.puzzles.boards
    )


def puzzles_of(game: Game) -> tuple[Puzzle, ...]:
    """All puzzles on one board, in the order of their file; empty if there are none."""
    return _puzzles(game.key, game.variant) if game in boards() else ()


@cache
def puzzles_in(ladder: str) -> tuple[Puzzle, ...]:
    """All puzzles of a size class, such as `connect4-classic`: their ratings are comparable."""
    return tuple(
        each for game in boards() if size_class(game) == ladder for each in puzzles_of(game)
    )


@cache
def has_puzzles(ladder: str) -> bool:
    """Whether a size class has puzzles; quick, since no file is read."""
    return any(file_of(game).exists() for game in boards() if size_class(game) == ladder)


def puzzle(id: str) -> Puzzle | None:
    """The puzzle with an id, ignoring case; None if there is none."""
    return _by_id().get(id.strip().upper())


def nearest(
    puzzles: Sequence[Puzzle], rating: float, besides: Collection[str] = ()
) -> Puzzle | None:
    """The puzzle whose rating is nearest, without the ids in `besides`; of equal ones the first.

    None if no puzzle is left.
    """
    left = (one for one in puzzles if one.id not in besides)
    return min(left, key=lambda one: abs(one.rating - rating), default=None)


def file_of(game: Game) -> Path:
    """The path of a board's puzzles, whether or not the file exists."""
    return package_of(game).folder("puzzles") / f"{game.key}-{game.variant}.csv"


def read(game: Game, lines: Iterable[str]) -> Iterator[Puzzle]:
    """The puzzles in the lines of a file: columns id, kind, moves, line and rating.

    Spaces in a line separate the steps: a step is the answer and the other side's reply.
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
    return {each.id: each for game in boards() for each in puzzles_of(game)}
