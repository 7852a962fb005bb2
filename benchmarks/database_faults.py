"""A database that is frozen, slow, cut off or failed over: `python -m benchmarks.database_faults`.

Two bot processes with two of four shards each run against a stand-in for Discord, on PostgreSQL
behind a TCP proxy (`tests.bot.support.proxy`). Simulated players click all the time, also during
each fault, and Discord accepts no first response after three seconds. After a fault and the last
click, every board must show what is stored within 30 seconds, and at the end every acknowledged
move must be stored exactly once.

    python -m benchmarks.database_faults --tables 40 --rate 8 --freeze 10 40

`slow` delays each message by the given seconds. `failover` leaves the connections of before open
and silent, and leads new ones to another port of a server with the same data.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from time import monotonic

from discord.http import Route

from benchmarks.load import begin_all, in_turn, share
from benchmarks.outages import SERVERS, SHARDS, connected
from bot.app import make_client, open_services
from bot.game.session import Session
from bot.settings import Settings
from tests.bot.discord_server import TOKEN, DiscordServer
from tests.bot.support.postgres import in_full, postgres
from tests.bot.support.proxy import Proxy, proxy_to
from tests.bot.support.wire.boards import Reader, Truth, shown_by
from tests.bot.support.wire.ledger import Ledger, Wrongs
from tests.bot.support.wire.program import Program, games_in
from tests.bot.support.wire.tables import KINDS, Table, is_over

IN_TIME = 3.0
"""Seconds within which Discord takes the first answer to an interaction."""
RIGHT_WITHIN = 30.0
"""Seconds within which all boards must be right after a fault."""
LOOK_EVERY = 1.0
PLAYERS_WAIT = 4.0
"""Seconds that people wait for a board before they click again."""
CALM = 5.0
"""Seconds of play before and after each fault."""
CUT = 10.0
"""Seconds for which connections are refused."""


@dataclass(slots=True)
class Found:
    """What one fault did."""

    name: str
    interactions: int = 0
    """Those that people began during the fault."""
    seconds: list[float] = field(default_factory=list)
    """How long the answers took that came in time."""
    words: Counter[str] = field(default_factory=Counter)
    """What people were told at once."""
    right_after: float | None = None
    """Seconds after the last click until all boards were right; None if some never were."""
    wrong: list[str] = field(default_factory=list)

    def line(self) -> str:
        """A line of the table."""
        slowest = share(self.seconds, 1.0) if self.seconds else float("nan")
        right = "never" if self.right_after is None else f"{self.right_after:.0f}"
        answered = f"{len(self.seconds)} of {self.interactions}"
        return f"| {self.name} | {answered} | {slowest:.2f} | {right} | {len(self.wrong)} |"


class Scene:
    """Tables at which people play, and the faults that they meet."""

    def __init__(self, server: DiscordServer, tables: list[Table], rate: float) -> None:
        """Have people click `rate` times a second at these tables."""
        self._server = server
        self._tables = tables
        self._rate = rate

    async def suffer(
        self, name: str, fault: Callable[[], Awaitable[None]], boards: Boards
    ) -> Found:
        """Play through a fault, which lasts as long as `fault` runs, and look at the boards."""
        found, asked = Found(name), self._server.interactions.asked
        playing = asyncio.create_task(in_turn(len(self._tables), self._rate, 3600.0, self._click))
        await asyncio.sleep(CALM)
        before = set(asked)
        await fault()
        during = [token for token in asked if token not in before]
        # So that the last of them has had its three seconds.
        await asyncio.sleep(CALM)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await self._note(found, during)
        await boards.come_right(found)
        return found

    async def _note(self, found: Found, tokens: list[str]) -> None:
        interactions = self._server.interactions
        found.interactions = len(tokens)
        for token in tokens:
            if token in interactions.seconds:
                found.seconds.append(interactions.seconds[token])
                data = interactions.answers[token].get("data") or {}
                found.words[str(data.get("content") or "(acknowledged)")[:70]] += 1

    async def _click(self, number: int) -> None:
        with suppress(TimeoutError):
            await self._tables[number].step()


class Boards:
    """What is shown, held against what is stored."""

    def __init__(self, server: DiscordServer, address: str, truth: Truth) -> None:
        """Compare the boards on a stand-in with the database at an address."""
        self._server = server
        self._address = address
        self._truth = truth

    async def come_right(self, found: Found) -> None:
        """Look until all boards are right, or their time is up."""
        began = monotonic()
        while True:
            sessions = await games_in(self._address)
            found.wrong = [why for s in sessions.values() if (why := await self._wrong(s))]
            if not found.wrong:
                found.right_after = monotonic() - began
            if not found.wrong or monotonic() - began > RIGHT_WITHIN:
                return
            await asyncio.sleep(LOOK_EVERY)

    async def _wrong(self, session: Session) -> str:
        """Why a game's board is not right; empty if it is."""
        name = f"{session.game.key} game {session.id} at {len(session.moves)} moves"
        if session.awaits_agent:
            return f"{name}: an agent is silent"
        message = self._server.messages.get(str(session.message_id))
        if message is None:
            return f"{name}: no message shows it"
        if session.is_over:
            # Its text depends on ratings, which this process does not read.
            return "" if is_over(message) else f"{name}: its end is not shown"
        differences = shown_by(message).differences(await self._truth.board(session))
        return f"{name}: wrong {', '.join(differences)}" if differences else ""


