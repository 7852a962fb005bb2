"""A file that is touched while the bot is well, for health checks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

logger = logging.getLogger(__name__)

EVERY = 15.0
"""Seconds between beats."""
LOOK_AGAIN = 1.0
"""Seconds until an unwell bot is looked at again."""
STALE = 60.0
"""Seconds without a beat after which the bot counts as dead."""


async def beat(path: Path, is_well: Callable[[], bool]) -> None:
    """Touch the file every few seconds for as long as `is_well` says so; never returns.

    A file that cannot be touched is logged: a health check will find the bot dead, and why must
    stand somewhere.
    """
    while True:
        well = is_well()
        if well:
            try:
                await asyncio.to_thread(path.touch)
            except OSError as error:
                logger.error("CUATRO_HEARTBEAT %s cannot be touched: %s", path, error)
        await asyncio.sleep(EVERY if well else min(EVERY, LOOK_AGAIN))


def is_alive(path: Path, now: float) -> bool:
    """Whether the file was touched lately."""
    try:
        return now - path.stat().st_mtime < STALE
    except FileNotFoundError:
        return False
