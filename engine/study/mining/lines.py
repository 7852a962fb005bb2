"""The proven values of a position's moves, and the line of a puzzle that follows from them.

A line consists of correct moves and the replies of the other side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.core.compiled.scores import WIN
from engine.core.exact import ExactSolver, winners_of_game
from engine.core.game import Game, Move, Position
from engine.core.limits import Stop
from engine.core.problem import Step
from engine.core.registry import package_of
from engine.core.search import LARGE_TABLE, from_the_middle
from engine.core.values import is_decided

Scores = Mapping[Move, int]
"""The value of every legal move for the side that makes it, on the scale of
`engine.core.compiled.scores`: a win or a loss with its distance, or 0 for neither."""

Results = Mapping[Move, int]
"""The same without distances: 1 for a win, -1 for a loss, 0 for neither."""

NODES = 1_000_000
"""Nodes after which an exact proof is given up."""

SECONDS = 60.0
"""Seconds after which an exact proof is given up, for machines that are stalled."""


def result(score: int) -> int:
    """The sign of a score: 1 for a win, -1 for a loss, 0 for neither."""
    return (score > 0) - (score < 0) if is_decided(score) else 0


class Judge(Protocol):
    """Proves the moves of one game's positions, remembering results if it can."""

    def results(self, positions: Sequence[Position]) -> list[Results | None]:
        """The results of each move, for the positions of a game; None if that takes too long."""

    def scores(self, position: Position) -> Scores | None:
        """The scores of each move of a position that is not over; None if that takes too long."""


class ExactJudge:
    """Judges moves by perfect play to the end of the game; 0 is a draw."""

    def __init__(self, game: Game, solver: ExactSolver, nodes: int = NODES) -> None:
        self._package, self._game = package_of(game), game
        self._solver = solver
        self._nodes = nodes

    def results(self, positions: Sequence[Position]) -> list[Results | None]:
        """Win, draw and loss, within the node limit of the game's verdicts."""
        nodes = self._package.judging.nodes
        solver = self._package.solver(self._game, nodes=nodes, all_books=False)
        found = winners_of_game(solver, positions)
        return [
            None if one is None else {move: round(2 * share - 1) for move, share in one.items()}
            for one in found
        ]

    def scores(self, position: Position) -> Scores | None:
        """The exact values; None if proving them takes too many nodes."""
        proof = self._solver.values(position, nodes=self._nodes, seconds=SECONDS)
        return None if proof is None else proof.scores


class HorizonJudge:
    """Judges moves by what can be forced within a number of plies; 0 means that nothing can.

    It searches all moves to that depth, so every win and loss is proven, and for all others that
    neither side can force anything so soon.
    """

    def __init__(self, horizon: int) -> None:
        self._horizon = horizon

    def results(self, positions: Sequence[Position]) -> list[Results | None]:
        """Wins and losses within the horizon, without distances."""
        found = map(self.scores, positions)
        return [{move: result(score) for move, score in one.items()} for one in found]

    def scores(self, position: Position) -> Scores:
        """Wins and losses within the horizon."""
        kernel = package_of(position).load(position, LARGE_TABLE)
        kernel.allow(None)
        depth = min(self._horizon, kernel.deepest)
        found = kernel.score_moves(depth, 2 * WIN, position.legal_moves(), Stop().flag)
        assert found is not None, "nothing stops this search"
        last = position.ply + depth
        return {
            move: score if is_decided(score) and WIN - abs(score) <= last else 0
            for move, score in found.items()
        }


def judge_of(game: Game) -> Judge:
    """The judge for a game: exact if there is an exact solver."""
    package = package_of(game)
    solver = package.solver(game)
    if solver is not None:
        return ExactJudge(game, solver)
    settings = package.puzzles
    if settings is None or settings.horizon is None:
        raise ValueError(f"{game.key} has neither exact values nor a horizon for puzzles")
    return HorizonJudge(settings.horizon)


@dataclass(frozen=True, slots=True)
class LineStep:
    """A step of a line, with its properties."""

    step: Step
    position: Position
    """The position before the answer."""
    trivial: bool
    """Whether the answer completes a line, or parries the only line that the other side could
    complete at once."""
    decided: bool
    """Whether the answer completes a line, or leaves the other side no defence against one that the
    solver's next move completes."""


def only_move(results: Results, *, winning: bool) -> Move | None:
    """The only move that wins or, if none wins, the only one that does not lose.

    None if there are others, or the position is not of that kind.
    """
    best = max(results.values())
    right = [move for move, value in results.items() if value == best]
    return right[0] if len(right) == 1 < len(results) and best == int(winning) else None


def line_from(
    judge: Judge,
    position: Position,
    most: int,
    accepts: Callable[[LineStep], bool],
    *,
    winning: bool,
) -> list[LineStep]:
    """Return at most `most` steps from a position on; empty if it has no only move.

    Each has exactly one answer. The replies are best play: a loser resists as long as possible, in
    a balanced position the other side keeps the balance. Equal replies are tried from the middle
    outwards: the first after which there is again an only move, and `accepts` is true for its step,
    is chosen. If there is none, the line ends.
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
        return [LineStep(Step((answer,)), position, trivial, decided=True)]
    ways = list(_replies(judge, position, after))
    if most > 1:
        for replies, there in ways:
            rest = line_from(judge, there, most - 1, accepts, winning=winning)
            if rest and accepts(rest[0]):
                step = Step((answer,), replies)
                return [LineStep(step, position, trivial, decided=False), *rest]
    decided = bool(ways) and all(_has_line(there) for _, there in ways)
    return [LineStep(Step((answer,)), position, trivial, decided)]


def _replies(
    judge: Judge, asked: Position, position: Position
) -> Iterator[tuple[tuple[Move, ...], Position]]:
    """Best play by the other side until the solver moves again, and the resulting positions."""
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

    The position has one correct move: all others let the other side's next move complete a line.
    """
    if position.play(answer).outcome is not None:
        return True
    others = [position.play(move) for move in position.legal_moves() if move != answer]
    return all(after.to_move is not position.to_move and _has_line(after) for after in others)


def _has_line(position: Position) -> bool:
    """Whether the side to move can complete a line at once."""
    ends = (position.play(move).outcome for move in position.legal_moves())
    return any(end is not None and end.winner is position.to_move for end in ends)
