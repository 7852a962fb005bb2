"""Scenes in which open challenges are refused."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import delete

from bot.features.open_challenges.store import OpenChallengeRow
from bot.store.tables import RatingRow
from tests.bot.discord.stage import Stage, scene
from tests.bot.features.open_challenges.posting import SECONDS, press, rate

TESTED_ELSEWHERE = {
    "open_taken": "test_discord.py: the board has taken the button away",
    "open_barred": "test_store.py, features/blocks/test_discord.py: a feature has to object",
}
"""Where the other refusals of open challenges are tested."""


@asynccontextmanager
async def cleared(stage: Stage) -> Any:
    """Delete the challenges and ratings of the block at its end."""
    yield
    for row in (OpenChallengeRow, RatingRow):
        await stage.venue.services.store.database.change(delete(row))


async def post(stage: Stage, actor: Any, **options: Any) -> Any:
    """Post an open challenge; return the result of the command."""
    return await stage.slash(actor, "start", open=True, **options)


@scene("open_yours")
async def a_second_challenge(stage: Stage) -> None:
    """A person has one open challenge; after withdrawing it they can post another."""
    ana, other = stage.venue.ana, await stage.in_another_channel()
    async with cleared(stage):
        first = await post(stage, ana)
        said = await stage.refuses("open_yours", lambda: post(other, ana))
        assert first.response.message.jump_url in said
        await press(ana, first.followups[0], "withdraw")
        assert not (await post(other, ana)).ephemeral


@scene("open_direct")
async def a_challenge_in_private(stage: Stage) -> None:
    """In direct messages no one could join; a game against the bot can begin there."""
    user = stage.venue.ana.user
    await user.send_dm("hello")

    async def ask() -> Any:
        return await user.slash(f"{stage.family} start", open=True)

    await stage.refuses("open_direct", ask)


@scene("open_over")
async def too_late(stage: Stage) -> None:
    """A challenge whose time is up cannot be joined; one's own can be posted."""
    bea = stage.venue.bea
    async with cleared(stage):
        message = (await post(stage, stage.venue.ana)).response
        stage.venue.services.clock.forward(SECONDS)
        await stage.refuses("open_over", lambda: press(bea, message, "join"))
        refused = await press(bea, message, "join")
        form = await press(bea, refused.response, "form")
        assert not (await press(bea, form.response, "send")).followups[0].ephemeral


@scene("range_unrated")
async def a_range_without_a_rating(stage: Stage) -> None:
    """Without a rating there is no range; anyone can be asked."""
    ana = stage.venue.ana
    async with cleared(stage):
        await stage.refuses("range_unrated", lambda: post(stage, ana, range=200))
        assert not (await post(stage, ana)).ephemeral


@scene("open_unrated", "open_rating")
async def other_ratings(stage: Stage) -> None:
    """People outside of the range are refused, and those within it join."""
    venue, store = stage.venue, stage.venue.services.store
    async with cleared(stage):
        await rate(store, venue.ana.id, 1000.0, stage.family)
        message = (await post(stage, venue.ana, range=50)).response
        await stage.refuses("open_unrated", lambda: press(venue.bea, message, "join"))
        await rate(store, venue.bea.id, 1051.0, stage.family)
        await rate(store, venue.mod.id, 951.0, stage.family)
        await stage.refuses("open_rating", lambda: press(venue.bea, message, "join"))
        await press(venue.mod, message, "join")
        assert (await stage.game()).people == (venue.ana.id, venue.mod.id)
