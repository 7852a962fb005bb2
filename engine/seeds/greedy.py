"""The agent that likes long runs of stones and values a whole tree by them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from time import perf_counter

import numpy as np

from engine.connect4 import Connect4Position
from engine.game import Position
from engine.kernels.scores import UNKNOWN
from engine.search import SearchResult, Stop
from engine.seeds.choice import chosen, refuse_if_over

HEIGHT = 4
"""Plies of the tree."""


@dataclass(frozen=True, slots=True)
class Greedy:
    """The highest value of a tree of four plies, grown breadth first; for every size.

    A node's own value is the contiguity of the stone just played: in each of the four directions
    the run of its colour through it counts 1, 5, 9... for one, two, three... stones. Then a fifth
    of each child's value is taken off its parent's, from the bottom of the tree up, and the child
    of the root with the highest value is played; among equals, any.

    As in the student project it follows, nothing looks for wins: four in line is just a run that
    counts 13 or more, though the game ends with it. So the agent may pass up a win, or leave one to
    its opponent, where longer runs or fewer replies promise more.

    Values are compared exactly, as whole numbers of 125ths; the score that is reported is rounded
    to whole points and never claims a proven win.
    """

    name: str = "greedy"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose by the tree; raises ValueError for a game that is over."""
        from engine.kernels.connect4.kernel import words_of
        from engine.kernels.connect4.memory import ABORTED, NODES, new_memory
        from engine.kernels.seeds.tree import FIFTH, grow

        refuse_if_over(position)
        assert isinstance(position, Connect4Position), "the tree is grown in Connect 4 only"
        began = perf_counter()
        game = position.game
        memory = new_memory(game.rows, game.columns, 0)
        own, opp, _ = words_of(position)
        scores = np.full(game.columns, UNKNOWN, np.int64)
        nodes = np.empty((sum(game.columns**level for level in range(HEIGHT + 1)), 4), np.uint64)
        flag = (stop or Stop()).flag
        levels = int(grow(own, opp, HEIGHT, scores, nodes, memory, flag))
        known = () if memory[ABORTED] else position.legal_moves()
        result = chosen(
            {move: int(scores[move]) for move in known},
            position,
            depth=levels,
            nodes=int(memory[NODES]),
            began=began,
            rng=rng,
        )
        return replace(result, score=round(result.score / FIFTH ** (HEIGHT - 1)))
