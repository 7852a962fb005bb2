"""Stale interactions are recognised after any suspension, and no others are refused."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from discord.utils import time_snowflake
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.answering import Arrivals
from bot.game.clocks import AnchoredClock

START, HOUR = 1_700_000_000.0, 3600.0


class Receiver:
    """An interaction clock on a machine whose clock can be set."""

    def __init__(self) -> None:
        self.true, self.wrong_by = START, 0.0
        clock = AnchoredClock(lambda: self.true + self.wrong_by, self.steady)
        self.arrivals = Arrivals(clock, is_measured=True, steady=self.steady)

    def steady(self) -> float:
        """Seconds since the machine started."""
        return self.true - START

    def arrives(self, age: float = 0.1) -> Any:
        """Receive an interaction that was created this number of seconds ago."""
        made = datetime.fromtimestamp(self.true - age, UTC)
        response = SimpleNamespace(is_done=lambda: False)
        snowflake = time_snowflake(made)
        return SimpleNamespace(id=snowflake, created_at=made, extras={}, response=response)

    def is_refused(self, age: float = 0.1) -> bool:
        """Whether an interaction of that age is refused as stale on arrival or by its handler."""
        interaction = self.arrives(age)
        is_stale = self.arrivals.is_stale(interaction.id)
        self.arrivals.note(interaction)
        return is_stale or self.arrivals.is_late(interaction)


@given(
    steps=st.lists(
        st.tuples(st.floats(0.0, 600.0), st.sampled_from([0.0, HOUR, -HOUR, 20.0])), max_size=30
    )
)
def test_a_clock_jump_makes_no_interaction_stale(steps: list[tuple[float, float]]) -> None:
    """A jump of the machine's clock does not make a prompt interaction stale."""
    desk = Receiver()
    for passes, jump in steps:
        desk.true += passes
        desk.wrong_by += jump
        assert not desk.is_refused()


@given(before=st.floats(0.0, HOUR), slept=st.floats(5.0, 900.0), jump=st.sampled_from([0.0, HOUR]))
def test_interactions_of_a_suspension_are_too_old(before: float, slept: float, jump: float) -> None:
    """After a suspension, interactions older than three seconds are refused, new ones handled."""
    desk = Receiver()
    assert not desk.is_refused()
    desk.true += before + slept
    desk.wrong_by = jump
    desk.arrivals.suspended()
    for age in (slept, slept / 2 + 1.5, 4.0):
        assert desk.is_refused(age)
    assert not desk.is_refused()


def test_the_first_interaction_after_a_suspension_may_be_too_old() -> None:
    """After a suspension an old first interaction is refused, and a new one handled."""
    desk = Receiver()
    desk.arrivals.suspended()
    assert desk.is_refused(20.0)
    assert not desk.is_refused()


def test_late_interactions_far_apart_are_no_proof_of_a_wrong_clock() -> None:
    """The clock is taken as wrong only if all interactions for half a minute seem late."""
    desk = Receiver()
    assert not desk.is_refused()
    assert desk.is_refused(5.0)
    desk.true += 600.0
    assert desk.is_refused(5.0)
    for _ in range(8):
        desk.true += 5.0
        late = desk.is_refused(5.0)
    assert not late
