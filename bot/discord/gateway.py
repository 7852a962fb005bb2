"""Between Discord's gateway and discord.py: claims of interactions, identification, lean servers.

While one process takes over from another, both receive all events of their shards. Each
interaction is handled by the process that claims it first. An interaction that is too old to be
acknowledged is rejected. After a suspension this process first checks whether it was replaced.

Discord describes each server in full, and interactions bring everything else that a game needs. So
unneeded data is dropped before discord.py builds objects. What the bot may do in a channel follows
from its own roles, the server's default role, and the overwrites for these and for the bot itself;
these are kept. If the bot is given another role, the roles and channels of that server are read
again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic, time
from typing import Any

import discord
from discord import ChannelType, InteractionType
from discord.state import AutoShardedConnectionState, ConnectionState

from bot.database.errors import Unavailable
from bot.store.processes import Claims, Identifies

logger = logging.getLogger(__name__)

HEAD_START = 0.5
"""Seconds, of Discord's three, for which a process without precedence lets others claim first."""

CERTAIN_WITHIN = 1.0
"""Seconds that an interaction waits after a suspension for the check that follows it."""

CLEAR_EVERY = 1000
"""The number of claims after which outdated ones are deleted."""

NOT_CLAIMED: ContextVar[Unavailable | None] = ContextVar("not_claimed", default=None)
"""The reason why the present interaction could not be claimed. Its task then cannot use the
database (`Answering`): it replies with that, and stores nothing."""

InteractionData = Mapping[str, Any]
"""An interaction as the gateway describes it."""

Handle = Callable[[Any], None]


async def _at_once(_patience: float) -> None:
    """Return without waiting."""


@dataclass(frozen=True, slots=True)
class Checks:
    """The checks before an interaction is handled; by default every interaction passes."""

    may_continue: Callable[[], bool] = lambda: True
    """False after a suspension: another process may have taken over."""
    wait_until_certain: Callable[[float], Awaitable[None]] = _at_once
    """Waits until this process may continue, at most for the given seconds."""
    is_stale: Callable[[int], bool] = lambda _: False
    """Whether an interaction with this id is too old to be acknowledged."""
    reject: Handle = lambda _: None
    """Replies to an interaction that is too old."""


class InteractionGate:
    """Passes on only the interactions that this process is to handle."""

    def __init__(
        self, claims: Claims, checks: Checks | None = None, *, is_shared: bool = True
    ) -> None:
        """Share `claims` with the other processes; pass on interactions that pass the `checks`."""
        self._claims = claims
        self._checks = checks or Checks()
        self._claiming: set[asyncio.Task[None]] = set()
        self._claimed = 0
        self._is_closed = False
        self.is_shared = is_shared
        """Whether other processes may receive the same interactions, so that each is claimed."""
        self.defers = False
        """Whether another process that takes precedence may be running."""

    def receive(self, data: InteractionData, handle: Handle) -> None:
        """Pass an interaction to `handle`, unless another process handles it or it is too old."""
        if self._is_closed:
            return
        may_continue = self._checks.may_continue()
        if self._checks.is_stale(int(data["id"])):
            if _is_suggestion(data):
                return
            handle = self._checks.reject
        if may_continue:
            self._pass_on(data, handle)
        else:
            self._run(self._handle_when_certain(data, handle))

    def close_now(self) -> None:
        """Pass nothing on from now on."""
        self._is_closed = True

    async def close(self) -> None:
        """Pass nothing on from now on; returns once all claims in progress have ended."""
        self.close_now()
        while self._claiming:
            await asyncio.wait(self._claiming)

    def _pass_on(self, data: InteractionData, handle: Handle) -> None:
        """Pass an interaction on if this process may handle it. Suggestions need no claim."""
        if _is_suggestion(data):
            if not self.defers:
                handle(data)
        elif self.is_shared:
            self._run(self._claim_and_handle(data, handle))
        else:
            handle(data)

    async def _handle_when_certain(self, data: InteractionData, handle: Handle) -> None:
        await self._checks.wait_until_certain(CERTAIN_WITHIN)
        if not self._is_closed:
            self._pass_on(data, handle)

    async def _claim_and_handle(self, data: InteractionData, handle: Handle) -> None:
        is_waiting = self.defers
        if is_waiting:
            await asyncio.sleep(HEAD_START)
        if is_waiting and self._is_closed:
            return
        if await self._claim(int(data["id"])):
            handle(data)
            if NOT_CLAIMED.get() is None:
                await self._clear(int(data["id"]))

    async def _claim(self, interaction_id: int) -> bool:
        try:
            return await self._claims.take(interaction_id)
        except Unavailable as error:
            # The person gets an error message and nothing else happens: the claim may be stored
            # although the database's answer was lost, or another process may have made one.
            NOT_CLAIMED.set(error)
            return not self.defers

    async def _clear(self, newest: int) -> None:
        self._claimed += 1
        if self._claimed % CLEAR_EVERY == 1:
            try:
                await self._claims.clear(newest)
            except Unavailable as error:
                logger.info("old claims stay for now: %s", error)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._claiming.add(task)
        task.add_done_callback(self._claiming.discard)


