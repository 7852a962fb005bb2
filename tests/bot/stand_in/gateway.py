"""The gateway: sessions that can be resumed, with the events that were missed meanwhile.

A session is of one shard or of all servers. Several sessions may be of the same shard, and each
receives all its events.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import ClientConnectionError, web

from tests.bot.stand_in.payloads import APPLICATION, TOKEN, Json, guild, user

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, HEARTBEAT_ACK = (
    0, 1, 2, 6, 7, 9, 10, 11,
)  # fmt: skip
AUTHENTICATION_FAILED = 4004
ENDING_CODES = (1000, 1001)
"""The close codes from a bot that end its session."""
MAX_MISSED = 5000
"""The number of events that a session keeps for a resuming bot."""


@dataclass(slots=True)
class GatewaySession:
    """A session, as one IDENTIFY begins it."""

    id: str
    socket: web.WebSocketResponse | None
    shard: tuple[int, int] | None = None
    """The shard's number and the number of shards; None for a session of all servers."""
    sent: int = 0
    events: deque[Json] = field(default_factory=lambda: deque(maxlen=MAX_MISSED))

    def serves(self, guild_id: str | None) -> bool:
        """Whether a server's events go to this session; None means private messages."""
        if self.shard is None:
            return True
        number, count = self.shard
        return number == (int(guild_id or 0) >> 22) % count

    async def dispatch(self, event: str, data: Json) -> None:
        """Send an event, or keep it until the session is resumed."""
        self.sent += 1
        self.events.append({"op": DISPATCH, "s": self.sent, "t": event, "d": data})
        await send(self.socket, self.events[-1])

    async def replay(self, seen: int) -> None:
        """Send the events that were missed after the one with this number."""
        for event in list(self.events):
            if event["s"] > seen:
                await send(self.socket, event)


@dataclass(frozen=True, slots=True)
class Identify:
    """An IDENTIFY that was accepted, or refused because it came too soon after another one."""

    shard: tuple[int, int] | None
    bucket: int
    """Its rate limit bucket: the shard's number modulo the bot's concurrency."""
    at: float
    """By the monotonic clock, in seconds."""


