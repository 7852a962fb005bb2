"""Payloads of GUILD_CREATE, and client states that read them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import discord
from discord.state import ConnectionState

from bot.discord.client import INTENTS

Json = dict[str, Any]
BOT = 9 * 10**17
"""The id of the bot itself."""
FIRST = 10**18
"""The id of the first server; others have larger ones."""
MEMBERS = 30
"""Members that come with a server: the bot itself, and those in a voice channel or online."""


def server(number: int, channels: int, roles: int, overwrites: int) -> Json:
    """A server as GUILD_CREATE describes it."""
    rng, first = Random(number), FIRST + number * 10**6
    ids = iter(range(first + 1, first + 10**6))
    ranks = [_role(first, "@everyone", 0)]
    ranks += [_role(next(ids), f"Role {n} of {number}", n) for n in range(1, roles)]
    people = [BOT, *(next(ids) for _ in range(MEMBERS - 1))]
    return {
        "id": str(first), "name": f"The server number {number}", "icon": f"{number:032x}",
        "description": "What this server is about, in a sentence or two, for whoever finds it.",
        "owner_id": str(people[1]), "region": "us-east", "afk_channel_id": None,
        "afk_timeout": 300, "system_channel_id": None, "verification_level": 1,
        "default_message_notifications": 1, "explicit_content_filter": 2, "mfa_level": 0,
        "features": ["COMMUNITY", "NEWS", "WELCOME_SCREEN_ENABLED", f"EXPERIMENT_{number}"],
        "nsfw_level": 0, "premium_tier": 1, "premium_subscription_count": 3,
        "preferred_locale": "en-US", "member_count": rng.randrange(50, 5000), "large": True,
        "unavailable": False, "joined_at": "2026-01-01T00:00:00+00:00",
        "roles": ranks,
        "channels": list(_channels(rng, ids, channels, overwrites, ranks, people)),
        "emojis": [
            {"id": str(next(ids)), "name": f"emoji_{n}", "roles": [], "available": True,
             "require_colons": True, "managed": False, "animated": False}
            for n in range(25)
        ],
        "stickers": [], "stage_instances": [], "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "threads": [_thread(next(ids), first, n) for n in range(5)],
        "members": [_member(one, rng.sample(ranks[1:], 3)) for one in people],
        "presences": [],
        "voice_states": [],
    }  # fmt: skip


def _bits(rng: Random) -> str:
    """Random permissions without that of administrators."""
    return str(rng.getrandbits(40) & rng.getrandbits(40) & ~8)


def _role(role_id: int, name: str, position: int) -> Json:
    return {
        "id": str(role_id), "name": name, "permissions": _bits(Random(position)),
        "position": position, "color": position * 997, "colors": {"primary_color": position * 997,
        "secondary_color": None, "tertiary_color": None}, "hoist": False, "managed": False,
        "mentionable": False, "icon": None, "unicode_emoji": None, "flags": 0,
    }  # fmt: skip


def _channels(
    rng: Random,
    ids: Iterator[int],
    count: int,
    overwrites: int,
    roles: list[Json],
    people: list[int],
) -> Iterator[Json]:
    for n in range(count):
        kind = 4 if n % 5 == 0 else 2 if n % 5 == 4 else 15 if n == 13 else 0
        whom = [(role["id"], 0) for role in rng.sample(roles, overwrites - 1)]
        whom.append((str(rng.choice(people)), 1))
        yield {
            "id": str(next(ids)), "type": kind, "name": f"channel-{n}", "position": n,
            "topic": f"What channel {n} is about and what belongs into other ones" * (kind == 0),
            "nsfw": False, "rate_limit_per_user": 0, "parent_id": None, "bitrate": 64000,
            "user_limit": 0, "rtc_region": None, "last_message_id": str(next(ids)), "flags": 0,
            "available_tags": [], "permission_overwrites": [
                {"id": one, "type": type_, "allow": _bits(rng), "deny": _bits(rng)}
                for one, type_ in whom
            ],
        }  # fmt: skip


def _thread(thread_id: int, guild_id: int, number: int) -> Json:
    metadata = {"archived": False, "auto_archive_duration": 1440, "locked": False,
                "archive_timestamp": "2026-01-01T00:00:00+00:00"}  # fmt: skip
    return {
        "id": str(thread_id), "type": 11, "guild_id": str(guild_id), "parent_id": str(guild_id + 1),
        "name": f"A thread about subject {number}", "owner_id": str(BOT), "message_count": 9,
        "member_count": 4, "thread_metadata": metadata, "flags": 0,
    }  # fmt: skip


def _member(user_id: int, roles: list[Json]) -> Json:
    user = {"id": str(user_id), "username": f"person{user_id}", "discriminator": "0",
            "avatar": None, "bot": user_id == BOT}  # fmt: skip
    return {"user": user, "roles": [one["id"] for one in roles], "mute": False, "deaf": False,
            "joined_at": "2026-01-01T00:00:00+00:00", "flags": 0}  # fmt: skip


def state_of(kind: type[ConnectionState[Any]]) -> ConnectionState[Any]:
    """A client's state before the first server."""
    state = kind(
        dispatch=lambda *_: None, handlers={}, hooks={}, http=None, intents=INTENTS,
        max_messages=None, member_cache_flags=discord.MemberCacheFlags.none(),
        chunk_guilds_at_startup=False,
    )  # type: ignore[arg-type]  # fmt: skip
    me = {"id": str(BOT), "username": "cuatro", "discriminator": "0", "avatar": None}
    state.user = discord.ClientUser(state=state, data=me)  # type: ignore[arg-type]
    return state
