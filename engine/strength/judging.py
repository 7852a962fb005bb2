"""The losses of the moves of a finished game, and the quality of a player's moves.

A move's loss is the expected score that it gives away, from 0 to 1. The value of a move has two
sources: the exact solver, and a search of fixed depth whose evaluation a logistic curve turns into
an expected score. Only the solver sees distant ends; only the search sees the chances that remain
against an opponent who errs. Together they separate strengths better than either alone, so they are
mixed as evidence of strength. What people are shown as a move's error (`Error`) is never mixed: it
is exact where the position is proven, and the search's estimate elsewhere.

Moves reveal more than results: a player who loses on purpose still makes good moves, with a few
absurd ones among them. Leaving out the worst moves exposes such players.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.core.analysis import Analysis, Verdict
from engine.core.exact import winners_of_game
from engine.core.game import Game, Move, Player, Position
from engine.core.limits import Limit, Stop
from engine.core.package import Judging
from engine.core.reason import Reason
from engine.core.registry import package_of
from engine.core.search import analyse
from engine.core.values import Value, expected

TRUTH = 0.3
"""The weight of the exact solver, if it has a verdict."""

EQUAL = 0.02
"""If the expected scores of all moves differ by at most this, the choice is not informative."""

MAX_LOSS = 0.5
"""The largest loss that a single move counts."""

ABSURD = 0.1
"""The share of a player's moves, the worst ones, that trimmed quality leaves out; with fewer than
ten moves none is left out."""

MIN_JUDGED = 3
"""With fewer judged moves, a game has no quality."""

FULL_MARGIN = 40_000
"""A margin, in evaluation points, that no two moves exceed."""


@dataclass(frozen=True, slots=True)
class Error:
    """What a move gave away, as players read it."""

    loss: float
    """The expected score, from 0 to 1: of perfect play if proven, else the search's estimate."""
    is_proven: bool
    """Whether the result of every legal move under perfect play is known."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move of a game, compared with the other legal moves."""

    ply: int
    """The number of moves made before it."""
    player: Player
    move: Move
    analysis: Analysis
    """The position before the move, with every legal move."""
    expected: Mapping[Move, float]
    """The expected score of the player after every legal move, from 0 to 1."""
    losses: Mapping[Move, float]
    """The loss of every legal move, from 0 to 1; all 0 if the choice is not informative."""
    verdict: Verdict | None
    """The result of every legal move under perfect play; None if it is not known."""
    fault: Reason | None = None
    """The weightiest reason against the move, by the board or by exact values; only in reviews."""

    @property
    def loss(self) -> float:
        """The loss of the move made."""
        return self.losses[self.move]

    @property
    def before(self) -> float:
        """The player's expected score before the move."""
        return max(self.expected.values())

    @property
    def after(self) -> float:
        """The player's expected score after the move."""
        return self.expected[self.move]

    @property
    def baseline_loss(self) -> float:
        """The mean loss of a random move."""
        return sum(self.losses.values()) / len(self.losses)

    @property
    def is_informative(self) -> bool:
        """Whether the choice reveals anything about the player: not all moves are equally good."""
        return self.baseline_loss > 0

    @property
    def error(self) -> Error:
        """What the move gave away: exactly if its position is proven, else by the search."""
        if self.verdict is None:
            return Error(self.loss, is_proven=False)
        return Error(max(self.verdict.values()) - self.verdict[self.move], is_proven=True)

    @property
    def value(self) -> Value | None:
        """The exact value of the move; None if it is not proven."""
        return self.analysis.value(self.move, self.player)

    @property
    def best_value(self) -> Value | None:
        """The exact value of the best moves; None if it is not proven."""
        return self.analysis.value(self.best_moves[0], self.player)

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """The moves with the best score, in the order of the buttons."""
        return tuple(sorted(self.analysis.best()))

    @property
    def is_proven(self) -> bool:
        """Whether the values of the move and of the best ones are exact."""
        return self.value is not None and self.best_value is not None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judged game."""

    moves: tuple[JudgedMove | None, ...]
    """All moves of the game; None for those that were not judged."""

    @property
    def losses(self) -> tuple[float | None, ...]:
        """The loss of every move; None if the choice was not informative, or not judged."""
        return tuple(
            one.loss if one is not None and one.is_informative else None for one in self.moves
        )

    @property
    def errors(self) -> tuple[Error | None, ...]:
        """What every move gave away; None for those that were not judged."""
        return tuple(None if one is None else one.error for one in self.moves)


def judge(game: Game, moves: Sequence[Move], sides: Collection[int] = tuple(Player)) -> Judgement:
    """Judge the moves that the given sides made in a finished game.

    Takes about 0.1 s per game: only the moves of these sides are searched. Raises IllegalMove for
    moves that the rules do not allow.
    """
    positions, position = list[Position](), game.start()
    for move in moves:
        positions.append(position)
        position = position.play(move)
    package = package_of(game)
    judging = package.judging
    first = min(judging.unjudged, len(moves))
    # Positions of both sides: each result makes the position before it easier to solve.
    solver = package.solver(game, nodes=judging.nodes, all_books=False)
    verdicts = [None] * first + winners_of_game(solver, positions[first:])
    return Judgement(
        tuple(
            None
            if position.ply < first or position.to_move not in sides
            else _judged(position, move, verdict, judging)
            for position, move, verdict in zip(positions, moves, verdicts, strict=True)
        )
    )


def _judged(
    position: Position, move: Move, verdict: Verdict | None, judging: Judging
) -> JudgedMove:
    searched = analyse(position, Limit(depth=judging.depth), margin=FULL_MARGIN)
    shares = {m: expected(score, judging.spread) for m, score in searched.scores.items()}
    if verdict is not None:
        shares = {m: TRUTH * verdict[m] + (1 - TRUTH) * seen for m, seen in shares.items()}
    best = max(shares.values())
    losses = {m: best - share for m, share in shares.items()}
    if max(losses.values()) <= EQUAL:
        losses = dict.fromkeys(losses, 0.0)
    return JudgedMove(position.ply, position.to_move, move, searched, shares, losses, verdict)


def summed(errors: Collection[Error]) -> tuple[int, float, int, float]:
    """The number of errors, their losses added up, and both for the proven ones alone."""
    proven = [error.loss for error in errors if error.is_proven]
    return len(errors), sum(error.loss for error in errors), len(proven), sum(proven)


def losses_of(judgement: Judgement, player: Player, since: int = 0) -> tuple[float, ...]:
    """Return the losses of one player's informative moves, from ply `since` on."""
    return tuple(
        one.loss
        for one in judgement.moves[since:]
        if one is not None and one.is_informative and one.player is player
    )


def quality(losses: Sequence[float], *, trimmed: bool = False) -> float | None:
    """Return the mean of a player's capped losses, lower being better; None for too few moves.

    If trimmed, the worst of every ten moves is left out.
    """
    if len(losses) < MIN_JUDGED:
        return None
    counted = sorted(min(loss, MAX_LOSS) for loss in losses)
    if trimmed:
        counted = counted[: len(counted) - int(ABSURD * len(counted))]
    return sum(counted) / len(counted)


@dataclass(frozen=True, slots=True)
class JudgeGame:
    """The task of judging the moves of a finished game."""

    priority: ClassVar[int] = 10
    takes_limit: ClassVar[bool] = False

    sides: tuple[int, ...] = (int(Player.FIRST), int(Player.SECOND))
    """The players whose moves are judged: 1, 2 or both."""

    def run(
        self,
        game: Game,
        moves: Sequence[Move],
        *,
        seed: int,
        limit: Limit | None,
        stop: Stop | None,
    ) -> Judgement:
        """Return the judgement, which has a fixed cost and takes no limit."""
        return judge(game, moves, self.sides)

    def parts(self, game: Game) -> tuple[str, ...]:
        """Return all compiled parts of the game."""
        return package_of(game).part_names()
