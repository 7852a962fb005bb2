"""What people are told while another program locks the database: `python -m benchmarks.locks 2 10`.

The real program plays on the stand-in for Discord. While another program holds the lock for so many
seconds, somebody makes a move by command. Prints what they were told and when, and how often the
move is stored in the end.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from time import perf_counter

from benchmarks.wire.program import Program
from tests.bot.discord_server import DiscordServer, Request

PATIENCE = 45.0
"""Seconds after the end of a lock within which everything has come to its end."""


async def lock(server: DiscordServer, database: Path, column: int, seconds: float) -> str:
    """Lock the database while a move is made; a line of the table."""
    said = len(server.requests)

    def told() -> list[Request]:
        about = [one for one in server.requests[said:] if token in one.path]
        return [one for one in about if one.method != "GET" and _text(one)]

    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        began = perf_counter()
        token = await server.command("drop", column=column)
        asyncio.get_running_loop().call_later(seconds, other.execute, "ROLLBACK")
        # The word to wait, and what became of it.
        await server.until(lambda: len(told()) > 1, seconds + PATIENCE)
        ended = perf_counter() - began
        await asyncio.sleep(max(0.0, seconds - ended) + 0.5)
    await asyncio.sleep(2)
    with closing(sqlite3.connect(database)) as reader:
        own = "SELECT COUNT(*) FROM moves WHERE user_id > 0 AND move = ?"
        (times,) = reader.execute(own, (str(column),)).fetchone()
    words = " / ".join(dict.fromkeys(_text(one) for one in told()))
    return f"| {seconds:g} | {ended:.1f} | {times} | {words} |"


def _text(request: Request) -> str:
    payload = request.payload or {}
    found: str = (payload.get("data") or payload).get("content") or ""
    return found


async def run(seconds: list[float]) -> None:
    """Print a line for each lock."""
    print("| locked for s | decided after s | times stored | what the player was told |")
    print("| ---: | ---: | ---: | --- |")
    with tempfile.TemporaryDirectory() as folder:
        async with DiscordServer() as server:
            program = Program(server, Path(folder))
            await program.start()
            await program.connected()
            await server.start_game(size="6x7", level="easy")
            for column, length in enumerate(seconds, 1):
                print(await lock(server, program.database, column, length), flush=True)
            await program.stop()


def main() -> None:
    """Lock and tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.locks", description=__doc__)
    parser.add_argument("seconds", nargs="*", type=float, default=[2.0, 10.0, 60.0])
    asyncio.run(run(parser.parse_args().seconds))


if __name__ == "__main__":
    main()
