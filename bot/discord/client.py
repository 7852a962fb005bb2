"""The Discord client: it connects, and passes events on to the application.

`CuatroClient` serves all servers. `ShardedClient` serves some shards of a bot that is so large that
Discord divides its servers among shards.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Protocol

import aiohttp
import discord
from discord import app_commands

from bot.discord.answering import Answering, Arrivals, too_late_text
from bot.discord.background import GRACE, Background, Task, Ticker, with_tracing
from bot.discord.commands import CommandMentions, WordsTranslator
from bot.discord.gateway import Checks, IdentifyQueue, InteractionGate, LeanShardedState, LeanState
from bot.discord.registration import command_ids, sync_commands
from bot.discord.replies import try_answer_privately
from bot.discord.routes import Router
from bot.sessions.timer import Presence
from bot.shards import Shards
from bot.store.store import Store

logger = logging.getLogger(__name__)

INTENTS = discord.Intents(guilds=True)
"""Interactions contain all that a game needs, so no privileged intent is requested."""

HEARTBEAT_TIMEOUT = 60.0
"""Seconds without a message from the gateway after which the connection counts as dead."""

# The bot does not use voice; without this, discord.py warns of missing libraries at every start.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


Command = app_commands.Group | app_commands.Command[Any, ..., Any] | app_commands.ContextMenu


class Application(Protocol):
    """The interface of the application to its client; `bot.app` implements it."""

    @property
    def answering(self) -> Answering:
        """The error handler around all handlers."""

    @property
    def router(self) -> Router:
        """The router for buttons and menus."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands to register."""

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The periodic tasks while the client runs."""

    async def begin(self) -> None:
        """Prepare, before the client connects."""

    async def connected(self) -> None:
        """Resume what an earlier run left unfinished, once the client is connected."""

    async def finish(self) -> None:
        """Start nothing new, and finish what is in progress."""

    async def finished(self) -> None:
        """Store what is known only after everything in progress has ended."""

    async def guild_joined(self, guild: discord.Guild) -> None:
        """Welcome a server that has just added the bot."""

    async def guild_left(self, guild: discord.Guild) -> None:
        """Note that a server has removed the bot."""

    def channel_reached(self, channel_id: int) -> None:
        """Retry what failed in a channel, because an event has just come from there."""

    async def thread_deleted(self, channel_id: int) -> None:
        """Continue or end the game of a thread that has been deleted."""


class _State(LeanState):
    """discord.py's state, which passes every interaction through the gate."""

    def __init__(self, gate: InteractionGate, **options: Any) -> None:
        super().__init__(**options)
        self._gate = gate

    def parse_interaction_create(self, data: Any) -> None:
        """Handle an interaction unless another process handles it."""
        self._gate.receive(data, super().parse_interaction_create)


class _ShardedState(_State, LeanShardedState):
    """The same for a client of several shards."""


