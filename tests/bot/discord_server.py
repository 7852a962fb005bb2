"""A small Discord on the loopback address: enough of its API and gateway for discord.py's client.

It keeps what the bot sends, so that tests can look at it, and it is as strict as Discord about
tokens and about answering an interaction once. Several people play in several channels and servers;
requests fail by rule (`faults`), are limited by bucket (`limits`), and the connection to the
`gateway` breaks in every way.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import warnings
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any, Self, TypeVar

import discord
from aiohttp import web
from discord.gateway import KeepAliveHandler
from discord.utils import time_snowflake

from tests.bot.discord.stage import command_for
from tests.bot.stand_in.api import Request, get_application, get_user, put_commands, read
from tests.bot.stand_in.faults import Faults
from tests.bot.stand_in.gateway import Gateway
from tests.bot.stand_in.interactions import (
    LATER_MESSAGE,
    LATER_UPDATE,
    MESSAGE,
    SUGGESTIONS,
    UPDATE,
    Interactions,
)
from tests.bot.stand_in.limits import Limits, too_many
from tests.bot.stand_in.messages import Messages
from tests.bot.stand_in.payloads import (
    ANA,
    APPLICATION,
    CHANNEL,
    GUILD,
    TOKEN,
    Json,
    error,
    member,
    place,
    thread,
    user,
)
from tests.builders import PATIENCE, source_of

__all__ = [
    "ANA", "APPLICATION", "AUTOCOMPLETE", "BUTTON", "CHANNEL", "COMMAND", "GUILD", "LATER_MESSAGE",
    "LATER_UPDATE", "MESSAGE", "SUGGESTIONS", "TOKEN", "UPDATE", "DiscordServer", "Json", "Person",
    "Request",
]  # fmt: skip

T = TypeVar("T")
Answer = Callable[[web.Request, Any], web.Response]

COMMAND, BUTTON, AUTOCOMPLETE = 2, 3, 4  # interactions
WORD, NUMBER, USER = 3, 4, 6  # options
ALL_PERMISSIONS = discord.Permissions.all().value


@dataclass(frozen=True, slots=True)
class Person:
    """A person named in a command's option."""

    id: str


