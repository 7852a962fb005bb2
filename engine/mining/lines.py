"""The line of a puzzle: from a position on, one right move after the other, with the replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.game import Move, Position
from engine.kernels.scores import WIN
from engine.mining.judge import Judge, Scores
from engine.problem import Step
from engine.values import is_decided


@dataclass(frozen=True, slots=True)
class Asked:
    """A step, and what there is to it."""

    step: Step
    position: Position
    """What the solver looks at."""
    trivial: bool
    """Whether the answer completes a line, or parries the only line that the other side could
    complete at once."""
    ends: bool
    """Whether the game is over after the answer."""


def only_move(scores: Scores, *, winning: bool) -> Move | None:
    """The only move that wins, or the only one that does not lose; None if there are others.

    Where all moves have the same result, there is nothing to find.
    """
    if min(map(_result, scores.values())) == max(map(_result, scores.values())):
        return None
    wanted = 1 if winning else 0
    right = [move for move, score in scores.items() if _result(score) == wanted]
    if len(right) != 1 or max(map(_result, scores.values())) != wanted:
        return None
    return right[0]


def line_from(
    judge: Judge, position: Position, *, winning: bool, most: int, along: Callable[[Asked], bool]
) -> list[Asked]:
    """The steps from a position on, `most` at most; none if it has no only move.

    Each has exactly one answer. The replies are best play: a loser plays the longest resistance, in
    a balanced position the other side keeps the balance. Of equal replies the first counts after
    which there is an only move again that `along` takes, those nearest to the middle first; if
    there is none, the line ends.
    """
    scores = judge.scores(position)
    answer = None if scores is None else only_move(scores, winning=winning)
    if scores is None or answer is None:
        return []
    after = position.play(answer)
    trivial = _is_trivial(position, answer, scores)
    alone = Asked(Step((answer,)), position, trivial, after.outcome is not None)
    if alone.ends or most == 1:
        return [alone]
    for replies, there in _replies(judge, position, after, winning=winning):
        rest = line_from(judge, there, winning=winning, most=most - 1, along=along)
        if rest and along(rest[0]):
            step = Step((answer,), replies)
            return [Asked(step, position, trivial, ends=False), *rest]
    return [alone]


def _replies(
    judge: Judge, asked: Position, position: Position, *, winning: bool
) -> Iterator[tuple[tuple[Move, ...], Position]]:
    """Best play by the other side until the solver moves again, and where it leads."""
    if position.outcome is not None:
        return
    if position.to_move is asked.to_move:
        yield (), position
        return
    scores = judge.scores(position)
    if scores is None:
        return
    for move in _resistance(position, scores):
        for more, there in _replies(judge, asked, position.play(move), winning=winning):
            yield (move, *more), there


def _resistance(position: Position, scores: Scores) -> list[Move]:
    """The moves that lose as late as possible or, in a balanced position, that do not lose."""
    top = max(scores.values())
    every = position.legal_moves()
    middle = (len(every) - 1) / 2
    best = [move for move, score in scores.items() if score == top]
    return sorted(best, key=lambda move: (abs(every.index(move) - middle), move))


def _is_trivial(position: Position, answer: Move, scores: Scores) -> bool:
    """Whether the answer completes a line, or parries the only one that can be completed at once.

    That is so where all other moves lose by the next move of the other side.
    """
    if scores[answer] == WIN - (position.ply + 1):
        return True
    others = [score for move, score in scores.items() if move != answer]
    turn = 1
    after = position.play(answer)
    if after.outcome is None and after.to_move is position.to_move:
        turn = 2
    return max(others) < 0 and max(others) <= -(WIN - (position.ply + turn + 1))


def _result(score: int) -> int:
    return (score > 0) - (score < 0) if is_decided(score) else 0
