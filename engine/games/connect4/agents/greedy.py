"""The agent that evaluates a whole tree by wins and long runs of stones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from time import perf_counter

from engine.core.agent import NO_RESULT, Explanation, Searched, highest, refuse_if_over, uniform
from engine.core.analysis import SearchResult
from engine.core.compiled.scores import UNKNOWN, WON_BOUND
from engine.core.game import Move, Position
from engine.core.limits import Stop
from engine.core.values import Score
from engine.games.connect4.rules import Connect4Position

HEIGHT = 4
"""Plies of the tree."""

UNITS = 5 ** (HEIGHT - 1)
"""The kernel's units in 1: it counts in fifths of the unit of the level below (its FIFTH)."""

PLACES = 3
"""Decimal places that represent 1/125 exactly."""


@dataclass(frozen=True, slots=True)
class Greedy:
    """The highest value of a tree of four plies, built breadth first; for every size.

    A node's own value is 1,000,000,000 if the stone just played has won; such a node has no
    children. Otherwise it is the stone's contiguity: along each of the seven rays from it, all but
    upwards, the first own stone counts 1, the second 5, the third 9, up to the first square that is
    not its own. Then a fifth of each child's value is subtracted from its parent's, from the bottom
    of the tree up, and the child of the root with the highest value is played; of equals, the
    first.

    From the report of a student project, whose own example is a test here: after 445 it plays
    column 3, for -96000002.8. Values are compared exactly, as whole numbers of 125ths. The original
    computed with floating-point numbers, which distinguish some equal values: it subtracted the
    product of 0.2 and each child's value, from the left. So it printed -96000002.80000001, and on
    the empty board it plays column 4 where the first of the five equal columns is 2.
    """

    fixed: bool = True
    """Whether values are exact; otherwise they are floating-point numbers, as in the original."""

    @property
    def name(self) -> str:
        """`greedy`; `greedy-original` for the one with floating-point numbers."""
        return "greedy" if self.fixed else "greedy-original"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose by the tree, deterministically; raises ValueError for a game that is over.

        The score is the value in whole points, clipped to an evaluation's bounds: fifths of distant
        wins prove nothing. If stopped early, it makes the first legal move.
        """
        refuse_if_over(position)
        began = perf_counter()
        values, tree = self._grown(position, stop)
        move = (*highest(values), position.legal_moves()[0])[0]
        value = round(values.get(move, 0))
        return SearchResult(
            move=move,
            score=Score(max(-WON_BOUND, min(value, WON_BOUND)), position.to_move, exact=False),
            depth=tree.depth,
            nodes=tree.nodes,
            seconds=perf_counter() - began,
            line=(move,),
        )

    def explain(self, position: Position, *, stop: Stop | None = None) -> Explanation:
        """The values of the root's children; the agent evaluates moves, not positions."""
        values, tree = self._grown(position, stop)
        choices = highest(values)[:1]
        return Explanation(
            agent=self.name,
            leaf=None,
            values=values,
            choices=choices,
            chances=uniform(choices),
            depth=tree.depth,
            nodes=tree.nodes,
        )

    def _grown(
        self, position: Position, stop: Stop | None
    ) -> tuple[Mapping[Move, Decimal], Searched]:
        """The values of the root's children in points, and the tree that gave them.

        Both are empty if the game is over, or if the tree was cut short.
        """
        import numpy as np

        from engine.games.connect4.agents.compiled.tree import grow, in_floats
        from engine.games.connect4.compiled.memory import ABORTED, NODES, new_memory
        from engine.games.connect4.kernel import words_of

        assert isinstance(position, Connect4Position), "the tree is grown in Connect 4 only"
        if position.outcome is not None:
            return {}, NO_RESULT
        game = position.game
        memory = new_memory(game.rows, game.columns, 0)
        own, opp, _ = words_of(position)
        units, floats = np.full(game.columns, UNKNOWN, np.int64), np.zeros(game.columns)
        nodes = np.empty((sum(game.columns**level for level in range(HEIGHT + 1)), 4), np.uint64)
        levels = int(grow(own, opp, HEIGHT, units, nodes, memory, (stop or Stop()).flag))
        known = () if memory[ABORTED] else position.legal_moves()
        tree = Searched({move: int(units[move]) for move in known}, levels, int(memory[NODES]))
        if self.fixed or not known:
            return {move: _exactly(value) for move, value in tree.values.items()}, tree
        in_floats(own, tree.nodes + 1, nodes, floats)
        return {move: Decimal(repr(float(floats[move]))) for move in known}, tree


def _exactly(units: int) -> Decimal:
    """A number of 125ths as an exact decimal."""
    return Decimal(units * 10**PLACES // UNITS).scaleb(-PLACES)
