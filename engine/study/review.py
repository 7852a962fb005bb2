"""The review of a game: what each move did, how well each side played, and where it turned.

Reviewing a game: proving what can be proven of it, from its end, and searching the rest.

From its end, because what is learnt of later positions makes the earlier ones cheap; what is still
earlier, the books know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import ClassVar

from engine.core.analysis import Analysis
from engine.core.exact import ExactSolver, values_by
from engine.core.game import Game, Move, Player, Position
from engine.core.limits import Limit, Stop
from engine.core.registry import package_of
from engine.core.search import analyse
from engine.core.values import Value, is_decided
from engine.strength.judging import EVERY_MOVE
from engine.study.analysis import Line, best_line, by_the_clock, nodes_in
from engine.study.move_class import MoveClass, costs, promises


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move of a game beside the others that its maker had."""

    ply: int
    """How many moves had been made before it."""
    player: Player
    move: Move
    analysis: Analysis
    """The position before the move, with every legal move."""
    costs: Mapping[Move, float]
    """What every legal move costs, by `engine.study.move_class`."""
    before: float
    """What the position promised to the player: an expected score from 0 to 1."""
    after: float
    """What the player was left with after the move."""

    @property
    def cost(self) -> float:
        """What the move gave away."""
        return self.costs[self.move]

    @property
    def chance(self) -> float:
        """What a move picked blindly gives away on average."""
        return sum(self.costs.values()) / len(self.costs)

    @property
    def tells(self) -> bool:
        """Whether the move says anything about its maker: not where all moves are as good."""
        return self.chance > 0

    @property
    def move_class(self) -> MoveClass:
        """What people call such a move."""
        return MoveClass.of(self.cost)

    @property
    def value(self) -> Value | None:
        """The exact value of the move; None where it is not proven."""
        return self.analysis.value(self.move, self.player)

    @property
    def best(self) -> Value | None:
        """The exact value of the best moves; None where it is not proven."""
        return self.analysis.value(self.best_moves[0], self.player)

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """The moves that are worth most, in the order of the controls."""
        return tuple(sorted(self.analysis.best()))

    @property
    def is_proven(self) -> bool:
        """Whether both are exact; otherwise it was found at the analysis' depth."""
        return self.value is not None and self.best is not None

    @property
    def changes_hands(self) -> bool:
        """Whether the move changed who wins or that nobody does; unproven, who is ahead."""
        if not self.move_class.is_serious:
            return False
        return self.is_proven or self.after < 0.5 <= self.before


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The move that decided a game."""

    ply: int
    """How many moves had been made before it."""
    played: Line
    """The best play after it, beginning with it."""
    instead: Line
    """The best play, beginning with what should have been played."""


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed game: a plain value, which can be sent to another process."""

    moves: tuple[ReviewedMove, ...]
    turning_point: TurningPoint | None = None
    """None where no move gave much away."""

    def sparing(self, plies: int) -> Review:
        """The review without a word on the first moves: they were not made in order to be good.

        What they led to stays in the course.
        """
        spared = (replace(one, costs=dict.fromkeys(one.costs, 0.0)) for one in self.moves[:plies])
        turned = self.turning_point
        if turned is not None and turned.ply < plies:
            turned = None
        return Review((*spared, *self.moves[plies:]), turned)

    def accuracy(self, player: Player) -> float | None:
        """How well a player moved, from 0 to 100; None where no move says anything.

        What the player gave away is compared with what blind play gives away on average: 100 for
        best moves throughout, 50 for moves no better than blind ones, 75 for a third of that.
        """
        telling = [one for one in self.moves if one.player is player and one.tells]
        if not telling:
            return None
        chance = sum(one.chance for one in telling)
        return 100 / (1 + sum(one.cost for one in telling) / chance)

    @property
    def course(self) -> tuple[float, ...]:
        """What the first player could expect after each move, from 0 to 1."""
        return tuple(
            one.after if one.player is Player.FIRST else 1 - one.after for one in self.moves
        )

    @property
    def decisive(self) -> ReviewedMove | None:
        """The move at which the result changed hands for the last time.

        Where it never did, the first of those that gave most away, if it was an inaccuracy at
        least.
        """
        changes = [one for one in self.moves if one.changes_hands]
        if changes:
            return changes[-1]
        worst = max(self.moves, key=lambda one: one.cost, default=None)
        if worst is None or worst.move_class in (MoveClass.BEST, MoveClass.GOOD):
            return None
        return worst


SECONDS = 2.0
"""How long a review may take on one core."""

PROVING, SEARCHING, LINE = 0.45, 0.35, 0.1
"""The parts of that time: for proofs, for searching what is not proven, for each of two lines."""


