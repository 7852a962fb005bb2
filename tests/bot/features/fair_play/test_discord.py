"""A rated game between people, and what its players may ask about meanwhile."""

from __future__ import annotations

from typing import Any

from tests.bot.discord.stage import Stage
from tests.bot.present import needs

RUNNING = list("123456")


async def refused(stage: Stage, actor: Any, label: str) -> bool:
    """Whether pressing a button of the board is refused because of the rated game."""
    shown = await stage.press(actor, label)
    messages = [m for m in (shown.response, *shown.followups) if m is not None]
    return "your rated game" in messages[-1].content


@needs("reviews")
async def test_a_review_waits_for_the_rated_game(venue: Any) -> None:
    """Its players get none of a related game; others do, and they do afterwards."""
    stage = Stage(venue, "connect4", venue.channel)
    there = Stage(venue, "connect4", venue.other_channel)
    await there.pair()
    await there.make(RUNNING)
    await there.resign(venue.ana)
    assert not await refused(there, venue.ana, "Review")
    await stage.pair()
    await stage.make(RUNNING)
    for player in (venue.ana, venue.bea):
        assert await refused(there, player, "Review")
    assert not await refused(there, venue.mod, "Review")
    await stage.resign(venue.bea)
    assert not await refused(there, venue.bea, "Review")