class CuatroClient(discord.Client):
    """The Discord client of the bot."""

    is_sharded = False
    """Whether other processes may receive the same interactions from the start."""
    state_class: type[_State] = _State

    app: Application
    """The application, once `serve` was called."""

    def __init__(
        self,
        store: Store,
        presence: Presence,
        arrivals: Arrivals,
        *,
        force_sync: bool = False,
        intents: discord.Intents = INTENTS,
        http_trace: aiohttp.TraceConfig | None = None,
        **options: Any,
    ) -> None:
        """Prepare a client; `serve` gives it an application.

        Args:
            store: Holds the claims of interactions, and the digest of the registered commands.
            presence: Detects suspensions.
            arrivals: Measures how late interactions arrive.
            force_sync: Whether to send the commands even if they have not changed.
            intents: Which events the gateway sends.
            http_trace: Traces all requests to Discord.
            options: Further options of discord.py, such as shards.
        """
        self.store = store
        checks = Checks(
            presence.note_activity, presence.wait_until_certain, arrivals.is_stale, self._reject
        )
        # discord.py's constructor builds its state, which needs the gate.
        self.gate = InteractionGate(store.claims, checks, is_shared=self.is_sharded)
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            # Interactions contain the members and messages that they are about.
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            http_trace=with_tracing(http_trace or aiohttp.TraceConfig()),
            heartbeat_timeout=HEARTBEAT_TIMEOUT,
            **options,
        )
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self.mentions = CommandMentions()
        """Mentions of the commands, as Discord knows them."""
        self.background = Background()
        self._force_sync = force_sync
        self._tickers: tuple[Ticker, ...] = ()

    def serve(self, app: Application) -> None:
        """Serve an application; called once, before the client logs in."""
        self.app = app
        for command in app.commands:
            self.tree.add_command(command)
        self._tickers = tuple(Ticker(task.run, task.seconds) for task in app.tasks)

    async def setup_hook(self) -> None:
        """Register translations and commands and start periodic tasks, before connecting."""
        await self.tree.set_translator(WordsTranslator())
        await sync_commands(self.tree, self.store, force=self._force_sync)
        self.mentions.learn(await command_ids(self.tree, self.store))
        if self._force_sync:
            return  # such a client sends the commands and does not connect
        await self.app.begin()
        self.background.run(self._resume())
        for ticker in self._tickers:
            ticker.start()

    async def drain(self) -> None:
        """Hand over to another process: finish what is in progress, and disconnect."""
        await self.gate.close()
        await self.close()

    async def close(self) -> None:
        """Finish what is in progress, then disconnect."""
        await self.finish()
        await super().close()

    async def finish(self) -> None:
        """Start nothing new, and finish what is in progress within about ten seconds."""
        # Tasks that wait for a connection that was never made have nothing to finish.
        grace = GRACE if self.is_ready() else 0.0
        await asyncio.gather(
            self.app.answering.finish(GRACE),
            self.app.finish(),
            *(ticker.stop() for ticker in self._tickers),
            self.background.stop(grace),
        )
        await self.app.finished()

    def resume(self) -> None:
        """Resume, in the background, what an earlier run or an outage left unfinished."""
        self.background.run(self._resume())

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that has just added the bot."""
        await self.app.guild_joined(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that a server has removed the bot."""
        await self.app.guild_left(guild)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer buttons and menus; discord.py handles commands."""
        if interaction.channel_id is not None:
            self.app.channel_reached(interaction.channel_id)
        await self.app.router.answer(interaction)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Show the board in a thread that has been reopened."""
        if not payload.data["thread_metadata"]["archived"]:
            self.app.channel_reached(payload.thread_id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Find out what becomes of the game in a deleted thread."""
        await self.app.thread_deleted(payload.thread_id)

    def _reject(self, data: Any) -> None:
        """Reply privately that an interaction came too late, and ignore it otherwise."""
        interaction: discord.Interaction[Any] = discord.Interaction(
            data=data, state=self._connection
        )
        logger.warning("interaction %s came too late and changed nothing", interaction.id)
        self.background.run(try_answer_privately(interaction, too_late_text(interaction)))

    def _get_state(self, **options: Any) -> Any:
        return self.state_class(
            self.gate,
            dispatch=self.dispatch,
            handlers=self._handlers,
            hooks=self._hooks,
            http=self.http,
            **options,
        )

    async def _resume(self) -> None:
        await self.wait_until_ready()
        await self.app.connected()


class ShardedClient(CuatroClient, discord.AutoShardedClient):
    """The bot on some shards. Another process may receive the same interactions."""

    is_sharded, state_class = True, _ShardedState

    def __init__(
        self,
        store: Store,
        presence: Presence,
        arrivals: Arrivals,
        *,
        shards: Shards,
        **options: Any,
    ) -> None:
        """Serve these shards; the other arguments are those of `CuatroClient`."""
        self.serves = shards
        super().__init__(
            store,
            presence,
            arrivals,
            **options,
            shard_ids=sorted(shards.ids),
            shard_count=shards.count,
        )
        self.identify_queue = IdentifyQueue(self, store.identifies)
        """When shards may identify themselves."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for the shard's turn to identify itself, among the shards of all processes."""
        assert shard_id is not None
        await self.identify_queue.wait(shard_id)

    async def setup_hook(self) -> None:
        """Set up like `CuatroClient`, and connect the shards with more running games first."""
        await super().setup_hook()
        games = await self.store.games.count_by_shard(self.serves.count)
        self.shard_ids = sorted(self.serves.ids, key=lambda one: (-games.get(one, 0), one))

    async def finish(self) -> None:
        """Let other processes claim new interactions first, and finish what is in progress."""
        self.gate.defers = True
        await super().finish()
        await self.gate.close()
        await self.app.answering.finish(GRACE)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Log that a shard is ready."""
        logger.info("shard %s of %s is ready", shard_id, self.serves)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Log that a shard has resumed."""
        logger.info("shard %s of %s goes on", shard_id, self.serves)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Log that a shard was disconnected."""
        logger.warning("shard %s of %s is not connected", shard_id, self.serves)
