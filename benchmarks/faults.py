"""What every fault of Discord does to a board: `python -m benchmarks.faults`.

The real client plays on a stand-in for Discord over HTTP and WebSocket. In each game one request
fails, and the time is taken until the board shows what is stored, with nobody's help.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.wire.boards import open_truth
from benchmarks.wire.fault_scenes import PLACES, Scene, prepare, scenes_at, watch
from bot.board import runner
from bot.run import online
from bot.settings import Settings
from engine.core.compiled import compile_all
from engine.core.registry import compiled_modules
from tests.bot.discord_server import TOKEN, DiscordServer

PATIENCE = 90.0
"""Seconds that a board has to come right after the last fault."""


async def suffer(place: str, folder: Path) -> list[Scene]:
    """Play the games of one place."""
    file = folder / f"{place}.db"
    async with DiscordServer() as server:
        scenes = scenes_at([place])
        prepare(server, scenes)
        settings = Settings(
            token=TOKEN,
            database_url=f"sqlite+aiosqlite:///{file.as_posix()}",
            api_url=server.api_url,
            gateway_url=server.gateway_url,
            health_port=0,
        )
        bot = asyncio.create_task(online.serve(settings))
        await server.until(lambda: server.bots)
        async with open_truth(server, file, folder) as truth:
            await watch(server, truth, scenes, PATIENCE)
        bot.cancel()
        await asyncio.gather(bot, return_exceptions=True)
    return scenes


def main() -> None:
    """Print a Markdown table; arguments choose places."""
    places = sys.argv[1:] or PLACES
    logging.disable(logging.CRITICAL)
    compile_all(compiled_modules())
    # Every move is then shown in two edits, so that the first and the last one can fail.
    runner.BLINK = 0.0
    print("| fault | where | converged? | seconds |")
    print("| --- | --- | --- | ---: |")
    with TemporaryDirectory() as folder:
        for place in places:
            for scene in asyncio.run(suffer(place, Path(folder))):
                state = "converged" if scene.seconds is not None else f"**no: {scene.wrong}**"
                seconds = f"{scene.seconds:.1f}" if scene.seconds is not None else ""
                print(f"| {scene.name} | {scene.place} | {state} | {seconds} |", flush=True)


if __name__ == "__main__":
    main()