def _is_suggestion(data: InteractionData) -> bool:
    return bool(data["type"] == InteractionType.autocomplete.value)


IDENTIFY_INTERVAL = 5.25
"""Seconds between two identifies of a bucket. Discord requires five between their arrivals."""

LIMITS_CACHED = 30.0
"""Seconds for which Discord's limits on new sessions are cached."""

LIMITS_RETRY = 60.0
"""Seconds between two requests for the limits while Discord allows no more sessions."""

DATABASE_RETRY = 1.0
"""Seconds until an unavailable database is tried again."""


class IdentifyQueue:
    """Lets the shards of all processes identify themselves in turn, as fast as Discord allows."""

    def __init__(self, client: discord.AutoShardedClient, identifies: Identifies) -> None:
        """Read Discord's limits through `client`; `identifies` orders the processes."""
        self._client = client
        self._identifies = identifies
        self._concurrency = 1
        self._asked_at: float | None = None
        self.exhausted_until: float | None = None
        """When Discord next allows sessions, in seconds since 1970; None if it allows them now."""
        self.remaining: int | None = None
        """The number of sessions that Discord still allows today, as far as is known."""

    async def wait(self, shard_id: int) -> None:
        """Wait until the shard may identify itself.

        While Discord allows no more sessions nothing is sent: an attempt would fail, and after too
        many of them Discord resets the bot's token.
        """
        await self._read_limits()
        while self.exhausted_until is not None:
            left = self.exhausted_until - time()
            await asyncio.sleep(min(max(left, DATABASE_RETRY), LIMITS_RETRY))
            self._asked_at = None
            await self._read_limits()
        bucket = shard_id % self._concurrency
        wait = await self._take(bucket)
        while wait:
            await asyncio.sleep(wait)
            wait = await self._take(bucket)

    async def _take(self, bucket: int) -> float:
        try:
            return await self._identifies.take(bucket, IDENTIFY_INTERVAL)
        except Unavailable as error:
            logger.warning("a shard cannot identify itself yet: %s", error)
            return DATABASE_RETRY

    async def _read_limits(self) -> None:
        """Read Discord's limits, unless that was done recently."""
        now = monotonic()
        if self._asked_at is not None and now - self._asked_at < LIMITS_CACHED:
            return
        is_first = self.remaining is None
        try:
            limits = await self._client.fetch_session_start_limits()
        except discord.GatewayNotFound:
            logger.warning("Discord does not say how many shards may identify at once")
            return
        self._asked_at = now
        self._concurrency = max(1, limits.max_concurrency)
        self.remaining = limits.remaining
        if is_first:
            logger.info(
                "%s shards may identify at once; %s more today, of %s",
                limits.max_concurrency, limits.remaining, limits.total,
            )  # fmt: skip
        was_exhausted = self.exhausted_until is not None
        self.exhausted_until = None
        if limits.remaining <= 0:
            self.exhausted_until = time() + limits.reset_after / 1000
            if not was_exhausted:
                logger.error(
                    "Discord allows no more sessions for %.0f minutes; connections that can be "
                    "resumed go on", limits.reset_after / 60_000,
                )  # fmt: skip
        elif was_exhausted:
            logger.warning("Discord allows sessions again: %s", limits.remaining)


Payload = Mapping[str, Any]

UNUSED = (
    "emojis", "features", "guild_scheduled_events", "presences", "soundboard_sounds",
    "stage_instances", "stickers", "threads", "voice_states",
)  # fmt: skip
"""The lists in a server's description that are not needed."""

CONTAINERS = frozenset(
    kind.value for kind in (ChannelType.category, ChannelType.forum, ChannelType.media)
)
"""Types of channels that hold no messages or commands; interactions describe their threads."""


