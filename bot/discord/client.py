"""The Discord client: wires commands and buttons to the desk."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot.discord.commands import challenge_menu, game_commands
from bot.discord.controls import BUTTONS
from bot.discord.desk import Desk
from bot.discord.pages import CONTROLS
from bot.discord.regularly import Regularly
from bot.discord.spoken import WordsTranslator
from bot.discord.sync import sync_commands
from bot.services import Services
from engine.games import FAMILIES

INTENTS = discord.Intents(guilds=True)
"""Interactions carry all that a game needs; nothing privileged is asked for."""

EXPIRE_EVERY = 15.0
"""Seconds between two looks at which challenges and requests to undo no longer stand."""

SILENCE_EVERY = 300.0
"""Seconds between two looks at which games somebody has been silent in for long."""

# The bot has no voice, so it need not be told at every start what it would take.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


class CuatroClient(discord.Client):
    """The bot as Discord sees it."""

    def __init__(
        self,
        services: Services,
        *,
        force_sync: bool = False,
        intents: discord.Intents = INTENTS,
    ) -> None:
        """Serve games from `services`; `force_sync` sends the commands even if unchanged."""
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
        )
        self.services = services
        self.desk = Desk(self, services)
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        for family in FAMILIES.values():
            self.tree.add_command(game_commands(self.desk, family))
        self.tree.add_command(challenge_menu(self.desk, next(iter(FAMILIES.values()))))
        self._force_sync = force_sync
        self._expiry = Regularly(self.desk.openings.expire, EXPIRE_EVERY)
        self._lapse = Regularly(self.desk.undos.lapse, EXPIRE_EVERY)
        self._silence = Regularly(self.desk.silence.look, SILENCE_EVERY)
        self._background: set[asyncio.Task[None]] = set()

    async def setup_hook(self) -> None:
        """Before the connection: translations, commands, buttons of earlier runs."""
        await self.tree.set_translator(WordsTranslator())
        self.add_dynamic_items(*BUTTONS, *CONTROLS)
        await sync_commands(self.tree, self.services.store, force=self._force_sync)
        self.run_in_background(self._take_up())
        self.desk.pace.start()
        self._expiry.start()
        self._lapse.start()
        self._silence.start()

    def run_in_background(self, work: asyncio._CoroutineLike[None]) -> None:
        """Run something without waiting for it; kept alive until it is done."""
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def close(self) -> None:
        """End what runs in the background, then the connection."""
        await self.desk.pace.stop()
        await self._expiry.stop()
        await self._lapse.stop()
        await self._silence.stop()
        for task in tuple(self._background):
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await super().close()

    async def _take_up(self) -> None:
        """Once connected, make the moves that an earlier run still owes."""
        await self.wait_until_ready()
        await self.desk.take_up()
