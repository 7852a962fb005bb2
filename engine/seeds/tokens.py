"""The agent `tokens` for Conecta-4 BOOM: a student's evaluation of a position.

It plays as a student's program for practice 3 (Conecta-4 BOOM) of the course on artificial
intelligence of the University of Granada, 2020/21: alpha-beta of the full eight movements that
the course allowed, and an evaluation in four parts, each the mover's less the opponent's:

* a stone is worth 1 2 3 4 3 2 1 by its column, bombs like others;
* 10 for each contiguous stone: every stone counts the own stones on the eight squares around it;
* 100 if exploding the mover's bomb would win the game at once, -100 if it would lose it;
* 9999 for a game that is won, -9999 for one that is lost.

As in the original, a nearer win is worth no more than a later one, so it may put off a win that it
sees. Written from that description.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import cast

import numpy as np

from engine.boom import BoomPosition
from engine.game import Move, Position
from engine.kernels.scores import WON_BOUND
from engine.search import SearchResult, Stop

TABLE_BITS = 16
"""Of the table: 1 MiB."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """An agent that plays Conecta-4 BOOM by counting stones that touch."""

    depth: int = 8
    """How many movements it looks ahead."""
    name: str = "tokens"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move: the first of the best ones, always the same in the same position.

        The score is clipped to the range of evaluations: this program does not know how far away an
        end is. If stopped early, it makes the best move searched so far, else the first legal one.
        Raises ValueError for a game that is over.
        """
        from engine.kernels.boom.kernel import words_of
        from engine.kernels.boom.memory import ABORTED, NODES, new_memory
        from engine.kernels.boom.tokens import tokens_root

        if position.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        began = perf_counter()
        boom = cast("BoomPosition", position)
        memory = new_memory(boom.game.stuck_is_draw, TABLE_BITS)
        flag = (stop or Stop()).flag
        found, value = tokens_root(*words_of(boom), boom.ply, self.depth, memory, flag)
        move = Move(int(found)) if found >= 0 else boom.legal_moves()[0]
        score = int(np.clip(value, -WON_BOUND, WON_BOUND)) if found >= 0 else 0
        return SearchResult(
            move=move,
            score=score,
            depth=0 if memory[ABORTED] else self.depth,
            nodes=int(memory[NODES]),
            seconds=perf_counter() - began,
            line=(move,),
        )
