"""The line of a puzzle: from a position on, one right move after the other, with the replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.alphabeta import from_the_middle
from engine.game import Move, Position
from engine.mining.judge import Judge, Results, Scores, result
from engine.problem import Step


@dataclass(frozen=True, slots=True)
class Asked:
    """A step, and what there is to it."""

    step: Step
    position: Position
    """What the solver looks at."""
    trivial: bool
    """Whether the answer completes a line, or parries the only line that the other side could
    complete at once."""
    decided: bool
    """Whether the answer completes a line, or leaves the other side nothing against one that the
    solver's next move completes."""


def only_move(results: Results, *, winning: bool) -> Move | None:
    """The only move that wins or, where none wins, the only one that does not lose.

    None if there are others, or the position is not of that kind.
    """
    best = max(results.values())
    right = [move for move, value in results.items() if value == best]
    return right[0] if len(right) == 1 < len(results) and best == int(winning) else None


def line_from(
    judge: Judge, position: Position, most: int, along: Callable[[Asked], bool], *, winning: bool
) -> list[Asked]:
    """The steps from a position on, `most` at most; none if it has no only move.

    Each has exactly one answer. The replies are best play: a loser plays the longest resistance, in
    a balanced position the other side keeps the balance. Of equal replies the first counts after
    which there is an only move again that `along` takes, those nearest to the middle first; if
    there is none, the line ends.
    """
    scores = judge.scores(position)
    if scores is None:
        return []
    results = {move: result(score) for move, score in scores.items()}
    answer = only_move(results, winning=winning)
    if answer is None:
        return []
    after = position.play(answer)
    trivial = is_trivial(position, answer)
    if after.outcome is not None:
        return [Asked(Step((answer,)), position, trivial, decided=True)]
    ways = list(_replies(judge, position, after))
    if most > 1:
        for replies, there in ways:
            rest = line_from(judge, there, most - 1, along, winning=winning)
            if rest and along(rest[0]):
                step = Step((answer,), replies)
                return [Asked(step, position, trivial, decided=False), *rest]
    decided = bool(ways) and all(_has_line(there) for _, there in ways)
    return [Asked(Step((answer,)), position, trivial, decided)]


def _replies(
    judge: Judge, asked: Position, position: Position
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
        for more, there in _replies(judge, asked, position.play(move)):
            yield (move, *more), there


def _resistance(position: Position, scores: Scores) -> list[Move]:
    """The moves that lose as late as possible or, in a balanced position, that do not lose."""
    top = max(scores.values())
    return [move for move in from_the_middle(position) if scores[move] == top]


def is_trivial(position: Position, answer: Move) -> bool:
    """Whether a move completes a line, or parries the only one that could be completed at once.

    Of a position with one right move: all others let the other side's next move complete a line.
    """
    if position.play(answer).outcome is not None:
        return True
    others = [position.play(move) for move in position.legal_moves() if move != answer]
    return all(after.to_move is not position.to_move and _has_line(after) for after in others)


def _has_line(position: Position) -> bool:
    """Whether the side to move can complete a line at once."""
    ends = (position.play(move).outcome for move in position.legal_moves())
    return any(end is not None and end.winner is position.to_move for end in ends)
