"""Scenes in which the queue refuses."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import delete

from bot.features.queue.rules import SECONDS
from bot.features.queue.store import QueuePlaceRow
from tests.bot.discord.stage import Stage, scene
from tests.bot.features.queue.waiting import find, press


@asynccontextmanager
async def cleared(stage: Stage) -> Any:
    """Delete the places of the block at its end."""
    yield
    await stage.venue.services.store.database.change(delete(QueuePlaceRow))


@scene("queue_direct")
async def nobody_waits_in_private(stage: Stage) -> None:
    """In direct messages there is no queue; a game against the bot can begin there."""
    user = stage.venue.ana.user
    await user.send_dm("hello")
    helped = await user.slash("help")
    await user.select(helped.response, ["friends"], custom_id="cuatro:help:topic")
    await stage.refuses("queue_direct", lambda: press(user, helped.response, "find"))


@scene("queue_over")
async def a_place_that_has_ended(stage: Stage) -> None:
    """The controls of a place whose time is up offer to look again."""
    ana = stage.venue.ana
    async with cleared(stage):
        waiting = await find(ana, stage.channel)
        stage.venue.services.clock.forward(SECONDS)
        await stage.refuses("queue_over", lambda: press(ana, waiting.response, "leave"))
        refused = await press(ana, waiting.response, "leave")
        again = await press(ana, refused.response, "find")
        await press(ana, again.response, "leave")


@scene("queue_question")
async def a_question_for_others(stage: Stage) -> None:
    """Only the two people who were asked whether to begin answer; others can look, too."""
    venue = stage.venue
    async with cleared(stage):
        other = await stage.in_another_channel()
        await other.begins(venue.ana)
        await find(venue.ana, stage.channel)
        await find(venue.bea, stage.channel)
        question = stage.channel.history()[-1]
        await stage.refuses("queue_question", lambda: press(venue.mod, question, "yes"))
        refused = await press(venue.mod, question, "no")
        await press(venue.mod, (await press(venue.mod, refused.response, "find")).response, "leave")
