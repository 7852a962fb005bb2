"""Reviewing a game: the loss of each move, the accuracy of each side, and the turning point.

A review proves what it can, from the last position to the first, and searches the rest. The last
positions come first because their results make the earlier ones cheap; the first moves are in
books.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import dropwhile
from time import perf_counter
from typing import ClassVar

from engine.core.analysis import Analysis
from engine.core.exact import ExactSolver, values_by
from engine.core.game import Game, Move, Outcome, Player, Position
from engine.core.kernel import KernelKind
from engine.core.limits import Limit, Stop
from engine.core.reason import Reason
from engine.core.registry import package_of
from engine.core.search import analyse
from engine.core.values import is_decided
from engine.strength.judging import FULL_MARGIN, JudgedMove
from engine.study.analysis import Line, best_line, nodes_in, wall_clock_limit
from engine.study.move_class import Fault, MoveClass, class_of, expectations, losses
from engine.study.reasons import ALLOWED, ALLOWED_IN_TURN, MISSED, fault_of, faults_in


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The move that decided a game."""

    ply: int
    """The number of moves made before it."""
    played: Line
    """The best play after it, beginning with it."""
    instead: Line
    """The best play, beginning with the move that should have been played."""


class Phase(StrEnum):
    """The thirds of a game, by its moves."""

    OPENING = "opening"
    MIDDLE = "middle"
    END = "end"


SOUND = 90.0
"""The least accuracy of a side without a mistake."""


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed game: a plain value that can be sent to another process."""

    moves: tuple[JudgedMove, ...]
    turning_point: TurningPoint | None = None
    """The turning point by the values of the moves; None if no move gave much away."""
    practical: TurningPoint | None = None
    """Where the game turned in practice, if that was later: at the last four that was missed by a
    side that completed none, or that the other side was allowed and took."""

    @property
    def turned(self) -> TurningPoint | None:
        """The turning point that people read first: that in practice, if it differs."""
        return self.practical or self.turning_point

    def without_opening(self, plies: int) -> Review:
        """Return the review without the first moves, for openings that are not meant to be good.

        The course stays unchanged.
        """
        excluded = (
            replace(one, losses=dict.fromkeys(one.losses, 0.0), fault=None)
            for one in self.moves[:plies]
        )
        both = (
            None if turned is None or turned.ply < plies else turned
            for turned in (self.turning_point, self.practical)
        )
        return Review((*excluded, *self.moves[plies:]), *both)

    def accuracy(self, player: Player, phase: Phase | None = None) -> float | None:
        """Return the accuracy of a player's moves, from 0 to 100; None without an informative move.

        The player's losses are compared with those of random moves: 100 for best moves throughout,
        50 for moves no better than random ones, 75 for a third of their loss. Without a mistake it
        is at least `SOUND`: where nothing can change the result any more, small losses weigh much.
        With a `phase` only its moves count.
        """
        moves = self.moves if phase is None else self.moves[self.bounds(phase)]
        counted = [one for one in moves if one.player is player and one.is_informative]
        if not counted:
            return None
        baseline = sum(one.baseline_loss for one in counted)
        found = 100 / (1 + sum(one.loss for one in counted) / baseline)
        if any(class_of(one).is_serious for one in counted):
            return found
        return SOUND + (100 - SOUND) * found / 100

    def bounds(self, phase: Phase) -> slice:
        """Return where a phase begins and ends: a third of the moves of the game."""
        at, count = [*Phase].index(phase), len(self.moves)
        return slice(round(count * at / 3), round(count * (at + 1) / 3))

    @property
    def course(self) -> tuple[float, ...]:
        """The first player's expected score after each move, from 0 to 1."""
        return tuple(
            one.after if one.player is Player.FIRST else 1 - one.after for one in self.moves
        )

    @property
    def decisive(self) -> JudgedMove | None:
        """The last move that changed the result or, where it is not proven, who was ahead.

        If none did, the first of those with the largest loss, unless it was a good move.
        """
        changes = [one for one in self.moves if _changes_result(one)]
        if changes:
            return changes[-1]
        worst = max(self.moves, key=lambda one: one.loss, default=None)
        if worst is None or MoveClass.of(worst.loss).is_good:
            return None
        return worst


SECONDS = 2.0
"""Seconds of one core for a review."""

PROVING, SEARCHING, LINE = 0.45, 0.35, 0.1
"""The shares of that time for proofs, for searching unproven positions, for each of two lines."""


def review(
    game: Game, moves: Sequence[Move], *, seconds: float = SECONDS, stop: Stop | None = None
) -> Review:
    """Review the moves of a game, which may be unfinished.

    `seconds` of one core are counted in nodes (see `engine.study.analysis`), so that a game has the
    same review on every machine; `stop` ends the work at once. Values that are not proven by then
    come from a search of at least one ply. Raises IllegalMove for moves that the rules do not
    allow.
    """
    positions, position = list[Position](), game.start()
    for move in moves:
        positions.append(position)
        position = position.play(move)
    package = package_of(game)
    solver = package.solver(game)
    proofs, left = _proofs(game, solver, positions, PROVING * seconds, stop)
    rest = [p for p, proof in zip(positions, proofs, strict=True) if proof is None]
    found = _searched(game, rest, SEARCHING * seconds + left, stop)
    analyses = [proof or found[p.ply] for p, proof in zip(positions, proofs, strict=True)]
    corrected = _with_what_followed(positions, moves, analyses)
    turns = faults_in(game, moves)
    reviewed = tuple(
        judged(position, move, analysis, package.judging.spread, fault)
        for position, move, analysis, fault in zip(positions, moves, corrected, turns, strict=True)
    )
    decisive = Review(reviewed).decisive
    practical = _in_practice(reviewed, decisive, position.outcome)
    each = LINE * seconds / (1 if practical is None else 2)
    turned = (
        None if one is None else _turning_point(solver, positions[one.ply], one, each, stop)
        for one in (decisive, practical)
    )
    return Review(reviewed, *turned)


