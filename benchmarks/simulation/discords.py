"""The other side: Discord as it answers from afar, and the stand-in on the same machine."""

from __future__ import annotations

import math
from random import Random
from typing import Protocol

import simpy

from benchmarks.simulation.machine import Machine, Steps, Threads

REQUESTS = 4
"""A move's parts in which the stand-in computes: click, acknowledgement, edit, and the board."""


class Discord(Protocol):
    """Takes requests. Only those through a channel count against the global limit.

    Each is told how long it took when it was recorded, which only the stand-in heeds.
    """

    def deliver(self, recorded: float) -> Steps:
        """Bring a click to the bot."""

    def answer(self, recorded: float) -> Steps:
        """A request through an interaction: an acknowledgement, or an edit by its token."""

    def edit(self, recorded: float) -> Steps:
        """An edit of a message through its channel."""

    def display(self, recorded: float) -> Steps:
        """Show people what was edited."""


class GlobalLimit:
    """So many requests a second for the whole bot, in the order in which they are made."""

    def __init__(self, env: simpy.Environment, rate: float) -> None:
        """Allow `rate` a second; infinity for no limit. A second's worth may come at once."""
        self._env, self._rate = env, rate
        self._free_at = -1.0
        self.counted = 0

    def take(self) -> Steps:
        """Wait until one more request is allowed."""
        self.counted += 1
        if math.isinf(self._rate):
            return
        now = self._env.now
        self._free_at = max(self._free_at, now - 1.0) + 1.0 / self._rate
        if self._free_at > now:
            yield self._env.timeout(self._free_at - now)


class Afar:
    """Discord over the internet."""

    def __init__(
        self, env: simpy.Environment, rng: Random, limit: GlobalLimit, median: float, tail: float
    ) -> None:
        """Answer in `median` seconds, of which the way there is a third; p99 is `tail` times it."""
        self._env, self._rng, self._limit = env, rng, limit
        self._mu, self._sigma = math.log(median), math.log(tail) / 2.326
        self.slower = 1.0
        """By how much it is slower than usual at present."""

    def deliver(self, recorded: float) -> Steps:
        """See `Discord`."""
        yield self._env.timeout(self._seconds() / 3.0)

    def answer(self, recorded: float) -> Steps:
        """See `Discord`."""
        yield self._env.timeout(self._seconds())

    def edit(self, recorded: float) -> Steps:
        """See `Discord`."""
        yield from self._limit.take()
        yield self._env.timeout(self._seconds())

    def display(self, recorded: float) -> Steps:
        """See `Discord`: that is part of how long an edit takes."""
        yield from ()

    def _seconds(self) -> float:
        return self.slower * self._rng.lognormvariate(self._mu, self._sigma)


class StandIn:
    """The stand-in and the people of `benchmarks.load`: a program on the same machine."""

    def __init__(self, machine: Machine, seconds: float) -> None:
        """Take so many seconds of CPU for each move, evenly in its requests, and wait the rest."""
        self._env = machine.env
        self.loop = Threads(machine, 1)
        self._part = seconds / REQUESTS

    def deliver(self, recorded: float) -> Steps:
        """See `Discord`."""
        yield from self._take(recorded)

    def answer(self, recorded: float) -> Steps:
        """See `Discord`."""
        yield from self._take(recorded)

    def edit(self, recorded: float) -> Steps:
        """See `Discord`."""
        yield from self._take(recorded)

    def display(self, recorded: float) -> Steps:
        """See `Discord`."""
        yield from self._take(recorded)

    def _take(self, recorded: float) -> Steps:
        busy = min(self._part, recorded)
        yield from self.loop.do(busy)
        yield self._env.timeout(recorded - busy)
