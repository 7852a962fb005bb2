"""What computes: cores that threads share, an event loop, and threads of one kind."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from random import Random
from typing import Any

import simpy

Steps = Generator[simpy.Event, Any, Any]
"""What a SimPy process does, step by step."""

SLICE = 0.003
"""Seconds that a thread computes before another one has its turn: Linux's usual slice."""


class Share:
    """What a thread has had of the cores."""

    __slots__ = ("used", "weight")

    def __init__(self, weight: float = 1.0) -> None:
        """Nothing yet; as much as others in proportion to its weight."""
        self.used = 0.0
        self.weight = weight


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
            share.used += turn / share.weight
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


@dataclass(frozen=True, slots=True)
class Others:
    """What other programs do on the machine."""

    cores: float = 0.0
    """That they take on average."""
    weight: float = 1.0
    """What they weigh together, in threads of the bot."""


class OtherPrograms:
    """Programs that share the machine: each computes for a while, and rests for a while."""

    BURST = 0.03
    """Seconds that one of them computes at a time, on average."""

    def __init__(self, machine: Machine, others: Others, rng: Random) -> None:
        """Have as many as cores are taken."""
        self._machine, self._rng = machine, rng
        programs = math.ceil(others.cores)
        for _ in range(programs):
            share = Share(max(others.weight, 1e-3) / programs)
            machine.env.process(self._go_on(share, others.cores / programs))

    def _go_on(self, share: Share, taken: float) -> Steps:
        rng, rest = self._rng, self.BURST * (1.0 - taken) / taken
        while True:
            yield from self._machine.compute(rng.expovariate(1.0 / self.BURST), share)
            if rest > 0.0:
                yield self._machine.env.timeout(rng.expovariate(1.0 / rest))
