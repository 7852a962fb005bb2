"""Which interactions of those that the gateway delivers this process handles.

While one process takes over from another, Discord tells both of everything that happens on their
shards. Each interaction is handled by whoever claims it first; the other does nothing at all. What
is too old to be acknowledged is turned away. After a suspension this process first looks whether it
was replaced meanwhile.

Waiting for a shard's turn to identify itself, which all processes of a bot share.

What is kept in memory of servers: what permission checks need, and their names.

Discord describes each server in full, and interactions bring whatever else a game needs. So before
discord.py builds objects from a description, what nothing needs is dropped. What the bot may do in
a channel follows from its own roles, the server's default role, and the overwrites for these and
for the bot itself; these are kept. If the bot is given another role, the roles and channels of that
server are read again.
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
"""Seconds that a process which gives way leaves to others; Discord gives three for an answer."""

CERTAIN_WITHIN = 1.0
"""Seconds that an interaction waits after a suspension until this process has looked around."""

CLEAR_EVERY = 1000
"""Claims after which those that no longer matter are deleted."""

NOT_CLAIMED: ContextVar[Unavailable | None] = ContextVar("not_claimed", default=None)
"""Why the interaction that is let in could not be claimed. The task that answers it cannot use the
database then (`Answering`): it says so, and stores nothing."""

Knock = Mapping[str, Any]
"""An interaction as the gateway tells of it."""

Enter = Callable[[Any], None]


async def _at_once(_patience: float) -> None:
    """Wait for nothing."""


@dataclass(frozen=True, slots=True)
class Checks:
    """What is asked about an interaction before it is handled; without answers, all are let in."""

    may_go_on: Callable[[], bool] = lambda: True
    """Whether this process may go on without looking around, as it may not after a suspension."""
    certain: Callable[[float], Awaitable[None]] = _at_once
    """Waits until it may, at most for some seconds."""
    is_stale: Callable[[int], bool] = lambda _: False
    """Whether an interaction with this id is too old to be acknowledged."""
    turn_away: Enter = lambda _: None
    """Handles one that is too old."""


class Door:
    """Lets in what this process is to handle."""

    def __init__(
        self, claims: Claims, checks: Checks | None = None, *, is_shared: bool = True
    ) -> None:
        """Share `claims` with the other processes, and let in what passes the `checks`."""
        self._claims = claims
        self._checks = checks or Checks()
        self._asking: set[asyncio.Task[None]] = set()
        self._claimed = 0
        self._is_closed = False
        self.is_shared = is_shared
        """Whether other processes may be told of the same interactions, so that each is claimed."""
        self.gives_way = False
        """Whether another process, which is to be preferred, may be there."""

    def knock(self, said: Knock, enter: Enter) -> None:
        """Have an interaction let in, unless it is another's or too old."""
        if self._is_closed:
            return
        may_go_on = self._checks.may_go_on()
        if self._checks.is_stale(int(said["id"])):
            if _is_suggestion(said):
                return
            enter = self._checks.turn_away
        if may_go_on:
            self._let_in(said, enter)
        else:
            self._run(self._let_in_when_certain(said, enter))

    def shut(self) -> None:
        """Let nothing more in from now on."""
        self._is_closed = True

    async def close(self) -> None:
        """Let nothing more in; returns when nothing is on its way in any more."""
        self.shut()
        while self._asking:
            await asyncio.wait(self._asking)

    def _let_in(self, said: Knock, enter: Enter) -> None:
        """Let an interaction in unless it is another's. Suggestions change nothing: no claim."""
        if _is_suggestion(said):
            if not self.gives_way:
                enter(said)
        elif self.is_shared:
            self._run(self._ask(said, enter))
        else:
            enter(said)

    async def _let_in_when_certain(self, said: Knock, enter: Enter) -> None:
        await self._checks.certain(CERTAIN_WITHIN)
        if not self._is_closed:
            self._let_in(said, enter)

    async def _ask(self, said: Knock, enter: Enter) -> None:
        is_waiting = self.gives_way
        if is_waiting:
            await asyncio.sleep(HEAD_START)
        if is_waiting and self._is_closed:
            return
        if await self._is_mine(int(said["id"])):
            enter(said)
            if NOT_CLAIMED.get() is None:
                await self._clear(int(said["id"]))

    async def _is_mine(self, interaction_id: int) -> bool:
        try:
            return await self._claims.take(interaction_id)
        except Unavailable as error:
            # Somebody has to say so. Nothing else is done: where the answer of the database was
            # lost, the claim may be stored, or another process may have its own.
            NOT_CLAIMED.set(error)
            return not self.gives_way

    async def _clear(self, newest: int) -> None:
        self._claimed += 1
        if self._claimed % CLEAR_EVERY == 1:
            try:
                await self._claims.clear(newest)
            except Unavailable as error:
                logger.info("old claims stay for now: %s", error)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)


def _is_suggestion(said: Knock) -> bool:
    return bool(said["type"] == InteractionType.autocomplete.value)


APART = 5.25
"""Seconds between two identifies of a bucket. Discord asks for five, counted where they arrive."""

LIMITS_LAST = 30.0
"""Seconds for which what Discord has said about the sessions it still allows is believed."""

LOOK_AGAIN = 60.0
"""Seconds after which Discord is asked again while it allows no more sessions."""

AGAIN = 1.0
"""Seconds until a database that is unavailable is asked again."""


