"""The local page: SimCord's, with what a person who plays on it needs besides.

SimCord serves a page for developers. This serves the same page at another port, with a script and a
style of our own in it, and hands every other request on.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

HEAD = '<link rel="stylesheet" href="/cuatro.css"><script type="module" src="/cuatro.js"></script>'
OWN = {
    "/cuatro.js": ("page.js", "application/javascript"),
    "/cuatro.css": ("page.css", "text/css"),
}
"""Our own files by path: their names beside this one, and their types."""
LOOPBACK = "127.0.0.1"
KEPT = ("Content-Type", "X-Simcord-Capability", "X-Simcord-Context")
"""The request's headers that are handed on."""
DROPPED = ("Content-Length", "Transfer-Encoding", "Content-Encoding", "Date", "Server")
"""The answer's headers that are written anew."""
UNTIMELY = {"busy", "stale-revision"}
"""For these reasons SimCord refuses an action that it would take a moment later."""
ATTEMPTS, AGAIN = 20, 0.1
"""How often it is asked again, and after how many seconds."""
LONGEST = 120.0
"""Seconds that an answer may take: somebody's move, with the search after it."""
MOST = 27 * 1024 * 1024
"""Bytes of a request, as SimCord allows."""


class Page:
    """Serves the page on the loopback address: `async with Page(inner, port) as page`."""

    def __init__(self, inner: str, port: int) -> None:
        """Show the page that is served at the address `inner` at `port`; 0 takes a free one."""
        parts = urlsplit(inner)
        self._inner = f"{parts.scheme}://{parts.netloc}"
        self._secret = parts.fragment
        self._port = port

    @property
    def url(self) -> str:
        """The address, which is a secret: whoever has it can play."""
        return f"http://{LOOPBACK}:{self._port}/#{self._secret}"

    async def __aenter__(self) -> Self:
        """Start to serve; raises OSError where the port cannot be used."""
        self._client = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=LONGEST), auto_decompress=False
        )
        app = web.Application(client_max_size=MOST)
        app.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        try:
            await self._runner.setup()
            await web.TCPSite(self._runner, LOOPBACK, self._port).start()
        except OSError:
            await self.__aexit__()
            raise
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()
        await self._client.close()

    async def _answer(self, request: web.Request) -> web.Response:
        # Whatever page a browser shows could send requests here; only this one may.
        hosts = {f"{name}:{self._port}" for name in (LOOPBACK, "localhost")}
        origin = request.headers.get("Origin")
        if request.host not in hosts or origin not in {None, *(f"http://{h}" for h in hosts)}:
            raise web.HTTPForbidden
        if request.path == "/favicon.ico":
            return web.Response(status=204)
        if request.path in OWN:
            name, kind = OWN[request.path]
            text = Path(__file__).with_name(name).read_text("utf-8")
            return web.Response(text=text, content_type=kind, headers={"Cache-Control": "no-store"})
        return await self._hand_on(request)

    async def _hand_on(self, request: web.Request) -> web.Response:
        headers = {name: request.headers[name] for name in KEPT if name in request.headers}
        body = await request.read()
        try:
            answer = await self._ask(request.method, request.path_qs, headers, body)
            if request.path == "/api/action" and request.content_type == "application/json":
                answer = await self._insist(answer, headers, body)
        except aiohttp.ClientError as error:
            raise web.HTTPBadGateway from error
        if request.path == "/":
            answer.body = answer.body.replace(b"</head>", f"{HEAD}</head>".encode(), 1)
        return web.Response(status=answer.status, body=answer.body, headers=answer.headers)

    async def _ask(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes = b""
    ) -> _Answer:
        """Ask SimCord."""
        address = f"{self._inner}{path}"
        async with self._client.request(method, address, headers=headers, data=body) as answer:
            told = {k: v for k, v in answer.headers.items() if k not in DROPPED}
            return _Answer(answer.status, told, await answer.read())

    async def _insist(self, answer: _Answer, headers: Mapping[str, str], body: bytes) -> _Answer:
        """Do what somebody has done after all, where SimCord was busy or had something newer.

        It takes no action for a state that has changed by itself a moment ago, and people would
        find that a button did nothing. Buttons here name the move that they are for.
        """
        for _ in range(ATTEMPTS):
            if not answer.is_untimely:
                break
            await asyncio.sleep(AGAIN)
            state = await self._ask("GET", "/api/state", headers)
            if state.status != web.HTTPOk.status_code:
                break
            action = {
                **json.loads(body),
                "published_revision": json.loads(state.body).get("publishedRevision"),
            }
            answer = await self._ask(
                "POST", "/api/action", headers, json.dumps(action).encode("utf-8")
            )
        return answer


@dataclass(slots=True)
class _Answer:
    """What SimCord answers."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_untimely(self) -> bool:
        """Whether an action was refused only because of when it came."""
        if self.status == web.HTTPBadRequest.status_code:
            return True
        told = json.loads(self.body) if self.status == web.HTTPOk.status_code else {}
        codes = {one.get("code") for one in told.get("diagnostics", [])}
        return bool(told.get("rejected")) and bool(codes & UNTIMELY)
