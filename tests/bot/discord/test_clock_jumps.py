"""Changes of the machine's clock do not affect games."""

from __future__ import annotations

from typing import Any

import pytest

from bot.game.clocks import AnchoredClock
from tests.bot.clock import StepClock

HOUR = 3600.0


@pytest.fixture
def wall() -> StepClock:
    """The machine's wall clock."""
    return StepClock()


@pytest.fixture
def clock(wall: StepClock) -> AnchoredClock:
    """The bot's clock, which follows the machine's."""
    return AnchoredClock(wall)


async def test_a_jump_of_an_hour_and_back(venue: Any, wall: StepClock) -> None:
    """When the clock jumps, moves are answered, no player times out and stored times stay right."""
    began = venue.services.clock()
    await venue.ana.slash(
        venue.channel, "connect4 start", size="5x4", level="easy", clock="5m", first="me"
    )
    for jump in (HOUR, -HOUR, -HOUR, HOUR):
        wall.forward(jump)
        await venue.app.timeouts.check()
        before = len((await venue.services.store.games.find(1)).moves)
        column = await venue.best_move()
        await venue.ana.click(venue.board(), label=column)
        game = await venue.services.store.games.find(1)
        assert len(game.moves) > before
        assert game.end is None or game.end.ending != "time"
        if game.end is not None:
            break
    times = [game.started_at, *(made.at for made in game.moves)]
    assert times == sorted(times)
    assert began <= times[0]
    assert times[-1] <= venue.services.clock() < began + HOUR / 2
    assert sum(made.seconds for made in game.moves) < HOUR / 2
