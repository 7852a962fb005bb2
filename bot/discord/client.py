"""The Discord client: connects commands, buttons and periodic tasks to the handlers.

The client of a bot that is so large that Discord shares its servers out among shards.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.state import ConnectionState

from bot.app import Services, build_parts
from bot.board import convergence
from bot.board.challenges import AnswerButton
from bot.board.starting import challenge_menu
from bot.board.welcome import WELCOME_BUTTONS
from bot.database.errors import Unavailable
from bot.discord.answering import Arrivals
from bot.discord.background import GRACE, Background, Ticker, with_flights
from bot.discord.commands import WordsTranslator, game_group, sync_commands
from bot.discord.gateway import Checks, IdentifyQueue, InteractionGate, LeanShardedState, LeanState
from bot.discord.replies import reply_privately
from bot.discord.routes import Router
from bot.drills.discord import DRILL_BUTTONS
from bot.features.analysis.discord import ExploreButton
from bot.features.daily import discord as daily_poster
from bot.features.hints.discord import HintButton
from bot.features.lessons.discord import LESSON_CONTROLS
from bot.features.privacy import discord as departure_handler
from bot.features.privacy.discord import ForgetButton, privacy_commands
from bot.features.replays import StepButton
from bot.features.statistics.discord import LIST_CONTROLS
from bot.game.session import Session
from bot.handlers import (
    BUTTONS,
    build_handlers,
    core_of,
    core_routes,
    own_commands,
    presses_for,
    unconverted_buttons,
    unconverted_deadlines,
    unconverted_lines,
)
from bot.i18n import say_for
from bot.shards import Shards
from engine.core.registry import default_game, games

logger = logging.getLogger(__name__)

INTENTS = discord.Intents(guilds=True)
"""Interactions carry everything a game needs, so no privileged intent is requested."""

CLOSE_QUESTIONS_EVERY = 15.0
"""Seconds between two checks for challenges and undo requests that no longer stand."""

ITEMS = (
    *BUTTONS,
    *LIST_CONTROLS,
    *WELCOME_BUTTONS,
    *DRILL_BUTTONS,
    *LESSON_CONTROLS,
    HintButton,
    AnswerButton,
    StepButton,
    ExploreButton,
    ForgetButton,
)
"""All buttons and menus that keep working after a restart."""

HEARTBEAT_TIMEOUT = 60.0
"""Seconds without a word from the gateway after which the connection is taken for dead."""

# The bot has no voice; without this it would log at every start what voice needs.
discord.VoiceClient.warn_nacl = False

discord.VoiceClient.warn_dave = False


class CuatroClient(discord.Client):
    """The bot as Discord sees it."""

    is_sharded = False
    """Whether other processes may be told of the same interactions from the start."""

    def __init__(
        self,
        services: Services,
        *,
        force_sync: bool = False,
        is_timed: bool = False,
        intents: discord.Intents = INTENTS,
        http_trace: aiohttp.TraceConfig | None = None,
        **options: Any,
    ) -> None:
        """Serve games from `services`.

        Args:
            services: What the games are kept and played with.
            force_sync: Whether the commands are sent even if they have not changed.
            is_timed: Whether interactions can come too late, as on Discord itself.
            intents: What the gateway is to tell of.
            http_trace: Is told of all requests to Discord.
            options: What else discord.py is to know, such as shards.
        """
        presence = services.presence
        self.arrivals = Arrivals(services.clock, is_measured=is_timed)
        presence.on_suspended = self.arrivals.suspended
        checks = Checks(presence.notice, presence.certain, self.arrivals.is_stale, self._reject)
        # discord.py builds its state, which needs the gate, in its constructor.
        self.gate = InteractionGate(services.store.claims, checks, is_shared=self.is_sharded)
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            # Interactions bring the members and messages that they are about.
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            http_trace=with_flights(http_trace or aiohttp.TraceConfig()),
            heartbeat_timeout=HEARTBEAT_TIMEOUT,
            **options,
        )
        self.services = services
        self.handlers = build_handlers(self, services, self.arrivals)
        presence.before_giving = self.handlers.convergence.note
        self.presses = presses_for(self.handlers)
        self.parts = build_parts(
            core_of(self, services, self.handlers),
            unconverted_lines(services, self.handlers.names),
            unconverted_buttons(),
            unconverted_deadlines(services),
        )
        routes = (route for one in self.parts for route in one.routes)
        own_routes = core_routes(self.handlers)
        self.router = Router((*own_routes, *routes), self.handlers.answering)
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        own = own_commands(self.handlers)
        factories = [factory for one in self.parts for factory in one.commands]
        for family in games().values():
            self.tree.add_command(game_group(family, (*own, *factories), self.handlers.answering))
        self.tree.add_command(privacy_commands(self.handlers))
        self.tree.add_command(challenge_menu(self.handlers, default_game()))
        self._force_sync = force_sync
        self._tickers = (
            Ticker(self.handlers.playback.advance, services.settings.watch_pace),
            Ticker(self._expire_challenges, CLOSE_QUESTIONS_EVERY),
            Ticker(self.handlers.undos.lapse, CLOSE_QUESTIONS_EVERY),
            Ticker(self.handlers.draws.lapse, CLOSE_QUESTIONS_EVERY),
            Ticker(self.handlers.departures.check, departure_handler.EVERY),
            Ticker(self._converge, convergence.EVERY),
            Ticker(self._post_puzzles, daily_poster.EVERY),
            *(Ticker(task.run, task.seconds) for one in self.parts for task in one.tasks),
        )
        self._background = Background()

    async def setup_hook(self) -> None:
        """Before connecting: register translations, commands and buttons; start what recurs."""
        await self.tree.set_translator(WordsTranslator())
        self.add_dynamic_items(*ITEMS)
        await sync_commands(self.tree, self.services.store, force=self._force_sync)
        await self.handlers.convergence.begin()
        self._background.run(self._resume())
        for ticker in self._tickers:
            ticker.start()
        self.services.ratings.on_rated = self._show_rated
        self.services.ratings.wake()
        self.services.presence.on_back = self._go_on
        self.services.sessions.games.on_taken = self._resume_one
        self.handlers.timeouts.start()

    async def drain(self) -> None:
        """Take nothing more, because another process does; finish what is under way, disconnect."""
        await self.gate.close()
        await self.close()

    async def close(self) -> None:
        """Finish what is under way, then disconnect."""
        await self.finish()
        await super().close()

    async def finish(self) -> None:
        """Begin nothing more, and finish what is under way, within some ten seconds."""
        self.services.ratings.on_rated = None
        self.services.presence.on_back = lambda: None
        self.services.sessions.games.on_taken = lambda _: None
        handlers = self.handlers
        # What waits for a connection that never came has nothing to finish.
        grace = GRACE if self.is_ready() else 0.0
        await asyncio.gather(
            handlers.answering.finish(GRACE),
            handlers.timeouts.stop(),
            *(ticker.stop() for ticker in self._tickers),
            handlers.convergence.stop(),
            self._background.stop(grace),
        )
        # What is not noted is shown once more by the next run.
        with suppress(Unavailable):
            await handlers.convergence.note()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that has just added the bot."""
        self._background.run(self.handlers.departures.returned(guild))
        await self.handlers.joining.greet(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that a server has removed the bot."""
        self._background.run(self.handlers.departures.left(guild))

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer what no button of this version answers, and retry what failed in its channel."""
        if interaction.channel_id is not None:
            self.handlers.convergence.reached(interaction.channel_id)
        await self.router.answer(interaction)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Show the board of a thread that is open again."""
        if not payload.data["thread_metadata"]["archived"]:
            self.handlers.convergence.reached(payload.thread_id)

    def add_dynamic_items(self, *items: type[discord.ui.DynamicItem[Any]]) -> None:
        """Register buttons and menus by the form of their ids."""
        super().add_dynamic_items(*items)
        self.router.known.extend(item.__discord_ui_compiled_template__ for item in items)

    def _show_rated(self, session: Session) -> None:
        """Show what a game has changed in ratings, once that is known."""
        self._background.run(self.handlers.boards.show(session))

    def _go_on(self) -> None:
        """Take up what waited while nothing could be stored."""
        self.services.ratings.wake()
        self._background.run(self.handlers.timeouts.check())
        self._background.run(self._resume())

    def _resume_one(self, session: Session) -> None:
        """Let an agent move in a game that was another process's."""
        self._background.run(self.handlers.runner.resume(session))

    async def _expire_challenges(self) -> None:
        """Close the challenges whose time is up, once lost time has been given back."""
        await self.services.presence.settle()
        await self.handlers.challenges.expire()

    def _reject(self, said: Any) -> None:
        """Say privately that an interaction came too late, and do nothing else about it."""
        interaction: discord.Interaction[Any] = discord.Interaction(
            data=said, state=self._connection
        )
        logger.warning("interaction %s came too late and changed nothing", interaction.id)
        say = say_for(interaction.locale.value)
        self._background.run(reply_privately(interaction, say("error.too_late")))

    def _get_state(self, **options: Any) -> ConnectionState[Any]:
        return _State(
            self.gate,
            dispatch=self.dispatch,
            handlers=self._handlers,
            hooks=self._hooks,
            http=self.http,
            **options,
        )

    async def _converge(self) -> None:
        """Show the boards that differ from what is stored, while there is a way to."""
        if self.is_ready():
            await self.handlers.convergence.sweep()

    async def _post_puzzles(self) -> None:
        """Post the puzzles of the day, and bring their messages up to date."""
        if self.is_ready():
            await self.handlers.daily.sweep()

    async def _resume(self) -> None:
        """Once connected, make the moves that an earlier run did not get to."""
        await self.wait_until_ready()
        self._background.run(self.handlers.departures.check())
        await self.handlers.runner.resume_all()


class _State(LeanState):
    """discord.py's state: all interactions, of whatever kind, come through one method of it."""

    def __init__(self, gate: InteractionGate, **options: Any) -> None:
        super().__init__(**options)
        self._gate = gate

    def parse_interaction_create(self, data: Any) -> None:
        """Handle an interaction if it is this process's."""
        self._gate.receive(data, super().parse_interaction_create)


class ShardedClient(CuatroClient, discord.AutoShardedClient):
    """The bot on some shards. Another process may be told of the same interactions."""

    is_sharded = True

    def __init__(self, services: Services, shards: Shards, **options: Any) -> None:
        """Serve the games of these shards; the options are those of `CuatroClient`."""
        self.serves = shards
        numbers = sorted(shards.ids)
        super().__init__(services, **options, shard_ids=numbers, shard_count=shards.count)
        self.identify_queue = IdentifyQueue(self, services.store.identifies)
        """When shards may identify themselves."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for the shard's turn, which discord.py would only guess; `initial` or not."""
        assert shard_id is not None
        await self.identify_queue.wait(shard_id)

    async def setup_hook(self) -> None:
        """Before connecting: see `CuatroClient`; shards with more running games come first."""
        await super().setup_hook()
        games = await self.services.store.games.count_by_shard(self.serves.count)
        self.shard_ids = sorted(self.serves.ids, key=lambda one: (-games.get(one, 0), one))

    async def finish(self) -> None:
        """Leave what arrives to another process, if there is one, and finish what is under way."""
        self.gate.gives_way = True
        await super().finish()
        await self.gate.close()
        await self.handlers.answering.finish(GRACE)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Log that a shard has begun."""
        logger.info("shard %s of %s is ready", shard_id, self.serves)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Log that a shard goes on."""
        logger.info("shard %s of %s goes on", shard_id, self.serves)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Log that a shard was cut off."""
        logger.warning("shard %s of %s is not connected", shard_id, self.serves)

    def _get_state(self, **options: Any) -> _ShardedState:
        return _ShardedState(
            self.gate,
            dispatch=self.dispatch,
            handlers=self._handlers,
            hooks=self._hooks,
            http=self.http,
            **options,
        )


class _ShardedState(LeanShardedState):
    """discord.py's state: all interactions, of whatever kind, come through one method of it."""

    def __init__(self, gate: InteractionGate, **options: Any) -> None:
        super().__init__(**options)
        self._gate = gate

    def parse_interaction_create(self, data: Any) -> None:
        """Let an interaction in, unless it is another process's."""
        self._gate.receive(data, super().parse_interaction_create)
