"""Faults of requests, and rules that select the requests that fail."""

from __future__ import annotations

import asyncio
import socket
import struct
from dataclasses import dataclass, field, replace
from typing import Any

from aiohttp import web

from tests.bot.stand_in.payloads import error

TEXTS = {
    0: "This fails today",
    10003: "Unknown Channel",
    10008: "Unknown Message",
    10062: "Unknown interaction",
    30046: "Maximum number of edits to messages older than 1 hour reached. Try again later.",
    40060: "Interaction has already been acknowledged.",
    50083: "Thread is archived",
    50001: "Missing Access",
    50013: "Missing Permissions",
}
STATUSES = {
    10003: 404, 10008: 404, 10062: 404, 30046: 400, 40060: 400, 50001: 403, 50013: 403, 50083: 400,
}  # fmt: skip
"""The statuses with which Discord usually sends these codes."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One way for a request to fail.

    With `taken`, the request is processed before it fails, and only the answer is lost.
    """

    status: int | None = None
    code: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)
    """Further fields of an error's body, besides code and message."""
    seconds: float = 0.0
    """The time that the request is delayed first."""
    is_cut: bool = False
    """The connection is reset instead of answered."""
    taken: bool = False

    @property
    def is_answered(self) -> bool:
        """Whether the request is answered as usual, only late."""
        return self.status is None and not self.is_cut

    def once_taken(self) -> Fault:
        """The same fault after the request was processed."""
        return replace(self, taken=True)

    async def answer(self, request: web.Request) -> web.Response:
        """The answer to the bot if the request fails."""
        await asyncio.sleep(self.seconds)
        if self.is_cut or self.status is None:
            _reset(request)
            return web.Response()
        text = TEXTS.get(self.code, TEXTS[0])
        if self.status == 429 and self.code != 30046:
            text = "You are being rate limited."
        response = error(self.status, self.code, text, **self.more)
        response.headers.update(self.headers)
        return response


def fails(code: int, status: int | None = None) -> Fault:
    """One of Discord's errors, with its usual status."""
    return Fault(status or STATUSES[code], code)


def breaks(status: int) -> Fault:
    """A server error such as 500, 502 or 503."""
    return Fault(status)


def limited(
    retry_after: float, *, everywhere: bool = False, scope: str = "user", code: int = 0
) -> Fault:
    """A 429 for the route or `everywhere`; `code` 30046 is about old messages."""
    headers = {
        "Via": "1.1 google",
        "Retry-After": str(max(1, round(retry_after))),
        "X-RateLimit-Scope": "global" if everywhere else scope,
    }
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    more = {"retry_after": retry_after, "global": everywhere}
    return Fault(429, code, headers, more)


def resets() -> Fault:
    """The connection breaks."""
    return Fault(is_cut=True)


def hangs(seconds: float = 3600.0) -> Fault:
    """No answer comes; after this time the connection breaks."""
    return Fault(is_cut=True, seconds=seconds)


@dataclass(slots=True)
class Rule:
    """A rule for a fault: of the matching requests, `times` fail from the n-th on."""

    method: str
    part: str
    fault: Fault
    nth: int = 1
    times: int | None = 1
    """The number of requests that fail; None for all from the n-th on."""
    seen: int = 0
    hits: int = 0

    def met_by(self, method: str, path: str) -> bool:
        """Count a matching request and return whether it fails."""
        if self.method not in (method, "*") or self.part not in path:
            return False
        self.seen += 1
        is_hit = self.seen >= self.nth and (self.times is None or self.hits < self.times)
        self.hits += is_hit
        return is_hit


class Faults:
    """The rules in force; the first one that applies to a request is used."""

    def __init__(self) -> None:
        """Start without faults."""
        self._rules: list[Rule] = []

    def on(
        self, method: str, part: str, fault: Fault, *, nth: int = 1, times: int | None = 1
    ) -> Rule:
        """Add a fault for requests with a method (`*` for any) and a path that contains a part."""
        rule = Rule(method, part, fault, nth, times)
        self._rules.append(rule)
        return rule

    def clear(self) -> None:
        """Remove all rules."""
        self._rules.clear()

    def meeting(self, method: str, path: str) -> Fault | None:
        """The fault of a request, or None."""
        return next((r.fault for r in self._rules if r.met_by(method, path)), None)


def _reset(request: web.Request) -> None:
    """Break a connection with RST, as a crashed server does, so that nothing more is read."""
    if request.transport is None:
        return
    wire = request.transport.get_extra_info("socket")
    if wire is not None:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.transport.abort()
