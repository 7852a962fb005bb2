"""Games between rungs of the ladder, as many as are asked for: what puzzles are mined from."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.game import Game, Move
from engine.ladder import Rung, ladder_of
from engine.strength import Strength

NEAR = 3
"""Places on the ladder between two that meet, at most: further apart nobody has to think."""
MOST_NODES = 25_000
"""Rungs that look at more positions a move are too slow to play thousands of games."""
RANDOM_PLIES = 2
"""Random first moves of each game, as in tournaments."""


def games(game: Game, seed: int, start: int = 0) -> Iterator[tuple[Move, ...]]:
    """Game after game between two rungs that stand near each other, from number `start` on.

    A seed and a number always give the same game.
    """
    rungs = [rung for rung in ladder_of(game).rungs if _is_quick(rung)]
    number = start
    while True:
        rng = Random(f"puzzles {game.key}:{game.variant} {seed} {number}")
        first = rng.randrange(len(rungs))
        second = min(max(first + rng.randint(-NEAR, NEAR), 0), len(rungs) - 1)
        yield _played(game, (rungs[first], rungs[second]), rng)
        number += 1


def _played(game: Game, sides: tuple[Rung, Rung], rng: Random) -> tuple[Move, ...]:
    made = list[Move]()
    position = game.start()
    while position.outcome is None:
        if len(made) < RANDOM_PLIES:
            move = rng.choice(position.legal_moves())
        else:
            move = sides[position.to_move - 1].agent.choose(position, rng=rng).move
        made.append(move)
        position = position.play(move)
    return tuple(made)


def _is_quick(rung: Rung) -> bool:
    agent = rung.agent
    return isinstance(agent, Strength) and (agent.nodes or 0) <= MOST_NODES and not agent.knows
