"""The frame around every handler: it answers for requests that are refused or fail."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
from discord import Interaction

from bot.discord.interactions import channel_of, reply_privately
from bot.discord.names import NameBook
from bot.discord.permissions import missing_permissions
from bot.discord.reasons import Reasons
from bot.play.sessions import Sessions
from bot.table.refusal import Refusal
from bot.telemetry import SILENT, Meter, note
from bot.words import say_for
from engine.games import FAMILIES

logger = logging.getLogger(__name__)

FIRST_FAMILY = next(iter(FAMILIES))


class Answering:
    """Wraps a handler's work: `async with answering(interaction, family): ...`."""

    def __init__(
        self, client: discord.Client, sessions: Sessions, names: NameBook, meter: Meter = SILENT
    ) -> None:
        """Note in `names` who asks; `sessions` know which game a text is about."""
        self._meter = meter
        self._client = client
        self._sessions = sessions
        self._names = names
        self._reasons = Reasons(names)

    @asynccontextmanager
    async def __call__(
        self, interaction: Interaction[Any], family: str | None = None
    ) -> AsyncIterator[None]:
        """Reply privately if the block is refused or fails; failures also reach the log.

        Args:
            interaction: What is being answered.
            family: The game whose command was used; None for a button.
        """
        self._names.note(interaction.user)
        # Each interaction has a task of its own, in which discord.py also logs what fails.
        note(channel=interaction.channel_id, guild=interaction.guild_id)
        try:
            yield
        except Refusal as refusal:
            self._meter.refused(refusal.key.removeprefix("refusal."))
            await reply_privately(interaction, await self._reason(interaction, family, refusal))
        except Exception as error:
            missing = missing_permissions(interaction)
            if isinstance(error, discord.Forbidden) and missing:
                logger.warning("the bot may not do this here: %s", error)
                reason = Refusal("missing_permissions", missing=missing)
                await reply_privately(interaction, await self._reason(interaction, family, reason))
                return
            if self._client.is_closed():
                # Everything stored is safe; the next run shows it.
                logger.info("an answer was cut short as the bot shut down: %s", error)
                return
            self._meter.failed()
            say = say_for(interaction.locale.value)
            game = say(f"command.{family or FIRST_FAMILY}.name")
            await reply_privately(interaction, say("error.unexpected", game=game))
            raise

    async def _reason(
        self, interaction: Interaction[Any], family: str | None, refusal: Refusal
    ) -> str:
        say = say_for(interaction.locale.value)
        return await self._reasons.text(refusal, family or await self._family_in(interaction), say)

    async def _family_in(self, interaction: Interaction[Any]) -> str:
        """The family of the channel's game, or the first family if there is none."""
        session = await self._sessions.current(channel_of(interaction))
        return FIRST_FAMILY if session is None else session.game.key
