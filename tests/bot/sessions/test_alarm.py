"""The single timer for everything that becomes due."""

from __future__ import annotations

import asyncio

from bot.sessions.running import Alarm
from tests.bot.clock import StepClock


async def test_it_rings_at_the_earliest_time() -> None:
    """An alarm rings at the earliest time that was set, and must be set again afterwards."""
    rung, clock = asyncio.Event(), StepClock(1000.0)
    alarm = Alarm(clock)
    alarm.ring_by(0.0)
    alarm.start(rung.set)
    await asyncio.wait_for(rung.wait(), 60)
    rung.clear()
    alarm.ring_by(5000.0)
    alarm.ring_by(None)
    await asyncio.sleep(0.02)
    assert not rung.is_set()
    alarm.ring_by(1000.01)
    alarm.ring_by(2000.0)
    await asyncio.wait_for(rung.wait(), 60)
    rung.clear()
    await asyncio.sleep(0.02)
    assert not rung.is_set()


async def test_a_stopped_alarm_stays_silent() -> None:
    """A stopped alarm does not ring, even if it had been set before."""
    rung, alarm = asyncio.Event(), Alarm(StepClock(0.0))
    alarm.start(rung.set)
    alarm.stop()
    alarm.ring_by(0.0)
    await asyncio.sleep(0.02)
    assert not rung.is_set()
