"""Which channels of a server a person can view.

The client keeps only what it needs to know its own permissions, so this asks Discord for the
server's channels and roles.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import discord

from bot.discord.background import time_limit

VIEW, ADMINISTRATOR = 1 << 10, 1 << 3
"""The bits of two permissions."""

PRIVATE_THREAD = discord.ChannelType.private_thread.value


async def visible_channels(client: discord.Client, member: discord.Member) -> frozenset[int]:
    """Return the ids of a server's channels and public threads that a member can view.

    The member must come from an interaction, which names all of their roles. Raises the errors of
    requests to Discord (`bot.discord.replies.UNREACHABLE`).
    """
    guild_id = member.guild.id
    async with time_limit(client):
        channels, roles, active = await asyncio.gather(
            client.http.get_all_guild_channels(guild_id),
            client.http.get_roles(guild_id),
            client.http.get_active_threads(guild_id),
        )
    # discord.py keeps the ids of all of a member's roles, also of those that the cache leaves out.
    own = set(member._roles)
    base = base_permissions(guild_id, own, roles)
    sees_all = bool(base & ADMINISTRATOR) or member.guild.owner_id == member.id
    seen = {
        int(one["id"])
        for one in channels
        if sees_all or channel_permissions(base, guild_id, own, member.id, one) & VIEW
    }
    threads = (one for one in active["threads"] if one["type"] != PRIVATE_THREAD)
    return frozenset(seen | {int(one["id"]) for one in threads if int(one["parent_id"]) in seen})


def base_permissions(
    guild_id: int, own: Collection[int], roles: Iterable[Mapping[str, Any]]
) -> int:
    """The permissions that a person's roles give, `@everyone` included, before overwrites."""
    permissions = 0
    for role in roles:
        if int(role["id"]) in own or int(role["id"]) == guild_id:
            permissions |= int(role["permissions"])
    return permissions


def channel_permissions(
    base: int, guild_id: int, own: Collection[int], user_id: int, channel: Mapping[str, Any]
) -> int:
    """A person's permissions in a channel: those of everyone, their roles and themself apply last.

    The order is Discord's: `@everyone`, then all roles together, then the person.
    """
    overwrites = {int(one["id"]): one for one in channel.get("permission_overwrites", ())}
    permissions = base
    for ids in ((guild_id,), own, (user_id,)):
        applied = [overwrites[one] for one in ids if one in overwrites]
        for one in applied:
            permissions &= ~int(one["deny"])
        for one in applied:
            permissions |= int(one["allow"])
    return permissions
