"""Scenes in which blocks refuse challenges, and in which blocking is refused."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import delete

from bot.features.blocks.store import BlockRow
from tests.bot.discord.stage import Stage, scene

MENU = "Block challenges"
"""The entry in people's context menus."""


@asynccontextmanager
async def blocking(stage: Stage) -> Any:
    """Let Bea block Ana; yield what she reads, and delete all blocks at the end."""
    venue = stage.venue
    yield (await venue.bea.context_menu(stage.channel, MENU, venue.ana)).response
    await venue.services.store.database.change(delete(BlockRow))


@scene("takes_no_challenges")
async def a_challenge_to_somebody_who_blocks(stage: Stage) -> None:
    """Who is blocked can challenge others, or play against Cuatro."""
    ana, bea = stage.venue.ana, stage.venue.bea
    async with blocking(stage):
        await stage.refuses("takes_no_challenges", lambda: stage.slash(ana, "start", opponent=bea))
        await stage.withdraw(ana, await stage.offers(ana, stage.venue.mod))
        await stage.begins(ana)


@scene("you_block")
async def a_challenge_to_somebody_blocked(stage: Stage) -> None:
    """A person who blocks another can challenge them after the press of Unblock."""
    ana, bea = stage.venue.ana, stage.venue.bea
    async with blocking(stage):
        await stage.refuses("you_block", lambda: stage.slash(bea, "start", opponent=ana))
        stage.venue.speak("en-US")
        refused = await stage.slash(bea, "start", opponent=ana)
        await bea.click(refused.response, label="Unblock")
        await stage.offers(bea, ana)


@scene("block_self", "block_bot")
async def nobody_to_block(stage: Stage) -> None:
    """Oneself and bots cannot be blocked; another person can."""
    venue = stage.venue
    robot = venue.env.guild.add_member(venue.env.create_user("robot", bot=True))
    for key, other in (("block_self", venue.bea), ("block_bot", robot)):
        await stage.refuses(
            key, lambda other=other: venue.bea.context_menu(stage.channel, MENU, other)
        )
    async with blocking(stage) as blocked:
        assert blocked.components