def lean_guild(data: Payload, bot_id: int | None, own: Collection[int] | None) -> dict[str, Any]:
    """A server's description, reduced to what the bot needs.

    `own` are the bot's roles there; if None, they are read from the description's members.
    """
    lean = {**data, **{name: [] for name in UNUSED if name in data}}
    if "members" in data:
        me = [one for one in data["members"] if int(one["user"]["id"]) == bot_id]
        lean["members"] = me
        if me and own is None:
            own = [int(role) for role in me[0]["roles"]]
    relevant = None if own is None else {int(data["id"]), bot_id, *own}
    if relevant is not None:
        lean["roles"] = [one for one in data.get("roles", ()) if int(one["id"]) in relevant]
    if "channels" in data:
        kept = (one for one in data["channels"] if one["type"] not in CONTAINERS)
        lean["channels"] = [lean_channel(one, relevant) for one in kept]
    return lean


def lean_channel(data: Payload, relevant: Collection[int | None] | None) -> dict[str, Any]:
    """A channel's description with no overwrites but the `relevant` roles and people."""
    lean = dict(data)
    if data.get("topic"):
        lean["topic"] = None
    if relevant is not None and "permission_overwrites" in data:
        overwrites = data["permission_overwrites"]
        lean["permission_overwrites"] = [one for one in overwrites if int(one["id"]) in relevant]
    return lean


class LeanState(ConnectionState[Any]):
    """discord.py's state, reduced to the data that the bot needs."""

    def __init__(self, **options: Any) -> None:
        """Begin without servers; the options are those of discord.py's state."""
        super().__init__(**options)
        self._reading: set[asyncio.Task[None]] = set()

    def parse_guild_create(self, data: Any) -> None:
        """Keep a server."""
        lean: Any = lean_guild(data, self.self_id, None)
        super().parse_guild_create(lean)

    def parse_guild_update(self, data: Any) -> None:
        """Update a server."""
        lean: Any = lean_guild(data, self.self_id, self._own_roles(int(data["id"])))
        super().parse_guild_update(lean)

    def parse_guild_role_create(self, data: Any) -> None:
        """Ignore a new role: the bot can only be given it later."""

    def parse_guild_member_update(self, data: Any) -> None:
        """Update the bot's own roles; Discord sends no other members."""
        super().parse_guild_member_update(data)
        guild = self._get_guild(int(data["guild_id"]))
        if guild is None or int(data["user"]["id"]) != self.self_id:
            return
        if any(guild.get_role(int(role)) is None for role in data["roles"]):
            task = asyncio.get_running_loop().create_task(self._read_again(guild))
            self._reading.add(task)
            task.add_done_callback(self._reading.discard)

    def parse_channel_create(self, data: Any) -> None:
        """Keep a new channel, unless it holds no messages."""
        if data["type"] not in CONTAINERS:
            super().parse_channel_create(self._lean_channel(data))

    def parse_channel_update(self, data: Any) -> None:
        """Update a channel."""
        if data["type"] not in CONTAINERS:
            super().parse_channel_update(self._lean_channel(data))

    def parse_thread_create(self, data: Any) -> None:
        """Ignore threads: an interaction describes the thread that it comes from."""

    def parse_thread_list_sync(self, data: Any) -> None:
        """Ignore threads."""

    def parse_thread_update(self, data: Any) -> None:
        """Dispatch the event of a changed thread without keeping the thread."""
        super().parse_thread_update(data)
        guild = self._get_guild(int(data["guild_id"]))
        if guild is not None:
            guild._threads.pop(int(data["id"]), None)

    def _own_roles(self, guild_id: int) -> list[int] | None:
        """The bot's roles on a server; None if they are not known."""
        guild = self._get_guild(guild_id)
        me = None if guild is None else guild.me
        return None if me is None else [*me._roles]

    def _lean_channel(self, data: Any) -> Any:
        guild_id = int(data["guild_id"])
        own = self._own_roles(guild_id)
        return lean_channel(data, None if own is None else {guild_id, self.self_id, *own})

    async def _read_again(self, guild: discord.Guild) -> None:
        """Read a server's roles and channels again after the bot's roles there have changed."""
        try:
            roles = await self.http.get_roles(guild.id)
            channels = await self.http.get_all_guild_channels(guild.id)
        except (discord.HTTPException, OSError) as error:
            logger.warning("the roles on server %s could not be read: %s", guild.id, error)
            return
        own = {guild.id, *(self._own_roles(guild.id) or ())}
        for role in roles:
            if int(role["id"]) in own:
                guild._add_role(discord.Role(guild=guild, state=self, data=role))
        for channel in channels:
            self.parse_channel_update({**channel, "guild_id": guild.id})


class LeanShardedState(LeanState, AutoShardedConnectionState[Any]):
    """The same for a client of several shards."""
