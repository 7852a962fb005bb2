"""Rate limits as on Discord: in each bucket at most N requests per S seconds."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field

from aiohttp import web

from tests.bot.stand_in.faults import limited

MAJOR = ("channel", "guild", "application", "token")
"""The parts of a path that have separate buckets."""


@dataclass(slots=True)
class _Bucket:
    """The requests of one window, which begins with the first one."""

    most: int
    seconds: float
    began: float = -1e9
    used: int = 0

    def take(self, now: float) -> bool:
        """Count a request; False if it exceeds the limit."""
        if now >= self.began + self.seconds:
            self.began, self.used = now, 0
        self.used += 1
        return self.used <= self.most

    def left(self, now: float) -> float:
        """Seconds until the window ends."""
        return max(0.0, self.began + self.seconds - now)


@dataclass(slots=True)
class Limits:
    """The limits in force by method and route, none at first."""

    _limits: dict[tuple[str, str], tuple[int, float]] = field(default_factory=dict)
    _buckets: dict[tuple[str, ...], _Bucket] = field(default_factory=dict)
    everywhere: tuple[int, float] | None = None
    """The bot's global limit, for requests on all routes together."""
    refused: int = 0
    """The number of requests that exceeded a limit."""

    def set(self, method: str, route: str, most: int, seconds: float) -> None:
        """Allow at most `most` requests per `seconds`, separately for each channel."""
        self._limits[method, route] = (most, seconds)

    def as_usual(self) -> None:
        """Set Discord's present limits.

        They are five messages and edits in five seconds, and fifty requests a second.
        """
        self.everywhere = (50, 1.0)
        self.set("PATCH", "/channels/{channel}/messages/{message}", 5, 5.0)
        self.set("POST", "/channels/{channel}/messages", 5, 5.0)
        self.set("POST", "/webhooks/{application}/{token}", 5, 2.0)
        self.set("PATCH", "/webhooks/{application}/{token}/messages/@original", 5, 2.0)

    def is_full(self, match: dict[str, str]) -> float:
        """Count a request for the global limit; returns the seconds to wait if it is exceeded.

        Answers to interactions do not count.
        """
        if self.everywhere is None or "token" in match:
            return 0.0
        bucket, now = (
            self._buckets.setdefault(("all",), _Bucket(*self.everywhere)),
            time.monotonic(),
        )
        if bucket.take(now):
            return 0.0
        self.refused += 1
        return max(bucket.left(now), 0.001)

    def check(self, method: str, route: str, match: dict[str, str]) -> tuple[dict[str, str], float]:
        """Count a request; returns its headers, and the seconds to wait if it is refused."""
        limit = self._limits.get((method, route))
        if limit is None:
            return {}, 0.0
        major = tuple(f"{name}={match[name]}" for name in MAJOR if name in match)
        bucket = self._buckets.setdefault((method, route, *major), _Bucket(*limit))
        now = time.monotonic()
        fits, left = bucket.take(now), bucket.left(now)
        self.refused += not fits
        name = hashlib.sha256(f"{method} {route}".encode()).hexdigest()[:16]
        headers = {
            "X-RateLimit-Limit": str(bucket.most),
            "X-RateLimit-Remaining": str(max(0, bucket.most - bucket.used)),
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": name,
        }
        return headers, 0.0 if fits else max(left, 0.001)


async def too_many(
    request: web.Request, headers: dict[str, str], wait: float, *, everywhere: bool = False
) -> web.Response:
    """The answer to a request that exceeds a limit."""
    response = await limited(wait, everywhere=everywhere).answer(request)
    response.headers.update(headers)
    return response
