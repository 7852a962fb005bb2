"""Where changes are stored: SQLite with its one writer, and a PostgreSQL server that many share."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

import simpy

from benchmarks.capacity.figures import Writes
from benchmarks.simulation.machine import Steps, Threads

TOGETHER = 32
"""Changes that are stored by one commit at most, as in bot/database/writer.py."""


class Database(Protocol):
    """Stores changes."""

    def write(self, loop: Threads, seconds: float, recorded: float) -> Steps:
        """One change that takes so many seconds on the event loop; ends when it is on disk.

        `recorded` is how long it was waited for; 0 if nothing is known of it.
        """


class Sqlite:
    """A file with one writer: who waits meanwhile is stored by the same commit."""

    def __init__(self, env: simpy.Environment, usual: float = 0.0) -> None:
        """A commit takes as long as its first change was recorded to wait, or `usual` seconds."""
        self._env = env
        self._usual = usual
        self._waiting: deque[tuple[simpy.Event, Callable[[], Steps], float]] = deque()
        self._is_running = False
        self.commits = 0
        self.busy = 0.0

    def write(self, loop: Threads, seconds: float, recorded: float) -> Steps:
        """See `Database`."""
        stored = self._env.event()
        self._waiting.append((stored, lambda: loop.do(seconds), recorded or self._usual))
        if not self._is_running:
            self._is_running = True
            self._env.process(self._run())
        yield stored

    def _run(self) -> Steps:
        while self._waiting:
            members: list[simpy.Event] = []
            took = self._waiting[0][2]
            while self._waiting and len(members) < TOGETHER:
                stored, change, _ = self._waiting.popleft()
                yield from change()
                members.append(stored)
            yield self._env.timeout(took)
            self.commits += 1
            self.busy += took
            for stored in members:
                stored.succeed()
        self._is_running = False


class Server:
    """A database server: so many changes a second at most, each with its own delay."""

    def __init__(self, env: simpy.Environment, writes: Writes, *, machines: float = 1.0) -> None:
        """As fast as what was measured, or as several such machines."""
        self._env = env
        self._each = writes.together / machines
        self._delay = max(0.0, writes.alone - writes.together)
        self._turn = simpy.Resource(env, 1)
        self.busy = 0.0

    def write(self, loop: Threads, seconds: float, recorded: float) -> Steps:
        """See `Database`."""
        yield from loop.do(seconds)
        with self._turn.request() as turn:
            yield turn
            yield self._env.timeout(self._each)
            self.busy += self._each
        yield self._env.timeout(self._delay)
