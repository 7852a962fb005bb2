"""Values, types and builders that many files of tests share.

Nothing here needs Discord or a database; what does is in tests/bot/builders.py.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.core.game import Game, Move, Position, replay
from engine.core.registry import game_called
from engine.games.connect4.rules import Connect4, Connect4Position

ROOT = Path(__file__).parents[1]
"""The folder of the whole project."""
PATIENCE = 120.0
"""Seconds that a test waits for a condition at most."""
CLASSIC = Connect4(6, 7)
SMALL = Connect4(5, 4)
SIZES = [Connect4.from_variant(size) for size in Connect4.SIZES]
"""Every size of Connect 4."""

TIMEOUT = 60.0
"""Seconds for a search that must not end for lack of time."""

# Types of fixtures
Output = pytest.CaptureFixture[str]
RandomPosition = Callable[[Game, Random, int], Any]
"""Return a position after this number of random moves, or fewer if every move ends the game."""
NearlyFull = Callable[[Connect4, Random, int], Connect4Position]
"""Return an undecided position with this number of empty squares."""
PlayPerfectly = Callable[[Position], dict[Move, int]]
"""Return the score of every move, by playing all games to their end."""


def after(game: Game | str, moves: str) -> Any:
    """The position after moves as players write them; `game` may be named as on a command line."""
    played = game_called(game) if isinstance(game, str) else game
    return replay(played, played.moves(moves))


async def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for a condition that becomes true by itself and has no event; it may be asynchronous.

    Raises AssertionError with the condition's source at the time limit.
    """
    try:
        async with asyncio.timeout(seconds):
            while True:
                found = condition()
                if await found if inspect.isawaitable(found) else found:
                    return
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"not within {seconds:.0f} s: {source_of(condition)}") from None


def source_of(condition: Callable[[], object]) -> str:
    """The source of a condition, for messages."""
    try:
        return " ".join(inspect.getsource(condition).split())
    except (OSError, TypeError):
        return repr(condition)
