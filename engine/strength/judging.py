"""How good the moves of a finished game were, and what rating plays such moves.

A move's loss is the expected score it gives away, from 0 to 1. A move's worth has two sources: the
exact solver, and a search of fixed depth whose evaluation a logistic curve turns into an expected
score. Only the solver sees what is far away; only the search sees what chances remain against an
opponent who errs. Together they separate strengths better than either alone.

Moves reveal more than results: a player who loses on purpose still makes good moves, with a few
absurd ones among them. Leaving out the worst moves exposes such players.

The judgement of a finished game: all that a review of it needs to show.
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
from engine.core.registry import package_of
from engine.core.search import analyse
from engine.core.values import expected

TRUTH = 0.3
"""The weight of the exact solver, where it has a verdict."""

EQUAL = 0.02
"""If all moves are within this much expected score, the choice among them means nothing."""

MOST_LOSS = 0.5
"""The most that a single move can count."""

ABSURD = 0.1
"""The share of a player's moves, the worst ones, that trimmed quality leaves out; none of fewer
than ten."""

FEWEST = 3
"""With fewer judged moves, a game has no quality."""

EVERY_MOVE = 40_000
"""A margin, in evaluation points, that no two moves exceed."""


def judge(game: Game, moves: Sequence[Move], sides: Collection[int] = tuple(Player)) -> Judgement:
    """Judge the moves that the given sides made in a finished game.

    Takes about 0.1 s a game. The other side's moves get a finding without a search and without a
    loss. Raises IllegalMove for moves that the rules do not allow.
    """
    positions, position = list[Position](), game.start()
    for move in moves:
        positions.append(position)
        position = position.play(move)
    package = package_of(game)
    judging = package.judging
    first = min(judging.unjudged, len(moves))
    # Positions of both sides: what the solver learns of one makes the one before it easier.
    solver = package.solver(game, nodes=judging.nodes, all_books=False)
    verdicts = [None] * first + winners_of_game(solver, positions[first:])
    findings = []
    for position, move, verdict in zip(positions, moves, verdicts, strict=True):
        if position.ply < first or position.to_move not in sides:
            findings.append(Finding(position.ply, position.to_move, move, verdict=verdict))
        else:
            findings.append(_finding(position, move, verdict, judging))
    return Judgement(tuple(findings))


def _finding(position: Position, move: Move, verdict: Verdict | None, judging: Judging) -> Finding:
    searched = analyse(position, Limit(depth=judging.depth), margin=EVERY_MOVE)
    worth = {m: expected(score, judging.spread) for m, score in searched.scores.items()}
    if verdict is not None:
        worth = {m: TRUTH * verdict[m] + (1 - TRUTH) * seen for m, seen in worth.items()}
    best = max(worth.values())
    loss = best - worth[move] if best - min(worth.values()) > EQUAL else None
    return Finding(position.ply, position.to_move, move, searched, verdict, worth, loss)


def losses_of(judgement: Judgement, player: Player, since: int = 0) -> tuple[float, ...]:
    """The losses of one player's judged moves, from ply `since` on."""
    return tuple(
        finding.loss
        for finding in judgement.findings[since:]
        if finding.loss is not None and finding.player is player
    )


def quality(losses: Sequence[float], *, trimmed: bool = False) -> float | None:
    """The mean loss of a player's moves, each capped: lower is better. None for too few moves.

    If trimmed, the worst of every ten moves is left out.
    """
    if len(losses) < FEWEST:
        return None
    counted = sorted(min(loss, MOST_LOSS) for loss in losses)
    if trimmed:
        counted = counted[: len(counted) - int(ABSURD * len(counted))]
    return sum(counted) / len(counted)


@dataclass(frozen=True, slots=True)
class Finding:
    """One move of a finished game, and what it was worth beside the others."""

    ply: int
    """How many moves had been made before it."""
    player: Player
    move: Move
    searched: Analysis | None = None
    """The position before the move as a search of fixed depth sees it, with every legal move; None
    where the move was not judged."""
    verdict: Verdict | None = None
    """Who wins after every move under perfect play; None where that takes too long to find out."""
    worth: Mapping[Move, float] | None = None
    """What every move promised, as an expected score from 0 to 1: what the search makes of it, and
    the verdict where there is one. None where the move was not judged."""
    loss: float | None = None
    """What the move gave away of that; None where all moves are about equal, or not judged."""

    @property
    def before(self) -> float | None:
        """What the position promised to the player before the move."""
        return None if self.worth is None else max(self.worth.values())

    @property
    def after(self) -> float | None:
        """What the player was left with after it."""
        return None if self.worth is None else self.worth[self.move]

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that promised most; none where the move was not judged."""
        if self.worth is None:
            return ()
        top = max(self.worth.values())
        return tuple(move for move, worth in self.worth.items() if worth == top)

    @property
    def is_proven(self) -> bool:
        """Whether it is known who wins after every move."""
        return self.verdict is not None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The findings about a game, one for each of its moves."""

    findings: tuple[Finding, ...]

    @property
    def losses(self) -> tuple[float | None, ...]:
        """The loss of every move; None where all moves are about equal, or not judged."""
        return tuple(finding.loss for finding in self.findings)


@dataclass(frozen=True, slots=True)
class JudgeGame:
    """Judge the moves of a finished game."""

    priority: ClassVar[int] = 10
    takes_limit: ClassVar[bool] = False

    sides: tuple[int, ...] = (int(Player.FIRST), int(Player.SECOND))
    """Whose moves: 1, 2 or both."""

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
