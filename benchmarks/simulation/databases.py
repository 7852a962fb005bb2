"""Databases: SQLite with one writer, and a shared PostgreSQL server."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

import simpy

from benchmarks.capacity.figures import Writes
from benchmarks.simulation.machine import Steps, Threads

TOGETHER = 32
"""Largest number of changes in a commit, as in bot/database/writer.py."""


class Database(Protocol):
    """Stores changes."""

    def write(self, loop: Threads, seconds: float, recorded: float) -> Steps:
        """Store a change that takes `seconds` on the event loop; ends when it is on disk.

        `recorded` is its recorded wait; 0 if unknown.
        """


class Sqlite:
    """A file with one writer; changes that wait share a commit."""

    def __init__(self, env: simpy.Environment, usual: float = 0.0) -> None:
        """A commit takes the recorded wait of its first change, or `usual` seconds."""
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
    """A database server with a maximum rate of changes and a delay for each."""

    def __init__(self, env: simpy.Environment, writes: Writes, *, machines: float = 1.0) -> None:
        """Be as fast as the measured server, or as several of them."""
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
