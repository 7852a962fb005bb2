"""Runs the bot and samples it: `python -m tests.bot.support.wire.sampled FILE [PROFILE]`.

Writes a line of JSON to FILE every second: resident memory in bytes, total CPU seconds of all
threads and of the event loop's, and samples of the event loop's lag in milliseconds. With PROFILE,
the main thread runs under cProfile and its statistics are written there at the end.
"""

from __future__ import annotations

import asyncio
import cProfile
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import bot.__main__ as program
from bot.run import online

TICK = 0.01
"""Seconds between two samples of the lag."""


def memory() -> int:
    """Resident memory of this process in bytes."""
    pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


async def sample(file: Path) -> None:
    """Write samples until cancelled."""
    with file.open("a", encoding="utf-8") as out:
        while True:
            late, end = [], time.perf_counter() + 1.0
            while (began := time.perf_counter()) < end:
                await asyncio.sleep(TICK)
                late.append(round(1000 * (time.perf_counter() - began - TICK), 2))
            spent = {"cpu": time.process_time(), "loop": time.thread_time()}
            said = {"memory": memory(), **spent, "late": late}
            out.write(json.dumps(said) + "\n")
            out.flush()


def main() -> int:
    """Run the bot as its command does, with samples."""
    file, serve = Path(sys.argv[1]), online.serve

    async def sampled(*arguments: Any, **more: Any) -> None:
        looking = asyncio.create_task(sample(file))
        try:
            await serve(*arguments, **more)
        finally:
            looking.cancel()

    online.serve = sampled
    if len(sys.argv) < 3:
        return program.main([])
    profile = cProfile.Profile()
    try:
        return profile.runcall(program.main, [])
    finally:
        profile.dump_stats(sys.argv[2])


if __name__ == "__main__":
    sys.exit(main())
