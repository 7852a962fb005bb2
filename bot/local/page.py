"""The local page: SimCord's page for developers, changed into one for people who play.

`Page` serves SimCord's page at another port, adds scripts and a style sheet, forwards all other
requests, and answers three of its own, which the added scripts send:

* `GET /cuatro/page`: the commands, for completion, and texts in each language.
* `POST /cuatro/line`: runs a typed command.
* `POST /cuatro/suggest`: the values that the bot suggests for an option.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import aiohttp
import simcord
from aiohttp import web
from discord import Locale

from bot.i18n import LANGUAGES, Translator, cleaned, in_code, say_for, say_in
from bot.local.typed import Command, Mistyped, language_of, listed, read_line
from bot.settings import SettingsError
from engine.core.registry import games

logger = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"

ADDED = '<link rel="stylesheet" href="/cuatro.css"><script type="module" src="/page.js"></script>'
"""What is added to the head of SimCord's page."""

SCRIPT, STYLE = "application/javascript", "text/css"

FILES = {
    "/cuatro.css": ("page.css", STYLE),
    "/page.js": ("page.js", SCRIPT),
    "/cuatro-composer.js": ("composer.js", SCRIPT),
    "/cuatro-completion.js": ("completion.js", SCRIPT),
    "/cuatro-words.js": ("words.js", SCRIPT),
}
"""By path, the names of our own files beside this one, and their types."""

FORWARDED = ("Content-Type", "X-Simcord-Capability", "X-Simcord-Context")
"""The headers of requests that are forwarded."""

DROPPED = ("Content-Length", "Transfer-Encoding", "Content-Encoding", "Date", "Server")
"""The headers of responses that are not forwarded."""

TEMPORARY = {"busy", "stale-revision", "stale-sequence", "sequence-gap", "command-changed"}
"""For these reasons SimCord rejects an action that it would accept a moment later."""

RETRY_SECONDS, PATIENCE = 0.1, 60.0
"""Seconds after which such an action is tried again, and in all."""

MAX_SECONDS = 120.0
"""Seconds that a response may take: a person's move, with the search after it."""

MAX_BYTES = 27 * 1024 * 1024
"""Bytes of a request, as SimCord allows."""


@asynccontextmanager
async def open_page(
    env: simcord.Env,
    channel: simcord.ChannelHandle,
    people: Sequence[simcord.MemberActor],
    commands: Sequence[Command],
    *,
    locale: Locale,
    port: int,
) -> AsyncIterator[tuple[str, simcord.Preview, Page]]:
    """Serve the page, and yield its URL, a secret with which anyone can play.

    Port 0 takes a free one. Raises SettingsError if the port cannot be used.
    """
    async with (
        env.preview(
            channel,
            viewers=people,
            layout="channel",
            locale=locale.value,
            timezone=local_zone(),
        ) as preview,
        aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=MAX_SECONDS), auto_decompress=False
        ) as client,
    ):
        inner = urlsplit(preview.url)
        actions = Actions(client, f"{inner.scheme}://{inner.netloc}")
        page = Page(actions, inner.fragment, commands, people)
        page.locale = locale
        app = web.Application(client_max_size=MAX_BYTES)
        app.router.add_get("/cuatro/page", page.describe)
        app.router.add_post("/cuatro/line", page.run_line)
        app.router.add_post("/cuatro/suggest", page.suggest)
        app.router.add_route("*", "/{path:.*}", page.forward)
        app.middlewares.append(page.only_for_this_page)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            try:
                await web.TCPSite(runner, LOOPBACK, port).start()
            except OSError as error:
                raise SettingsError(
                    f"CUATRO_PORT {port} cannot be used: {error.strerror or error}. Set another "
                    "port, or 0 for any free one."
                ) from error
            page.port = runner.addresses[0][1]
            yield f"http://{LOOPBACK}:{page.port}/#{inner.fragment}", preview, page
        finally:
            await runner.cleanup()


def local_zone() -> str:
    """Return the name of this machine's time zone; UTC where it is not known."""
    linked = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
    for name in filter(None, (os.environ.get("TZ"), linked)):
        with suppress(ValueError, ZoneInfoNotFoundError):
            return ZoneInfo(name).key
    return "UTC"


