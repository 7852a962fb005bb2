"""A process that is suspended while people play: `python -m benchmarks.suspended --seconds 5 60`.

The real program, `python -m bot`, is stopped with SIGSTOP and continued later, on an SQLite file
and on PostgreSQL with two shards, with and without another process started meanwhile. People go on
pressing buttons and using commands. Every interaction that reaches a running process must be
answered within three seconds; one that reaches only the stopped process must change nothing when
that continues. Nothing acknowledged may be lost, the process that was replaced must end with status
0 and leave the other one alone, and 30 seconds later every board must show what is stored.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic

import discord
from aiohttp import web
from discord.http import Route

from bot.app import open_services
from bot.game.session import Session
from bot.settings import Settings
from tests.bot.discord_server import GUILD, TOKEN, DiscordServer, Json
from tests.bot.stand_in.gateway import Gateway
from tests.bot.support.postgres import in_full, postgres
from tests.bot.support.wire.boards import Truth, open_truth, shown_by
from tests.bot.support.wire.ledger import Ledger, Wrongs
from tests.bot.support.wire.program import Program, games_in
from tests.bot.support.wire.tables import KINDS, Table

SHARDS = "0-1/2"
OTHER_GUILD = str(int(GUILD) + (1 << 22))
"""A server on the other shard."""
PATIENCE, APART = 3.0, 5.0
"""Seconds in which Discord takes an answer, and that it wants between two identifies."""
PAUSE, PLAY = 0.25, 8.0
"""Seconds, on average, that people wait before they do the next thing, and of play before the stop
and after it."""
DROPPED, FORGOTTEN = 45.0, 300.0
"""Seconds without a heartbeat after which Discord cuts a connection and forgets its session."""
RIGHT_AFTER, ENDS_WITHIN = 30.0, 30.0
"""Seconds after which boards are right, and within which a process that was replaced ends."""
LONGEST = 180.0
"""Seconds that a process may take to start."""


@dataclass(slots=True)
class WatchedGateway(Gateway):
    """A gateway that knows which interactions reach a running process."""

    stopped: set[web.WebSocketResponse] = field(default_factory=set)
    """The connections of the process that is stopped now."""
    reached: set[str] = field(default_factory=set)
    """The tokens of interactions that were sent to a running process at once."""

    async def dispatch(self, event: str, data: Json) -> int:
        """See `Gateway`."""
        for session in self._listeners(data.get("guild_id")):
            socket = session.socket
            if socket is not None and not socket.closed and socket not in self.stopped:
                self.reached.add(str(data.get("token")))
        return await Gateway.dispatch(self, event, data)


@dataclass(slots=True)
class Outcome:
    """What a run has found."""

    name: str
    reached: int = 0
    unanswered: int = 0
    """Interactions that reached a running process and were not answered in time."""
    slowest: float = 0.0
    doubled: int = 0
    stale: int = 0
    """Interactions that reached nothing but the stopped process."""
    acted_on: int = 0
    """Moves that are stored and that only such an interaction asked for."""
    status: str = ""
    """What became of the process that was stopped."""
    other: str = ""
    wrong_boards: int = 0
    tracebacks: int = 0
    wrongs: Wrongs = field(default_factory=Wrongs)
    notes: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether all is as it should be."""
        found = (self.unanswered, self.doubled, self.acted_on, self.wrong_boards)
        ends = self.status == ("0" if self.other else "runs") and self.other in ("", "runs")
        return ends and not any((*found, self.wrongs.lost, self.wrongs.doubled))

    def row(self) -> str:
        """All of it as a row of a Markdown table."""
        lost = f"{self.wrongs.moves}, {self.wrongs.lost}, {self.wrongs.doubled}"
        figures = (
            self.reached, self.unanswered, f"{self.slowest:.2f}", self.doubled, self.stale,
            self.acted_on, lost, self.wrong_boards, self.status, self.other or "-",
            self.tracebacks,
        )  # fmt: skip
        return f"| {self.name} | " + " | ".join(map(str, figures)) + " |"


HEAD = (
    "| run | reached | unanswered | slowest, s | twice | stale | acted on | moves, lost, doubled "
    "| boards wrong | stopped one | other one | tracebacks |\n" + "| --- " * 12 + "|"
)


