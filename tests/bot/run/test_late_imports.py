"""A start postpones imports that are not needed to connect, so that a restart is short."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from shutil import copyfile

from tests.bot.discord_server import TOKEN, DiscordServer
from tests.builders import ROOT
from tests.children import Child

LATE_PACKAGES = ("numpy", "PIL", "llvmlite", "numba")
"""Packages that are loaded once the gateway is connected, for the first picture and move."""
IF_NEEDED = (
    "alembic", "asyncpg", "bitbully_databases", "dask", "distributed", "rich", "simcord",
)  # fmt: skip
"""Packages that are loaded only where they are used; this start uses none of them."""
PROGRAM = f"""
import sys, time

class Watch:
    def find_spec(self, name, path, target=None):
        if name in {(*LATE_PACKAGES, *IF_NEEDED)}:
            print(name, time.monotonic(), flush=True)

sys.meta_path.insert(0, Watch())
from bot.__main__ import main
sys.exit(main([]))
"""
"""The bot, which prints when it begins to import each of the packages above."""


async def test_the_gateway_is_connected_before_anything_large_is_imported(
    server: DiscordServer, migrated: Path, tmp_path: Path
) -> None:
    """A start imports neither the engine's compiler nor the renderers before it identifies itself.

    Then it imports them by itself; packages that most runs never use are not imported.
    """
    copyfile(migrated, tmp_path / "cuatro.db")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CUATRO_", "DATABASE_"))}
    imported: dict[str, float] = {}
    async with Child(
        *(sys.executable, "-c", PROGRAM),
        cwd=tmp_path,
        env={
            **kept,
            "CUATRO_HEALTH_PORT": "0",
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_URL": server.api_url,
            "DISCORD_GATEWAY_URL": server.gateway_url,
            "PYTHONPATH": str(ROOT),
        },
        stop=signal.SIGKILL,
    ) as child:
        while not imported.keys() >= set(LATE_PACKAGES):
            name, at = (await asyncio.to_thread(child.line)).string.split()
            imported[name] = float(at)
    identified = server.gateway.identifies[0].at
    too_early = {name for name, at in imported.items() if at < identified}
    assert not too_early
    assert not imported.keys() & set(IF_NEEDED)
