"""Rolling restarts while people play: `python -m benchmarks.rolling_restart --times 5`.

The real program, `python -m bot`, serves two shards on one PostgreSQL, on a simulated Discord that
sends every interaction to all sessions of a shard. Simulated players press buttons and use commands
all the time. Repeatedly a new process is started beside the running one, takes over, and the old
one ends. Every interaction must be answered once, within three seconds, and the stored games must
be those that were acknowledged.
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

from benchmarks.printing import figures, spread
from tests.bot.discord_server import GUILD, DiscordServer
from tests.bot.support.postgres import in_full, postgres
from tests.bot.support.wire.ledger import Ledger, Wrongs
from tests.bot.support.wire.program import Program, games_in, shards_connected
from tests.bot.support.wire.tables import tables_of_every_game

SHARDS = "0-1/2"
OTHER_GUILD = str(int(GUILD) + (1 << 22))
"""A server on the other shard."""
DEADLINE = 3.0
"""Seconds in which Discord accepts a response."""
IDENTIFY_INTERVAL = 5.0
"""Seconds that Discord requires between two identifies of a bucket."""
PAUSE = 0.25
"""Mean pause between two actions of a player in seconds."""
PLAY_SECONDS = 5.0
"""Seconds of play before each restart and after it."""
LONGEST = 180.0
"""Longest time that a restart may take in seconds."""


@dataclass(slots=True)
class Outcome:
    """The results of a run."""

    asked: int = 0
    to_both: int = 0
    """Interactions that two processes received."""
    unanswered: list[str] = field(default_factory=list)
    """Descriptions of the interactions without a response."""
    late: int = 0
    """Interactions with a response after the deadline, on a machine that is too slow."""
    doubled: int = 0
    """Interactions with a second response."""
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
        return not any([*wrong, *self.statuses]) and min(self.identifies) >= IDENTIFY_INTERVAL

    def table(self) -> str:
        """The results as a Markdown table."""
        rows = {
            "restarts": len(self.takeovers),
            "exit statuses": ", ".join(map(str, sorted(set(self.statuses)))),
            "interactions (received by both processes)": f"{self.asked} ({self.to_both})",
            "interactions without a response": len(self.unanswered),
            "interactions answered too late": self.late,
            "interactions answered twice": self.doubled,
            "acknowledged moves": self.wrongs.moves,
            "moves lost": self.wrongs.lost,
            "moves doubled": self.wrongs.doubled,
            "starts lost": self.wrongs.starts,
            "seconds until a response, p50, p99, most": spread(self.waits),
            "seconds of a restart, p50, p99, most": spread(self.takeovers),
            "least seconds between two identifies of a bucket": f"{min(self.identifies):.1f}",
            "tracebacks in the logs": self.tracebacks,
        }
        return figures("rolling restarts", rows)


async def restart_repeatedly(times: int, seed: int, folder: Path, address: str) -> Outcome:
    """Restart `times` times while people play."""
    outcome, rng = Outcome(), Random(seed)
    async with DiscordServer() as server:
        server.guilds[OTHER_GUILD] = []
        server.gateway.max_concurrency, server.gateway.identify_interval = 2, IDENTIFY_INTERVAL
        server.interactions.patience = DEADLINE
        ledger = Ledger(server)
        bot = await _started(server, folder, address, 0)
        await shards_connected(server, 2)
        tables = tables_of_every_game(server, ledger, rng, OTHER_GUILD)
        playing = [asyncio.create_task(table.play_on(PAUSE)) for table in tables]
        for number in range(1, times + 1):
            await asyncio.sleep(PLAY_SECONDS)
            began, old = monotonic(), bot
            bot = await _started(server, folder, address, number)
            outcome.statuses.append(await old.ended(LONGEST))
            outcome.takeovers.append(monotonic() - began)
            outcome.tracebacks += old.tracebacks()
        await asyncio.sleep(PLAY_SECONDS)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        known = server.interactions
        with suppress(TimeoutError):
            await server.until(lambda: {*known.deliveries} <= {*known.answered}, DEADLINE + 2)
        await bot.stop()
        outcome.statuses.append(await bot.ended(LONGEST))
        outcome.tracebacks += bot.tracebacks()
        outcome.wrongs = ledger.compare_with(await games_in(address))
        _count(server, outcome)
    return outcome


async def _started(server: DiscordServer, folder: Path, address: str, number: int) -> Program:
    (place := folder / str(number)).mkdir()
    program = Program(server, place)
    program.settings |= {"DATABASE_URL": address, "CUATRO_SHARDS": SHARDS}
    await program.start()
    return program


def _count(server: DiscordServer, outcome: Outcome) -> None:
    known = server.interactions
    outcome.asked = len(known.deliveries)
    outcome.to_both = sum(times > 1 for times in known.deliveries.values())
    for token in sorted(known.deliveries.keys() - known.answered.keys()):
        if token in known.late_answers:
            outcome.late += 1
        else:
            kind, count = known.asked[token]["type"], known.deliveries[token]
            outcome.unanswered.append(f"{token} of type {kind}, received {count} times")
    outcome.doubled = len(known.second_answers)
    outcome.waits = [*known.seconds.values()]
    for bucket in range(server.gateway.max_concurrency):
        times = [one.at for one in server.gateway.identifies if one.bucket == bucket]
        outcome.identifies += [later - earlier for earlier, later in pairwise(times)]


def main() -> None:
    """Print a Markdown table; the exit status is 1 if anything was lost or done twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="number of restarts")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgres() as address:
        outcome = asyncio.run(
            restart_repeatedly(given.times, given.seed, Path(folder), in_full(address))
        )
    print(outcome.table())
    for note in outcome.wrongs.notes + outcome.unanswered:
        print(note)
    if not outcome.is_good:
        sys.exit(1)


if __name__ == "__main__":
    main()
