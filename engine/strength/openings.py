"""Random openings, so that agents without chance of their own do not repeat one game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.core.game import Game, Move, Position

OPENING_PLIES = 4
"""Random moves at the start of each game of a series, or more where a turn has several."""

MAX_DRAWN = 200
"""The most openings that are drawn to find a new one."""


def random_opening(game: Game, rng: Random, plies: int) -> list[Move]:
    """This number of random first moves, none of which ends the game."""
    position, made = game.start(), list[Move]()
    for _ in range(plies):
        made.append(_quiet(position, rng))
        position = position.play(made[-1])
    return made


def opening_of(game: Game, seed: int, number: int) -> Sequence[Move]:
    """The opening with a number, counted from 0, of the series with a seed.

    The openings of a series lead to different positions, as far as there are enough. Whole turns
    are played, so the second side or the first is to move as after its opponent's turn.
    """
    rng, known = Random(seed), set[object]()
    made: list[Move] = []
    for _ in range(number + 1):
        for _ in range(MAX_DRAWN):
            made, reached = _whole_turns(game, rng)
            if reached not in known:
                known.add(reached)
                break
    return made


def _whole_turns(game: Game, rng: Random) -> tuple[list[Move], object]:
    """Random first moves up to the end of a turn, and what identifies the position reached."""
    position, made = game.start(), list[Move]()
    while True:
        before = position.to_move
        made.append(_quiet(position, rng))
        position = position.play(made[-1])
        if len(made) >= OPENING_PLIES and position.to_move is not before:
            return made, (position.to_move, tuple(map(tuple, position.cells())))


def _quiet(position: Position, rng: Random) -> Move:
    return rng.choice([m for m in position.legal_moves() if position.play(m).outcome is None])