def _proofs(
    game: Game,
    solver: ExactSolver | None,
    positions: Sequence[Position],
    seconds: float,
    stop: Stop | None,
) -> tuple[list[Analysis | None], float]:
    """Return proofs of a game's positions, and the seconds that are left.

    Proofs come from books alone once the time is used up, or where one would probably fail.
    """
    ends, nodes = perf_counter() + wall_clock_limit(seconds), nodes_in(game, seconds)
    package, proofs = package_of(game), list[Analysis | None]()
    for position in reversed(positions):
        left = max(ends - perf_counter(), 0.0)
        allowed = nodes if package.worth_proving(position) else 0
        proof = values_by(solver, position, nodes=allowed, seconds=left, stop=stop)
        if allowed:
            nodes = max(nodes - proof.nodes, 0) if proof else 0
        proofs.append(proof)
    return proofs[::-1], seconds * nodes / nodes_in(game, seconds)


def _searched(
    game: Game, positions: Sequence[Position], seconds: float, stop: Stop | None
) -> dict[int, Analysis]:
    """Return analyses by ply: a search of each position, with equal shares of the time."""
    each = seconds / max(len(positions), 1)
    limit = Limit(seconds=wall_clock_limit(each), nodes=nodes_in(game, each))
    informed, kind = package_of(game).informed, KernelKind.FITTED
    return {
        position.ply: informed(position, analyse(position, limit, stop, FULL_MARGIN, kind=kind))
        for position in positions
    }


def _with_what_followed(
    positions: Sequence[Position], moves: Sequence[Move], analyses: Sequence[Analysis]
) -> list[Analysis]:
    """Return the analyses; a move that missed a win gets its score from the next position.

    A search ends as soon as it has found the nearest win, so it has seen little of other moves. In
    other positions no correction is made: a deeper search of the move made than of the others would
    charge it with losses that the others might have caused as well.
    """
    corrected = list(analyses)
    for at, move in enumerate(moves[:-1]):
        seen, following = analyses[at], analyses[at + 1]
        if seen.proven or not is_decided(seen.top) or is_decided(seen.scores[move]):
            continue
        same = positions[at].to_move is positions[at + 1].to_move
        score = following.top if same else -following.top
        corrected[at] = replace(seen, scores={**seen.scores, move: score})
    return corrected


def judged(
    position: Position, move: Move, analysis: Analysis, spread: float, fault: Reason | None = None
) -> JudgedMove:
    """Return a move judged by an analysis of the position before it.

    `fault` is the reason against its turn, in games in which a turn has several moves.
    """
    return JudgedMove(
        position.ply,
        position.to_move,
        move,
        analysis,
        expectations(analysis, spread),
        losses(analysis, spread),
        analysis.verdict if analysis.proven else None,
        fault or fault_of(position, move, analysis.scores if analysis.proven else None),
    )


def _changes_result(one: JudgedMove) -> bool:
    """Whether a move changed the result or, where it is not proven, who is ahead."""
    if not MoveClass.of(one.loss).is_serious:
        return False
    return one.is_proven or one.after < 0.5 <= one.before


def _in_practice(
    reviewed: Sequence[JudgedMove], decisive: JudgedMove | None, outcome: Outcome | None
) -> JudgedMove | None:
    """Return the move on which the game turned in practice; None if that is the decisive one.

    It comes after the decisive one, which is no missed or allowed four: the last four that was
    missed by a side that completed none, or that the other side was allowed and took.
    """
    winner = outcome.winner if outcome is not None and outcome.squares else None
    if decisive is not None and Fault.of(decisive) is not None:
        return None
    after = 0 if decisive is None else decisive.ply + 1
    for one in reversed(reviewed[after:]):
        kind = None if one.fault is None else one.fault.kind
        if kind in MISSED and one.player is not winner:
            return one
        # It was taken if the game ended in the other side's next turn.
        rest = dropwhile(one.player.__eq__, (each.player for each in reviewed[one.ply + 1 :]))
        is_taken = winner is one.player.other and one.player not in rest
        if kind in (*ALLOWED, *ALLOWED_IN_TURN) and is_taken:
            return one
    return None


def _turning_point(
    solver: ExactSolver | None,
    position: Position,
    decisive: JudgedMove,
    seconds: float,
    stop: Stop | None,
) -> TurningPoint:
    """Return a move that decided the game, with lines that show why."""
    ways = (decisive.move, decisive.best_moves[0])
    played, instead = (
        best_line(position, (way,), seconds=seconds, stop=stop, solver=solver) for way in ways
    )
    return TurningPoint(decisive.ply, played, instead)


@dataclass(frozen=True, slots=True)
class ReviewGame:
    """The task of reviewing the game so far, finished or not."""

    priority: ClassVar[int] = 20
    takes_limit: ClassVar[bool] = False

    seconds: float = SECONDS
    """Seconds of one core, counted in nodes."""

    def run(
        self,
        game: Game,
        moves: Sequence[Move],
        *,
        seed: int,
        limit: Limit | None,
        stop: Stop | None,
    ) -> Review:
        """Return the review, whose limits are its own."""
        return review(game, moves, seconds=self.seconds, stop=stop)

    def parts(self, game: Game) -> tuple[str, ...]:
        """Return all compiled parts of the game."""
        return package_of(game).part_names()
