"""The agent that sums up windows of four, an evaluation that many course programs share."""

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
from engine.core.compiled.scores import WIN
from engine.core.game import Position
from engine.core.limits import Stop
from engine.games.connect4.agents.minimax import minimax
from engine.games.connect4.rules import Connect4Position

DECIDED = 64
"""A margin that includes all wins if there is one, and all losses if every move loses."""


@dataclass(frozen=True, slots=True)
class Window:
    """Minimax over the window evaluation, for Connect 4 on every size.

    Every four squares in line are a window. It counts 100 with four own stones, 5 with three and an
    empty square, 2 with two and two empty squares, and -4 with three of the opponent's and an empty
    square; every own stone in the centre column (number columns // 2, from 0) counts 3. The agent
    evaluates for itself, whichever side is to move at a leaf.

    The method became known through Keith Galli's Connect4-Python; a student project with adaptive
    strength used it on 6x7 and 5x4. It gave every win the same score and played the leftmost of
    equal columns, so a win could be postponed forever, and the first open column if all was lost.
    Both are fixed here: wins are on the engine's scale, so the nearest is taken and a loss is
    delayed, and equal moves are chosen at random.

    On an empty 6x7 board with depth 2, column 4 is worth 3 and all others 0.
    """

    depth: int = 6
    """Plies; the usual ones are 2, 4 and 6."""
    fixed: bool = True
    """Whether the defects are fixed; otherwise it plays like the original."""

    def __post_init__(self) -> None:
        require_depth(self.depth)

    @property
    def name(self) -> str:
        """`window-` and the depth; `-original` for the one with the defects."""
        return f"window-{self.depth}{'' if self.fixed else '-original'}"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose uniformly among the best moves; raises ValueError for a game that is over.

        The original chooses the leftmost of them, all wins being equal.
        """
        refuse_if_over(position)
        began = perf_counter()
        found = self._searched(position, 0 if self.fixed else DECIDED, stop)
        if not self.fixed:
            return choose_first(wins_alike(found.values, WIN), position, found, began)
        return choose_uniformly(
            found.values, position, depth=found.depth, nodes=found.nodes, began=began, rng=rng
        )

    def explain(self, position: Position, *, stop: Stop | None = None) -> Explanation:
        """The windows' value for the side to move, and every move's score on the engine's scale.

        For the original a win is worth 10,000 at any distance.
        """
        from engine.games.connect4.agents.compiled.evaluation import window_value
        from engine.games.connect4.compiled.memory import new_memory
        from engine.games.connect4.kernel import words_of

        assert isinstance(position, Connect4Position), "windows are counted in Connect 4 only"
        own, opp, _ = words_of(position)
        memory = new_memory(position.game.rows, position.game.columns, 0)
        found = NO_RESULT
        if position.outcome is None:
            found = self._searched(position, FULL_MARGIN, stop)
        values = found.values if self.fixed else wins_alike(found.values, WIN)
        choices = highest(values) if self.fixed else highest(values)[:1]
        return Explanation(
            agent=self.name,
            leaf=int(window_value(own, opp, memory)),
            values=values,
            choices=choices,
            chances=uniform(choices),
            depth=found.depth,
            nodes=found.nodes,
        )

    def _searched(self, position: Position, margin: int, stop: Stop | None) -> Searched:
        from engine.games.connect4.agents.compiled.evaluation import Evaluation

        assert isinstance(position, Connect4Position), "windows are counted in Connect 4 only"
        return minimax(position, Evaluation.WINDOW, self.depth, margin=margin, stop=stop)
