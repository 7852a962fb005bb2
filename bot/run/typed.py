"""Slash commands typed as a line of text on the local page.

The page has a composer that offers commands as Discord does, but a line such as
`/connect4 start size:5x4 level:medium` or `/connect4 drop 3` that is typed or pasted whole arrives
there as an ordinary message. Here it is run as the command it names, or answered if it names none.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import discord
import simcord
from discord import Locale, app_commands

from bot.discord.client import INTENTS, CuatroClient
from bot.discord.interactions import NO_PINGS
from bot.run.language import LOCALES, LanguageButton
from bot.run.lines import Mistyped, People, language_of, read_line
from bot.services import Services
from bot.words import say_for
from bot.words.plain import cleaned, fitting

logger = logging.getLogger(__name__)

PATIENCE = 0.05
"""Seconds until something is tried again that the page was too busy for."""
PAGE_LANGUAGE = "page:language"
"""The note under which the page's language is kept."""
_READING = discord.Intents(guild_messages=True, message_content=True)


class TypingClient(CuatroClient):
    """The bot, with an ear for messages: offline there is nobody whose privacy that touches.

    It also knows who has switched the page to another language, which on Discord each person's own
    client tells.
    """

    def __init__(self, services: Services) -> None:
        """Serve games from `services`."""
        super().__init__(services, force_sync=True, intents=INTENTS | _READING)
        self.typed: asyncio.Queue[discord.Message] = asyncio.Queue()
        self.locale = Locale.american_english
        """The language that people on the page use."""
        self.on_locale: Callable[[Locale], None] = lambda locale: None
        """Is told of every other one; whoever shows the page sets it."""

    async def setup_hook(self) -> None:
        """Find out in which language the page was left."""
        self.add_dynamic_items(LanguageButton)
        kept = await self.services.store.notes.find(PAGE_LANGUAGE)
        self.locale = LOCALES.get(kept or "", self.locale)
        await super().setup_hook()

    async def speak(self, language: str) -> None:
        """Switch the page to a language, now and at later starts."""
        self.locale = LOCALES[language]
        self.on_locale(self.locale)
        await self.services.store.notes.put(PAGE_LANGUAGE, language)

    def dispatch(self, event: str, /, *args: Any, **more: Any) -> None:
        """Give interactions the page's language before anything answers them."""
        if event == "interaction":
            args[0].locale = self.locale
        super().dispatch(event, *args, **more)

    async def on_message(self, message: discord.Message) -> None:
        """Take in what may be a typed command."""
        if not message.author.bot and message.content.startswith("/"):
            self.typed.put_nowait(message)


class TypedLines:
    """Runs the commands that people type, one after the other."""

    def __init__(
        self,
        client: TypingClient,
        channel: simcord.ChannelHandle,
        people: People,
        refresh: Callable[[], Awaitable[None]],
    ) -> None:
        """Run what `people` type in `channel`; `refresh` shows what has changed."""
        self._client = client
        self._channel = channel
        self._people = people
        self._refresh = refresh
        self._groups = [
            group for group in client.tree.get_commands() if isinstance(group, app_commands.Group)
        ]
        self._mistyped: dict[int, tuple[discord.Message, discord.Message]] = {}
        """By person, the last line that named no command, and the answer to it."""

    async def run(self) -> None:
        """Run what is typed; never returns."""
        while True:
            message = await self._client.typed.get()
            actor = self._people.get(message.author.id)
            if actor is None:
                continue
            try:
                await self._take(message, actor)
                await once_idle(self._refresh)
            except Exception:
                # One line that fails must not leave all later ones unanswered.
                logger.exception("%s could not be run", cleaned(message.content))

    async def _take(self, message: discord.Message, actor: simcord.MemberActor) -> None:
        """Run a line, or say what is wrong with it; the next line takes both away."""
        await self._tidy(actor)
        locale = language_of(self._groups, message.content, self._client.locale.value)
        try:
            command = read_line(self._groups, message.content, self._people, locale)
        except Mistyped as wrong:
            text = say_for(locale)(f"typed.{wrong.key}", **wrong.details)
            answer = await message.reply(fitting(text), allowed_mentions=NO_PINGS)
            self._mistyped[actor.id] = (message, answer)
        else:
            await once_idle(actor.slash, self._channel, command.name, **command.options)
            await once_idle(actor.delete, message)

    async def _tidy(self, actor: simcord.MemberActor) -> None:
        """Remove the last mistyped line and its answer, where they still are."""
        line, answer = self._mistyped.pop(actor.id, (None, None))
        if line is None or answer is None:
            return
        with suppress(simcord.BackendError):
            await once_idle(actor.delete, line)
        with suppress(discord.NotFound):
            await answer.delete()


async def once_idle(work: Callable[..., Awaitable[Any]], *args: Any, **options: Any) -> None:
    """Do something as soon as the offline Discord is not busy with something else."""
    while True:
        try:
            await work(*args, **options)
        except simcord.SetupError as error:
            if "overlaps" not in str(error):
                logger.warning("a typed command was not run: %s", error)
                return
            await asyncio.sleep(PATIENCE)
        else:
            return
