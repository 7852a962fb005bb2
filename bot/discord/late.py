"""Answers within three seconds, after which Discord takes none, also where storing takes longer.

A request that is still at work after 1.8 seconds is acknowledged: at a button silently, at a
command with a private message to wait, which the answer then replaces. Handlers answer through this
module and need not know whether that has happened.

A locked SQLite file is waited for behind that acknowledgement, as is a server that answers slowly.
A server that does not answer at all is given up before that (`bot.store.time_limits`), and the
first answer is the message that says so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

import discord
from discord import Interaction, InteractionResponseType, InteractionType
from discord.utils import MISSING

from bot.discord.interactions import ANSWER, NO_PINGS, UNREACHABLE
from bot.discord.lifelines import Edit
from bot.words import say_for
from bot.words.plain import fitting

logger = logging.getLogger(__name__)

LATE = 1.8
"""Seconds after which a request is acknowledged whatever becomes of it."""
_TURN, _TOLD = "late.turn", "late.told"
"""What is noted of an interaction: a lock for whoever answers it, and that it was told to wait."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A public message that answers an interaction."""

    id: int
    edit: Edit | None
    """Edits it through the interaction; None where it is the interaction's own answer."""


@asynccontextmanager
async def acknowledged_in_time(interaction: Interaction[Any]) -> AsyncIterator[None]:
    """Acknowledge an interaction if the block does not do so in time."""
    loop, late = asyncio.get_running_loop(), []
    # Claiming an interaction that several processes are told of has taken some of the time.
    passed = max(0.0, monotonic() - interaction.extras.get("arrived", monotonic()))
    left = max(0.0, LATE - passed)
    timer = loop.call_later(left, lambda: late.append(loop.create_task(_hold(interaction))))
    try:
        yield
    finally:
        timer.cancel()
        await asyncio.gather(*late)


async def acknowledge(interaction: Interaction[Any]) -> None:
    """Acknowledge a button silently, unless that was done."""
    async with _turn(interaction):
        if not interaction.response.is_done():
            await interaction.response.defer()


def has_answer(interaction: Interaction[Any]) -> bool:
    """Whether somebody has been told more than that they have to wait."""
    waits = (
        InteractionResponseType.deferred_channel_message,
        InteractionResponseType.deferred_message_update,
    )
    is_told_to_wait = bool(interaction.extras.get(_TOLD, False))
    return interaction.response.type not in (None, *waits) and not is_told_to_wait


async def tell(interaction: Interaction[Any], text: str, view: discord.ui.View = MISSING) -> None:
    """Answer privately, whether or not the interaction has been answered already."""
    text = fitting(text)
    async with _turn(interaction):
        parts: dict[str, Any] = {"view": view, "allowed_mentions": NO_PINGS}
        if not interaction.response.is_done():
            await interaction.response.send_message(text, ephemeral=True, **parts)
        elif interaction.extras.pop(_TOLD, False):
            await interaction.edit_original_response(content=text, **parts)
        else:
            await interaction.followup.send(text, ephemeral=True, **parts)


async def reply_privately(interaction: Interaction[Any], text: str) -> None:
    """Answer privately, in limited time; a failure is only logged."""
    try:
        async with asyncio.timeout(ANSWER):
            await tell(interaction, text)
    except UNREACHABLE as error:
        logger.warning("a private reply could not be sent: %r", error)


async def replace(interaction: Interaction[Any], text: str) -> None:
    """Put a text in the place of the message whose button was pressed, without its buttons."""
    async with _turn(interaction):
        if interaction.response.is_done():
            await interaction.edit_original_response(content=text, view=None)
        else:
            await interaction.response.edit_message(content=text, view=None)


async def change_buttons(interaction: Interaction[Any], view: discord.ui.View) -> None:
    """Give the message whose button was pressed other buttons."""
    async with _turn(interaction):
        if interaction.response.is_done():
            await interaction.edit_original_response(view=view)
        else:
            await interaction.response.edit_message(view=view)


async def post(interaction: Interaction[Any], text: str, **parts: Any) -> Posted:
    """Answer with a message for everybody in the channel."""
    async with _turn(interaction):
        if not interaction.response.is_done():
            answer = await interaction.response.send_message(text, **parts)
            assert answer.message_id is not None
            return Posted(answer.message_id, None)
        sent = await interaction.followup.send(text, wait=True, **parts)
        if interaction.extras.pop(_TOLD, False):
            await _forget(interaction)
        return Posted(sent.id, sent.edit)


async def _forget(interaction: Interaction[Any]) -> None:
    """Remove the word to wait."""
    try:
        await interaction.delete_original_response()
    except UNREACHABLE as error:
        logger.info("a word to wait stays where it is: %s", error)


async def _hold(interaction: Interaction[Any]) -> None:
    """Acknowledge an interaction that nobody has answered yet."""
    async with _turn(interaction):
        if interaction.response.is_done():
            return
        try:
            if interaction.type is InteractionType.component:
                await interaction.response.defer()
            else:
                text = say_for(interaction.locale.value)("late.wait")
                await interaction.response.send_message(text, ephemeral=True)
                interaction.extras[_TOLD] = True
        except UNREACHABLE as error:
            logger.warning("an interaction could not be acknowledged: %s", error)


def _turn(interaction: Interaction[Any]) -> asyncio.Lock:
    lock: asyncio.Lock = interaction.extras.setdefault(_TURN, asyncio.Lock())
    return lock
