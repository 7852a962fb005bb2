"""The agent that sums up windows of four, an evaluation that many course programs share."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from time import perf_counter

from engine.core.agent import (
    FULL_MARGIN,
    NO_RESULT,
    Explanation,
    choose_uniformly,
    highest,
    refuse_if_over,
    require_depth,
    uniform,
)
from engine.core.analysis import SearchResult
from engine.core.game import Position
from engine.core.limits import Stop
from engine.games.connect4.agents.minimax import minimax
from engine.games.connect4.rules import Connect4Position


@dataclass(frozen=True, slots=True)
class Window:
    """Minimax over the window evaluation, for Connect 4 on every size.

    Every four squares in line are a window. It counts 100 with four own stones, 5 with three and an
    empty square, 2 with two and two empty squares, and -4 with three of the opponent's and an empty
    square; every own stone in the centre column (number columns // 2, from 0) counts 3. The agent
    evaluates for itself, whichever side is to move at a leaf.

    The method became known through Keith Galli's Connect4-Python; a student project with adaptive
    strength used it on 6x7 and 5x4. It gave every win the same score. Here wins are on the engine's
    scale, so the nearest is taken and a loss is delayed, and equal moves are chosen at random.

    On an empty 6x7 board with depth 2, column 4 is worth 3 and all others 0.
    """

    depth: int = 6
    """Plies; the usual ones are 2, 4 and 6."""

    def __post_init__(self) -> None:
        require_depth(self.depth)

    @property
    def name(self) -> str:
        """`window-` and the depth."""
        return f"window-{self.depth}"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose uniformly among the best moves; raises ValueError for a game that is over."""
        from engine.games.connect4.agents.compiled.evaluation import Evaluation

        refuse_if_over(position)
        began = perf_counter()
        assert isinstance(position, Connect4Position), "windows are counted in Connect 4 only"
        found = minimax(position, Evaluation.WINDOW, self.depth, stop=stop)
        return choose_uniformly(
            found.values, position, depth=found.depth, nodes=found.nodes, began=began, rng=rng
        )

    def explain(self, position: Position, *, stop: Stop | None = None) -> Explanation:
        """The windows' value for the side to move, and every move's score on the engine's scale."""
        from engine.games.connect4.agents.compiled.evaluation import Evaluation, window_value
        from engine.games.connect4.compiled.memory import new_memory
        from engine.games.connect4.kernel import words_of

        assert isinstance(position, Connect4Position), "windows are counted in Connect 4 only"
        own, opp, _ = words_of(position)
        memory = new_memory(position.game.rows, position.game.columns, 0)
        found = NO_RESULT
        if position.outcome is None:
            found = minimax(position, Evaluation.WINDOW, self.depth, margin=FULL_MARGIN, stop=stop)
        choices = highest(found.values)
        return Explanation(
            agent=self.name,
            leaf=int(window_value(own, opp, memory)),
            values=found.values,
            choices=choices,
            chances=uniform(choices),
            depth=found.depth,
            nodes=found.nodes,
        )
