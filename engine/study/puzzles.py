"""Puzzles, and the files of puzzles that games ship.

A puzzle is a position from a game in which exactly one move is correct at each step. Files only
grow: a puzzle keeps its place in its file, and its id, for ever. The ratings may be measured again.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

from engine.core.game import Game, Move, replay, wins_with
from engine.core.problem import Problem, Step
from engine.core.reason import ReasonKind
from engine.core.registry import game_of, games, package_of
from engine.strength.ladder import size_class
from engine.study.themes import Theme


class PuzzleKind(StrEnum):
    """The kinds of puzzles (docs/puzzles.md defines each exactly)."""

    WIN = "win"
    """A win, in `Puzzle.wins_in` moves: the line continues until nothing can stop it."""
    HOLD = "hold"
    """The only move that does not lose, and then the next one."""
    REFUTE = "refute"
    """The opponent's last move was a mistake: the only move that wins now, and then the next one.
    The line may stop before the win is completed."""


PLAIN_WIN = range(2, 5)
"""The solver's moves of a win that everyone can be given."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A problem in which every step has exactly one answer, with an id, a kind and a rating."""

    id: str
    """Six letters and digits, derived from the position: the same for ever and in every process."""
    kind: PuzzleKind
    problem: Problem
    rating: int
    """The rating, on the ladder of the game's size class, of players who solve it half of the
    time. With a `grade`, the mean of all puzzles of that grade."""
    grade: int = 0
    """1 for easy, 2 for medium and 3 for hard, on boards that have only grades; 0 on others."""
    source: str = ""
    """The game in which it was found: puzzles with the same source are similar."""
    themes: tuple[Theme, ...] = ()
    forced: int = 0
    """The number of the solver's move that completes a line, if the solution leads to that in every
    case; otherwise 0."""
    distance: int = 0
    """How many moves away the point is: the solver's until a win; of a `HOLD`, the greatest number
    of moves that the other side needs to win after a wrong one. In BOOM, half of all movements."""
    finish: tuple[Move, ...] = ()
    """A reply and the move that completes a line, played after the solution where its end does not
    show a four yet."""
    within: str = ""
    """The puzzle whose solution contains this position; empty if there is none."""

    @property
    def game(self) -> Game:
        """The game and its variant."""
        return self.problem.game

    @property
    def asked(self) -> int:
        """The number of moves to be found."""
        return len(self.problem.steps)

    @property
    def played(self) -> Problem:
        """The problem as people play it, until they see the win: with the `finish`.

        Its last step accepts every move that completes a line.
        """
        if not self.finish:
            return self.problem
        *before, last = self.problem.steps
        reply = self.finish[0]
        end = replay(self.game, (*self.problem.made(self.asked), reply))
        fours = tuple(move for move in end.legal_moves() if wins_with(end, move))
        steps = (*before, Step(last.answers, (reply,)), Step(fours))
        return Problem(self.game, self.problem.moves, steps)

    @property
    def only(self) -> tuple[ReasonKind, ...]:
        """What the answer of each step of `problem` alone does; empty where it is not proven."""
        if package_of(self.game).exact is None:
            return ()
        holds = self.kind is PuzzleKind.HOLD
        return self.asked * (ReasonKind.ONLY_HOLDS if holds else ReasonKind.ONLY_WINS,)

    @property
    def clicks(self) -> int:
        """The number of moves that people are asked."""
        return self.asked + bool(self.finish)

    @property
    def has_reply(self) -> bool:
        """Whether the other side moves between two moves that are asked."""
        return bool(self.finish) or any(step.replies for step in self.problem.steps)

    @property
    def is_plain_win(self) -> bool:
        """Whether it is a forced win in two to four moves that goes on after a reply."""
        return self.forced in PLAIN_WIN and self.has_reply

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
    """The puzzles in the lines of a file: columns id, kind, moves, line, rating, others if any.

    Spaces in a line separate the steps: a step is the answer and the other side's reply.
    """
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    for row in rows:
        steps = tuple(_step(game, text) for text in row["line"].split())
        problem = Problem(game, game.moves(row["moves"]), steps)
        yield Puzzle(
            row["id"],
            PuzzleKind(row["kind"]),
            problem,
            int(row["rating"]),
            source=row.get("source") or "",
            themes=tuple(map(Theme, (row.get("themes") or "").split())),
            forced=int(row.get("forced") or 0),
            distance=int(row.get("distance") or 0),
            finish=game.moves(row.get("finish") or ""),
            within=row.get("within") or "",
        )


def _step(game: Game, text: str) -> Step:
    answer, *replies = game.moves(text)
    return Step((answer,), tuple(replies))


@cache
def _puzzles(key: str, variant: str) -> tuple[Puzzle, ...]:
    game = game_of(key, variant)
    path = file_of(game)
    found = tuple(read(game, path.read_text("utf-8").splitlines())) if path.exists() else ()
    settings = package_of(game).puzzles
    limits = None if settings is None else settings.grades
    return found if limits is None else tuple(graded(found, limits))


def graded(puzzles: Sequence[Puzzle], limits: tuple[int, int]) -> Iterator[Puzzle]:
    """The puzzles with a grade, by the ratings above which they are medium and hard."""
    grades = [1 + sum(one.rating > limit for limit in limits) for one in puzzles]
    groups = {
        grade: [one.rating for one, its in zip(puzzles, grades, strict=True) if its == grade]
        for grade in set(grades)
    }
    means = {grade: round(sum(group) / len(group)) for grade, group in groups.items()}
    for one, grade in zip(puzzles, grades, strict=True):
        yield replace(one, rating=means[grade], grade=grade)


@cache
def _by_id() -> dict[str, Puzzle]:
    return {each.id: each for game in boards() for each in puzzles_of(game)}
