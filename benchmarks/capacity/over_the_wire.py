"""Games over the wire with a clock on every stage of a move: what each stage costs, and the waits.

The stand-in counts the bot's requests by route, and what else the machine does is noted: other
programs, and how much of this one's time the people and the stand-in take.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

from benchmarks.capacity.figures import Spread, Wire
from benchmarks.capacity.neighbours import machine_seconds, weight_beside
from benchmarks.load import PATIENCE, begin_all, play
from benchmarks.wire.ledger import Ledger
from benchmarks.wire.program import Program
from benchmarks.wire.tables import KINDS, Table
from tests.bot.discord_server import DiscordServer, Request

FAR = 2.0
"""Times the median beyond which the loop's time of a stage is taken to be another move's."""


class CountingServer(DiscordServer):
    """The stand-in, counting requests by method and route and keeping few of them."""

    def __init__(self) -> None:
        """Keep what the people at the tables look at."""
        super().__init__(keeps=2000)
        self.counted = Counter[str]()

    def _keep(self, request: Request) -> None:
        self.counted[f"{request.method} {route(request.path)}"] += 1
        super()._keep(request)


def route(path: str) -> str:
    """A request's path without its ids and tokens."""
    path = re.sub(r"/api/v\d+", "", path)
    path = re.sub(r"interaction-\d+", "{token}", path)
    return re.sub(r"/\d+", "/{id}", path)


@dataclass(frozen=True, slots=True)
class Watched:
    """What a run has shown."""

    games: int
    seconds: float
    waits: list[float]
    """Seconds from each click to the right board."""
    lines: list[dict[str, Any]]
    """What `benchmarks.wire.timed` has written."""
    samples: list[dict[str, Any]]
    calls: Counter[str]
    stand_in: float
    """CPU seconds that the people and the stand-in took."""
    others: float
    """Cores that other programs took."""
    weight: float
    """What other programs that wanted a core weighed, in threads of the bot."""
    idle: float
    """Cores that nobody took."""

    @property
    def rate(self) -> float:
        """Moves a second."""
        return len(self.waits) / self.seconds

    @property
    def loop(self) -> float:
        """CPU seconds of the event loop's thread for each move."""
        return (self.samples[-1]["loop"] - self.samples[0]["loop"]) / len(self.waits)


