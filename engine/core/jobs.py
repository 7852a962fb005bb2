"""Jobs for the engine, as plain values that any process can run.

A job is a game, a task, and everything else that the answer depends on, including the seed. A
`Stop` is not part of it: the flag belongs to the process that searches. Each task is defined beside
the code that does its work, so this module imports none of them.

Processes that share work must have the same engine; `engine_digest` identifies it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Generic, Protocol, TypeVar

from engine.core.compiled import all_sources, sources_digest
from engine.core.game import Game, Move
from engine.core.limits import Limit, Stop
from engine.core.registry import game_of

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)


class Task(Protocol[A_co]):
    """A question about a game so far; a value that can be pickled and compared."""

    priority: ClassVar[int]
    """On shared workers, tasks with a higher priority run first."""
    takes_limit: ClassVar[bool]
    """Whether the job's limit applies; False for tasks that bound themselves."""

    def run(
        self,
        game: Game,
        moves: Sequence[Move],
        *,
        seed: int,
        limit: Limit | None,
        stop: Stop | None,
    ) -> A_co:
        """Do the task.

        Raises NotAMove, IllegalMove or NotACode for what the game does not allow, and ValueError if
        a move or an analysis is requested and the game is over.
        """

    def parts(self, game: Game) -> tuple[str, ...]:
        """Return the names of the compiled parts that the task may call."""


@dataclass(frozen=True, slots=True)
class Job(Generic[A]):
    """A game so far, and a task about it."""

    family: str
    variant: str
    moves: tuple[str, ...]
    """The game so far, each move as players write it."""
    task: Task[A]
    seed: int = 0
    """The seed of everything random in the answer."""
    limit: Limit | None = None
    """Upper limits that cap the agent's own.

    Only the limits that the agent has are capped: rungs have all three, perfect play has seconds,
    and the student agents have a depth. Ignored by tasks with `takes_limit` False: judging has a
    fixed cost; a review, a line and an analysis have limits of their own.
    """

    def run(self, stop: Stop | None = None) -> A:
        """Run the job.

        Raises KeyError or UnknownVariant for an unknown game, and what `Task.run` raises.
        """
        game = game_of(self.family, self.variant)
        moves = [game.parse(text) for text in self.moves]
        return self.task.run(game, moves, seed=self.seed, limit=self.limit, stop=stop)

    def parts(self) -> tuple[str, ...]:
        """Return the names of the compiled parts that the job may call; raises as `run`."""
        return self.task.parts(game_of(self.family, self.variant))


SUFFIXES = (".py", ".csv", ".book")
"""Suffixes of the files that moves depend on: sources, ladders and books."""


@cache
def engine_digest() -> str:
    """Return a short hash of everything that moves depend on.

    That is the engine with its ladders and books, all installed games, and Numba's version.
    """
    digest = hashlib.sha256(sources_digest().encode())
    for path, name in all_sources(SUFFIXES):
        digest.update(name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
