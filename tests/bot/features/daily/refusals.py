"""Scenes in which a server's subscription to the daily puzzle is refused."""

from __future__ import annotations

from functools import partial
from typing import Any

import discord

from bot.features.puzzles.rules import classes_with_puzzles
from tests.bot.board.test_permissions import forbid
from tests.bot.discord.stage import Stage, scene


@scene("daily_is_off")
async def no_puzzle_of_the_day(stage: Stage) -> None:
    """A subscription that does not exist cannot be ended."""
    if classes_with_puzzles(stage.family):
        dia = manager(stage)
        await stage.refuses("daily_is_off", lambda: stage.slash(dia, "daily", post="off"))
        await stage.slash(dia, "daily", channel=stage.channel)
        assert "no more" in (await stage.slash(dia, "daily", post="off")).response.content


@scene("daily_not_yours")
async def another_persons_server(stage: Stage) -> None:
    """A member who may not manage the server cannot subscribe it, but can solve today's puzzle."""
    if classes_with_puzzles(stage.family):
        ana = stage.venue.ana
        for options in ({"post": "on"}, {"post": "off"}, {"hour": 3}, {"channel": stage.channel}):
            await stage.refuses(
                "daily_not_yours", lambda options=options: stage.slash(ana, "daily", **options)
            )
        asked = await stage.slash(ana, "daily")
        assert asked.ephemeral
        assert asked.response.attachments


@scene("daily_in_private")
async def no_server_at_all(stage: Stage) -> None:
    """A direct message cannot be subscribed, but today's puzzle can be solved there."""
    if classes_with_puzzles(stage.family):
        ana = stage.venue.ana.user
        await ana.send_dm("hello")
        daily = partial(ana.slash, "daily", game=stage.family)
        await stage.refuses("daily_in_private", lambda: daily(post="on"))
        assert (await daily()).response.attachments


@scene("daily_closed")
async def a_channel_that_is_closed(stage: Stage) -> None:
    """A channel without the needed permissions is refused and they are named; another one works."""
    if classes_with_puzzles(stage.family):
        dia, closed = manager(stage), await stage.in_another_channel()
        await forbid(stage.venue, "send_messages", channel=closed.channel)
        said = await stage.refuses(
            "daily_closed", lambda: stage.slash(dia, "daily", channel=closed.channel), ("es", "en")
        )
        assert f"<#{closed.channel.id}>" in said
        assert "Send Messages" in said
        await stage.refuses("daily_closed", lambda: closed.slash(dia, "daily", post="on"))
        begun = await stage.slash(dia, "daily", channel=stage.channel)
        assert f"<#{stage.channel.id}>" in begun.response.content


def manager(stage: Stage) -> Any:
    """A person who may manage the server."""
    env = stage.venue.env
    role = env.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    return env.guild.add_member(env.create_user(f"dia{stage.family}"), roles=[role])