@dataclass
class Answer:
    """A response of SimCord."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @cached_property
    def found(self) -> dict[str, Any]:
        """The JSON object of a successful response; otherwise empty."""
        return json.loads(self.body) if self.status == web.HTTPOk.status_code else {}

    @property
    def codes(self) -> set[str]:
        """The reasons for which SimCord rejected an action."""
        found = self.found
        if not found.get("rejected"):
            return set()
        return {one.get("code") for one in found.get("diagnostics", [])}


class Actions:
    """Sends requests to SimCord, and actions one after the other.

    SimCord rejects actions while it is busy, and those that do not have the next number. A person's
    press or line would seem to do nothing, so this numbers all actions of a browser's window, both
    its own and SimCord's, and repeats those that were rejected for their timing. The ids of buttons
    name the move that they are for, so a repeated press still makes the intended move.
    """

    def __init__(self, client: aiohttp.ClientSession, inner: str) -> None:
        """Send to the address `inner`."""
        self._client = client
        self._inner = inner
        self._lock = asyncio.Lock()
        self._numbers: dict[str, int] = {}
        """By window, the number of its last accepted action."""
        self.has_acted = False
        """Whether there was an action since this was last set to False."""

    async def send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Answer:
        """Send a request and return the response."""
        address = f"{self._inner}{path}"
        async with self._client.request(method, address, headers=headers, data=body) as answer:
            kept = {k: v for k, v in answer.headers.items() if k not in DROPPED}
            return Answer(answer.status, kept, await answer.read())

    async def state(self, headers: Mapping[str, str]) -> dict[str, Any]:
        """Return the state of a window; empty if SimCord no longer knows it."""
        return (await self.send("GET", "/api/state", headers)).found

    async def take(self, headers: Mapping[str, str], body: Mapping[str, Any]) -> Answer:
        """Take an action after all earlier ones, and return the last response."""
        async with self._lock:
            return await self._take(headers, body)

    async def _take(self, headers: Mapping[str, str], body: Mapping[str, Any]) -> Answer:
        window = headers.get("X-Simcord-Context", "")
        body = dict(body)
        until = asyncio.get_running_loop().time() + PATIENCE
        while True:
            if window in self._numbers:
                body["sequence"] = self._numbers[window] + 1
            answer = await self.send("POST", "/api/action", headers, json.dumps(body).encode())
            number = answer.found.get("expectedSequence")
            if isinstance(number, int):
                self._numbers[window] = number
            is_rejected = answer.status == web.HTTPBadRequest.status_code
            is_temporary = is_rejected or bool(answer.codes & TEMPORARY)
            if not is_temporary or asyncio.get_running_loop().time() > until:
                self.has_acted = True
                return answer
            await asyncio.sleep(RETRY_SECONDS)
            state = await self.state(headers)
            if not state:
                return answer
            body["published_revision"] = state.get("publishedRevision")

    async def run(
        self, headers: Mapping[str, str], kind: str, path: Sequence[str], more: Mapping[str, Any]
    ) -> Answer:
        """Run a command, or ask for suggestions, as a window's own action."""
        catalog = (await self.send("GET", "/api/commands", headers)).found
        entry = next((one for one in catalog.get("entries", ()) if one["path"] == [*path]), None)
        if entry is None:
            return Answer(web.HTTPConflict.status_code, {}, b"")
        names = {
            "command_id": entry["commandId"],
            "path": entry["path"],
            "schema_fingerprint": entry["schemaFingerprint"],
        }
        return await self.do(headers, kind, {**names, **more})

    async def do(self, headers: Mapping[str, str], kind: str, more: Mapping[str, Any]) -> Answer:
        """Do something as a window's own action."""
        # Earlier actions can change what the window shows: they have to be over before it is read.
        async with self._lock:
            state = await self.state(headers)
            if not state:
                return Answer(web.HTTPConflict.status_code, {}, b"")
            body = {
                "kind": kind,
                "protocol_version": state["protocolVersion"],
                "sequence": 1,
                "request_id": secrets.token_urlsafe(12),
                "generation": state["context"]["generation"],
                "bot_generation": state["botGeneration"],
                "published_revision": state["publishedRevision"],
                **more,
            }
            return await self._take(headers, body)


