"""The Discord client: one connection, and what it passes on to the application.

`CuatroClient` serves all servers. `ShardedClient` serves some shards of a bot that is so large that
Discord shares its servers out among shards.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Protocol

import aiohttp
import discord
from discord import app_commands

from bot.discord.answering import Answering, Arrivals
from bot.discord.background import GRACE, Background, Task, Ticker, with_tracing
from bot.discord.commands import WordsTranslator, sync_commands
from bot.discord.gateway import Checks, IdentifyQueue, InteractionGate, LeanShardedState, LeanState
from bot.discord.replies import reply_privately
from bot.discord.routes import Router
from bot.i18n import say_for
from bot.sessions.timer import Presence
from bot.shards import Shards
from bot.store.store import Store

logger = logging.getLogger(__name__)

INTENTS = discord.Intents(guilds=True)
"""Interactions carry everything a game needs, so no privileged intent is requested."""

HEARTBEAT_TIMEOUT = 60.0
"""Seconds without a word from the gateway after which the connection is taken for dead."""

# The bot has no voice; without this it would log at every start what voice needs.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


Command = app_commands.Group | app_commands.Command[Any, ..., Any] | app_commands.ContextMenu


class Application(Protocol):
    """What a client serves; `bot.app` puts it together."""

    @property
    def answering(self) -> Answering:
        """The frame around all handlers."""

    @property
    def router(self) -> Router:
        """What answers buttons and menus."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands to register."""

    @property
    def tasks(self) -> tuple[Task, ...]:
        """What is done again and again while the client runs."""

    async def begin(self) -> None:
        """Prepare, before the client connects."""

    async def connected(self) -> None:
        """Take up what an earlier run left, once the client is connected."""

    async def finish(self) -> None:
        """Begin nothing more, and finish what is under way."""

    async def finished(self) -> None:
        """Store what is known only now that nothing is under way any more."""

    async def guild_joined(self, guild: discord.Guild) -> None:
        """Welcome a server that has just added the bot."""

    async def guild_left(self, guild: discord.Guild) -> None:
        """Note that a server has removed the bot."""

    def channel_reached(self, channel_id: int) -> None:
        """Try again what failed in a channel: something has just come from there."""


class _State(LeanState):
    """discord.py's state: interactions of all kinds come through one of its methods."""

    def __init__(self, gate: InteractionGate, **options: Any) -> None:
        super().__init__(**options)
        self._gate = gate

    def parse_interaction_create(self, data: Any) -> None:
        """Handle an interaction if it is this process's."""
        self._gate.receive(data, super().parse_interaction_create)


class _ShardedState(_State, LeanShardedState):
    """The same for a client of several shards."""


class CuatroClient(discord.Client):
    """The bot as Discord sees it."""

    is_sharded = False
    """Whether other processes may receive the same interactions from the start."""
    state_class: type[_State] = _State

    app: Application
    """What it serves, from `serve` on."""

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
        """Connect to Discord; `serve` says what for.

        Args:
            store: Where interactions are claimed, and the commands' last version is noted.
            presence: Knows of suspensions.
            arrivals: Knows how late interactions arrive.
            force_sync: Whether the commands are sent even if they have not changed.
            intents: Which events the gateway sends.
            http_trace: Traces all requests to Discord.
            options: Further options of discord.py, such as shards.
        """
        self.store = store
        checks = Checks(presence.notice, presence.certain, arrivals.is_stale, self._reject)
        # discord.py builds its state, which needs the gate, in its constructor.
        self.gate = InteractionGate(store.claims, checks, is_shared=self.is_sharded)
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            # Interactions bring the members and messages that they are about.
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
        """Before connecting: register translations and commands; start what recurs."""
        await self.tree.set_translator(WordsTranslator())
        await sync_commands(self.tree, self.store, force=self._force_sync)
        if self._force_sync:
            return  # that was all: such a client does not connect
        await self.app.begin()
        self.background.run(self._resume())
        for ticker in self._tickers:
            ticker.start()

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
        # What waits for a connection that never came has nothing to finish.
        grace = GRACE if self.is_ready() else 0.0
        await asyncio.gather(
            self.app.answering.finish(GRACE),
            self.app.finish(),
            *(ticker.stop() for ticker in self._tickers),
            self.background.stop(grace),
        )
        await self.app.finished()

    def resume(self) -> None:
        """Take up, in the background, what an earlier run or an outage left undone."""
        self.background.run(self._resume())

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that has just added the bot."""
        await self.app.guild_joined(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that a server has removed the bot."""
        await self.app.guild_left(guild)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer buttons and menus; discord.py has answered commands."""
        if interaction.channel_id is not None:
            self.app.channel_reached(interaction.channel_id)
        await self.app.router.answer(interaction)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Show the board of a thread that is open again."""
        if not payload.data["thread_metadata"]["archived"]:
            self.app.channel_reached(payload.thread_id)

    def _reject(self, data: Any) -> None:
        """Say privately that an interaction came too late, and do nothing else about it."""
        interaction: discord.Interaction[Any] = discord.Interaction(
            data=data, state=self._connection
        )
        logger.warning("interaction %s came too late and changed nothing", interaction.id)
        say = say_for(interaction.locale.value)
        self.background.run(reply_privately(interaction, say("error.too_late")))

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
        """Wait for the shard's turn, which discord.py would only guess; `initial` or not."""
        assert shard_id is not None
        await self.identify_queue.wait(shard_id)

    async def setup_hook(self) -> None:
        """Before connecting: see `CuatroClient`; shards with more running games come first."""
        await super().setup_hook()
        games = await self.store.games.count_by_shard(self.serves.count)
        self.shard_ids = sorted(self.serves.ids, key=lambda one: (-games.get(one, 0), one))

    async def finish(self) -> None:
        """Leave what arrives to another process, if there is one, and finish what is under way."""
        self.gate.gives_way = True
        await super().finish()
        await self.gate.close()
        await self.app.answering.finish(GRACE)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Log that a shard has begun."""
        logger.info("shard %s of %s is ready", shard_id, self.serves)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Log that a shard goes on."""
        logger.info("shard %s of %s goes on", shard_id, self.serves)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Log that a shard was cut off."""
        logger.warning("shard %s of %s is not connected", shard_id, self.serves)
