"""The Discord client: connects commands, buttons and periodic tasks to the handlers."""

from __future__ import annotations

import aiohttp
import discord
from discord import app_commands

from bot.discord.background import GRACE, Background
from bot.discord.commands import challenge_menu, game_commands
from bot.discord.controls import BUTTONS
from bot.discord.handlers import build_handlers, presses_for
from bot.discord.list_controls import LIST_CONTROLS
from bot.discord.questions import AnswerButton
from bot.discord.replay_controls import StepButton
from bot.discord.spoken import WordsTranslator
from bot.discord.sync import sync_commands
from bot.discord.ticker import Ticker
from bot.discord.welcome import WELCOME_BUTTONS
from bot.services import Services
from bot.table.session import Session
from engine.games import FAMILIES

INTENTS = discord.Intents(guilds=True)
"""Interactions carry everything a game needs, so no privileged intent is requested."""

CLOSE_QUESTIONS_EVERY = 15.0
"""Seconds between two checks for challenges and undo requests that no longer stand."""

# The bot has no voice; without this it would log at every start what voice needs.
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
        http_trace: aiohttp.TraceConfig | None = None,
    ) -> None:
        """Serve games from `services`.

        Args:
            services: The games, and all that is done with them.
            force_sync: Whether to send the commands even if unchanged.
            intents: What to be told by Discord.
            http_trace: Is told of all requests to Discord.
        """
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            http_trace=http_trace or aiohttp.TraceConfig(),
        )
        self.services = services
        self.handlers = build_handlers(self, services)
        self.presses = presses_for(self.handlers)
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        for family in FAMILIES.values():
            self.tree.add_command(game_commands(self.handlers, family))
        self.tree.add_command(challenge_menu(self.handlers, next(iter(FAMILIES.values()))))
        self._force_sync = force_sync
        self._tickers = (
            Ticker(self.handlers.playback.advance, services.settings.watch_pace),
            Ticker(self.handlers.challenges.expire, CLOSE_QUESTIONS_EVERY),
            Ticker(self.handlers.undos.lapse, CLOSE_QUESTIONS_EVERY),
            Ticker(self.handlers.draws.lapse, CLOSE_QUESTIONS_EVERY),
        )
        self._background = Background()

    async def setup_hook(self) -> None:
        """Before connecting: register translations, commands and buttons; start what recurs."""
        await self.tree.set_translator(WordsTranslator())
        self.add_dynamic_items(*BUTTONS, AnswerButton, StepButton, *LIST_CONTROLS, *WELCOME_BUTTONS)
        await sync_commands(self.tree, self.services.store, force=self._force_sync)
        self._background.run(self._resume())
        for ticker in self._tickers:
            ticker.start()
        self.services.ratings.on_rated = self._show_rated
        self.services.ratings.wake()
        self.handlers.timeouts.start()

    async def close(self) -> None:
        """Stop the background work, then disconnect."""
        self.services.ratings.on_rated = None
        await self.handlers.timeouts.stop()
        for ticker in self._tickers:
            await ticker.stop()
        # What waits for a connection that never came has nothing to finish.
        await self._background.stop(GRACE if self.is_ready() else 0.0)
        await super().close()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that has just added the bot."""
        await self.handlers.joining.greet(guild)

    def _show_rated(self, session: Session) -> None:
        """Show what a game has changed in ratings, once that is known."""
        self._background.run(self.handlers.boards.show(session))

    async def _resume(self) -> None:
        """Once connected, make the moves that an earlier run did not get to."""
        await self.wait_until_ready()
        await self.handlers.runner.resume_all()
