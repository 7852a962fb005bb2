"""The cautious agent: open threes, with the opponent's weighing a hundred times as much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter

from engine.connect4 import Connect4Position
from engine.game import Move, Player, Position
from engine.search import SearchResult, Stop
from engine.seeds.choice import refuse_if_over, require_depth
from engine.seeds.minimax import minimax


@dataclass(frozen=True, slots=True)
class Tuples:
    """Win at once, else block a win at once, else minimax over 3-tuples; for every size.

    A 3-tuple is a line of four squares with three stones of one colour and an empty square. It
    counts only where a stone would land on that square now: +1 for the agent's and -100 for the
    opponent's. A 4-tuple ends the game.

    The student project that played like this scored a 4-tuple 4000 and left a preference for the
    centre to chance, as this agent does. Two defects that it reported are cured here: it took the
    first of equal moves, where this agent chooses among them uniformly; and it gave up when all
    was lost, where this agent resists as long as it can. For that, wins and losses are scored with
    their distance, on the scale of `engine.kernels.scores`.
    """

    depth: int = 3
    """Plies; the original's 3, or 5 or 7."""

    def __post_init__(self) -> None:
        require_depth(self.depth)

    @property
    def name(self) -> str:
        """`tuples-` and the depth."""
        return f"tuples-{self.depth}"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose by the three principles; raises ValueError for a game that is over."""
        from engine.kernels.seeds.evaluation import Evaluation

        refuse_if_over(position)
        began = perf_counter()
        assert isinstance(position, Connect4Position), "tuples are counted in Connect 4 only"
        moves = urgent(position) or position.legal_moves()
        evaluation = Evaluation.TUPLES
        return minimax(position, moves, evaluation, self.depth, began=began, rng=rng, stop=stop)


def urgent(position: Connect4Position) -> Sequence[Move]:
    """The moves that win at once, else those that block such a win of the opponent; or none."""
    own, other = position.first, position.second
    if position.to_move is Player.SECOND:
        own, other = other, own
    return _completing(position, own) or _completing(position, other)


def _completing(position: Connect4Position, stones: int) -> Sequence[Move]:
    """The moves whose square would give `stones` four in line."""
    found = []
    for move in position.legal_moves():
        square = 1 << (8 * move + position.height(move))
        lines = (four for four in position.game.fours if four & square)
        if any(four & (stones | square) == four for four in lines):
            found.append(move)
    return found
