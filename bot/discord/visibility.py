"""Which channels of a server a person can view, and in which they can write.

The client keeps only what it needs to know its own permissions, so this asks Discord for the
server's channels and roles.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import discord

from bot.discord.background import time_limit

VIEW, SEND, SEND_IN_THREADS, ADMINISTRATOR = 1 << 10, 1 << 11, 1 << 38, 1 << 3
"""The bits of four permissions."""

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


@dataclass(frozen=True, slots=True)
class Writable:
    """Where a person can view and write."""

    channels: frozenset[int] = frozenset()
    """The ids of channels and public threads."""
    parents: frozenset[int] = frozenset()
    """The ids of channels in whose public threads they can."""


async def writable_channels(
    client: discord.Client, guild: discord.Guild, user_ids: Collection[int]
) -> Mapping[int, Writable]:
    """Return where people can view and write on a server.

    People who are no longer there are left out. Raises the errors of requests to Discord
    (`bot.discord.replies.UNREACHABLE`).
    """
    async with time_limit(client):
        channels, roles, active, *members = await asyncio.gather(
            client.http.get_all_guild_channels(guild.id),
            client.http.get_roles(guild.id),
            client.http.get_active_threads(guild.id),
            *(_member(client, guild.id, user_id) for user_id in user_ids),
        )
    threads = [one for one in active["threads"] if one["type"] != PRIVATE_THREAD]
    found = dict[int, Writable]()
    for user_id, member in zip(user_ids, members, strict=True):
        if member is None:
            continue
        own = set(map(int, member["roles"]))
        base = base_permissions(guild.id, own, roles)
        has_all = bool(base & ADMINISTRATOR) or guild.owner_id == user_id
        allowed = {
            int(one["id"]): ~0
            if has_all
            else channel_permissions(base, guild.id, own, user_id, one)
            for one in channels
        }
        parents = {one for one, bits in allowed.items() if _has(bits, VIEW | SEND_IN_THREADS)}
        inside = {int(one["id"]) for one in threads if int(one["parent_id"]) in parents}
        within = {one for one, bits in allowed.items() if _has(bits, VIEW | SEND)}
        is_silenced = not has_all and _is_silenced(member)
        can_write = Writable(frozenset(within | inside), frozenset(parents))
        found[user_id] = Writable() if is_silenced else can_write
    return found


async def _member(client: discord.Client, guild_id: int, user_id: int) -> Any:
    """What Discord says about a member of a server; None if there is none."""
    try:
        return await client.http.get_member(guild_id, user_id)
    except discord.NotFound:
        return None


def _has(permissions: int, wanted: int) -> bool:
    return permissions & wanted == wanted


def _is_silenced(member: Mapping[str, Any]) -> bool:
    """Whether a moderator has kept a member from writing for now."""
    until = discord.utils.parse_time(member.get("communication_disabled_until"))
    return until is not None and until > datetime.now(UTC)


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
