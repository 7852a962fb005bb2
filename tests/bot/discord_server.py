"""A small Discord on the loopback address: enough of its API and gateway for discord.py's client.

It keeps what the bot sends, so that tests can look at it, and it is as strict as Discord about
tokens and about answering an interaction once.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Self, TypeVar

import discord
from aiohttp import BodyPartReader, web

T = TypeVar("T")
Json = dict[str, Any]
Answer = Callable[[web.Request, Any], web.Response]

TOKEN = ".".join(("MTAwMQ", "Zq1XwA", "nobody-may-see-this-part"))
APPLICATION, GUILD, CHANNEL, ANA = (str(10**18 + number) for number in range(1, 5))
PLACE = {"id": CHANNEL, "type": 0, "name": "connect-4", "position": 0, "parent_id": None}
NAMES = {APPLICATION: "Cuatro", ANA: "Ana"}
DISPATCH, HEARTBEAT, IDENTIFY, RESUME, HELLO, HEARTBEAT_ACK = 0, 1, 2, 6, 10, 11
COMMAND, BUTTON, AUTOCOMPLETE = 2, 3, 4  # interactions
MESSAGE, LATER_MESSAGE, LATER_UPDATE, UPDATE, SUGGESTIONS = 4, 5, 6, 7, 8  # their answers


@dataclass(frozen=True, slots=True)
class Request:
    """A request as the bot sent it."""

    method: str
    path: str
    payload: Any
    files: dict[str, bytes]


@dataclass(slots=True)
class DiscordServer:
    """The server: `async with DiscordServer() as server`."""

    close_code: int | None = None
    """What the gateway closes the connection with instead of accepting an IDENTIFY."""
    heartbeat_ms: int = 41_250
    acknowledges: bool = True
    """Whether heartbeats are acknowledged."""
    failures: dict[str, int] = field(default_factory=dict)  # statuses by ends of paths
    bots: list[web.WebSocketResponse] = field(default_factory=list)  # that listen
    requests: list[Request] = field(default_factory=list)
    greetings: list[Json] = field(default_factory=list)
    """What bots said to the gateway to identify themselves or to resume."""
    messages: dict[str, Json] = field(default_factory=dict)
    _asked: dict[str, Json] = field(default_factory=dict)
    _answered: dict[str, str | None] = field(default_factory=dict)  # ids of messages
    _ids: count[int] = field(default_factory=lambda: count(2 * 10**18))
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _runner: web.AppRunner = field(init=False)
    api_url: str = ""
    gateway_url: str = ""

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.add_routes(self._routes())
        self._runner = web.AppRunner(app, shutdown_timeout=1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        address = f"127.0.0.1:{self._runner.addresses[0][1]}"
        self.api_url, self.gateway_url = f"http://{address}/api/v10", f"ws://{address}/gateway"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.hang_up()
        await self._runner.cleanup()

    # What tests do and look at

    async def until(self, find: Callable[[], T], seconds: float = 30.0) -> T:
        """Wait until `find` finds something in what the bot sent, and return it."""
        async with asyncio.timeout(seconds), self._news:
            while not (found := find()):
                await self._news.wait()
            return found

    def sent(self, method: str, part: str) -> list[Request]:
        """The requests of a method whose path holds a part, the oldest first."""
        return [one for one in self.requests if one.method == method and part in one.path]

    async def hang_up(self) -> None:
        """Close all connections to the gateway, as Discord does now and then."""
        for socket in self.bots.copy():
            await socket.close(code=1001)

    async def command(
        self, name: str, *, kind: int = COMMAND, locale: str = "en-US", **given: Any
    ) -> str:
        """Use `/connect4 NAME` with the given options; returns the interaction's token."""
        options = [
            {"name": key, "type": 3 if isinstance(value, str) else 4, "value": value}
            for key, value in given.items()
        ]
        options[-1:] = [{**last, "focused": kind == AUTOCOMPLETE} for last in options[-1:]]
        part = {"name": name, "type": 1, "options": options}
        data = {"id": self._new_id(), "name": "connect4", "type": 1, "options": [part]}
        return await self._interact(type=kind, data=data, locale=locale)

    async def press(self, message: Json, custom_id: str) -> str:
        """Press a button of a message; returns the interaction's token."""
        data = {"component_type": 2, "custom_id": custom_id, "id": 1}
        return await self._interact(type=BUTTON, data=data, message=message)

    async def answer(self, token: str, seconds: float = 30.0) -> Request:
        """Wait for the answer to an interaction."""
        return (await self.until(lambda: self.sent("POST", f"/{token}/callback"), seconds))[0]

    def message_of(self, token: str) -> Json:
        """The message that an answered interaction is about, as it is now."""
        return self.messages[self._answered[token] or ""]

    # The gateway; discord.py accepts text where it asked for compression

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": self.heartbeat_ms}})
        async for message in socket:
            said = json.loads(message.data)
            if said["op"] == HEARTBEAT and self.acknowledges:
                await socket.send_json({"op": HEARTBEAT_ACK})
            elif said["op"] in (IDENTIFY, RESUME):
                await self._greet(socket, said["op"], said["d"])
        self.bots = [other for other in self.bots if other is not socket]
        await self._changed()
        return socket

    async def _greet(self, socket: web.WebSocketResponse, op: int, said: Json) -> None:
        self.greetings.append(said)
        code = self.close_code if said["token"] == TOKEN else 4004
        if code is not None:
            await socket.close(code=code)
        elif op == RESUME:
            await self._dispatch(socket, "RESUMED", {})
        else:
            ready = {"v": 10, "user": _user(APPLICATION), "session_id": self._new_id()}
            more = {"resume_gateway_url": self.gateway_url, "guilds": [{"id": GUILD}]}
            await self._dispatch(socket, "READY", {**ready, **more})
            guild = {"id": GUILD, "channels": [PLACE], "members": [_member(APPLICATION)]}
            await self._dispatch(socket, "GUILD_CREATE", guild)
        self.bots += [] if code else [socket]
        await self._changed()

    async def _dispatch(self, socket: web.WebSocketResponse, event: str, data: Json) -> None:
        await socket.send_json({"op": DISPATCH, "s": 1, "t": event, "d": data})

    async def _interact(self, **what: Any) -> str:
        token = f"interaction-{self._new_id()}"
        ids = {"id": self._new_id(), "application_id": APPLICATION, "token": token}
        place = {"guild_id": GUILD, "channel_id": CHANNEL, "channel": PLACE, "context": 0}
        facts = {"version": 1, "locale": "en-US", "attachment_size_limit": 10_485_760}
        facts["app_permissions"] = str(discord.Permissions.all().value)
        self._asked[token] = {**ids, **place, **facts, "member": _member(ANA), **what}
        await self._dispatch(self.bots[-1], "INTERACTION_CREATE", self._asked[token])
        return token

    async def _changed(self) -> None:
        async with self._news:
            self._news.notify_all()

    def _new_id(self) -> str:
        return str(next(self._ids))

    # The API

    def _routes(self) -> list[web.RouteDef]:
        later = "/webhooks/{application}/{token}"
        answers: dict[tuple[str, str], Answer] = {
            ("GET", "/users/{user}"): self._get_user,
            ("GET", "/oauth2/applications/@me"): self._get_application,
            ("PUT", "/applications/{application}/commands"): self._put_commands,
            ("POST", "/interactions/{interaction}/{token}/callback"): self._callback,
            ("POST", later): self._follow_up,
            ("PATCH", f"{later}/messages/@original"): self._follow_up,
            ("POST", "/channels/{channel}/messages"): self._write_message,
            ("PATCH", "/channels/{channel}/messages/{message}"): self._write_message,
        }
        routes = [
            web.route(method, f"/api/v10{path}", self._api(answer))
            for (method, path), answer in answers.items()
        ]
        return [web.get("/gateway", self._gateway), *routes]

    def _api(self, answer: Answer) -> Callable[[web.Request], Awaitable[web.Response]]:
        """A handler that knows the token, keeps the request and leaves the rest to `answer`."""

        async def handle(request: web.Request) -> web.Response:
            payload, files = await _read(request)
            status = self.failures.get(request.path.rsplit("/", 1)[-1])
            by_token = "token" in request.match_info
            if status is not None:
                response = _error(status, 0, "This fails today")
            elif not by_token and request.headers.get("Authorization") != f"Bot {TOKEN}":
                response = _error(401, 0, "401: Unauthorized")
            else:
                response = answer(request, payload)
            # discord.py takes nothing else for JSON, not even with a charset.
            response.headers["Content-Type"] = "application/json"
            self.requests.append(Request(request.method, request.path, payload, files))
            await self._changed()
            return response

        return handle

    def _get_user(self, request: web.Request, _payload: Any) -> web.Response:
        return web.json_response(_user(request.match_info["user"].replace("@me", APPLICATION)))

    def _get_application(self, _request: web.Request, _payload: Any) -> web.Response:
        texts = dict.fromkeys(("name", "description", "verify_key", "icon"), "")
        no = dict.fromkeys(("bot_public", "bot_require_code_grant"), False)
        return web.json_response({"id": APPLICATION, **texts, **no, "owner": _user(ANA)})

    def _put_commands(self, _request: web.Request, payload: Any) -> web.Response:
        facts = {"application_id": APPLICATION, "version": "1"}
        told = [{"description": "", **one, **facts, "id": "1"} for one in payload]
        return web.json_response(told)

    def _callback(self, request: web.Request, payload: Any) -> web.Response:
        token, kind = request.match_info["token"], payload["type"]
        asked = self._asked.get(token)
        if asked is None or asked["id"] != request.match_info["interaction"]:
            return _error(404, 10062, "Unknown interaction")
        if token in self._answered:
            return _error(400, 40060, "Interaction has already been acknowledged.")
        data, message = payload.get("data") or {}, asked.get("message")
        if kind in (MESSAGE, LATER_MESSAGE, UPDATE):
            message = self._write(data, message["id"] if kind == UPDATE else None)
        self._answered[token] = message_id = message and message["id"]
        facts = {"id": asked["id"], "type": asked["type"], "response_message_id": message_id}
        resource = {"type": kind, "message": message} if message else None
        return web.json_response({"interaction": facts, "resource": resource})

    def _follow_up(self, request: web.Request, payload: Any) -> web.Response:
        token = request.match_info["token"]
        if token not in self._answered:
            return _error(404, 10015, "Unknown Webhook")
        message_id = self._answered[token] if request.method == "PATCH" else None
        return web.json_response(self._write(payload, message_id))

    def _write_message(self, request: web.Request, payload: Any) -> web.Response:
        message_id = request.match_info.get("message")
        if message_id is not None and message_id not in self.messages:
            return _error(404, 10008, "Unknown Message")
        return web.json_response(self._write(payload, message_id))

    def _write(self, payload: Json, message_id: str | None) -> Json:
        """Make or change a message as the payload says; returns it as Discord shows it."""
        message_id = message_id or self._new_id()
        old = self.messages.get(message_id) or _empty_message(message_id)
        changed = {
            key: payload[key] for key in ("content", "components", "flags") if key in payload
        }
        if "attachments" in payload:
            shown = {"id": "1", "size": 1, "url": self.api_url, "proxy_url": self.api_url}
            changed["attachments"] = [{**given, **shown} for given in payload["attachments"]]
        self.messages[message_id] = {**old, **changed}
        return self.messages[message_id]


