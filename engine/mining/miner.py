"""Finding puzzles in games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.game import Game, Move, Position
from engine.mining.judge import Judge, Scores, judge_of
from engine.mining.lines import Asked, line_from, only_move
from engine.mining.symmetry import canonical, id_of
from engine.problem import Problem
from engine.puzzle import Puzzle, PuzzleKind

LONGEST_WIN = 7
"""Moves of the solver in which a win is won at most."""
LONGEST = 4
"""Moves that are asked at most where the line does not go on to the end."""
EASY_SHARE = 0.03
"""The largest share of puzzles in which there is nothing but a line to complete or to parry."""
FROM_PLY = {"6x7": 14, "5x4": 5, "8x8": 24, "4x4": 3, "7x7": 6}
"""Moves made at least before a puzzle: openings are not to be worked out, but known."""


@dataclass
class Miner:
    """Takes games, and gives the puzzles in them that it has not given before."""

    game: Game
    judge: Judge
    given: set[str] = field(default_factory=set)
    """The positions of all puzzles so far in which something was asked."""
    ids: set[str] = field(default_factory=set)
    kinds: Counter[PuzzleKind] = field(default_factory=Counter)
    easy: int = 0

    @classmethod
    def of(cls, game: Game) -> Miner:
        """A miner for a game."""
        return cls(game, judge_of(game))

    def know(self, puzzles: Sequence[Puzzle]) -> None:
        """Take note of puzzles that there are already."""
        for puzzle in puzzles:
            steps = range(puzzle.asked)
            self.given |= {canonical(puzzle.problem.position(step)) for step in steps}
            self.ids.add(puzzle.id)
            self.kinds[puzzle.kind] += 1

    def puzzles(self, moves: Sequence[Move]) -> Iterator[Puzzle]:
        """The new puzzles in a game, from its end; their ratings are still 0."""
        positions = _positions(self.game, moves)
        least = FROM_PLY.get(self.game.variant, 6)
        for ply in range(len(positions) - 1, least - 1, -1):
            position = positions[ply]
            scores = self.judge.scores(position)
            if scores is None:
                return
            before = self.judge.scores(positions[ply - 1])
            found = self._puzzle(positions, moves[:ply], scores, before)
            if found is not None:
                yield found

    def _puzzle(
        self,
        positions: Sequence[Position],
        moves: Sequence[Move],
        scores: Scores,
        before: Scores | None,
    ) -> Puzzle | None:
        ply = len(moves)
        position = positions[ply]
        winning = max(scores.values()) > 0
        if only_move(scores, winning=winning) is None or canonical(position) in self.given:
            return None
        for kind in self._kinds(position, positions[ply - 1], moves[-1], before, winning=winning):
            line = self._line(kind, position)
            if line and self._takes(line):
                self.kinds[kind] += 1
                self.given |= {canonical(asked.position) for asked in line}
                self.ids.add(id_of(position))
                problem = Problem(self.game, tuple(moves), tuple(asked.step for asked in line))
                return Puzzle(id_of(position), kind, problem, 0)
        return None

    def _kinds(
        self,
        position: Position,
        previous: Position,
        move: Move,
        before: Scores | None,
        *,
        winning: bool,
    ) -> list[PuzzleKind]:
        """What a position may be, the kind with the fewest puzzles first."""
        if not winning:
            return [PuzzleKind.HOLD]
        erred = (
            before is not None
            and previous.to_move is not position.to_move
            and max(before.values()) >= 0 > before[move]
        )
        possible = [PuzzleKind.WIN, *([PuzzleKind.REFUTE] if erred else [])]
        return sorted(possible, key=lambda kind: self.kinds[kind])

    def _line(self, kind: PuzzleKind, position: Position) -> list[Asked]:
        """The line of a puzzle of this kind; empty where it promises what is not there."""
        if kind is PuzzleKind.WIN:
            line = line_from(
                self.judge, position, winning=True, most=LONGEST_WIN, along=lambda _: True
            )
            return line if line and line[-1].ends else []
        if kind is PuzzleKind.HOLD:
            return line_from(
                self.judge, position, winning=False, most=LONGEST, along=lambda one: not one.trivial
            )
        line = line_from(self.judge, position, winning=True, most=LONGEST, along=lambda _: True)
        return line if line and line[-1].ends else _to_the_point(line)

    def _takes(self, line: Sequence[Asked]) -> bool:
        """Whether a line is new, and not just one more of the easiest."""
        if any(canonical(asked.position) in self.given for asked in line):
            return False
        if id_of(line[0].position) in self.ids:
            return False
        if not line[0].trivial:
            return True
        if not all(asked.trivial for asked in line):
            return False
        allowed = self.easy < EASY_SHARE * sum(self.kinds.values())
        self.easy += allowed
        return allowed


def _to_the_point(line: Sequence[Asked]) -> list[Asked]:
    """A line that stops before the end, without the trivial steps that it would stop with."""
    kept = list(line)
    while len(kept) > 1 and kept[-1].trivial:
        kept.pop()
    return kept


def _positions(game: Game, moves: Sequence[Move]) -> list[Position]:
    """The positions of a game in which a move was made."""
    positions, position = list[Position](), game.start()
    for move in moves:
        positions.append(position)
        position = position.play(move)
    return positions