class Turns:
    """Gives a bot's shards their turns, as many at the same time as Discord allows."""

    def __init__(self, client: discord.AutoShardedClient, identifies: Identifies) -> None:
        """Ask `client` once how many are allowed, and `identifies` each time."""
        self._client = client
        self._identifies = identifies
        self._concurrency = 1
        self._asked_at: float | None = None
        self.exhausted_until: float | None = None
        """Until when Discord allows no more sessions, in seconds since 1970; None if it does."""
        self.remaining: int | None = None
        """How many more sessions Discord allows today, as far as is known."""

    async def wait(self, shard_id: int) -> None:
        """Return when the shard may identify itself, at once.

        While Discord allows no more sessions nothing is sent: an attempt would fail, and after too
        many of them Discord resets the bot's token.
        """
        await self._look()
        while self.exhausted_until is not None:
            left = self.exhausted_until - time()
            await asyncio.sleep(min(max(left, AGAIN), LOOK_AGAIN))
            self._asked_at = None
            await self._look()
        bucket = shard_id % self._concurrency
        wait = await self._take(bucket)
        while wait:
            await asyncio.sleep(wait)
            wait = await self._take(bucket)

    async def _take(self, bucket: int) -> float:
        try:
            return await self._identifies.take(bucket, APART)
        except Unavailable as error:
            logger.warning("a shard cannot identify itself yet: %s", error)
            return AGAIN

    async def _look(self) -> None:
        """Ask Discord what it allows, unless it has said so lately."""
        now = monotonic()
        if self._asked_at is not None and now - self._asked_at < LIMITS_LAST:
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
"""The lists of a server that nothing needs."""

CONTAINERS = frozenset(
    kind.value for kind in (ChannelType.category, ChannelType.forum, ChannelType.media)
)
"""Types of channels in which nothing can be sent or asked for; their threads come with what is."""


def lean_guild(data: Payload, bot_id: int | None, own: Collection[int] | None) -> dict[str, Any]:
    """A server's description without what nothing needs.

    `own` are the bot's roles there; with None they are those of its membership in the description.
    """
    lean = {**data, **{name: [] for name in UNUSED if name in data}}
    if "members" in data:
        me = [one for one in data["members"] if int(one["user"]["id"]) == bot_id]
        lean["members"] = me
        if me and own is None:
            own = [int(role) for role in me[0]["roles"]]
    concerned = None if own is None else {int(data["id"]), bot_id, *own}
    if concerned is not None:
        lean["roles"] = [one for one in data.get("roles", ()) if int(one["id"]) in concerned]
    if "channels" in data:
        kept = (one for one in data["channels"] if one["type"] not in CONTAINERS)
        lean["channels"] = [lean_channel(one, concerned) for one in kept]
    return lean


def lean_channel(data: Payload, concerned: Collection[int | None] | None) -> dict[str, Any]:
    """A channel's description with no overwrites but those for the roles and people `concerned`."""
    lean = dict(data)
    if data.get("topic"):
        lean["topic"] = None
    if concerned is not None and "permission_overwrites" in data:
        overwrites = data["permission_overwrites"]
        lean["permission_overwrites"] = [one for one in overwrites if int(one["id"]) in concerned]
    return lean


class LeanState(ConnectionState[Any]):
    """discord.py's state, which is told of no more than is needed."""

    def __init__(self, **options: Any) -> None:
        """Keep what is needed; the options are those of discord.py's state."""
        super().__init__(**options)
        self._reading: set[asyncio.Task[None]] = set()

    def parse_guild_create(self, data: Any) -> None:
        """Keep a server."""
        lean: Any = lean_guild(data, self.self_id, None)
        super().parse_guild_create(lean)

    def parse_guild_update(self, data: Any) -> None:
        """Keep what has changed of a server."""
        lean: Any = lean_guild(data, self.self_id, self._own_roles(int(data["id"])))
        super().parse_guild_update(lean)

    def parse_guild_role_create(self, data: Any) -> None:
        """Keep nothing of a new role: the bot is given it later, if at all."""

    def parse_guild_member_update(self, data: Any) -> None:
        """Note the bot's own roles; Discord tells of no other member."""
        super().parse_guild_member_update(data)
        guild = self._get_guild(int(data["guild_id"]))
        if guild is None or int(data["user"]["id"]) != self.self_id:
            return
        if any(guild.get_role(int(role)) is None for role in data["roles"]):
            task = asyncio.get_running_loop().create_task(self._read_again(guild))
            self._reading.add(task)
            task.add_done_callback(self._reading.discard)

    def parse_channel_create(self, data: Any) -> None:
        """Keep a new channel, unless nothing can be sent there."""
        if data["type"] not in CONTAINERS:
            super().parse_channel_create(self._lean_channel(data))

    def parse_channel_update(self, data: Any) -> None:
        """Keep what has changed of a channel."""
        if data["type"] not in CONTAINERS:
            super().parse_channel_update(self._lean_channel(data))

    def parse_thread_create(self, data: Any) -> None:
        """Keep nothing of threads: an interaction describes the one that it comes from."""

    def parse_thread_list_sync(self, data: Any) -> None:
        """Keep nothing of threads."""

    def parse_thread_update(self, data: Any) -> None:
        """Tell that a thread has changed, and keep nothing of it."""
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
        """Read the roles and channels of a server where the bot has another role than before."""
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
    """The same for the client of some shards."""
