"""What is lost and what is shown wrongly after kills: `python -m benchmarks.kills --count 200`.

The real program, `python -m bot`, plays six games at once, of all families, over HTTP and WebSocket
on a stand-in for Discord. It is killed with SIGKILL at random moments, also while it starts, and
started again. Then nobody does anything: within 30 seconds of the start every board that people
see, of a running game or of one that has ended, must be the one that is drawn from the store.
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

from bot.game.session import Session
from tests.bot.discord_server import DiscordServer
from tests.bot.support.wire.boards import Truth, game_in, open_truth, shown_by
from tests.bot.support.wire.ledger import Ledger, Wrongs
from tests.bot.support.wire.program import Program
from tests.bot.support.wire.tables import KINDS, Table

WITHIN = 30.0
"""Seconds from a start within which all boards must be right."""
LOOK_EVERY = 0.5
ANSWERS = 30
"""A kill comes after at most so many answers of the bot, and then at a moment of its own."""
MOMENT = 0.4
"""Seconds within which that moment lies."""
PLAY_SECONDS = 20.0
"""A kill comes after so long at the latest."""
EARLY = 0.1
"""The share of starts that are killed before they are done."""


@dataclass(slots=True)
class Outcome:
    """What a run has found."""

    kills: int = 0
    early: int = 0
    boards: int = 0
    ended: int = 0
    wrong: list[str] = field(default_factory=list)
    """The boards that were not right in time, each in a line."""
    orphans: set[str] = field(default_factory=set)
    """Messages that still offer something of a game that another message shows: a kill came after
    they were sent and before their ids were stored."""
    seconds: list[float] = field(default_factory=list)
    """From each start until all boards were right."""
    starts: list[float] = field(default_factory=list)
    """From each start until the bot was connected, which is a part of that."""
    wrongs: Wrongs = field(default_factory=Wrongs)
    tracebacks: int = 0

    def table(self) -> str:
        """All of it as a Markdown table."""
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
            "seconds from the start till all boards are right, p50, p99, most": _three(
                self.seconds
            ),
            "seconds of these till the bot is connected, p50, p99, most": _three(self.starts),
            "tracebacks in the log": self.tracebacks,
        }
        lines = [f"| {name} | {value} |" for name, value in rows.items()]
        return "\n".join(["| kills | |", "| --- | ---: |", *lines])


def _three(values: list[float]) -> str:
    ordered = sorted(values) or [float("nan")]
    last = len(ordered) - 1
    return ", ".join(f"{ordered[int(last * part)]:.1f}" for part in (0.5, 0.99, 1.0))


class Run:
    """One bot that is killed again and again."""

    def __init__(
        self, server: DiscordServer, program: Program, rng: Random, within: float = WITHIN
    ) -> None:
        """Play six games on a fresh database; boards must be right `within` seconds."""
        self._within = within
        self._server = server
        self._program = program
        self._rng = rng
        self.ledger = Ledger(server)
        self.tables = [
            Table(server, self.ledger, Random(rng.getrandbits(64)), family, between_people)
            for family in KINDS
            for between_people in (False, True)
        ]
        self.settled: set[int] = set()
        """Games that have ended, with boards that were right or are given up."""
        self.outcome = Outcome()

    async def kill_and_check(self, truth: Truth, *, gently: bool = False) -> None:
        """Play for a while, kill, start again, and wait until all boards are right."""
        playing = [asyncio.create_task(table.play_on(0.15)) for table in self.tables]
        answered = self._server.interactions.answered
        due = len(answered) + self._rng.randrange(ANSWERS)
        with suppress(TimeoutError):
            await self._server.until(lambda: len(answered) >= due, PLAY_SECONDS)
        await asyncio.sleep(self._rng.uniform(0.0, MOMENT))
        await self._program.kill()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        self.outcome.kills += 1
        if not gently and self._rng.random() < EARLY:
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
        """Look until all boards are right or time is up, and count."""
        while True:
            watched = list((await truth.sessions(self.settled)).values())
            wrong = {s.id: why for s in watched if (why := await self._wrong(truth, s))}
            if not wrong or monotonic() - began > self._within:
                break
            await asyncio.sleep(LOOK_EVERY)
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

    async def _wrong(self, truth: Truth, session: Session) -> str:
        """Why a game's board is not right; empty if it is."""
        if session.awaits_agent:
            return "an agent is silent"
        message = self._server.messages.get(str(session.message_id))
        if message is None:
            return "no message shows it"
        due, shown = await truth.board(session), shown_by(message)
        differences = shown.differences(due)
        return f"wrong {', '.join(differences)}" if differences else ""

    def _give_up(self, session: Session, why: str) -> None:
        """Count a board that is wrong, and go on without its game."""
        state = "ended" if session.is_over else "running"
        name = f"{session.game.key}, {len(session.people)} people, {len(session.moves)} moves"
        self.outcome.wrong.append(f"{state} game {session.id} ({name}): {why}")
        self.settled.add(session.id)
        for table in self.tables:
            if table.channel == str(session.channel_id):
                table.move_away()

    def _orphans(self, watched: list[Session]) -> set[str]:
        """The messages that show a game with buttons and that the game does not know."""
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
    """Kill so many times; `gently` kills no start."""
    async with DiscordServer() as server:
        program = Program(server, folder)
        await program.start()
        await program.connected()
        running = Run(server, program, Random(seed), within)
        async with open_truth(server, program.database, folder) as truth:
            while running.outcome.kills < count:
                await running.kill_and_check(truth, gently=gently)
            running.outcome.wrongs = running.ledger.held_against(await truth.sessions())
        await program.stop()
        running.outcome.tracebacks = program.tracebacks()
    return running.outcome


def main() -> None:
    """Print a table, and each board that was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcome = asyncio.run(run(options.count, options.seed, Path(folder)))
    print(outcome.table())
    for line in (*outcome.wrong, *outcome.wrongs.notes):
        print(line)


if __name__ == "__main__":
    main()