class Page:
    """Answers the browser's requests."""

    def __init__(
        self,
        actions: Actions,
        capability: str,
        commands: Sequence[Command],
        people: Sequence[simcord.MemberActor],
    ) -> None:
        """Answer requests that have the secret `capability`; `port` is set once there is one."""
        self._actions = actions
        self._capability = capability
        self._commands = commands
        self._people = {person.id: person for person in people}
        self.locale = Locale.american_english
        self.port = 0

    def take_acted(self) -> bool:
        """Whether there was an action since the last call."""
        acted, self._actions.has_acted = self._actions.has_acted, False
        return acted

    @web.middleware
    async def only_for_this_page(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Refuse requests of other pages in the browser."""
        hosts = {f"{name}:{self.port}" for name in (LOOPBACK, "localhost")}
        origin = request.headers.get("Origin")
        if request.host not in hosts or origin not in {None, *(f"http://{h}" for h in hosts)}:
            raise web.HTTPForbidden
        if request.path.startswith("/cuatro/") and not secrets.compare_digest(
            request.headers.get("X-Simcord-Capability", "").encode(), self._capability.encode()
        ):
            raise web.HTTPUnauthorized
        try:
            answer: web.StreamResponse = await handler(request)
        except aiohttp.ClientError as error:
            raise web.HTTPBadGateway from error
        return answer

    async def forward(self, request: web.Request) -> web.Response:
        """Answer with a file of ours, or with SimCord's response."""
        if request.path == "/favicon.ico":
            return web.Response(status=204)
        if request.path in FILES:
            name, kind = FILES[request.path]
            text = Path(__file__).with_name(name).read_text("utf-8")
            return web.Response(text=text, content_type=kind, headers={"Cache-Control": "no-store"})
        headers, body = _forwarded(request), await request.read()
        if request.path == "/api/action" and request.content_type == "application/json":
            answer = await self._actions.take(headers, _object(body))
        else:
            answer = await self._actions.send(request.method, request.path_qs, headers, body)
        if request.path == "/":
            answer.body = answer.body.replace(b"</head>", f"{ADDED}</head>".encode(), 1)
        return web.Response(status=answer.status, body=answer.body, headers=answer.headers)

    async def describe(self, _request: web.Request) -> web.Response:
        """Return the commands and the page's texts."""
        found = {
            "commands": listed(self._commands, (actor.name for actor in self._people.values())),
            "texts": {language: _texts(say_in(language)) for language in LANGUAGES},
        }
        return web.json_response(found)

    async def run_line(self, request: web.Request) -> web.Response:
        """Run a typed command; returns why it cannot be run, or nothing."""
        line = str(_object(await request.read()).get("line", ""))
        headers = _forwarded(request)
        if not line.startswith("/"):
            await self._actions.do(headers, "send_message", {"content": line})
            return web.json_response({})
        locale = language_of(self._commands, line, self.locale.value)
        try:
            typed = read_line(self._commands, line, self._people, locale)
        except Mistyped as wrong:
            return _wrong(say_for(locale)(f"typed.{wrong.key}", **wrong.details))
        options = {name: _sent(value) for name, value in typed.options.items()}
        answer = await self._actions.run(headers, "run_command", typed.path, {"options": options})
        if answer.status != web.HTTPOk.status_code or answer.found.get("rejected"):
            logger.warning("%s was not run: %s", cleaned(line), sorted(answer.codes))
            return _wrong(say_for(locale)("typed.failed", line=in_code(line)))
        return web.json_response({})

    async def suggest(self, request: web.Request) -> web.Response:
        """Return the values that the bot suggests for a command's option."""
        asked = _object(await request.read())
        path = asked.get("path")
        if not isinstance(path, list):
            raise web.HTTPBadRequest
        more = {
            "focused": str(asked.get("option", "")),
            "value": str(asked.get("value", "")),
            "options": {},
        }
        answer = await self._actions.run(_forwarded(request), "autocomplete_command", path, more)
        return web.json_response((answer.found.get("result") or {}).get("choices", []))


def _forwarded(request: web.Request) -> dict[str, str]:
    headers = {name: request.headers[name] for name in FORWARDED if name in request.headers}
    return {"Content-Type": "application/json", **headers}


def _object(body: bytes) -> dict[str, Any]:
    """Return a request's JSON object; raises HTTPBadRequest."""
    try:
        found = json.loads(body)
    except ValueError as error:
        raise web.HTTPBadRequest from error
    if not isinstance(found, dict):
        raise web.HTTPBadRequest
    return found


def _sent(value: Any) -> Any:
    """Return an option's value as SimCord's page would send it."""
    if isinstance(value, simcord.MemberActor):
        return str(value.id)
    return str(value) if type(value) in (int, float) else value


def _wrong(text: str) -> web.Response:
    return web.json_response({"wrong": text})


def _texts(say: Translator) -> dict[str, str]:
    """Return the page's own texts by their keys, without the prefix, and the names of the games."""
    own = {
        key.removeprefix("page."): text
        for key, text in say.texts.items()
        if key.startswith("page.")
    }
    return {**own, "games": game_names(say)}


def game_names(say: Translator) -> str:
    """Return the names of the games, which are the channel's topic."""
    return ", ".join(say(f"game.{key}") for key in games())
