"""Scenes in which series of games are refused."""

from __future__ import annotations

from typing import Any

from bot.settings import Rate
from tests.bot.discord.refusals_of_haste import limited
from tests.bot.discord.stage import Stage, scene

TESTED_ELSEWHERE = {"series_length": "test_rules.py: Discord offers no other numbers"}
"""Where the other refusals of series are tested."""


async def begin(stage: Stage, actor: Any) -> Any:
    """Ask for a series of games."""
    return await stage.slash(actor, "watch", games=10)


async def press_stop(actor: Any, message: Any) -> Any:
    """Press Stop under a series, in any language."""
    return await actor.click(message, custom_id=message.components[0].children[0].custom_id)


@scene("series_yours", "series_here", "series_not_yours", "series_over")
async def many_series(stage: Stage) -> None:
    """A person has one series and a server two; who asked stops one, and another can begin."""
    venue = stage.venue
    mine = await begin(stage, venue.ana)
    assert not mine.ephemeral
    kept = mine.response.message
    await stage.refuses("series_yours", lambda: begin(stage, venue.ana))
    others = [(venue.bea, await begin(stage, venue.bea))]
    await stage.refuses("series_here", lambda: begin(stage, venue.mod))
    await stage.refuses("series_not_yours", lambda: press_stop(venue.bea, kept))
    await stage.press_unseen(venue.ana, kept, "Stop")
    await stage.refuses("series_over", lambda: press_stop(venue.ana, kept))
    others.append((venue.mod, await begin(stage, venue.mod)))
    for actor, shown in others:
        assert not shown.ephemeral
        await press_stop(actor, shown.response.message)


@scene("series_guesses")
async def series_with_guesses(stage: Stage) -> None:
    """A series with a time for guesses is refused, and begins without one."""
    ana = stage.venue.ana
    await stage.refuses("series_guesses", lambda: stage.slash(ana, "watch", games=10, seconds=5))
    begun = await begin(stage, ana)
    assert not begun.ephemeral
    await press_stop(ana, begun.response.message)


@scene("often_series")
async def asking_for_series_again_and_again(stage: Stage) -> None:
    """Too many series in a short time are refused; a later one works, and single games do."""
    venue = stage.venue
    with limited(stage, series=Rate(1, 60.0)):
        first = await begin(stage, venue.ana)
        assert not first.ephemeral
        await press_stop(venue.ana, first.response.message)
        await stage.refuses("often_series", lambda: begin(stage, venue.ana))
        venue.services.clock.forward(61.0)
        again = await begin(stage, venue.ana)
        await press_stop(venue.ana, again.response.message)
        assert not (await stage.slash(venue.ana, "watch")).ephemeral
