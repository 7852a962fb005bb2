"""Discord's JSON: users, members, channels, messages and errors."""

from __future__ import annotations

from typing import Any

from aiohttp import web

Json = dict[str, Any]

TOKEN = ".".join(("MTAwMQ", "Zq1XwA", "nobody-may-see-this-part"))
APPLICATION, GUILD, CHANNEL, ANA = (str(10**18 + number) for number in range(1, 5))
NAMES = {APPLICATION: "Cuatro", ANA: "Ana"}
EPHEMERAL = 64
"""The flag of an ephemeral message."""


def error(status: int, code: int, text: str, **more: Any) -> web.Response:
    """An error as the API answers it."""
    return web.json_response({"code": code, "message": text, **more}, status=status)


def user(user_id: str) -> Json:
    """A user; without a given name it is named after its id."""
    name = NAMES.get(user_id, f"Person {user_id}")
    texts = {"username": name.lower(), "global_name": name, "discriminator": "0", "avatar": None}
    return {"id": user_id, **texts, "bot": user_id == APPLICATION}


def member(user_id: str) -> Json:
    """A user as a member of a server."""
    return {"user": user(user_id), "roles": [], "flags": 0, "permissions": "0"}


def place(channel_id: str) -> Json:
    """A text channel."""
    name = "connect-4" if channel_id == CHANNEL else f"room-{channel_id}"
    return {"id": channel_id, "type": 0, "name": name, "position": 0, "parent_id": None}


def thread(channel_id: str, guild_id: str, *, is_archived: bool) -> Json:
    """A public thread, as in THREAD_UPDATE."""
    changed = "2026-01-01T00:00:00+00:00"
    state = {"archived": is_archived, "auto_archive_duration": 60, "archive_timestamp": changed}
    facts = {"type": 11, "parent_id": CHANNEL, "owner_id": APPLICATION, "guild_id": guild_id}
    counts = {"message_count": 1, "member_count": 1, "rate_limit_per_user": 0}
    state |= {"locked": False, "create_timestamp": changed}
    return {**place(channel_id), **facts, **counts, "thread_metadata": state}


def guild(guild_id: str, channels: list[str]) -> Json:
    """A server with its channels, as in GUILD_CREATE."""
    members = [member(APPLICATION)]
    return {"id": guild_id, "channels": [place(one) for one in channels], "members": members}


def empty_message(message_id: str, channel_id: str) -> Json:
    """An empty message by the bot."""
    lists = ("attachments", "components", "embeds", "mentions", "mention_roles")
    no = dict.fromkeys(("tts", "mention_everyone", "pinned"), False)
    times = {"timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None}
    facts = {"id": message_id, "channel_id": channel_id, "author": user(APPLICATION), "type": 0}
    return {**facts, **times, **no, "content": "", "flags": 0, **{name: [] for name in lists}}
