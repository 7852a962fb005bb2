"""What computes: cores that threads share, an event loop, and threads of one kind."""

from __future__ import annotations

import math
from collections.abc import Generator
from random import Random
from typing import Any

import simpy

Steps = Generator[simpy.Event, Any, Any]
"""What a SimPy process does, step by step."""

SLICE = 0.003
"""Seconds that a thread computes before another one that waits has its turn: Linux's usual slice."""


class Machine:
    """Cores that threads share evenly: each computes for a slice, and waits for its next turn."""

    def __init__(self, env: simpy.Environment, cores: int) -> None:
        """Have so many cores."""
        self.env = env
        self.cores = cores
        self._cores = simpy.Resource(env, cores)
        self.busy = 0.0
        """Seconds that all cores together have computed."""

    def compute(self, seconds: float) -> Steps:
        """Compute for so long."""
        while seconds > 0.0:
            turn = min(SLICE, seconds)
            with self._cores.request() as core:
                yield core
                yield self.env.timeout(turn)
            self.busy += turn
            seconds -= turn


class Threads:
    """Threads of one kind on a machine: an event loop is one of them, a pool has several."""

    def __init__(self, machine: Machine, threads: int) -> None:
        """Have so many threads."""
        self._machine = machine
        self._threads = simpy.Resource(machine.env, threads)
        self.busy = 0.0
        """Seconds of CPU that all of them together have used."""

    def do(self, seconds: float) -> Steps:
        """Do work that takes so many seconds of CPU, when a thread is free."""
        with self._threads.request() as thread:
            yield thread
            yield from self._machine.compute(seconds)
            self.busy += seconds

    @property
    def waiting(self) -> int:
        """How much work waits for a thread."""
        return len(self._threads.queue)


class OtherPrograms:
    """Programs that share the machine: each computes for a while, and rests for a while."""

    BURST = 0.03
    """Seconds that one of them computes at a time, on average."""

    def __init__(self, machine: Machine, cores: float, rng: Random) -> None:
        """Take so many cores on average, if nobody else wants them."""
        programs = math.ceil(cores)
        for _ in range(programs):
            machine.env.process(self._go_on(machine, cores / programs, rng))

    def _go_on(self, machine: Machine, share: float, rng: Random) -> Steps:
        while True:
            yield from machine.compute(rng.expovariate(1.0 / self.BURST))
            if share < 1.0:
                rest = self.BURST * (1.0 - share) / share
                yield machine.env.timeout(rng.expovariate(1.0 / rest))