@dataclass(slots=True)
class DiscordServer:
    """The server: `async with DiscordServer() as server`."""

    guilds: dict[str, list[str]] = field(default_factory=lambda: {GUILD: [CHANNEL]})
    """The channels of each server."""
    faults: Faults = field(default_factory=Faults)
    limits: Limits = field(default_factory=Limits)
    permissions: dict[str, int] = field(default_factory=dict)
    """The bot's permissions in a channel, if they are not all granted."""
    keeps: int | None = None
    """The number of kept requests; None for all."""
    requests: list[Request] = field(default_factory=list)
    gateway: Gateway = field(init=False)
    board: Messages = field(init=False)
    interactions: Interactions = field(init=False)
    api_url: str = ""
    gateway_url: str = ""
    _ids: count[int] = field(default_factory=lambda: count(1))
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _runner: web.AppRunner = field(init=False)

    def __post_init__(self) -> None:
        """Create the parts, which share ids and events."""
        self.board = Messages(self._new_id)
        self.interactions = Interactions(self.board)
        self.gateway = Gateway(self.guilds, self._new_id, self._changed)

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.add_routes(self._routes())
        self._runner = web.AppRunner(app, shutdown_timeout=1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        address = f"127.0.0.1:{self._runner.addresses[0][1]}"
        self.api_url, self.gateway_url = f"http://{address}/api/v10", f"ws://{address}/gateway"
        self.board.picture_url, self.gateway.url = self.api_url, self.gateway_url
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.gateway.hang_up()
        await self._runner.cleanup()
        # discord.py leaves the heartbeat of a client running if it is cancelled while connecting.
        for one in threading.enumerate():
            if isinstance(one, KeepAliveHandler):
                one.stop()
                await asyncio.to_thread(one.join, 5)
        if self.gateway.half_open:
            # Nor does it close the socket of such a client, which is deleted at some time.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResourceWarning)
                gc.collect()

    # For assertions

    @property
    def bots(self) -> list[web.WebSocketResponse]:
        """The connected bots."""
        return self.gateway.bots

    @property
    def greetings(self) -> list[Json]:
        """The IDENTIFY and RESUME payloads of bots."""
        return self.gateway.greetings

    @property
    def messages(self) -> dict[str, Json]:
        """All messages by id, in their present state."""
        return self.board.by_id

    async def until(self, find: Callable[[], T], seconds: float = PATIENCE) -> T:
        """Wait until `find` returns something, and return it.

        Raises TimeoutError with the source of `find`.
        """
        try:
            async with asyncio.timeout(seconds), self._news:
                while not (found := find()):
                    await self._news.wait()
                return found
        except TimeoutError:
            raise TimeoutError(f"not within {seconds:.0f} s: {source_of(find)}") from None

    def sent(self, method: str, part: str) -> list[Request]:
        """The requests with a method and a path that contains a part, the oldest first."""
        return [one for one in self.requests if one.method == method and part in one.path]

    async def answer(self, token: str, seconds: float = PATIENCE) -> Request:
        """Wait for the answer to an interaction."""
        return (await self.until(lambda: self.sent("POST", f"/{token}/callback"), seconds))[0]

    def message_of(self, token: str) -> Json:
        """The present state of the message that an answered interaction is about."""
        return self.messages[self.interactions.answered[token] or ""]

    # Actions of people and of Discord

    async def hang_up(self, code: int = 1001) -> None:
        """Close all connections to the gateway, as Discord does at times."""
        await self.gateway.hang_up(code)

    async def command(
        self,
        name: str,
        *,
        kind: int = COMMAND,
        locale: str = "en-US",
        family: str = "connect4",
        user_id: str = ANA,
        channel: str = CHANNEL,
        age: float = 0.0,
        **given: str | int | Person,
    ) -> str:
        """Use a command with options, for a game, `age` seconds ago; returns the token."""
        path, own = command_for(family, name)
        options = [_option(key, value) for key, value in (own | given).items()]
        options[-1:] = [{**last, "focused": kind == AUTOCOMPLETE} for last in options[-1:]]
        first, *rest = path.split()
        if rest:
            options = [{"name": rest[0], "type": 1, "options": options}]
        data = {"id": self._new_id(), "name": first, "type": 1, "options": options}
        named = [one.id for one in given.values() if isinstance(one, Person)]
        data["resolved"] = {
            "users": {one: user(one) for one in named},
            "members": {one: {**member(one), "user": None} for one in named},
        }
        used = self._aged_id(age)
        return await self._interact(user_id, channel, id=used, type=kind, data=data, locale=locale)

    async def start_game(self, **options: str) -> Json:
        """Use `/connect4 start` and return the message with the game.

        A busy bot may answer with a private message to wait first.
        """
        before = {*self.messages}
        await self.answer(await self.command("start", **options))

        def board() -> Json | None:
            new = (self.messages[one] for one in {*self.messages} - before)
            return next((message for message in new if message.get("components")), None)

        shown = await self.until(board)
        assert shown is not None
        return shown

    async def press(
        self, message: Json, custom_id: str, *, user_id: str = ANA, age: float = 0.0
    ) -> str:
        """Press a button of a message, `age` seconds ago; returns the interaction's token."""
        data = {"component_type": 2, "custom_id": custom_id, "id": 1}
        channel = message["channel_id"]
        pressed = self._aged_id(age)
        return await self._interact(
            user_id, channel, type=BUTTON, data=data, message=message, id=pressed
        )

    async def resign(self, **options: str) -> Request:
        """Use `/connect4 resign`, confirm it, and return the answer to that."""
        asked = await self.command("resign", **options)
        await self.answer(asked)
        question = self.message_of(asked)
        sure = question["components"][0]["components"][0]["custom_id"]
        user_id = options.get("user_id", ANA)
        return await self.answer(await self.press(question, sure, user_id=user_id))

    async def delete_channel(self, channel: str) -> None:
        """Delete a channel and send the event."""
        self.board.close(channel)
        await self.gateway.dispatch("CHANNEL_DELETE", {**place(channel), "guild_id": GUILD})

    async def archive(self, channel: str) -> None:
        """Archive a channel as a thread and send the event."""
        self.board.archived.add(channel)
        await self.gateway.dispatch("THREAD_UPDATE", thread(channel, GUILD, is_archived=True))

    async def reopen(self, channel: str) -> None:
        """Reopen an archived thread and send the event."""
        self.board.archived.discard(channel)
        await self.gateway.dispatch("THREAD_UPDATE", thread(channel, GUILD, is_archived=False))

    async def _interact(self, user_id: str, channel: str, **what: Any) -> str:
        token = f"interaction-{self._new_id()}"
        guild_id = next(one for one, channels in self.guilds.items() if channel in channels)
        ids = {"id": self._new_id(), "application_id": APPLICATION, "token": token}
        where = {"guild_id": guild_id, "channel_id": channel, "channel": place(channel)}
        facts = {"version": 1, "locale": "en-US", "attachment_size_limit": 10_485_760, "context": 0}
        facts["app_permissions"] = str(self.permissions.get(channel, ALL_PERMISSIONS))
        asked = {**ids, **where, **facts, "member": member(user_id), **what}
        self.interactions.ask(token, asked)
        self.interactions.deliveries[token] = await self.gateway.dispatch(
            "INTERACTION_CREATE", asked
        )
        return token

    async def _changed(self) -> None:
        async with self._news:
            self._news.notify_all()

    def _new_id(self) -> str:
        """A new id, which contains its time, as Discord's do."""
        return str(time_snowflake(datetime.now(UTC)) + next(self._ids))

    def _aged_id(self, age: float) -> str:
        """An id that was created `age` seconds ago."""
        return str(int(self._new_id()) - (int(1000 * age) << 22))

    # The API

    def _routes(self) -> list[web.RouteDef]:
        later, channel = "/webhooks/{application}/{token}", "/channels/{channel}/messages"
        board, acts = self.board, self.interactions
        answers: dict[tuple[str, str], Answer] = {
            ("GET", "/users/{user}"): get_user,
            ("GET", "/gateway/bot"): self.gateway.bot,
            ("GET", "/oauth2/applications/@me"): get_application,
            ("PUT", "/applications/{application}/commands"): put_commands,
            ("POST", "/interactions/{interaction}/{token}/callback"): acts.callback,
            ("POST", later): acts.follow_up,
            ("POST", channel): board.post,
        }
        for end in ("/messages/@original", "/messages/{message}"):
            answers["PATCH", later + end] = acts.edit
            answers["GET", later + end] = acts.get
            answers["DELETE", later + end] = acts.remove
        answers["PATCH", channel + "/{message}"] = board.edit
        answers["GET", channel + "/{message}"] = board.get
        answers["DELETE", channel + "/{message}"] = board.remove
        routes = [
            web.route(method, f"/api/v10{path}", self._api(method, path, answer))
            for (method, path), answer in answers.items()
        ]
        return [web.get("/gateway", self.gateway.serve), *routes]

    def _api(
        self, method: str, route: str, answer: Answer
    ) -> Callable[[web.Request], Awaitable[web.Response]]:
        """A handler that checks the token and keeps the request before it calls `answer`."""

        async def handle(request: web.Request) -> web.Response:
            try:
                payload, files = await read(request)
            except ConnectionError:
                return web.Response()  # the client has gone; the message was not delivered
            match = dict(request.match_info)
            full = self.limits.is_full(match)
            headers, wait = ({}, full) if full else self.limits.check(method, route, match)
            fault = self.faults.meeting(method, request.path)
            by_token = "token" in request.match_info
            self._keep(Request(method, request.path, payload, files))
            if fault is not None and fault.is_answered:
                await asyncio.sleep(fault.seconds)
                fault = None
            if wait:
                response = await too_many(request, headers, wait, everywhere=bool(full))
            elif fault is not None and not fault.taken:
                await self._changed()
                response = await fault.answer(request)
            elif not by_token and request.headers.get("Authorization") != f"Bot {TOKEN}":
                response = error(401, 0, "401: Unauthorized")
            else:
                response = answer(request, payload)
            await self._changed()
            if fault is not None and fault.taken:
                response = await fault.answer(request)
            response.headers.update(headers)
            if response.status != 204:
                # discord.py accepts only this content type for JSON, without a charset.
                response.headers["Content-Type"] = "application/json"
            return response

        return handle

    def _keep(self, request: Request) -> None:
        self.requests.append(request)
        if self.keeps is not None and len(self.requests) > 2 * self.keeps:
            del self.requests[: self.keeps]


def _option(name: str, value: str | int | Person) -> Json:
    if isinstance(value, Person):
        return {"name": name, "type": USER, "value": value.id}
    return {"name": name, "type": WORD if isinstance(value, str) else NUMBER, "value": value}
