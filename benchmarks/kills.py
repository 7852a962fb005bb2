"""What kills of the bot lose or leave wrong: `python -m benchmarks.kills --count 200`.

The real program, `python -m bot`, plays six games at once, of all kinds, over HTTP and WebSocket on
a simulated Discord. It is killed with SIGKILL at random moments, also while it starts, and
restarted. Then all players wait: within 30 seconds of the start every visible board, of running and
of finished games, must match the database.

`--migration` kills the migration of an early SQLite file instead, a little later each time.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic

from benchmarks.printing import figures, spread
from bot.game.session import Session
from tests.bot.discord_server import DiscordServer
from tests.bot.support.killed_migrations import kill_migrations
from tests.bot.support.wire.boards import Truth, game_in, open_truth
from tests.bot.support.wire.ledger import Ledger, Wrongs
from tests.bot.support.wire.program import Program
from tests.bot.support.wire.tables import tables_of_every_game

WITHIN = 30.0
"""Seconds from a start within which all boards must be right."""
CHECK_EVERY = 0.5
ANSWERS = 30
"""A kill comes after at most this many responses of the bot, plus a random delay."""
DELAY = 0.4
"""Longest random delay in seconds."""
PLAY_SECONDS = 20.0
"""Longest time until a kill in seconds."""
KILLED_AT_START = 0.1
"""Share of starts that are killed before they finish."""
MIGRATED_GAMES, MIGRATION_KILLS = 20_000, 12


@dataclass(slots=True)
class Outcome:
    """The results of a run."""

    kills: int = 0
    early: int = 0
    boards: int = 0
    ended: int = 0
    wrong: list[str] = field(default_factory=list)
    """Descriptions of the boards that were not right in time."""
    orphans: set[str] = field(default_factory=set)
    """Messages with buttons of a game that another message shows: a kill came after they were sent
    and before their ids were stored."""
    seconds: list[float] = field(default_factory=list)
    """From each start until all boards were right."""
    starts: list[float] = field(default_factory=list)
    """From each start until the bot was connected; a part of `seconds`."""
    wrongs: Wrongs = field(default_factory=Wrongs)
    tracebacks: int = 0

    def table(self) -> str:
        """The results as a Markdown table."""
        rows = {
            "kills (during a start)": f"{self.kills} ({self.early})",
            "acknowledged moves": self.wrongs.moves,
            "moves lost": self.wrongs.lost,
            "moves doubled": self.wrongs.doubled,
            "starts lost": self.wrongs.starts,
            "resignations lost": self.wrongs.ends,
            "boards checked (ended games)": f"{self.boards} ({self.ended})",
            f"boards wrong after {WITHIN:.0f} s": len(self.wrong),
            "messages that still offer moves beside the board": len(self.orphans),
            "seconds until all boards are right, p50, p99, most": spread(self.seconds, 1),
            "seconds until the bot is connected, p50, p99, most": spread(self.starts, 1),
            "tracebacks in the log": self.tracebacks,
        }
        return figures("kills", rows)


class Run:
    """A bot that is killed repeatedly."""

    def __init__(
        self, server: DiscordServer, program: Program, rng: Random, within: float = WITHIN
    ) -> None:
        """Play six games on a fresh database; boards must be right `within` seconds."""
        self._within = within
        self._server = server
        self._program = program
        self._rng = rng
        self.ledger = Ledger(server)
        self.tables = tables_of_every_game(server, self.ledger, rng)
        self.settled: set[int] = set()
        """Finished games whose boards were right or counted as wrong."""
        self.outcome = Outcome()

    async def kill_and_check(self, truth: Truth, *, gently: bool = False) -> None:
        """Play for a while, kill, restart, and wait until all boards are right."""
        playing = [asyncio.create_task(table.play_on(0.15)) for table in self.tables]
        answered = self._server.interactions.answered
        due = len(answered) + self._rng.randrange(ANSWERS)
        with suppress(TimeoutError):
            await self._server.until(lambda: len(answered) >= due, PLAY_SECONDS)
        await asyncio.sleep(self._rng.uniform(0.0, DELAY))
        await self._program.kill()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        self.outcome.kills += 1
        if not gently and self._rng.random() < KILLED_AT_START:
            await self._program.start()
            await asyncio.sleep(self._rng.uniform(0.3, 4.0))
            await self._program.kill()
            self.outcome.kills += 1
            self.outcome.early += 1
        began = monotonic()
        await self._program.start()
        await self._program.connected()
        self.outcome.starts.append(monotonic() - began)
        await self._converge(truth, began)

    async def _converge(self, truth: Truth, began: float) -> None:
        """Check until all boards are right or time is up, and count."""
        while True:
            watched = list((await truth.sessions(self.settled)).values())
            wrong = {s.id: why for s in watched if (why := await truth.difference(self._server, s))}
            if not wrong or monotonic() - began > self._within:
                break
            await asyncio.sleep(CHECK_EVERY)
        if not wrong:
            self.outcome.seconds.append(monotonic() - began)
        self.outcome.boards += len(watched)
        self.outcome.ended += sum(s.is_over for s in watched)
        self.outcome.orphans |= self._orphans(watched)
        for session in watched:
            if session.id in wrong:
                self._give_up(session, wrong[session.id])
            elif session.is_over:
                self.settled.add(session.id)

    def _give_up(self, session: Session, why: str) -> None:
        """Count a wrong board, and continue without its game."""
        state = "ended" if session.is_over else "running"
        name = f"{session.game.key}, {len(session.people)} people, {len(session.moves)} moves"
        self.outcome.wrong.append(f"{state} game {session.id} ({name}): {why}")
        self.settled.add(session.id)
        for table in self.tables:
            if table.channel == str(session.channel_id):
                table.move_away()

    def _orphans(self, watched: list[Session]) -> set[str]:
        """The ids of messages with buttons of a game that belongs to another message."""
        shown_in = {session.id: str(session.message_id) for session in watched}
        return {
            message["id"]
            for message in self._server.messages.values()
            if (game := game_in(message)) in shown_in
            and message["id"] != shown_in[game]
            and message["components"]
            and not message["flags"]
        }


async def run(
    count: int, seed: int, folder: Path, *, gently: bool = False, within: float = WITHIN
) -> Outcome:
    """Kill `count` times; with `gently` never during a start."""
    async with DiscordServer() as server:
        program = Program(server, folder)
        await program.start()
        await program.connected()
        running = Run(server, program, Random(seed), within)
        async with open_truth(server, program.database, folder) as truth:
            while running.outcome.kills < count:
                await running.kill_and_check(truth, gently=gently)
            running.outcome.wrongs = running.ledger.compare_with(await truth.sessions())
        await program.stop()
        running.outcome.tracebacks = program.tracebacks()
    return running.outcome


def main() -> None:
    """Print a table, and each board that was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--migration", action="store_true", help="kill migrations instead")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.migration:
            cut = kill_migrations(Path(folder), MIGRATED_GAMES, MIGRATION_KILLS)
            print(f"{cut} of {MIGRATION_KILLS} migrations of {MIGRATED_GAMES} games interrupted")
            return
        outcome = asyncio.run(run(options.count, options.seed, Path(folder)))
    print(outcome.table())
    for line in (*outcome.wrong, *outcome.wrongs.notes):
        print(line)


if __name__ == "__main__":
    main()
