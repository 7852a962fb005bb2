"""What computes: cores that threads share, an event loop, and threads of one kind."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import simpy

Steps = Generator[simpy.Event, Any, Any]
"""What a SimPy process does, step by step."""

SLICE = 0.003
"""Seconds that a thread computes before another one has its turn: Linux's usual slice."""


class Share:
    """What a thread has had of the cores."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        """Nothing yet."""
        self.used = 0.0


class Machine:
    """Cores that threads share fairly, as Linux has it: next is who has had least.

    Who has slept gains no credit by that, but for one slice: it is next when a slice ends.
    """

    def __init__(self, env: simpy.Environment, cores: int) -> None:
        """Have so many cores."""
        self.env = env
        self.cores = cores
        self._cores = simpy.PriorityResource(env, cores)
        self._now = 0.0
        """What whoever was served last had used."""
        self.busy = 0.0
        """Seconds that all cores together have computed."""

    def compute(self, seconds: float, share: Share | None = None) -> Steps:
        """Compute for so long, on a thread's `share`."""
        share = share or Share()
        share.used = max(share.used, self._now - SLICE)
        while seconds > 0.0:
            turn = min(SLICE, seconds)
            with self._cores.request(priority=share.used) as core:
                yield core
                self._now = max(self._now, share.used)
                yield self.env.timeout(turn)
            share.used += turn
            self.busy += turn
            seconds -= turn


class Threads:
    """Threads of one kind on a machine: an event loop is one of them, a pool has several."""

    def __init__(self, machine: Machine, threads: int) -> None:
        """Have so many threads."""
        self._machine = machine
        self._threads = simpy.Resource(machine.env, threads)
        self._shares = [Share() for _ in range(threads)]
        self.busy = 0.0
        """Seconds of CPU that all of them together have used."""

    def do(self, seconds: float) -> Steps:
        """Do work that takes so many seconds of CPU, when a thread is free."""
        with self._threads.request() as thread:
            yield thread
            share = self._shares.pop()
            yield from self._machine.compute(seconds, share)
            self._shares.append(share)
            self.busy += seconds

    @property
    def waiting(self) -> int:
        """How much work waits for a thread."""
        return len(self._threads.queue)
