"""A process that is suspended while people play: `python -m benchmarks.suspended --seconds 5 60`.

The real program, `python -m bot`, is stopped with SIGSTOP and continued later, on an SQLite file
and on PostgreSQL with two shards, with and without a replacement started meanwhile. Simulated
players keep pressing buttons and using commands. Every interaction that reaches a running process
must be answered within three seconds; one that reaches only the stopped process must change nothing
afterwards. No acknowledged move may be lost, a replaced process must end with status 0 and leave
its replacement alone, and 30 seconds later every board must match the database.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Collection
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic

from aiohttp import web

from benchmarks.printing import head, row
from bot.game.session import Session
from tests.bot.discord_server import GUILD, DiscordServer, Json
from tests.bot.stand_in.gateway import Gateway
from tests.bot.support.postgres import in_full, postgres
from tests.bot.support.wire.boards import open_live_truth, open_truth
from tests.bot.support.wire.ledger import Ledger, Wrongs
from tests.bot.support.wire.program import Program, games_in, shards_connected
from tests.bot.support.wire.tables import tables_of_every_game

SHARDS = "0-1/2"
OTHER_GUILD = str(int(GUILD) + (1 << 22))
"""A server on the other shard."""
DEADLINE, IDENTIFY_INTERVAL = 3.0, 5.0
"""Seconds in which Discord accepts a response, and that it requires between two identifies."""
PAUSE, PLAY = 0.25, 8.0
"""Mean pause between two actions of a player, and play before the stop and after it, in seconds."""
DROPPED, FORGOTTEN = 45.0, 300.0
"""Seconds without a heartbeat after which Discord cuts a connection and forgets its session."""
RIGHT_AFTER, ENDS_WITHIN = 30.0, 30.0
"""Seconds after which boards must be right, and within which a replaced process must end."""


@dataclass(slots=True)
class WatchedGateway(Gateway):
    """A gateway that records which interactions reach a running process."""

    stopped: set[web.WebSocketResponse] = field(default_factory=set)
    """The connections of the currently stopped process."""
    reached: set[str] = field(default_factory=set)
    """The tokens of interactions that were sent to a running process immediately."""

    async def dispatch(self, event: str, data: Json) -> int:
        """See `Gateway`."""
        for session in self._listeners(data.get("guild_id")):
            socket = session.socket
            if socket is not None and not socket.closed and socket not in self.stopped:
                self.reached.add(str(data.get("token")))
        return await Gateway.dispatch(self, event, data)


@dataclass(slots=True)
class Outcome:
    """The results of a run."""

    name: str
    reached: int = 0
    unanswered: int = 0
    """Interactions that reached a running process and got no response in time."""
    slowest: float = 0.0
    doubled: int = 0
    stale: int = 0
    """Interactions that reached only the stopped process."""
    acted_on: int = 0
    """Stored moves that only such an interaction asked for."""
    status: str = ""
    """The exit status of the stopped process, or `runs`."""
    other: str = ""
    wrong_boards: int = 0
    tracebacks: int = 0
    wrongs: Wrongs = field(default_factory=Wrongs)
    notes: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether all targets are met."""
        found = (self.unanswered, self.doubled, self.acted_on, self.wrong_boards)
        ends = self.status == ("0" if self.other else "runs") and self.other in ("", "runs")
        return ends and not any((*found, self.wrongs.lost, self.wrongs.doubled))

    def cells(self) -> tuple[object, ...]:
        """The results as the cells of a row."""
        lost = f"{self.wrongs.moves}, {self.wrongs.lost}, {self.wrongs.doubled}"
        return (
            self.name, self.reached, self.unanswered, f"{self.slowest:.2f}", self.doubled,
            self.stale, self.acted_on, lost, self.wrong_boards, self.status, self.other or "-",
            self.tracebacks,
        )  # fmt: skip


HEAD = (
    "run", "reached", "unanswered", "slowest, s", "twice", "stale", "acted on",
    "moves, lost, doubled", "boards wrong", "stopped one", "other one", "tracebacks",
)  # fmt: skip


async def suspend(
    seconds: float, folder: Path, address: str | None, *, is_replaced: bool, seed: int
) -> Outcome:
    """Play while the bot is stopped for `seconds`; on PostgreSQL at `address`, or on a file."""
    kind = "SQLite" if address is None else "PostgreSQL, 2 shards"
    outcome = Outcome(f"{kind}, {seconds:g} s{', replaced' if is_replaced else ''}")
    server = DiscordServer()
    gateway = server.gateway = WatchedGateway(server.guilds, server._new_id, server._changed)
    async with server:
        server.guilds[OTHER_GUILD] = []
        gateway.max_concurrency, gateway.identify_interval = 2, IDENTIFY_INTERVAL
        server.interactions.patience = DEADLINE
        ledger, rng = Ledger(server), Random(seed)
        bot = await _started(server, folder / "first", folder, address)
        await shards_connected(server, 1 if address is None else 2)
        tables = tables_of_every_game(server, ledger, rng, OTHER_GUILD)
        playing = [asyncio.create_task(table.play_on(PAUSE)) for table in tables]
        await asyncio.sleep(PLAY)
        began = monotonic()
        gateway.stopped = {s.socket for s in gateway.sessions.values() if s.socket is not None}
        stopped = set(gateway.stopped)
        os.kill(bot.pid, signal.SIGSTOP)
        under_way = server.interactions.asked.keys() - server.interactions.answered.keys()
        other = None
        if is_replaced:
            other = await _started(server, folder / "second", folder, address)
        if seconds > DROPPED:
            await asyncio.sleep(DROPPED)
            closing = [asyncio.create_task(one.close(code=4000)) for one in stopped]
        await asyncio.sleep(max(0.0, began + seconds - monotonic()))
        gateway.forgets = seconds > FORGOTTEN
        before = set(server.interactions.asked)
        gateway.stopped = set()
        os.kill(bot.pid, signal.SIGCONT)
        if seconds > DROPPED:
            await asyncio.gather(*closing)
        await asyncio.sleep(PLAY)
        if other is not None:
            with suppress(TimeoutError):
                await bot.ended(ENDS_WITHIN)
            await asyncio.sleep(PLAY)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await asyncio.sleep(RIGHT_AFTER)
        outcome.wrong_boards = await _wrong_boards(server, folder, address, outcome.notes)
        if other is not None:
            outcome.other = await _end(other, outcome)
        outcome.status = await _end(bot, outcome)
        stored = await games_in(address or bot.database_url)
        outcome.wrongs = ledger.compare_with(stored)
        _count(server, gateway, ledger, stored, outcome, under_way, before)
    return outcome


