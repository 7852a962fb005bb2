"""Requests to Discord, counted where they leave the house: attempts, retries and refusals alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import aiohttp

from bot.telemetry import Meter

Count = Callable[[str, str], None]


def trace_requests(meter: Meter) -> aiohttp.TraceConfig:
    """What tells a `meter` of the messages that a client edits and posts."""
    routes: tuple[tuple[str, re.Pattern[str], Count, str], ...] = (
        ("PATCH", re.compile(r"/channels/\d+/messages/\d+$"), meter.edited, "channel"),
        ("PATCH", re.compile(r"/webhooks/\d+/[^/]+/messages/[^/]+$"), meter.edited, "token"),
        ("POST", re.compile(r"/channels/\d+/messages$"), meter.posted, "channel"),
        ("POST", re.compile(r"/webhooks/\d+/[^/]+$"), meter.posted, "token"),
        ("POST", re.compile(r"/interactions/\d+/[^/]+/callback$"), meter.posted, "answer"),
    )

    def tell(method: str, path: str, result: str) -> None:
        for wanted, pattern, count, route in routes:
            if method == wanted and pattern.search(path):
                count(route, result)

    async def ended(_session: Any, _trace: Any, end: aiohttp.TraceRequestEndParams) -> None:
        tell(end.method, end.url.path, str(end.response.status))

    async def broke(_session: Any, _trace: Any, end: aiohttp.TraceRequestExceptionParams) -> None:
        tell(end.method, end.url.path, "unreachable")

    config = aiohttp.TraceConfig()
    config.on_request_end.append(ended)
    config.on_request_exception.append(broke)
    return config
