"""Rolling restarts while people play: `python -m benchmarks.rolling_restart --times 5`.

The real program, `python -m bot`, serves two shards over one PostgreSQL, on a stand-in for Discord
that tells every session of a shard of every interaction. People press buttons and use commands all
the time. Again and again a new process is started beside the one that runs, takes over, and the old
one ends by itself. Every interaction must be answered, once, within Discord's three seconds, and
the games that are stored must be those that were acknowledged.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from time import monotonic

from tests.bot.discord_server import GUILD, DiscordServer
from tests.bot.support.postgres import in_full, postgres
from tests.bot.support.wire.ledger import Ledger, Wrongs
from tests.bot.support.wire.program import Program, games_in
from tests.bot.support.wire.tables import KINDS, Table

SHARDS = "0-1/2"
OTHER_GUILD = str(int(GUILD) + (1 << 22))
"""A server on the other shard."""
PATIENCE = 3.0
"""Seconds in which Discord takes an answer."""
APART = 5.0
"""Seconds that Discord wants between two identifies of a bucket."""
PAUSE = 0.25
"""Seconds, on average, that people wait before they do the next thing."""
BETWEEN = 5.0
"""Seconds of play before each restart and after it."""
LONGEST = 180.0
"""Seconds in which a restart must be over."""


@dataclass(slots=True)
class Outcome:
    """What a run has found."""

    asked: int = 0
    to_both: int = 0
    """Interactions of which two processes were told."""
    unanswered: list[str] = field(default_factory=list)
    """Interactions that nobody answered, each in a line."""
    late: int = 0
    """Those that were answered when Discord took no answer any more: the machine is too slow."""
    doubled: int = 0
    """Interactions that somebody tried to answer a second time."""
    waits: list[float] = field(default_factory=list)
    takeovers: list[float] = field(default_factory=list)
    """Seconds from the start of a new process until the old one had ended."""
    statuses: list[int] = field(default_factory=list)
    identifies: list[float] = field(default_factory=list)
    """Seconds between two identifies of one bucket."""
    tracebacks: int = 0
    wrongs: Wrongs = field(default_factory=Wrongs)

    @property
    def is_good(self) -> bool:
        """Whether nothing was lost or done twice."""
        wrong = (self.unanswered, self.doubled, self.wrongs.lost, self.wrongs.doubled)
        return not any(wrong) and not any(self.statuses) and min(self.identifies) >= APART

    def table(self) -> str:
        """All of it as a Markdown table."""
        rows = {
            "restarts": len(self.takeovers),
            "statuses of the old processes, and of the last one": _set(self.statuses),
            "interactions (told to both processes)": f"{self.asked} ({self.to_both})",
            "interactions that nobody answered": len(self.unanswered),
            "interactions answered too late": self.late,
            "interactions answered twice": self.doubled,
            "acknowledged moves": self.wrongs.moves,
            "moves lost": self.wrongs.lost,
            "moves doubled": self.wrongs.doubled,
            "starts lost": self.wrongs.starts,
            "seconds till an answer, p50, p99, most": _three(self.waits),
            "seconds from a start till the old process has ended, p50, p99, most": _three(
                self.takeovers
            ),
            "seconds between two identifies of a bucket, least": f"{min(self.identifies):.1f}",
            "tracebacks in the logs": self.tracebacks,
        }
        lines = [f"| {name} | {value} |" for name, value in rows.items()]
        return "\n".join(["| rolling restarts | |", "| --- | ---: |", *lines])


def _three(values: list[float]) -> str:
    ordered = sorted(values) or [float("nan")]
    last = len(ordered) - 1
    return ", ".join(f"{ordered[int(last * part)]:.2f}" for part in (0.5, 0.99, 1.0))


def _set(values: list[int]) -> str:
    return ", ".join(map(str, sorted(set(values))))


async def restart_again_and_again(times: int, seed: int, folder: Path, address: str) -> Outcome:
    """Play, and restart so many times; returns what was found."""
    outcome, rng = Outcome(), Random(seed)
    async with DiscordServer() as server:
        server.guilds[OTHER_GUILD] = []
        server.gateway.max_concurrency, server.gateway.apart = 2, APART
        server.interactions.patience = PATIENCE
        ledger = Ledger(server)
        bot = await _started(server, folder, address, 0)
        await _sessions(server, 2)
        playing = [
            asyncio.create_task(table.play_on(PAUSE)) for table in _tables(server, ledger, rng)
        ]
        for number in range(1, times + 1):
            await asyncio.sleep(BETWEEN)
            began, old = monotonic(), bot
            bot = await _started(server, folder, address, number)
            outcome.statuses.append(await old.ended(LONGEST))
            outcome.takeovers.append(monotonic() - began)
            outcome.tracebacks += old.tracebacks()
        await asyncio.sleep(BETWEEN)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        known = server.interactions
        with suppress(TimeoutError):
            await server.until(lambda: known.told.keys() <= known.answered.keys(), PATIENCE + 2)
        await bot.stop()
        outcome.statuses.append(await bot.ended(LONGEST))
        outcome.tracebacks += bot.tracebacks()
        outcome.wrongs = ledger.held_against(await games_in(address))
        _count(server, outcome)
    return outcome


async def _started(server: DiscordServer, folder: Path, address: str, number: int) -> Program:
    room = folder / str(number)
    room.mkdir()
    program = Program(server, room)
    program.settings |= {"DATABASE_URL": address, "CUATRO_SHARDS": SHARDS}
    await program.start()
    return program


async def _sessions(server: DiscordServer, wanted: int) -> None:
    """Wait until so many shards are connected."""

    def so() -> bool:
        return sum(one.socket is not None for one in server.gateway.sessions.values()) == wanted

    await server.until(so, LONGEST)


def _tables(server: DiscordServer, ledger: Ledger, rng: Random) -> list[Table]:
    """Six tables, against agents and between people, half of them on each shard."""
    tables = [
        Table(server, ledger, Random(rng.getrandbits(64)), family, between_people)
        for family in KINDS
        for between_people in (False, True)
    ]
    for table in tables[::2]:
        server.guilds[GUILD].remove(table.channel)
        server.guilds[OTHER_GUILD].append(table.channel)
    return tables


def _count(server: DiscordServer, outcome: Outcome) -> None:
    known = server.interactions
    outcome.asked = len(known.told)
    outcome.to_both = sum(told > 1 for told in known.told.values())
    for token in sorted(known.told.keys() - known.answered.keys()):
        kind, told = known.asked[token]["type"], known.told[token]
        if token in known.late_answers:
            outcome.late += 1
        else:
            outcome.unanswered.append(f"{token} of type {kind}, told to {told}")
    outcome.doubled = len(known.second_answers)
    outcome.waits = [*known.seconds.values()]
    for bucket in range(server.gateway.max_concurrency):
        times = [one.at for one in server.gateway.identifies if one.bucket == bucket]
        outcome.identifies += [later - earlier for earlier, later in pairwise(times)]


def main() -> None:
    """Run the benchmark; exits with 1 if anything was lost or done twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="how many restarts")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgres() as address:
        outcome = asyncio.run(
            restart_again_and_again(given.times, given.seed, Path(folder), in_full(address))
        )
    print(outcome.table())
    for note in outcome.wrongs.notes + outcome.unanswered:
        print(note)
    if not outcome.is_good:
        sys.exit(1)


if __name__ == "__main__":
    main()
