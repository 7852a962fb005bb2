"""Cores, and the threads that share them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import simpy

Steps = Generator[simpy.Event, Any, Any]
"""The events of a SimPy process."""

SLICE = 0.003
"""Time slice of a thread in seconds, as in Linux."""


class Share:
    """The CPU time of a thread."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        """Begin at zero."""
        self.used = 0.0


class Machine:
    """Cores that threads share fairly, as in Linux: the thread with the least CPU time is next.

    Sleeping threads gain at most one slice of credit.
    """

    def __init__(self, env: simpy.Environment, cores: int) -> None:
        """Create the cores."""
        self.env = env
        self.cores = cores
        self._cores = simpy.PriorityResource(env, cores)
        self._now = 0.0
        """CPU time of the thread that ran last."""
        self.busy = 0.0
        """CPU seconds of all cores."""

    def compute(self, seconds: float, share: Share | None = None) -> Steps:
        """Compute for `seconds`, on a thread's `share`."""
        share = share or Share()
        share.used = max(share.used, self._now - SLICE)
        while seconds > 0.0:
            turn = min(SLICE, seconds)
            with self._cores.request(priority=share.used) as core:  # type: ignore[arg-type]
                yield core
                self._now = max(self._now, share.used)
                yield self.env.timeout(turn)
            share.used += turn
            self.busy += turn
            seconds -= turn


class Threads:
    """An event loop (one thread) or a thread pool on a machine."""

    def __init__(self, machine: Machine, threads: int) -> None:
        """Create the threads."""
        self._machine = machine
        self._threads = simpy.Resource(machine.env, threads)
        self._shares = [Share() for _ in range(threads)]
        self.busy = 0.0
        """CPU seconds of all threads."""

    def do(self, seconds: float) -> Steps:
        """Do work of `seconds` of CPU when a thread is free."""
        with self._threads.request() as thread:
            yield thread
            share = self._shares.pop()
            yield from self._machine.compute(seconds, share)
            self._shares.append(share)
            self.busy += seconds

    @property
    def waiting(self) -> int:
        """The number of tasks that wait for a thread."""
        return len(self._threads.queue)
