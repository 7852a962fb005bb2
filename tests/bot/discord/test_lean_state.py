"""The reduced client cache is enough to work out the bot's permissions."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import discord
import pytest
from discord.state import ConnectionState

from bot.board.welcome import greeting_channel
from bot.discord.gateway import LeanState
from bot.discord.replies import missing_in
from tests.bot.support.servers import BOT, server, state_of

SERVERS = [server(number, 15, 6, 4) for number in range(25)]


def states() -> tuple[Any, Any]:
    """discord.py's own state and the bot's reduced one, fed with the same servers."""
    both = state_of(ConnectionState), state_of(LeanState)
    for state in both:
        for one in SERVERS:
            state.parse_guild_create(json.loads(json.dumps(one)))
    return both


def allowed(state: ConnectionState[Any]) -> dict[int, Any]:
    """The bot's permissions in each text channel, and the channel it would greet in."""
    found: dict[int, Any] = {}
    for guild in state.guilds:
        greeted = greeting_channel(guild)
        found[guild.id] = greeted and greeted.id
        for channel in guild.text_channels:
            found[channel.id] = (channel.permissions_for(guild.me), missing_in(channel))
    return found


async def test_permissions_are_those_of_the_whole_description() -> None:
    """The reduced state gives the same permissions as the full one."""
    full, lean = states()
    assert allowed(lean) == allowed(full)
    assert len(set(map(str, allowed(lean).values()))) > 10


async def test_changes_of_channels_and_servers_are_followed() -> None:
    """A changed overwrite, role or server takes effect at once in the reduced state."""
    both = states()
    changed = deepcopy(SERVERS[0])
    everyone = changed["roles"][0]
    for state in both:
        for channel in changed["channels"]:
            denied = {"id": everyone["id"], "type": 0, "allow": "3072", "deny": "32768"}
            update = {**channel, "guild_id": changed["id"], "permission_overwrites": [denied]}
            state.parse_channel_update(deepcopy(update))
        state.parse_guild_update({**deepcopy(changed), "name": "renamed", "channels": []})
        role = {**everyone, "permissions": "64"}
        state.parse_guild_role_update({"guild_id": changed["id"], "role": role})
    full, lean = map(allowed, both)
    assert lean == full
    assert full != allowed(states()[0])


async def test_another_role_of_the_bot_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the bot gets another role, discarded roles and channels are fetched and take effect."""
    full, lean = states()
    described = SERVERS[1]

    class Requests:
        async def get_roles(self, _guild_id: int) -> Any:
            return deepcopy(described["roles"])

        async def get_all_guild_channels(self, _guild_id: int) -> Any:
            return deepcopy(described["channels"])

    monkeypatch.setattr(lean, "http", Requests())
    me = next(one for one in described["members"] if int(one["user"]["id"]) == BOT)
    roles = [role["id"] for role in described["roles"][1:]]
    for state in (full, lean):
        state.parse_guild_member_update({**me, "roles": roles, "guild_id": described["id"]})
    for task in tuple(lean._reading):
        await task
    assert allowed(lean) == allowed(full)


async def test_nothing_is_kept_of_threads_and_of_channels_without_messages() -> None:
    """Threads and channels without messages are not cached; interactions describe their thread."""
    _, lean = states()
    kinds = {type(channel) for guild in lean.guilds for channel in guild.channels}
    assert kinds == {discord.TextChannel, discord.VoiceChannel}
    assert not any(guild.threads for guild in lean.guilds)
    assert {len(guild.members) for guild in lean.guilds} == {1}
