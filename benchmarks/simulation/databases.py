"""Where changes are stored: SQLite with its one writer, and a PostgreSQL server that many share."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

import simpy

from benchmarks.capacity.figures import Writes
from benchmarks.simulation.machine import Machine, Steps, Threads

TOGETHER = 32
"""Changes that are stored by one commit at most, as in bot/store/writer.py."""
HOPS = 4
"""How often a change goes from the event loop to the database's thread and back."""


class Database(Protocol):
    """Stores changes."""

    def write(self, loop: Threads, seconds: float) -> Steps:
        """One change that takes so many seconds on the event loop; ends when it is on disk."""


def commit_seconds(writes: Writes, writers: int = 15) -> float:
    """How long a commit waits for the disk, from the times of one writer and of many.

    One writer waits for a commit at each change, many share it.
    """
    return max(0.0, (writes.alone - writes.together) * writers / (writers - 1))


class Sqlite:
    """A file with one writer: who waits meanwhile is stored by the same commit."""

    def __init__(self, machine: Machine, writes: Writes, on_loop: float) -> None:
        """Write on a machine; a change takes `on_loop` seconds of the event loop on average."""
        self._machine = machine
        self._thread = Threads(machine, 1)
        self._commit = commit_seconds(writes)
        self._beside = max(0.0, writes.alone - self._commit - on_loop) / HOPS
        self._waiting: deque[tuple[simpy.Event, Callable[[], Steps]]] = deque()
        self._is_running = False
        self.commits = 0

    def write(self, loop: Threads, seconds: float) -> Steps:
        """See `Database`."""
        stored = self._machine.env.event()
        self._waiting.append((stored, lambda: self._change(loop, seconds)))
        if not self._is_running:
            self._is_running = True
            self._machine.env.process(self._run())
        yield stored

    def _change(self, loop: Threads, seconds: float) -> Steps:
        for _ in range(HOPS):
            yield from loop.do(seconds / HOPS)
            yield from self._thread.do(self._beside)

    def _run(self) -> Steps:
        while self._waiting:
            members: list[simpy.Event] = []
            while self._waiting and len(members) < TOGETHER:
                stored, change = self._waiting.popleft()
                yield from change()
                members.append(stored)
            yield self._machine.env.timeout(self._commit)
            self.commits += 1
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

    def write(self, loop: Threads, seconds: float) -> Steps:
        """See `Database`."""
        yield from loop.do(seconds)
        with self._turn.request() as turn:
            yield turn
            yield self._env.timeout(self._each)
            self.busy += self._each
        yield self._env.timeout(self._delay)