def review(
    game: Game, moves: Sequence[Move], *, seconds: float = SECONDS, stop: Stop | None = None
) -> Review:
    """Review the moves of a game, which may be unfinished.

    `seconds` of one core are counted in nodes (see `engine.study.analysis`), so that a game has the
    same review on every machine; `stop` ends the work at once. What is not proven by then is what a
    search says, of one ply at least. Raises IllegalMove for moves that the rules do not allow.
    """
    positions, position = list[Position](), game.start()
    for move in moves:
        positions.append(position)
        position = position.play(move)
    package = package_of(game)
    solver = package.solver(game)
    proofs = _proofs(game, solver, positions, PROVING * seconds, stop)
    rest = [p for p, proof in zip(positions, proofs, strict=True) if proof is None]
    found = _searched(game, rest, SEARCHING * seconds, stop)
    analyses = [proof or found[p.ply] for p, proof in zip(positions, proofs, strict=True)]
    told = _with_what_followed(positions, moves, analyses)
    reviewed = tuple(
        _reviewed(position, move, analysis, package.judging.spread)
        for position, move, analysis in zip(positions, moves, told, strict=True)
    )
    turned = _turning_point(solver, positions, Review(reviewed), LINE * seconds, stop)
    return Review(reviewed, turned)


def _proofs(
    game: Game,
    solver: ExactSolver | None,
    positions: Sequence[Position],
    seconds: float,
    stop: Stop | None,
) -> list[Analysis | None]:
    """The proofs of a game's positions; once the time is used up, only what the books know."""
    ends, nodes = perf_counter() + by_the_clock(seconds), nodes_in(game, seconds)
    proofs = list[Analysis | None]()
    for position in reversed(positions):
        left = max(ends - perf_counter(), 0.0)
        proof = values_by(solver, position, nodes=nodes, seconds=left, stop=stop)
        nodes = max(nodes - proof.nodes, 0) if proof else 0
        proofs.append(proof)
    return proofs[::-1]


def _searched(
    game: Game, positions: Sequence[Position], seconds: float, stop: Stop | None
) -> dict[int, Analysis]:
    """What a search says about positions, each with the same part of the time, by their plies."""
    each = seconds / max(len(positions), 1)
    limit = Limit(seconds=by_the_clock(each), nodes=nodes_in(game, each))
    return {position.ply: analyse(position, limit, stop, EVERY_MOVE) for position in positions}


def _with_what_followed(
    positions: Sequence[Position], moves: Sequence[Move], analyses: Sequence[Analysis]
) -> list[Analysis]:
    """The analyses, with what the next one says of a move that missed a win.

    A search ends as soon as it has found the nearest win, so of other moves it has seen little.
    Elsewhere the move made must not be looked at more deeply than the others: it would be blamed
    for what they would have come to as well.
    """
    told = list(analyses)
    for at, move in enumerate(moves[:-1]):
        seen, following = analyses[at], analyses[at + 1]
        if seen.proven or not is_decided(seen.top) or is_decided(seen.scores[move]):
            continue
        same = positions[at].to_move is positions[at + 1].to_move
        score = following.top if same else -following.top
        told[at] = replace(seen, scores={**seen.scores, move: score})
    return told


def _reviewed(position: Position, move: Move, analysis: Analysis, spread: float) -> ReviewedMove:
    promised = promises(analysis, spread)
    return ReviewedMove(
        position.ply,
        position.to_move,
        move,
        analysis,
        costs(analysis, spread),
        before=max(promised.values()),
        after=promised[move],
    )


def _turning_point(
    solver: ExactSolver | None,
    positions: Sequence[Position],
    reviewed: Review,
    seconds: float,
    stop: Stop | None,
) -> TurningPoint | None:
    """The move that decided the game, with the lines that show why."""
    decisive = reviewed.decisive
    if decisive is None:
        return None
    position, ways = positions[decisive.ply], (decisive.move, decisive.best_moves[0])
    played, instead = (
        best_line(position, (way,), seconds=seconds, stop=stop, solver=solver) for way in ways
    )
    return TurningPoint(decisive.ply, played, instead)


@dataclass(frozen=True, slots=True)
class ReviewGame:
    """Review the game so far, finished or not."""

    priority: ClassVar[int] = 20
    takes_limit: ClassVar[bool] = False

    seconds: float = SECONDS
    """Of one core, counted in nodes."""

    def run(
        self,
        game: Game,
        moves: Sequence[Move],
        *,
        seed: int,
        limit: Limit | None,
        stop: Stop | None,
    ) -> Review:
        """Return the review, which bounds itself."""
        return review(game, moves, seconds=self.seconds, stop=stop)

    def parts(self, game: Game) -> tuple[str, ...]:
        """Return all compiled parts of the game."""
        return package_of(game).part_names()
