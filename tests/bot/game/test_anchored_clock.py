"""The bot's clock runs evenly while the machine's clock is set."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game.clocks import AGREEMENT, JUMP, SLEW, AnchoredClock

START, HOUR = 1_700_000_000.0, 3600.0


@dataclass
class Machine:
    """A machine whose clock can be set; only the test knows the true time."""

    true: float = START
    wrong_by: float = 0.0
    clock: AnchoredClock = field(init=False)

    def __post_init__(self) -> None:
        self.clock = AnchoredClock(lambda: self.true + self.wrong_by, lambda: self.true - START)


JUMPS = st.one_of(st.floats(-2 * HOUR, 2 * HOUR), st.sampled_from([HOUR, -HOUR, 0.0]))
STEPS = st.lists(st.tuples(st.floats(0.0, 600.0), JUMPS), max_size=30)


@given(steps=STEPS)
def test_time_passes_evenly_when_the_clock_is_set(steps: list[tuple[float, float]]) -> None:
    """When the machine's clock jumps, time never runs backwards and durations are right to 1 %."""
    machine = Machine()
    before = machine.clock()
    for passes, jump in steps:
        machine.wrong_by += jump
        machine.true += passes
        now = machine.clock()
        assert passes * (1 - SLEW) - 1e-3 <= now - before <= passes * (1 + SLEW) + 1e-3
        before = now


def test_an_hour_forward_and_back_changes_nothing() -> None:
    """After a jump of an hour and back the time is the same as without them."""
    machine = Machine()
    for jump in (HOUR, -HOUR, -HOUR, HOUR):
        machine.wrong_by += jump
        for _ in range(100):
            machine.true += 1.0
            assert machine.clock() == pytest.approx(machine.true, abs=1e-3)


def test_drift_is_followed() -> None:
    """A machine clock that is corrected in small steps, as by NTP, is followed."""
    machine = Machine()
    machine.wrong_by = JUMP / 2
    for _ in range(400):
        machine.true += 1.0
        machine.clock()
    assert machine.clock() == pytest.approx(machine.true + JUMP / 2, abs=1e-3)


def test_a_correction_is_believed_when_another_clock_confirms_it() -> None:
    """A corrected clock is trusted when a second source, Discord, gives the same time."""
    machine = Machine(wrong_by=HOUR)
    clock = machine.clock
    machine.wrong_by = 0.0
    assert clock() == pytest.approx(machine.true + HOUR)
    assert clock.check(machine.true - AGREEMENT / 2)
    assert clock() == pytest.approx(machine.true, abs=1e-3)


def test_a_jump_that_another_clock_contradicts_is_not_believed() -> None:
    """A jump that only one clock makes is ignored, be it the machine's or the other one."""
    machine = Machine()
    machine.wrong_by = HOUR
    assert not machine.clock.check(machine.true)
    assert not machine.clock.check(machine.true - HOUR)
    assert machine.clock() == pytest.approx(machine.true)
