"""The one timer for everything that becomes due."""

from __future__ import annotations

import asyncio

from bot.sessions.running import Alarm
from tests.bot.clock import StepClock


async def test_it_rings_at_the_earliest_time() -> None:
    """A later time does not put it off; once it has rung, it must be set again."""
    rung, clock = asyncio.Event(), StepClock(1000.0)
    alarm = Alarm(clock)
    alarm.ring_by(0.0)
    alarm.start(rung.set)
    await asyncio.wait_for(rung.wait(), 30)
    rung.clear()
    alarm.ring_by(5000.0)
    alarm.ring_by(None)
    await asyncio.sleep(0.02)
    assert not rung.is_set()
    alarm.ring_by(1000.01)
    alarm.ring_by(2000.0)
    await asyncio.wait_for(rung.wait(), 30)
    rung.clear()
    await asyncio.sleep(0.02)
    assert not rung.is_set()


async def test_a_stopped_alarm_stays_silent() -> None:
    """Even if it had been set before."""
    rung, alarm = asyncio.Event(), Alarm(StepClock(0.0))
    alarm.start(rung.set)
    alarm.stop()
    alarm.ring_by(0.0)
    await asyncio.sleep(0.02)
    assert not rung.is_set()
