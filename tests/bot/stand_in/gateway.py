"""The gateway: sessions that can be resumed, with the events that were missed meanwhile."""

from __future__ import annotations

import asyncio
import json
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
MOST_MISSED = 5000
"""Events that a session remembers for whoever resumes it."""


@dataclass(slots=True)
class GatewaySession:
    """What one IDENTIFY began."""

    id: str
    socket: web.WebSocketResponse | None
    sent: int = 0
    events: deque[Json] = field(default_factory=lambda: deque(maxlen=MOST_MISSED))

    async def dispatch(self, event: str, data: Json) -> None:
        """Send an event, or keep it for whoever resumes the session."""
        self.sent += 1
        self.events.append({"op": DISPATCH, "s": self.sent, "t": event, "d": data})
        await send(self.socket, self.events[-1])

    async def replay(self, seen: int) -> None:
        """Send what was missed after the event with this number."""
        for event in list(self.events):
            if event["s"] > seen:
                await send(self.socket, event)


@dataclass(slots=True)
class Gateway:
    """All that happens on the WebSocket; discord.py accepts text where it asked for compression."""

    guilds: dict[str, list[str]]
    new_id: Callable[[], str]
    changed: Callable[[], Awaitable[None]]
    url: str = ""
    close_code: int | None = None
    """What an IDENTIFY or RESUME is answered with instead of being accepted."""
    interval: float = 41.25
    """Seconds between two heartbeats that the bot is asked for."""
    acknowledges: bool = True
    """Whether heartbeats are acknowledged."""
    forgets: bool = False
    """Whether a RESUME is refused, so that the bot must begin a fresh session."""
    bots: list[web.WebSocketResponse] = field(default_factory=list)  # that listen
    greetings: list[Json] = field(default_factory=list)
    """What bots said to identify themselves or to resume."""
    heartbeats: int = 0
    sessions: dict[str, GatewaySession] = field(default_factory=dict)

    @property
    def latest(self) -> GatewaySession | None:
        """The session that events go to."""
        return next(reversed(self.sessions.values()), None)

    async def dispatch(self, event: str, data: Json) -> None:
        """Tell the bot of something; kept for it if it is away and can resume."""
        if self.latest is not None:
            await self.latest.dispatch(event, data)

    async def hang_up(self, code: int = 1001) -> None:
        """Close all connections, as Discord does now and then."""
        for socket in self.bots.copy():
            await socket.close(code=code)

    async def ask_to_reconnect(self) -> None:
        """Send op 7: the bot should connect again and resume."""
        for socket in self.bots.copy():
            await send(socket, {"op": RECONNECT, "d": None})

    async def invalidate(self, *, resumable: bool = False) -> None:
        """Send op 9: the session is invalid; only a `resumable` one may be taken up again."""
        for socket in self.bots.copy():
            await send(socket, {"op": INVALID, "d": resumable})

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """One connection of a bot."""
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
        for session in self.sessions.values():
            session.socket = None if session.socket is socket else session.socket
        await self.changed()
        return socket

    async def _greet(self, socket: web.WebSocketResponse, op: int, said: Json) -> None:
        self.greetings.append(said)
        code = self.close_code if said["token"] == TOKEN else AUTHENTICATION_FAILED
        if code is not None:
            await socket.close(code=code)
        elif op == IDENTIFY:
            await self._begin(socket)
        elif self.forgets or said["session_id"] not in self.sessions:
            await send(socket, {"op": INVALID, "d": False})
        else:
            await self._take_up(self.sessions[said["session_id"]], socket, said["seq"] or 0)
        await self.changed()

    async def _begin(self, socket: web.WebSocketResponse) -> None:
        session = GatewaySession(self.new_id(), socket)
        self.sessions[session.id] = session
        unavailable = [{"id": one, "unavailable": True} for one in self.guilds]
        ready = {"v": 10, "user": user(APPLICATION), "session_id": session.id}
        more = {"resume_gateway_url": self.url, "guilds": unavailable}
        await session.dispatch("READY", {**ready, **more})
        for guild_id, channels in self.guilds.items():
            await session.dispatch("GUILD_CREATE", guild(guild_id, channels))
        self.bots.append(socket)

    async def _take_up(
        self, session: GatewaySession, socket: web.WebSocketResponse, seen: int
    ) -> None:
        session.socket = socket
        await session.replay(seen)
        await session.dispatch("RESUMED", {})
        self.bots.append(socket)


async def send(socket: web.WebSocketResponse | None, said: Json) -> None:
    """Send something, unless nobody is there."""
    if socket is None or socket.closed:
        return
    with suppress(ClientConnectionError, ConnectionError, asyncio.CancelledError):
        await socket.send_json(said)
