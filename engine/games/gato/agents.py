"""The agent for Gato that counts lines with three stones."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from time import perf_counter

from engine.core.agent import (
    FULL_MARGIN,
    NO_RESULT,
    Explanation,
    Searched,
    choose_first,
    choose_uniformly,
    highest,
    refuse_if_over,
    require_depth,
    uniform,
    wins_alike,
)
from engine.core.analysis import SearchResult
from engine.core.compiled.scores import UNKNOWN
from engine.core.game import Position
from engine.core.limits import Stop
from engine.core.values import Value
from engine.games.gato.rules import SQUARES, GatoPosition

WON = 1000
"""The original's value of a win: more than any evaluation, as eight stones make six threes at
most."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Minimax with alpha-beta over open threes, for noughts and crosses on four by four.

    The lines are the rows, the columns and the main diagonals. A line with three stones of one side
    and an empty square counts 100 for that side.

    From a student project whose program makes its move before it searches four further plies, so it
    looks five ahead. It scored every win 1000, at any distance, and of equal squares took the first
    one by rows. Here wins are on the engine's scale, so the nearest win and the latest loss are
    preferred, and equal moves are chosen at random.

    After a1b2 all squares are worth 0.
    """

    depth: int = 5
    """Plies, the agent's own move included."""
    fixed: bool = True
    """Whether the defects are fixed; otherwise it plays like the original."""

    def __post_init__(self) -> None:
        require_depth(self.depth)

    @property
    def name(self) -> str:
        """`lines` for any depth; `lines-original` for the one with the defects."""
        return "lines" if self.fixed else "lines-original"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose uniformly among the best moves; raises ValueError for a game that is over.

        The original chooses the first of them, all wins being equal.
        """
        refuse_if_over(position)
        assert isinstance(position, GatoPosition), "lines are counted in Gato only"
        began = perf_counter()
        found = self._searched(position, 0 if self.fixed else SQUARES, stop)
        if not self.fixed:
            return choose_first(wins_alike(found.values, WON), position, found, began)
        return choose_uniformly(
            found.values, position, depth=found.depth, nodes=found.nodes, began=began, rng=rng
        )

    def explain(self, position: Position, *, stop: Stop | None = None) -> Explanation:
        """The lines' value for the side to move, and every move's score on the engine's scale.

        For the original a win is worth 1000 at any distance, unless the game is over.
        """
        from engine.games.gato.compiled.student import lines_value
        from engine.games.gato.kernel import words_of

        assert isinstance(position, GatoPosition), "lines are counted in Gato only"
        if position.outcome is None:
            leaf, found = (
                int(lines_value(*words_of(position))),
                self._searched(position, FULL_MARGIN, stop),
            )
        else:
            leaf, found = Value.of_ended(position).search(position.to_move), NO_RESULT
        values = found.values if self.fixed else wins_alike(found.values, WON)
        choices = highest(values) if self.fixed else highest(values)[:1]
        return Explanation(
            agent=self.name,
            leaf=leaf,
            values=values,
            choices=choices,
            chances=uniform(choices),
            depth=found.depth,
            nodes=found.nodes,
        )

    def _searched(self, position: GatoPosition, margin: int, stop: Stop | None) -> Searched:
        import numpy as np

        from engine.games.gato.compiled.student import ABORTED, NODES, best_squares
        from engine.games.gato.kernel import words_of

        own, other = words_of(position)
        scores, tally = np.full(SQUARES, UNKNOWN, np.int64), np.zeros(2, np.uint64)
        best_squares(own, other, self.depth, margin, scores, tally, (stop or Stop()).flag)
        moves = position.legal_moves()
        return Searched(
            {move: int(scores[move]) for move in moves if scores[move] != UNKNOWN},
            depth=0 if tally[ABORTED] else min(self.depth, len(moves)),
            nodes=int(tally[NODES]),
        )