async def _read(request: web.Request) -> tuple[Any, dict[str, bytes]]:
    """A request's JSON and files."""
    if not request.content_type.startswith("multipart/"):
        text = await request.text()
        return json.loads(text) if text else None, {}
    payload, files = None, {}
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        if part.name == "payload_json":
            payload = json.loads(await part.text())
        else:
            files[part.filename or ""] = bytes(await part.read())
    return payload, files


def _error(status: int, code: int, text: str) -> web.Response:
    return web.json_response({"code": code, "message": text}, status=status)


def _user(user: str) -> Json:
    name = NAMES[user]
    texts = {"username": name.lower(), "global_name": name, "discriminator": "0", "avatar": None}
    return {"id": user, **texts, "bot": user == APPLICATION}


def _member(user: str) -> Json:
    return {"user": _user(user), "roles": [], "flags": 0, "permissions": "0"}


def _empty_message(message_id: str) -> Json:
    lists = ("attachments", "components", "embeds", "mentions", "mention_roles")
    no = dict.fromkeys(("tts", "mention_everyone", "pinned"), False)
    times = {"timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None}
    facts = {"id": message_id, "channel_id": CHANNEL, "author": _user(APPLICATION), "type": 0}
    return {**facts, **times, **no, "content": "", "flags": 0, **{name: [] for name in lists}}
