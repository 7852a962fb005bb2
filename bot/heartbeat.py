"""A file that is touched while the bot is well, for health checks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

EVERY = 15.0
"""Seconds between beats."""
STALE = 60.0
"""Seconds without a beat after which the bot counts as dead."""


async def beat(path: Path, is_well: Callable[[], bool]) -> None:
    """Touch the file every few seconds for as long as `is_well` says so; never returns."""
    while True:
        if is_well():
            await asyncio.to_thread(path.touch)
        await asyncio.sleep(EVERY)


def is_alive(path: Path) -> bool:
    """Whether the file was touched lately."""
    try:
        return time.time() - path.stat().st_mtime < STALE
    except FileNotFoundError:
        return False
