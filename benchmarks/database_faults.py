"""A database that is frozen, slow, cut off or failed over: `python -m benchmarks.database_faults`.

Two bot processes with two of four shards each run against a simulated Discord, on PostgreSQL
behind a TCP proxy (`tests.bot.support.proxy`). Simulated players click all the time, also during
each fault, and Discord accepts no first response after three seconds. After a fault and the last
click, every board must show what is stored within 30 seconds, and at the end every acknowledged
move must be stored exactly once.

    python -m benchmarks.database_faults --tables 40 --rate 8 --freeze 10 40

`--slow` delays each message by the given seconds. After a failover existing connections stay open
and silent, and new ones lead to another port of a server with the same data.
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
from pathlib import Path
from time import monotonic

from benchmarks.load import begin_all, in_turn
from benchmarks.outages import SERVERS, SHARDS
from benchmarks.printing import MAXIMUM, head, quantile, row
from tests.bot.discord_server import DiscordServer
from tests.bot.support.postgres import in_full, postgres
from tests.bot.support.proxy import Proxy, proxy_to
from tests.bot.support.wire.boards import Truth, open_live_truth
from tests.bot.support.wire.ledger import Ledger, Wrongs
from tests.bot.support.wire.program import games_in, start_bots
from tests.bot.support.wire.tables import Table, tables_on

DEADLINE = 3.0
"""Seconds within which Discord accepts the first response to an interaction."""
HEAD = (
    "fault", f"answered within {DEADLINE:g} s", "slowest of these, s", "boards right after s",
    "boards wrong",
)  # fmt: skip
UNLIMITED = {f"CUATRO_LIMIT_{what}": "off" for what in ("STARTS", "HINTS")}
REPAIRED_WITHIN = 30.0
"""Seconds within which all boards must be right after a fault."""
CHECK_EVERY = 1.0
PLAYERS_WAIT = 4.0
"""Seconds after which a player without a new board clicks again."""
CALM_SECONDS = 5.0
"""Seconds of play before and after each fault."""
CUT = 10.0
"""Seconds for which connections are refused."""


@dataclass(slots=True)
class Found:
    """The results of one fault."""

    name: str
    interactions: int = 0
    """Interactions that began during the fault."""
    seconds: list[float] = field(default_factory=list)
    """The times of responses within the deadline."""
    words: Counter[str] = field(default_factory=Counter)
    """The texts of first responses."""
    right_after: float | None = None
    """Seconds after the last click until all boards were right; None if some never were."""
    wrong: list[str] = field(default_factory=list)

    def line(self) -> str:
        """A line of the table."""
        right = "never" if self.right_after is None else f"{self.right_after:.0f}"
        answered = f"{len(self.seconds)} of {self.interactions}"
        slowest = f"{quantile(self.seconds, MAXIMUM):.2f}"
        return row((self.name, answered, slowest, right, len(self.wrong)))


class Scene:
    """Tables with players, and the faults that occur meanwhile."""

    def __init__(
        self, server: DiscordServer, tables: list[Table], rate: float, truth: Truth
    ) -> None:
        """Click `rate` times a second at these tables."""
        self._server = server
        self._tables = tables
        self._rate = rate
        self._truth = truth

    async def run(self, name: str, fault: Callable[[], Awaitable[None]]) -> Found:
        """Play through a fault, which lasts as long as `fault` runs, and check the boards."""
        found, asked = Found(name), self._server.interactions.asked
        playing = asyncio.create_task(in_turn(len(self._tables), self._rate, 3600.0, self._click))
        await asyncio.sleep(CALM_SECONDS)
        before = set(asked)
        await fault()
        during = [token for token in asked if token not in before]
        # Interactions that began last have three seconds to be answered.
        await asyncio.sleep(CALM_SECONDS)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await self._note(found, during)
        await self._check_boards(found)
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

    async def _check_boards(self, found: Found) -> None:
        """Wait until all boards of running games are right, or their time is up."""
        began = monotonic()
        while True:
            found.wrong = [
                f"{one.game.key} game {one.id} at {len(one.moves)} moves: {why}"
                for one in (await self._truth.sessions()).values()
                if (why := await self._truth.difference(self._server, one))
            ]
            if not found.wrong:
                found.right_after = monotonic() - began
            if not found.wrong or monotonic() - began > REPAIRED_WITHIN:
                return
            await asyncio.sleep(CHECK_EVERY)


def faults(proxy: Proxy, freezes: list[float], slow: list[float], lasts: float) -> Faults:
    """Functions that cause each fault of the database and end it, by name."""
    chosen: Faults = {}
    for seconds in freezes:
        chosen[f"frozen for {seconds:g} s"] = partial(_freeze, proxy, seconds)
    for seconds in slow:
        chosen[f"{seconds:g} s later, for {lasts:g} s"] = partial(_slow_down, proxy, seconds, lasts)
    chosen[f"cut off for {CUT:g} s"] = partial(_cut, proxy)
    chosen["silent failover"] = partial(_fail_over, proxy, lasts)
    return chosen


Faults = dict[str, Callable[[], Awaitable[None]]]


async def _freeze(proxy: Proxy, seconds: float) -> None:
    proxy.freeze()
    await asyncio.sleep(seconds)
    proxy.thaw()


async def _slow_down(proxy: Proxy, seconds: float, lasts: float) -> None:
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
    """The results of a run."""

    faults: list[Found]
    wrongs: Wrongs
    twice: int
    """Interactions with two responses."""

    def table(self) -> str:
        """The results as Markdown."""
        lines = [
            head(HEAD),
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
        server.interactions.patience = DEADLINE
        upstream = stack.enter_context(postgres())
        proxy = await stack.enter_async_context(proxy_to(upstream))
        direct = in_full(upstream)
        ledger = Ledger(server)
        tables = tables_on(server, ledger, options.tables, SERVERS)
        settings = {"DATABASE_URL": proxy.address_of(str(upstream.database)), **UNLIMITED}
        bots = await start_bots(stack, server, folder, SHARDS, **settings)
        truth = await stack.enter_async_context(open_live_truth(server, direct))
        await begin_all(tables)
        for table in tables:
            table.answer_seconds = PLAYERS_WAIT
        scene = Scene(server, tables, options.rate, truth)
        found = []
        for name, fault in faults(proxy, options.freeze, options.slow, options.lasts).items():
            found.append(await scene.run(name, fault))
            print(found[-1].line(), *found[-1].wrong, sep="\n", flush=True)
        for program in bots:
            await program.stop()
        wrongs = ledger.compare_with(await games_in(direct))
        return Outcome(found, wrongs, len(server.interactions.second_answers))


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
