"""The frame around every handler: it answers for requests that are refused or fail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import discord
from discord import Interaction

from bot.discord.arrivals import Arrivals
from bot.discord.discord_time import DiscordTime
from bot.discord.door import NOT_CLAIMED
from bot.discord.interactions import channel_of
from bot.discord.late import acknowledged_in_time, has_answer, reply_privately
from bot.discord.names import NameBook
from bot.discord.permissions import missing_permissions
from bot.discord.reasons import Reasons
from bot.play.sessions import Sessions
from bot.store import UNCONFIRMED, Unavailable
from bot.store.time_limits import Request, answering_person
from bot.table.refusal import Refusal, TooLate
from bot.telemetry import SILENT, Meter, note
from bot.words import say_for
from engine.core.registry import default_game

T = TypeVar("T")
logger = logging.getLogger(__name__)

FIRST_FAMILY = default_game().key


class Answering:
    """Wraps a handler's work: `async with answering(interaction, family): ...`."""

    def __init__(
        self,
        client: discord.Client,
        sessions: Sessions,
        names: NameBook,
        time: DiscordTime,
        arrivals: Arrivals,
        meter: Meter = SILENT,
    ) -> None:
        """Note in `names` who asks, in `time` and `arrivals` when; tell `meter` of refusals.

        `sessions` know which game a text is about.
        """
        self._meter = meter
        self._client = client
        self._time = time
        self._sessions = sessions
        self._names = names
        self._arrivals = arrivals
        self._reasons = Reasons(names)
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closing = asyncio.Event()
        self.is_late = arrivals.is_late

    def require_in_time(self, interaction: Interaction[Any]) -> None:
        """Raise TooLate for what can no longer be acknowledged: nobody would know it was done."""
        if self.is_late(interaction):
            raise TooLate

    async def unless_closing(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Do something that takes its time; None as soon as the bot closes."""
        task = asyncio.get_running_loop().create_task(work)
        closing = asyncio.get_running_loop().create_task(self._closing.wait())
        await asyncio.wait({task, closing}, return_when=asyncio.FIRST_COMPLETED)
        closing.cancel()
        if task.done():
            return await task
        # It ends by itself when the searches are stopped, and nobody asks how.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return None

    async def finish(self, grace: float) -> None:
        """Let the requests under way be answered within `grace` seconds."""
        self._closing.set()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=grace)

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
        self._time.note(interaction.id)
        self._arrivals.note(interaction)
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        # Each interaction has a task of its own, in which discord.py also logs what fails.
        note(channel=interaction.channel_id, guild=interaction.guild_id)
        is_acknowledged = interaction.response.is_done
        with answering_person(is_acknowledged, NOT_CLAIMED.get()) as request:
            async with self._answered(interaction, family, request):
                yield

    @asynccontextmanager
    async def _answered(
        self, interaction: Interaction[Any], family: str | None, request: Request
    ) -> AsyncIterator[None]:
        try:
            async with acknowledged_in_time(interaction):
                yield
        except TooLate:
            logger.warning("a move came too late and was not made")
            await reply_privately(interaction, say_for(interaction.locale.value)("error.too_late"))
        except Refusal as refusal:
            await self._refuse(interaction, family, refusal)
        except Unavailable as error:
            # It has been logged where it was noticed, once and not for everybody it meets.
            trouble_reason = error.reason
            if request.has_stored:
                if has_answer(interaction):
                    # It has been told what was stored; the board shows the rest later.
                    return
                trouble_reason = UNCONFIRMED
            # Which game the channel has would be asked of the database.
            await self._refuse(
                interaction, family or FIRST_FAMILY, Refusal(f"store_{trouble_reason}")
            )
        except Exception as error:
            missing = missing_permissions(interaction)
            if isinstance(error, discord.Forbidden) and missing:
                logger.warning("the bot may not do this here: %s", error)
                reason = Refusal("missing_permissions", missing=missing)
                await self._refuse(interaction, family, reason)
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

    async def _refuse(
        self, interaction: Interaction[Any], family: str | None, refusal: Refusal
    ) -> None:
        """Count a refusal, and answer with its reason."""
        self._meter.refused(refusal.key.removeprefix("refusal."))
        await reply_privately(interaction, await self._reason(interaction, family, refusal))

    async def _reason(
        self, interaction: Interaction[Any], family: str | None, refusal: Refusal
    ) -> str:
        say = say_for(interaction.locale.value)
        return await self._reasons.text(refusal, family or await self._family_in(interaction), say)

    async def _family_in(self, interaction: Interaction[Any]) -> str:
        """The family of the channel's game, or the first family if there is none."""
        try:
            session = await self._sessions.current(channel_of(interaction))
        except Unavailable:
            return FIRST_FAMILY
        return FIRST_FAMILY if session is None else session.game.key