async def _started(
    server: DiscordServer, place: Path, folder: Path, address: str | None
) -> Program:
    await asyncio.to_thread(place.mkdir)
    program = Program(server, place)
    program.is_alone = False
    if address is None:
        file = (folder / "games.db").as_posix()
        program.database = folder / "games.db"
        program.settings["DATABASE_URL"] = f"sqlite+aiosqlite:///{file}"
    else:
        program.settings |= {"DATABASE_URL": address, "CUATRO_SHARDS": SHARDS}
    await program.start()
    return program


async def _end(program: Program, outcome: Outcome) -> str:
    """Stop a process; returns its exit status if it had already ended, else `runs`."""
    status = program.status
    await program.stop()
    outcome.tracebacks += program.tracebacks()
    if program.tracebacks() or status:
        outcome.notes.append(program.log.read_text("utf-8", errors="replace")[-3000:])
    return "runs" if status is None else str(status)


def _count(
    server: DiscordServer,
    gateway: WatchedGateway,
    ledger: Ledger,
    stored: dict[int, Session],
    outcome: Outcome,
    under_way: Collection[str],
    before: Collection[str],
) -> None:
    known = server.interactions
    # Interactions in progress at the stop may or may not have been processed.
    reached = gateway.reached & known.asked.keys() - set(under_way)
    outcome.reached = len(reached)
    missing = sorted(reached - known.answered.keys())
    outcome.unanswered = len(missing)
    outcome.notes += [f"not answered: {one}, {known.asked[one]['data']}" for one in missing]
    outcome.slowest = max((known.seconds[one] for one in reached & known.seconds.keys()), default=0)
    outcome.doubled = len(known.second_answers)
    stale = (set(before) & known.asked.keys()) - gateway.reached
    outcome.stale = len(stale)
    fresh = {(one.game_id, one.number) for one in ledger.asked if one.token not in stale}
    for one in ledger.asked:
        game = stored.get(one.game_id)
        if one.token in stale and (one.game_id, one.number) not in fresh and game is not None:
            made = game.moves[one.number - 1 : one.number]
            if any(move.user_id == one.user_id and move.move == one.text for move in made):
                outcome.acted_on += 1
                outcome.notes.append(f"acted on: {one}, {known.asked[one.token]['id']}, {made}")


async def _wrong_boards(
    server: DiscordServer, folder: Path, address: str | None, notes: list[str]
) -> int:
    """The number of boards that do not match the database."""
    wrong = 0
    opened = (
        open_truth(server, folder / "games.db", folder)
        if address is None
        else open_live_truth(server, address)
    )
    async with opened as truth:
        for session in (await truth.sessions()).values():
            if str(session.message_id) in server.messages:
                why = await truth.difference(server, session)
                wrong += bool(why)
                notes += [f"game {session.id}: {why}"] * bool(why)
    return wrong


def main() -> None:
    """Print a Markdown table; the exit status is 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, nargs="+", default=[5.0])
    parser.add_argument("--on", choices=("sqlite", "postgres", "both"), default="both")
    parser.add_argument("--replaced", choices=("yes", "no", "both"), default="both")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    kinds = ("sqlite", "postgres") if given.on == "both" else (given.on,)
    replaced = {"yes": (True,), "no": (False,), "both": (False, True)}[given.replaced]
    print(head(HEAD), flush=True)
    is_good = True
    for seconds in given.seconds:
        for kind in kinds:
            for is_replaced in replaced:
                with (
                    tempfile.TemporaryDirectory() as folder,
                    postgres() if kind == "postgres" else nullcontext(None) as address,
                ):
                    url = None if address is None else in_full(address)
                    run = suspend(
                        seconds, Path(folder), url, is_replaced=is_replaced, seed=given.seed
                    )
                    outcome = asyncio.run(run)
                print(row(outcome.cells()), flush=True)
                for note in outcome.notes + outcome.wrongs.notes:
                    print(f"  {note}", flush=True)
                is_good &= outcome.is_good
    if not is_good:
        sys.exit(1)


if __name__ == "__main__":
    main()
