"""Services that run without a client and show nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from bot.app import open_services
from bot.feature import Services
from bot.game.session import Session
from bot.sessions.timer import Hooks


@asynccontextmanager
async def run_services(
    *args: Any,
    hooks: Hooks | None = None,
    on_rated: Callable[[Session], None] = lambda _: None,
    **options: Any,
) -> AsyncIterator[Services]:
    """Open services as `open_services` does, and start the work that a client would start."""
    async with open_services(*args, **options) as services:
        services.presence.start(hooks or Hooks())
        services.ratings.start(on_rated)
        yield services
