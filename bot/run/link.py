"""How discord.py's connections to the gateway stand."""

from __future__ import annotations

import time

import discord
from discord.gateway import DiscordWebSocket

from bot.discord.sharded import ShardedClient
from bot.monitoring.checks import Link


def links_of(client: discord.Client) -> tuple[Link, ...]:
    """The connections of a client, as they are now: one for each shard, or a single one."""
    is_ready = client.is_ready() and not client.is_closed()
    if not isinstance(client, ShardedClient):
        return (_link(None if client.is_closed() else client.ws, is_ready),)
    until = client.turns.exhausted_until
    sockets = {number: shard._parent.ws for number, shard in client.shards.items()}
    if client.is_closed():
        sockets = {}
    return tuple(
        _link(sockets.get(number), is_ready, number, until) for number in sorted(client.serves.ids)
    )


def _link(
    socket: DiscordWebSocket | None,
    is_ready: bool,
    shard: int | None = None,
    exhausted_until: float | None = None,
) -> Link:
    """One connection.

    `is_ready` stays true when the connection breaks, and `latency` is that of the last heartbeat
    that was acknowledged, however long ago. So this reads the clock of discord.py's thread for
    heartbeats as well, which no public name leads to.
    """
    if socket is None or not socket.open:
        return Link(is_up=False, shard=shard, exhausted_until=exhausted_until)
    beating = socket._keep_alive
    if beating is None or beating.interval is None:
        return Link(is_up=True, is_ready=is_ready, shard=shard)
    silence = time.perf_counter() - beating._last_ack - beating.interval
    return Link(is_up=True, is_ready=is_ready, silence=silence, shard=shard)
