"""Finding puzzles in games; positions that are mirror images of each other count as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from engine.core.game import Game, Move, Position
from engine.core.package import PuzzleSettings
from engine.core.position_code import SIGNS
from engine.core.problem import Problem, Step
from engine.core.registry import package_of
from engine.core.symmetry import Images
from engine.study.mining.lines import (
    Judge,
    LineStep,
    Results,
    is_trivial,
    judge_of,
    line_from,
    only_move,
)
from engine.study.puzzles import PLAIN_WIN, Puzzle, PuzzleKind
from engine.study.themes import finish_of, forced_moves

MAX_WIN = 7
"""The most moves of the solver until a win."""

LONGEST = 4
"""The most moves that are asked if the line need not go on to the end."""

MIN_MOVES = 3
"""The fewest legal moves in the first step."""

EASY_SHARE = 0.03
"""The largest share of puzzles that only ask to complete or to parry a line."""

KIND_SHARE, SINGLE_SHARE = 0.4, 0.5
"""The largest shares of puzzles of one kind, and of those in which one move is asked."""


@dataclass
class Miner:
    """Takes games, and returns the puzzles in them that it has not returned before."""

    game: Game
    judge: Judge
    seen: set[str] = field(default_factory=set)
    """The positions of all previous puzzles in which a move was asked."""
    passed: set[str] = field(default_factory=set)
    """All positions within their solutions."""
    ids: set[str] = field(default_factory=set)
    kinds: Counter[PuzzleKind] = field(default_factory=Counter)
    easy: int = 0
    singles: int = 0
    plain: bool = False
    """Whether to return only wins that everyone can be given: `Puzzle.is_plain_win`."""

    @classmethod
    def of(cls, game: Game, *, plain: bool = False) -> Miner:
        """Return a miner for a game."""
        return cls(game, judge_of(game), plain=plain)

    @property
    def _settings(self) -> PuzzleSettings:
        return package_of(self.game).puzzles or PuzzleSettings(())

    def know(self, puzzles: Sequence[Puzzle]) -> None:
        """Remember existing puzzles, so that they are not returned again."""
        for puzzle in puzzles:
            problem = puzzle.problem
            positions = [problem.position(step) for step in range(puzzle.asked)]
            self.seen |= set(map(canonical, positions))
            self.passed |= set(passed(positions[0], problem.line))
            self.ids.add(puzzle.id)
            self._count(puzzle.kind, puzzle.asked, is_trivial(positions[0], problem.line[0]))

    def puzzles(self, moves: Sequence[Move]) -> Iterator[Puzzle]:
        """The new puzzles in a game, from its end, with a rating of 0."""
        third = package_of(self.game).longest(self.game) // 3
        least = self._settings.from_ply.get(self.game.variant, third)
        positions = _positions(self.game, moves)[least - 1 :]
        results = self.judge.results(positions)
        for at in range(len(positions) - 1, 0, -1):
            found = results[at]
            if found is None or len(found) < MIN_MOVES:
                continue
            winning = max(found.values()) > 0
            if only_move(found, winning=winning) is None:
                continue
            erred = _has_erred(
                positions[at - 1], positions[at], moves[least + at - 2], results[at - 1]
            )
            line = self._take(positions[at], winning=winning, erred=erred)
            if line is not None:
                kind, steps = line
                problem = Problem(self.game, tuple(moves[: least - 1 + at]), steps)
                yield Puzzle(id_of(positions[at]), kind, problem, 0)

    def _take(
        self, position: Position, *, winning: bool, erred: bool
    ) -> tuple[PuzzleKind, tuple[Step, ...]] | None:
        """The kind and the line of a new position; None if it makes no puzzle."""
        here = canonical(position)
        if here in self.seen or here in self.passed or id_of(position) in self.ids:
            return None
        for kind in self._kinds(winning=winning, erred=erred):
            line = self._line(kind, position)
            keys = {canonical(asked.position) for asked in line}
            moves = [move for one in line for move in (*one.step.answers, *one.step.replies)]
            inner = set(passed(position, moves))
            if line and not (keys | inner) & self.seen and self._is_wanted(kind, line):
                self._count(kind, len(line), line[0].trivial)
                self.seen |= keys
                self.passed |= inner
                self.ids.add(id_of(position))
                return kind, tuple(asked.step for asked in line)
        return None

    def _kinds(self, *, winning: bool, erred: bool) -> list[PuzzleKind]:
        """The kinds that a position may have, the one with the fewest puzzles so far first."""
        if self.plain:
            return [PuzzleKind.WIN] if winning else []
        if not winning:
            return [PuzzleKind.HOLD]
        possible = [PuzzleKind.WIN, PuzzleKind.REFUTE] if erred else [PuzzleKind.WIN]
        return sorted(possible, key=lambda kind: self.kinds[kind])

    def _line(self, kind: PuzzleKind, position: Position) -> list[LineStep]:
        """The line of a puzzle of this kind; empty if the position makes none."""
        if kind is PuzzleKind.HOLD:
            return line_from(self.judge, position, LONGEST, _is_nontrivial, winning=False)
        most = MAX_WIN if kind is PuzzleKind.WIN else LONGEST
        line = line_from(self.judge, position, most, _any, winning=True)
        if line and line[-1].decided:
            return line
        return [] if kind is PuzzleKind.WIN else _to_the_point(line)

    def _is_wanted(self, kind: PuzzleKind, line: Sequence[LineStep]) -> bool:
        """Whether the first step is not too simple, and puzzles of this kind are still needed."""
        room = self.kinds.total() + 10
        if line[0].trivial and (
            self.easy >= EASY_SHARE * room or not all(asked.trivial for asked in line)
        ):
            return False
        if self.plain:
            return _is_plain(line)
        if self.game.variant in self._settings.scarce:
            return True
        if len(line) == 1 and self.singles >= SINGLE_SHARE * room:
            return False
        return self.kinds[kind] < KIND_SHARE * room

    def _count(self, kind: PuzzleKind, asked: int, easy: bool) -> None:
        self.kinds[kind] += 1
        self.singles += asked == 1
        self.easy += easy


def _is_plain(line: Sequence[LineStep]) -> bool:
    """Whether a line is a win that everyone can be given (`Puzzle.is_plain_win`)."""
    last = line[-1]
    end, solver = last.position.play(last.step.answers[0]), last.position.to_move
    has_reply = any(asked.step.replies for asked in line) or bool(finish_of(end, solver))
    return has_reply and forced_moves(end, solver, len(line)) in PLAIN_WIN


def passed(position: Position, moves: Sequence[Move]) -> Iterator[str]:
    """The positions that moves lead to, in the form of `canonical`, without the end of the game."""
    for move in moves:
        position = position.play(move)
        if position.outcome is None:
            yield canonical(position)


def _has_erred(before: Position, position: Position, move: Move, results: Results | None) -> bool:
    """Whether the other side has just made a losing move when another did not lose."""
    if results is None or before.to_move is position.to_move:
        return False
    return results[move] < 0 <= max(results.values())


def _is_nontrivial(asked: LineStep) -> bool:
    return not asked.trivial


def _any(_asked: LineStep) -> bool:
    return True


def _to_the_point(line: list[LineStep]) -> list[LineStep]:
    """A line without the trivial steps at its end."""
    last = max((n for n, asked in enumerate(line) if not asked.trivial), default=0)
    kept = line[: last + 1]
    return [*kept[:-1], replace(kept[-1], step=Step(kept[-1].step.answers))] if kept else []


def _positions(game: Game, moves: Sequence[Move]) -> list[Position]:
    """The positions of a game in which a move was made."""
    positions, position = list[Position](), game.start()
    for move in moves:
        positions.append(position)
        position = position.play(move)
    return positions


LETTERS = SIGNS.upper()
"""The characters of ids, without letters that look like digits."""

ID_LENGTH = 6


def canonical(position: Position) -> str:
    """A text that is the same for two positions if and only if a symmetry relates them.

    Independent of how a position was reached. Stones are distinguished by owner; the player to move
    follows from the number of stones, or in BOOM from the ply within the cycle of turns.
    """
    game = position.game
    cells = "".join(cell for row in position.cells() for cell in row)
    board = min("".join(cells[square] for square in image) for image in images(game))
    phase = "" if package_of(game).stones_stay else f"@{position.ply % _cycle(game)}"
    return f"{game.key}:{game.variant}:{board}{phase}"


def _cycle(game: Game) -> int:
    """Plies until the sequence of turns repeats; more than any game has if it never does."""
    settings = package_of(game).puzzles
    return settings.cycle if settings and settings.cycle else package_of(game).longest(game) + 1


def id_of(position: Position) -> str:
    """The id of the puzzle in a position."""
    number = int.from_bytes(blake2b(canonical(position).encode(), digest_size=8).digest())
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(ID_LENGTH))


def images(game: Game) -> Images:
    """All symmetries of a game's board that keep its rules, the identity first."""
    return package_of(game).images(game)
