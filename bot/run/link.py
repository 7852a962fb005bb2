"""How discord.py's connection to the gateway stands."""

from __future__ import annotations

import time

import discord

from bot.monitoring.checks import Link


def link_of(client: discord.Client) -> Link:
    """The connection of a client, as it is now.

    `is_ready` stays true when the connection breaks, and `latency` is that of the last heartbeat
    that was acknowledged, however long ago. So this reads the clock of discord.py's thread for
    heartbeats as well, which no public name leads to.
    """
    socket = client.ws
    if socket is None or client.is_closed() or not socket.open:
        return Link(is_up=False)
    beating = socket._keep_alive
    if beating is None or beating.interval is None:
        return Link(is_up=True, is_ready=client.is_ready())
    silence = time.perf_counter() - beating._last_ack - beating.interval
    return Link(is_up=True, is_ready=client.is_ready(), silence=silence)