def faults(proxy: Proxy, freezes: list[float], slow: list[float], lasts: float) -> Faults:
    """What happens to the database, by name."""
    chosen: Faults = {}
    for seconds in freezes:
        chosen[f"frozen for {seconds:g} s"] = partial(_frozen, proxy, seconds)
    for seconds in slow:
        chosen[f"{seconds:g} s later, for {lasts:g} s"] = partial(_slow, proxy, seconds, lasts)
    chosen[f"cut off for {CUT:g} s"] = partial(_cut, proxy)
    chosen["silent failover"] = partial(_fail_over, proxy, lasts)
    return chosen


Faults = dict[str, Callable[[], Awaitable[None]]]


async def _frozen(proxy: Proxy, seconds: float) -> None:
    proxy.freeze()
    await asyncio.sleep(seconds)
    proxy.thaw()


async def _slow(proxy: Proxy, seconds: float, lasts: float) -> None:
    proxy.delay = seconds
    await asyncio.sleep(lasts)
    proxy.delay = 0.0


async def _cut(proxy: Proxy) -> None:
    proxy.cut(refuse=True)
    await asyncio.sleep(CUT)
    proxy.cut(refuse=False)


async def _fail_over(proxy: Proxy, lasts: float) -> None:
    proxy.fail_over(proxy.upstream)
    await asyncio.sleep(lasts)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has found."""

    faults: list[Found]
    wrongs: Wrongs
    twice: int
    """Interactions that were answered twice."""

    def table(self) -> str:
        """All of it as Markdown."""
        lines = [
            f"| fault | answered within {IN_TIME:g} s | slowest of these, s "
            "| boards right after s | boards wrong |",
            "| --- | ---: | ---: | ---: | ---: |",
            *(one.line() for one in self.faults),
            "",
            f"{self.wrongs.moves} acknowledged moves: {self.wrongs.lost} lost, "
            f"{self.wrongs.doubled} doubled; {self.wrongs.starts + self.wrongs.ends} starts and "
            f"resignations lost; {self.twice} interactions answered twice",
        ]
        for one in self.faults:
            lines += ["", f"{one.name}:", *(f"- {count} x {w}" for w, count in one.words.items())]
        return "\n".join(lines + self.wrongs.notes)


async def run(options: argparse.Namespace, folder: Path) -> Outcome:
    """Play through all faults."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(DiscordServer())
        first = int(next(iter(server.guilds)))
        guilds = [str(first + (number << 22)) for number in range(SERVERS)]
        server.guilds |= {guild: [] for guild in guilds if guild not in server.guilds}
        server.interactions.patience = IN_TIME
        upstream = stack.enter_context(postgres())
        proxy = await stack.enter_async_context(proxy_to(upstream))
        direct = in_full(upstream)
        ledger, kinds = Ledger(server), cycle(KINDS)
        tables = [
            Table(server, ledger, Random(n), next(kinds), guild=guilds[n % SERVERS])
            for n in range(options.tables)
        ]
        bots = await _bots(stack, server, proxy.address_of(str(upstream.database)), folder)
        truth = await _truth(stack, server, folder)
        await begin_all(tables)
        for table in tables:
            table.answer_seconds = PLAYERS_WAIT
        scene, boards = Scene(server, tables, options.rate), Boards(server, direct, truth)
        found = []
        for name, fault in faults(proxy, options.freeze, options.slow, options.lasts).items():
            found.append(await scene.suffer(name, fault, boards))
            print(found[-1].line(), *found[-1].wrong, sep="\n", flush=True)
        for program in bots:
            await program.stop()
        wrongs = ledger.held_against(await games_in(direct))
        return Outcome(found, wrongs, len(server.interactions.second_answers))


async def _bots(
    stack: AsyncExitStack, server: DiscordServer, address: str, folder: Path
) -> list[Program]:
    bots: list[Program] = []
    for number, shards in enumerate(SHARDS):
        (place := folder / f"bot-{number}").mkdir()
        program = Program(server, place)
        program.is_alone = False
        program.settings |= {"DATABASE_URL": address, "CUATRO_SHARDS": shards}
        program.settings |= {f"CUATRO_LIMIT_{what}": "off" for what in ("STARTS", "HINTS")}
        bots.append(program)
        stack.push_async_callback(program.stop)
        await program.start()
        # One after the other: the first makes the tables.
        await connected(server, 1 + 2 * number)
    await connected(server, 4)
    return bots


async def _truth(stack: AsyncExitStack, server: DiscordServer, folder: Path) -> Truth:
    """What boards of running games should show; they are drawn without the bots' database."""
    file, base = folder / "nothing.db", Route.BASE
    Route.BASE = server.api_url
    stack.callback(lambda: setattr(Route, "BASE", base))
    settings = Settings(database_url=f"sqlite+aiosqlite:///{file.as_posix()}", workers=1)
    services = await stack.enter_async_context(open_services(settings))
    client = await stack.enter_async_context(make_client(services, Reader))
    await client.login(TOKEN)
    return Truth(services, client, file, file)


def main() -> None:
    """Print Markdown tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--rate", type=float, default=8.0, help="clicks a second")
    parser.add_argument("--freeze", type=float, nargs="*", default=[10.0, 40.0])
    parser.add_argument("--slow", type=float, nargs="*", default=[0.5])
    parser.add_argument("--lasts", type=float, default=20.0, help="seconds of the other faults")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        outcome = asyncio.run(run(options, options.folder or Path(scratch)))
    print(outcome.table())


if __name__ == "__main__":
    main()
