"""The searches that running games wait for, and how those of one game are stopped."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Protocol

from bot.play.workers import Workers
from bot.table.session import Session
from engine.game import Position
from engine.perfect import Perfect
from engine.search import SearchResult, Stop

HINTS = Perfect()
"""Who gives hints: proven ones wherever that can be done in the time."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint and the session it was given for."""

    session: Session
    result: SearchResult


class Chooser(Protocol):
    """Whatever finds a move: an agent's seat, or who gives hints."""

    def __call__(self, position: Position, *, rng: Random, stop: Stop) -> SearchResult | None:
        """The move for a position; None from who does not answer by themselves."""


class Searches:
    """Searches in worker threads, each of which belongs to a game."""

    def __init__(self, workers: Workers, rng: Random) -> None:
        """Search in `workers`, with chance drawn from `rng`."""
        self._workers = workers
        self._rng = rng
        self._stops: dict[int, Stop] = {}

    async def run(self, session: Session, choose: Chooser) -> SearchResult | None:
        """Let `choose` find a move for a session; None where the search has been stopped."""
        stop = self._stops.setdefault(session.id, Stop())
        rng = Random(self._rng.getrandbits(64))
        result = await self._workers.search(choose, session.position, rng=rng, stop=stop)
        assert result is not None, "who is asked for a move always has an answer"
        return None if stop.is_set else result

    def stop(self, game_id: int) -> None:
        """Stop the present searches of a game; nothing that they find is used."""
        stop = self._stops.pop(game_id, None)
        if stop is not None:
            stop.set()

    def close(self) -> None:
        """Stop all searches."""
        for stop in self._stops.values():
            stop.set()