async def watch(games: int, rate: float, seconds: float) -> Watched:
    """Play so many games at once, so many moves a second in all."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        samples, stages = folder / "samples.jsonl", folder / "stages.jsonl"
        weights = [0.0]
        async with CountingServer() as server:
            server.limits.as_usual()
            command = ("-m", "benchmarks.wire.timed", str(samples), str(stages))
            program = Program(server, folder, *command)
            await program.start()
            await program.connected()
            ledger, kinds = Ledger(server), cycle(KINDS)
            tables = [
                Table(server, ledger, Random(n), next(kinds), answer_seconds=PATIENCE)
                for n in range(games)
            ]
            try:
                await begin_all(tables)
                skipped = [len(_lines(one)) for one in (samples, stages)]
                server.counted.clear()
                began, spent, machine = time.monotonic(), time.process_time(), machine_seconds()
                own = {os.getpid(), program.pid}
                looking = asyncio.create_task(_look(own, weights))
                await play(tables, rate, seconds)
                looking.cancel()
                took, spent = time.monotonic() - began, time.process_time() - spent
                busy, idle = (
                    now - was for now, was in zip(machine_seconds(), machine, strict=True)
                )
                seen = _lines(samples)[skipped[0] :]
                lines = _lines(stages)[skipped[1] :]
            finally:
                await program.stop()
    own = spent + seen[-1]["cpu"] - seen[0]["cpu"]
    waits = [wait for table in tables for wait in table.waits]
    others = max(0.0, busy - own) / took
    return Watched(
        games=games,
        seconds=took,
        waits=waits,
        lines=lines,
        samples=seen,
        calls=server.counted,
        stand_in=spent,
        others=others,
        weight=mean(weights),
        idle=max(0.0, idle) / took,
    )


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


async def _look(own: set[int], found: list[float]) -> None:
    """Look every two seconds what other programs want."""
    while True:
        await asyncio.sleep(2.0)
        found.append(await asyncio.to_thread(weight_beside, own))


def wire_figures(seen: Watched) -> Wire:
    """What a move costs by stage."""
    moves = [line["stages"] for line in seen.lines if line["by"] != "judge"]
    stages = [_Move(stages) for stages in moves if _is_whole(stages)]
    judged = [line["stages"][0][6] for line in seen.lines if line["by"] == "judge"]
    found = {name: Spread.of(_own(_flat(stages, name))) for name in _Move.ON_LOOP}
    found |= {name: Spread.of(_flat(stages, name)) for name in _Move.IN_THREADS}
    answered = sum(len(move.parts["search"]) for move in stages) / len(stages)
    times = {"write": 1.0 + answered, "hand_over": answered}
    known = sum(times.get(name, 1.0) * found[name].mean for name in _Move.ON_LOOP)
    # The rest of the loop's time: reading from the gateway, starts and ends of games, timers.
    rest = max(0.0, seen.loop - known)
    return Wire(
        receive=Spread.of(rest * one for one in _shape(_flat(stages, "edit"))),
        judge=Spread.of(judged or [0.0]),
        stand_in=seen.stand_in / len(seen.waits),
        answers=answered,
        ends=len(judged) / len(seen.waits),
        calls={name: round(n / len(seen.waits), 4) for name, n in seen.calls.most_common()},
        **found,
    )


class _Move:
    """The stages of one move, as CPU seconds."""

    ON_LOOP = ("write", "acknowledge", "hand_over", "edit", "tail")
    IN_THREADS = ("search", "draw")

    def __init__(self, stages: list[list[Any]]) -> None:
        ordered = sorted(stages, key=lambda stage: stage[1])
        self.parts: dict[str, list[float]] = {
            name: [] for name in (*self.ON_LOOP, *self.IN_THREADS)
        }
        whole = next(stage for stage in ordered if stage[0] == "all")
        last = whole[3]
        for name, _, _, used, used_after, _, spent in ordered:
            if name in self.IN_THREADS:
                self.parts[name].append(spent)
            elif name in self.parts:
                self.parts[name].append(used_after - used)
            if name != "all":
                last = max(last, used_after)
        self.parts["tail"].append(whole[4] - last)
        known = sum(sum(self.parts[name]) for name in self.ON_LOOP)
        between = max(0.0, whole[4] - whole[3] - known)
        answers = max(1, len(self.parts["search"]))
        self.parts["hand_over"] += [between / answers] * answers


def _is_whole(stages: list[list[Any]]) -> bool:
    """Whether a move was made and shown: not refused, and not left to another one's board."""
    names = [stage[0] for stage in stages]
    return {"write", "acknowledge", "search", "edit", "draw"} <= {*names}


def _flat(moves: Iterable[_Move], name: str) -> list[float]:
    return [value for move in moves for value in move.parts[name]]


def _own(values: list[float]) -> list[float]:
    """The values without what is far beyond the median.

    While a stage waits for a disk, a thread or Discord, the loop works for others. At a low rate
    that is seldom, and it is what makes a stage look much longer than usual.
    """
    most = FAR * median(values)
    return [min(value, most) for value in values]


def _shape(values: list[float]) -> list[float]:
    """The values in units of their mean."""
    usual = mean(values)
    return [value / usual for value in values]


def measure(games: int, rate: float, seconds: float) -> tuple[Wire, float]:
    """The figures, and the bytes that the process takes."""
    seen = asyncio.run(watch(games, rate, seconds))
    return wire_figures(seen), seen.samples[-1]["memory"]
