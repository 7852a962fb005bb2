"""Discord over the internet, with its global rate limit."""

from __future__ import annotations

import math
from random import Random

import simpy

from benchmarks.simulation.machine import Steps


class GlobalLimit:
    """Discord's global rate limit; requests are sent in the order in which they are made."""

    def __init__(self, env: simpy.Environment, rate: float) -> None:
        """Allow `rate` requests per second, with bursts of one second; infinity for no limit."""
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


class Discord:
    """Takes requests. Only those through a channel count against the global limit."""

    def __init__(
        self, env: simpy.Environment, rng: Random, limit: GlobalLimit, median: float, tail: float
    ) -> None:
        """Respond in `median` seconds; a third of that is latency, p99 is `tail` times it."""
        self._env, self._rng, self._limit = env, rng, limit
        self._mu, self._sigma = math.log(median), math.log(tail) / 2.326
        self.slowdown = 1.0
        """Factor by which responses are slower than usual at present."""

    def deliver(self) -> Steps:
        """Deliver a click to the bot."""
        yield self._env.timeout(self._seconds() / 3.0)

    def answer(self) -> Steps:
        """Take a request through an interaction: an acknowledgement, or an edit by its token."""
        yield self._env.timeout(self._seconds())

    def edit(self) -> Steps:
        """Take an edit of a message through its channel."""
        yield from self._limit.take()
        yield self._env.timeout(self._seconds())

    def _seconds(self) -> float:
        return self.slowdown * self._rng.lognormvariate(self._mu, self._sigma)