@dataclass(slots=True)
class Gateway:
    """The WebSocket of the gateway.

    It sends text, which discord.py accepts instead of compression.
    """

    guilds: dict[str, list[str]]
    new_id: Callable[[], str]
    changed: Callable[[], Awaitable[None]]
    url: str = ""
    close_code: int | None = None
    """The answer to an IDENTIFY or RESUME that is refused; None to accept it."""
    interval: float = 41.25
    """The heartbeat interval in seconds."""
    acknowledges: bool = True
    """Whether heartbeats are acknowledged."""
    forgets: bool = False
    """Whether a RESUME is refused, so that the bot must begin a fresh session."""
    bots: list[web.WebSocketResponse] = field(default_factory=list)  # that listen
    greetings: list[Json] = field(default_factory=list)
    """The received IDENTIFY and RESUME payloads."""
    max_concurrency: int = 1
    """The number of shards that may identify at the same time."""
    identify_interval: float = 0.0
    """The least seconds between two IDENTIFYs of a bucket, 5 on Discord.

    An earlier one is answered with an invalid session.
    """
    total: int = 1000
    """The number of sessions that may be begun in a day."""
    identifies: list[Identify] = field(default_factory=list)
    heartbeats: int = 0
    half_open: int = 0
    """The number of connections that ended without a session."""
    sessions: dict[str, GatewaySession] = field(default_factory=dict)

    @property
    def latest(self) -> GatewaySession | None:
        """The session that receives events."""
        return next(reversed(self.sessions.values()), None)

    async def dispatch(self, event: str, data: Json) -> int:
        """Send an event to the bot, or keep it if the bot can resume later.

        Every session of the server's shard receives it. Returns the number of sessions.
        """
        listeners = self._listeners(data.get("guild_id"))
        for session in listeners:
            await session.dispatch(event, data)
        return len(listeners)

    def _listeners(self, guild_id: str | None) -> list[GatewaySession]:
        if self.latest is None or self.latest.shard is None:
            return [self.latest] if self.latest is not None else []
        return [one for one in self.sessions.values() if one.serves(guild_id)]

    def bot(self, _request: web.Request, _payload: object) -> web.Response:
        """GET of the gateway's address and of the limits for identifying."""
        limits = {
            "total": self.total,
            "remaining": max(0, self.total - len(self.identifies)),
            "reset_after": 86_400_000,
        }
        start = {**limits, "max_concurrency": self.max_concurrency}
        return web.json_response({"url": self.url, "shards": 1, "session_start_limit": start})

    async def hang_up(self, code: int = 1001) -> None:
        """Close all connections, as Discord does at times."""
        for socket in self.bots.copy():
            await socket.close(code=code)

    async def ask_to_reconnect(self) -> None:
        """Send op 7: the bot should connect again and resume."""
        for socket in self.bots.copy():
            await send(socket, {"op": RECONNECT, "d": None})

    async def invalidate(self, *, resumable: bool = False) -> None:
        """Send op 9: the session is invalid; a `resumable` one may be resumed."""
        for socket in self.bots.copy():
            await send(socket, {"op": INVALID, "d": resumable})

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection of a bot."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        hello = {"op": HELLO, "d": {"heartbeat_interval": int(1000 * self.interval)}}
        await send(socket, hello)
        async for message in socket:
            said = json.loads(message.data)
            if said["op"] == HEARTBEAT:
                self.heartbeats += 1
                await self.changed()
                if self.acknowledges:
                    await send(socket, {"op": HEARTBEAT_ACK})
            elif said["op"] in (IDENTIFY, RESUME):
                await self._greet(socket, said["op"], said["d"])
        self.bots = [other for other in self.bots if other is not socket]
        self._leave(socket)
        await self.changed()
        return socket

    def _leave(self, socket: web.WebSocketResponse) -> None:
        left = [one for one in self.sessions.values() if one.socket is socket]
        self.half_open += not left
        for session in left:
            session.socket = None
            if session.shard is not None and socket.close_code in ENDING_CODES:
                del self.sessions[session.id]

    async def _greet(self, socket: web.WebSocketResponse, op: int, said: Json) -> None:
        self.greetings.append(said)
        code = self.close_code if said["token"] == TOKEN else AUTHENTICATION_FAILED
        if code is not None:
            await socket.close(code=code)
        elif op == IDENTIFY:
            await self._identify(socket, said.get("shard"))
        elif self.forgets or said["session_id"] not in self.sessions:
            await send(socket, {"op": INVALID, "d": False})
        else:
            await self._take_up(self.sessions[said["session_id"]], socket, said["seq"] or 0)
        await self.changed()

    async def _identify(self, socket: web.WebSocketResponse, given: list[int] | None) -> None:
        shard = (given[0], given[1]) if given else None
        bucket, now = (shard[0] if shard else 0) % self.max_concurrency, time.monotonic()
        earlier = (one.at for one in reversed(self.identifies) if one.bucket == bucket)
        is_too_soon = now - next(earlier, -self.identify_interval) < self.identify_interval
        self.identifies.append(Identify(shard, bucket, now))
        if is_too_soon:
            await send(socket, {"op": INVALID, "d": False})
        else:
            await self._begin(GatewaySession(self.new_id(), socket, shard))
            self.bots.append(socket)

    async def _begin(self, session: GatewaySession) -> None:
        self.sessions[session.id] = session
        theirs = {one: rooms for one, rooms in self.guilds.items() if session.serves(one)}
        unavailable = [{"id": one, "unavailable": True} for one in theirs]
        ready = {"v": 10, "user": user(APPLICATION), "session_id": session.id}
        more = {"resume_gateway_url": self.url, "guilds": unavailable}
        shard = {"shard": [*session.shard]} if session.shard else {}
        await session.dispatch("READY", {**ready, **more, **shard})
        for guild_id, channels in theirs.items():
            await session.dispatch("GUILD_CREATE", guild(guild_id, channels))

    async def _take_up(
        self, session: GatewaySession, socket: web.WebSocketResponse, seen: int
    ) -> None:
        session.socket = socket
        await session.replay(seen)
        await session.dispatch("RESUMED", {})
        self.bots.append(socket)


async def send(socket: web.WebSocketResponse | None, said: Json) -> None:
    """Send a payload unless the connection is closed."""
    if socket is None or socket.closed:
        return
    with suppress(ClientConnectionError, ConnectionError, asyncio.CancelledError):
        await socket.send_json(said)
