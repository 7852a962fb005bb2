"""A circuit breaker: decides when a service that fails or is slow gets no more work.

The state machine is a value and knows neither the service nor a clock, so it can be tested by
itself. Whoever uses it reports what became of each job and of each probe.

    CLOSED      all work goes to the service; opens after `MOST_BAD` bad answers among the last few
    OPEN        no work goes there; after a backoff, probing begins
    HALF_OPEN   one probe at a time; enough good ones in a row close it, a bad one opens it again
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

WINDOW = 10
"""How many of the latest answers count while it is closed."""
MOST_BAD = 3
"""How many bad ones among those open it."""
PROBES = 3
"""How many probes in a row have to be good, at least."""
FIRST_BACKOFF = 1.0
LONGEST_BACKOFF = 30.0
"""Seconds from opening to the first probe; doubled each time a probe is bad, or it opens again."""


class State(Enum):
    """The state of a circuit breaker, by the name that metrics use."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@dataclass(frozen=True, slots=True)
class Circuit:
    """One state of a circuit breaker; each event returns the next state."""

    state: State = State.CLOSED
    recent: tuple[bool, ...] = ()
    """While closed: whether each of the latest answers was good, the oldest first."""
    backoff: float = FIRST_BACKOFF
    """Seconds to wait for a probe when it opens the next time."""
    probe_at: float = 0.0
    """While open: when probing begins."""
    good_probes: int = 0
    """While half-open: how many probes in a row were good."""

    @property
    def is_closed(self) -> bool:
        """Whether work goes to the service."""
        return self.state is State.CLOSED

    def answered(self, is_good: bool, now: float) -> Circuit:
        """The state after a job; one that was sent before the circuit opened changes nothing."""
        if not self.is_closed:
            return self
        recent = (*self.recent, is_good)[-WINDOW:]
        if recent.count(False) >= MOST_BAD:
            return self._opened(now)
        # A service that has been good for a while starts again with a short backoff. Until then one
        # that closes and opens in turns is asked less and less often.
        is_sound = len(recent) == WINDOW and all(recent)
        return replace(self, recent=recent, backoff=FIRST_BACKOFF if is_sound else self.backoff)

    def probing(self, now: float) -> Circuit:
        """The state in which a probe may be sent; raises ValueError before its time."""
        if self.is_closed or (self.state is State.OPEN and now < self.probe_at):
            raise ValueError("it is not time for a probe")
        return replace(self, state=State.HALF_OPEN)

    def probed(self, is_good: bool, now: float, wanted: int = PROBES) -> Circuit:
        """The state after a probe; `wanted` good ones in a row close it.

        Raises ValueError unless it is half-open.
        """
        if self.state is not State.HALF_OPEN:
            raise ValueError("no probe was sent")
        if not is_good:
            return self._opened(now)
        if self.good_probes + 1 < wanted:
            return replace(self, good_probes=self.good_probes + 1)
        # On trial: a single bad answer opens it again, until good ones take the place of these.
        return Circuit(recent=(False,) * (MOST_BAD - 1), backoff=self.backoff)

    def reachable_again(self, now: float) -> Circuit:
        """The state after the service was away and has come back: it is probed at once."""
        return replace(self, probe_at=now) if self.state is State.OPEN else self

    def _opened(self, now: float) -> Circuit:
        return Circuit(
            State.OPEN,
            backoff=min(2 * self.backoff, LONGEST_BACKOFF),
            probe_at=now + self.backoff,
        )


CLOSED = Circuit()
"""The state in which all begins."""