async def suspend(
    seconds: float, folder: Path, address: str | None, *, is_replaced: bool, seed: int
) -> Outcome:
    """Play, stop the bot for so long, let it go on; with PostgreSQL at an address, or a file."""
    kind = "SQLite" if address is None else "PostgreSQL, 2 shards"
    outcome = Outcome(f"{kind}, {seconds:g} s{', replaced' if is_replaced else ''}")
    server = DiscordServer()
    gateway = server.gateway = WatchedGateway(server.guilds, server._new_id, server._changed)
    async with server:
        server.guilds[OTHER_GUILD] = []
        gateway.max_concurrency, gateway.apart = 2, APART
        server.interactions.patience = PATIENCE
        ledger, rng = Ledger(server), Random(seed)
        bot = await _started(server, folder / "first", folder, address)
        await _sessions(gateway, server, 1 if address is None else 2)
        tables = _tables(server, ledger, rng)
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
        outcome.wrongs = ledger.held_against(stored)
        _count(server, gateway, ledger, stored, outcome, under_way, before)
    return outcome


async def _started(server: DiscordServer, room: Path, folder: Path, address: str | None) -> Program:
    await asyncio.to_thread(room.mkdir)
    program = Program(server, room)
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
    """End a process if it still runs; returns its status, or that it did."""
    status = program.status
    await program.stop()
    outcome.tracebacks += program.tracebacks()
    if program.tracebacks() or status:
        outcome.notes.append(program.log.read_text("utf-8", errors="replace")[-3000:])
    return "runs" if status is None else str(status)


async def _sessions(gateway: Gateway, server: DiscordServer, wanted: int) -> None:
    """Wait until so many shards are connected."""

    def so() -> bool:
        return sum(one.socket is not None for one in gateway.sessions.values()) >= wanted

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
    # What was under way when the process was stopped may or may not have been done.
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
    """How many boards do not show what is stored."""
    wrong = 0
    async with _truth(server, folder, address) as truth:
        for session in (await truth.sessions()).values():
            message = server.messages.get(str(session.message_id))
            if session.message_id is None or message is None:
                continue
            differs = shown_by(message).differences(await truth.board(session))
            wrong += bool(differs)
            if differs:
                notes.append(f"the board of game {session.id} differs in {', '.join(differs)}")
    return wrong


class LiveTruth(Truth):
    """What is stored, read while bots are at work on the database."""

    async def sessions(self, leaving_out: Collection[int] = ()) -> dict[int, Session]:
        """See `Truth`."""
        store = self._services.store
        return {
            record.id: Session.from_record(record)
            for record in await store.games.running()
            if record.id not in leaving_out
        }


@asynccontextmanager
async def _truth(server: DiscordServer, folder: Path, address: str | None) -> AsyncIterator[Truth]:
    if address is None:
        async with open_truth(server, folder / "games.db", folder) as truth:
            yield truth
        return
    base, Route.BASE = Route.BASE, server.api_url
    settings = Settings(database_url=address, workers=1)
    try:
        async with (
            open_services(settings, looks_after=False) as services,
            discord.Client(intents=discord.Intents.none()) as client,
        ):
            await client.login(TOKEN)
            yield LiveTruth(services, client, folder, folder)
    finally:
        Route.BASE = base


def main() -> None:
    """Run the benchmark; exits with 1 if anything was not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, nargs="+", default=[5.0])
    parser.add_argument("--on", choices=("sqlite", "postgres", "both"), default="both")
    parser.add_argument("--replaced", choices=("yes", "no", "both"), default="both")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    kinds = ("sqlite", "postgres") if given.on == "both" else (given.on,)
    replaced = {"yes": (True,), "no": (False,), "both": (False, True)}[given.replaced]
    print(HEAD, flush=True)
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
                print(outcome.row(), flush=True)
                for note in outcome.notes + outcome.wrongs.notes:
                    print(f"  {note}", flush=True)
                is_good &= outcome.is_good
    if not is_good:
        sys.exit(1)


if __name__ == "__main__":
    main()
