"""How good the moves of a finished game were, and what rating plays such moves.

A move's loss is the expected score it gives away, from 0 to 1. A move's worth has two sources: the
exact solver, and a search of fixed depth whose evaluation a logistic curve turns into an expected
score. Only the solver sees what is far away; only the search sees what chances remain against an
opponent who errs. Together they separate strengths better than either alone.

Moves reveal more than results: a player who loses on purpose still makes good moves, with a few
absurd ones among them. Leaving out the worst moves exposes such players.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import exp

from engine.alphabeta import analyse
from engine.analysis import Verdict
from engine.game import Game, Move, Player, Position
from engine.games import FAMILIES, Judging
from engine.judgement import Finding, Judgement
from engine.ladder import Ladder
from engine.search import Limit
from engine.values import is_decided, share_of

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
    family = FAMILIES[game.key]
    first = min(family.judging.unjudged, len(moves))
    # Positions of both sides: what the solver learns of one makes the one before it easier.
    verdicts = [None] * first + list(family.verdicts(positions[first:]))
    findings = []
    for position, move, verdict in zip(positions, moves, verdicts, strict=True):
        if position.ply < first or position.to_move not in sides:
            findings.append(Finding(position.ply, position.to_move, move, verdict=verdict))
        else:
            findings.append(_finding(position, move, verdict, family.judging))
    return Judgement(tuple(findings))


def _finding(position: Position, move: Move, verdict: Verdict | None, judging: Judging) -> Finding:
    searched = analyse(position, Limit(depth=judging.depth), margin=EVERY_MOVE)
    worth = {m: expected(score, judging.spread) for m, score in searched.scores.items()}
    if verdict is not None:
        worth = {m: TRUTH * verdict[m] + (1 - TRUTH) * seen for m, seen in worth.items()}
    best = max(worth.values())
    loss = best - worth[move] if best - min(worth.values()) > EQUAL else None
    return Finding(position.ply, position.to_move, move, searched, verdict, worth, loss)


def expected(score: int, spread: float) -> float:
    """The expected score that an evaluation stands for; a proven win is 1 however far away."""
    if is_decided(score):
        return share_of(score)
    return 1 / (1 + exp(-score / spread))


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


def estimate(ladder: Ladder, value: float, *, trimmed: bool = False) -> tuple[float, float]:
    """The rating that goes with a quality, and the standard deviation of one game's estimate.

    It is interpolated between two rungs, and cut off at the ladder's ends. The rungs' means are
    first made to fall steadily (pool-adjacent-violators; Ayer et al. 1955). Raises ValueError for
    a ladder whose rungs were not calibrated.
    """
    rungs = [r for r in ladder.rungs if (r.trimmed if trimmed else r.loss) is not None]
    if len(rungs) < 2:
        raise ValueError("the ladder's moves were not calibrated")
    spreads = [r.trimmed if trimmed else r.loss for r in rungs]
    means = falling([spread.mean for spread in spreads if spread])
    deviations = [spread.deviation for spread in spreads if spread]
    elos = [rung.elo for rung in rungs]
    slope = (elos[-1] - elos[0]) / max(means[0] - means[-1], 1e-9)
    elo, at = _between(means, elos, value)
    return elo, deviations[at] * slope


def falling(values: Sequence[float]) -> list[float]:
    """The values made non-increasing with the least change: rising neighbours share their mean."""
    blocks: list[tuple[float, int]] = []
    for value in values:
        mean, size = value, 1
        while blocks and blocks[-1][0] < mean:
            before, count = blocks.pop()
            mean = (before * count + mean * size) / (count + size)
            size += count
        blocks.append((mean, size))
    return [mean for mean, size in blocks for _ in range(size)]


def _between(means: Sequence[float], elos: Sequence[float], value: float) -> tuple[float, int]:
    """The rating at a value of falling means, and the number of the nearest mean above it."""
    same = [elo for mean, elo in zip(means, elos, strict=True) if mean == value]
    if same:
        return sum(same) / len(same), means.index(value)
    if value > means[0]:
        return elos[0], 0
    if value < means[-1]:
        return elos[-1], len(means) - 1
    after = next(i for i, mean in enumerate(means) if mean < value)
    share = (means[after - 1] - value) / (means[after - 1] - means[after])
    return elos[after - 1] + share * (elos[after] - elos[after - 1]), after - 1
