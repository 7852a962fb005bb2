"""What is kept in memory of servers: what permission checks need, and their names.

Discord describes each server in full, and interactions bring whatever else a game needs. So before
discord.py builds objects from a description, what nothing needs is dropped. What the bot may do in
a channel follows from its own roles, the server's default role, and the overwrites for these and
for the bot itself; these are kept. If the bot is given another role, the roles and channels of that
server are read again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping
from typing import Any

import discord
from discord import ChannelType
from discord.state import AutoShardedConnectionState, ConnectionState

logger = logging.getLogger(__name__)

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
