"""The agent `tokens` for Conecta-4 BOOM, after a student's evaluation of positions.

It plays as a student's program for practice 3 (Conecta-4 BOOM) of the course on artificial
intelligence of the University of Granada, 2020/21: alpha-beta of the full eight movements that
the course allowed, and an evaluation in parts, each for one player less the other's:

* 9999 for a game that is won, -9999 for one that is lost, in addition to the stones;
* a stone counts 1 2 3 4 3 2 1 by its column, bombs like others;
* 10 for each own stone that a stone reaches without a gap, to the right, upwards, and along both
  diagonals to the right, so that no pair counts twice;
* 100 if exploding the mover's bomb would win the game at once, -100 if it would lose it.

As in the original, a nearer win has the same value as a later one, so it may delay a win that it
sees. In a finished game no bomb counts, and a draw is worth its stones. Written from that
description. As nothing was corrected, `tokens-original` is the same program.

After 4112543 the first player's stones in columns 4, 2 and 5 are worth 4 + 2 + 3, and 10 for the
pair; the second player's 1 + 1 + 4 + 3, and 10 for each of two pairs: -10 for the first player.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from time import perf_counter

from engine.core.agent import (
    NO_RESULT,
    Explanation,
    Searched,
    highest,
    refuse_if_over,
    require_depth,
    uniform,
)
from engine.core.analysis import SearchResult
from engine.core.compiled.scores import UNKNOWN, WON_BOUND
from engine.core.game import Move, Player, Position
from engine.core.limits import Stop
from engine.core.values import Score
from engine.games.boom.rules import BOOM, BoomPosition

TABLE_BITS = 16
"""Bits of its transposition table, which then takes 1 MiB."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """An agent that plays Conecta-4 BOOM by counting aligned stones."""

    depth: int = 8
    """The movements that it looks ahead."""
    name: str = "tokens"

    def __post_init__(self) -> None:
        require_depth(self.depth)

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move: the first of the best ones, always the same in the same position.

        The score is clipped to the range of evaluations, because this program does not know how far
        away the end is. If stopped early, it makes the best move searched so far, otherwise the
        first legal one. Raises ValueError for a game that is over.
        """
        refuse_if_over(position)
        began = perf_counter()
        found = self._searched(position, stop)
        move = (*highest(found.values), position.legal_moves()[0])[0]
        value = found.values.get(move, 0)
        return SearchResult(
            move=move,
            score=Score(max(-WON_BOUND, min(value, WON_BOUND)), position.to_move, exact=False),
            depth=found.depth,
            nodes=found.nodes,
            seconds=perf_counter() - began,
            line=(move,),
        )

    def explain(self, position: Position, *, stop: Stop | None = None) -> Explanation:
        """The position's value for the first and the second player, and that of every move."""
        found = NO_RESULT
        if position.outcome is None:
            found = self._searched(position, stop, every=True)
        choices = highest(found.values)[:1]
        leaf = static_value(position)
        return Explanation(
            agent=self.name,
            leaf=(leaf, -leaf),
            values=found.values,
            choices=choices,
            chances=uniform(choices),
            depth=found.depth,
            nodes=found.nodes,
        )

    def _searched(self, position: Position, stop: Stop | None, *, every: bool = False) -> Searched:
        """The moves' values in the agent's unit: of all, or of those better than all before."""
        import numpy as np

        from engine.games.boom.compiled.memory import ABORTED, NODES, new_memory
        from engine.games.boom.compiled.tokens import tokens_root
        from engine.games.boom.kernel import words_of

        assert isinstance(position, BoomPosition), "tokens are counted in Conecta-4 BOOM only"
        memory = new_memory(position.game.stuck_is_draw, TABLE_BITS)
        values = np.full(BOOM + 1, UNKNOWN, np.int64)
        flag = (stop or Stop()).flag
        words = words_of(position)
        tokens_root(*words, position.ply, self.depth, every, values, memory, flag)
        return Searched(
            {Move(m): int(value) for m, value in enumerate(values) if value != UNKNOWN},
            depth=0 if memory[ABORTED] else self.depth,
            nodes=int(memory[NODES]),
        )


def static_value(position: Position) -> int:
    """Return the static value of a position, which may be over, for the first player.

    Once the game is over, no bomb can be exploded.
    """
    from engine.games.boom.compiled.tokens import END, stones_difference, tokens_value
    from engine.games.boom.kernel import words_of

    assert isinstance(position, BoomPosition), "tokens are counted in Conecta-4 BOOM only"
    own, opp, mine, theirs = words_of(position)
    sign = 1 if position.to_move is Player.FIRST else -1
    if position.outcome is None:
        return sign * int(tokens_value(own, opp, mine, theirs))
    ended = {None: 0, Player.FIRST: END, Player.SECOND: -END}[position.outcome.winner]
    return sign * int(stones_difference(own, opp)) + ended
