"""Games over the wire with a clock on every stage of a move: what each stage costs, and the waits.

The stand-in counts the bot's requests by route, and what else the machine does is noted: other
programs, and how much of this one's time the people and the stand-in take.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from benchmarks.capacity.figures import Spread, Wire
from benchmarks.load import PATIENCE, begin_all, play
from benchmarks.wire.ledger import Ledger
from benchmarks.wire.program import Program
from benchmarks.wire.tables import KINDS, Table
from tests.bot.discord_server import DiscordServer, Request

TICKS_A_SECOND = 100
"""In /proc/stat."""
CLICK = 0.3
"""The share of the stand-in's CPU of a move that a click takes before the bot hears of it."""
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


async def watch(games: int, *phases: tuple[float, float]) -> list[Watched]:
    """Play so many games at once; each phase is so many moves a second for so many seconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = folder / "samples.jsonl", folder / "stages.jsonl"
        async with CountingServer() as server:
            server.limits.as_usual()
            program = Program(server, folder, "-m", "benchmarks.wire.timed", *map(str, files))
            await program.start()
            await program.connected()
            ledger, kinds = Ledger(server), cycle(KINDS)
            tables = [
                Table(server, ledger, Random(n), next(kinds), answer_seconds=PATIENCE)
                for n in range(games)
            ]
            try:
                await begin_all(tables)
                return [await _phase(server, tables, files, *phase) for phase in phases]
            finally:
                await program.stop()


async def _phase(
    server: CountingServer,
    tables: list[Table],
    files: tuple[Path, Path],
    rate: float,
    seconds: float,
) -> Watched:
    skipped = [len(_lines(one)) for one in files]
    server.counted.clear()
    for table in tables:
        table.waits.clear()
    began, spent, before = time.monotonic(), time.process_time(), _machine_seconds()
    await play(tables, rate, seconds)
    took, spent = time.monotonic() - began, time.process_time() - spent
    busy, idle = (now - was for now, was in zip(_machine_seconds(), before, strict=True))
    samples, lines = (_lines(one)[skip:] for one, skip in zip(files, skipped, strict=True))
    own = spent + samples[-1]["cpu"] - samples[0]["cpu"]
    return Watched(
        games=len(tables),
        seconds=took,
        waits=[wait for table in tables for wait in table.waits],
        lines=lines,
        samples=samples,
        calls=server.counted.copy(),
        stand_in=spent,
        others=max(0.0, busy - own) / took,
        idle=max(0.0, idle) / took,
    )


def _machine_seconds() -> tuple[float, float]:
    """The seconds for which all cores together have been busy and idle."""
    line = Path("/proc/stat").read_text("ascii").splitlines()[0]
    user, nice, system, idle, waiting, *more = (int(n) / TICKS_A_SECOND for n in line.split()[1:])
    return user + nice + system + sum(more[:3]), idle + waiting


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


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
    # What is known to come before a click's handler; the rest of the loop's time is that of starts,
    # ends, boards that are shown again, and timers.
    rest = max(0.0, seen.loop - known)
    before = median(seen.waits) - median(_flat(stages, "shown"))
    reading = min(rest, max(0.0, before - CLICK * seen.stand_in / len(seen.waits)))
    found["tail"] = Spread.of(one + rest - reading for one in _own(_flat(stages, "tail")))
    return Wire(
        receive=Spread.always(reading),
        judge=Spread.of(judged or [0.0]),
        beside={name: Spread.of(_flat(stages, f"{name} beside")) for name in _Move.BESIDE},
        stand_in=seen.stand_in / len(seen.waits),
        answers=answered,
        ends=len(judged) / len(seen.waits),
        calls={name: round(n / len(seen.waits), 4) for name, n in seen.calls.most_common()},
        **found,
    )


class _Move:
    """The stages of one move: the loop's and other threads' CPU seconds, and waits by the clock."""

    ON_LOOP = ("write", "acknowledge", "hand_over", "edit", "tail")
    IN_THREADS = ("search", "draw")
    BESIDE = ("write", "look", "acknowledge", "edit", "search", "draw")

    def __init__(self, stages: list[list[Any]]) -> None:
        self.parts: defaultdict[str, list[float]] = defaultdict(list)
        whole = next(stage for stage in stages if stage[0] == "all")
        inner = sorted((stage for stage in stages if stage[0] != "all"), key=lambda one: one[1])
        drawn = sum(stage[2] - stage[1] for stage in inner if stage[0] == "draw")
        for name, began, ended, used, used_after, waited, spent in inner:
            took, on_loop = ended - began, used_after - used
            if name in self.IN_THREADS:
                self.parts[name].append(spent)
                self.parts[f"{name} beside"].append(max(spent, took - waited))
                continue
            self.parts[name].append(on_loop)
            others = drawn if name == "edit" else 0.0
            self.parts[f"{name} beside"].append(max(0.0, took - on_loop - others))
        self._between(whole, inner)

    def _between(self, whole: list[Any], inner: list[list[Any]]) -> None:
        """What lies between the stages that have names."""
        self.parts["tail"].append(max(0.0, whole[4] - max(stage[4] for stage in inner)))
        known = sum(sum(self.parts[name]) for name in self.ON_LOOP)
        between = max(0.0, whole[4] - whole[3] - known)
        answers = max(1, len(self.parts["search"]))
        self.parts["hand_over"] += [between / answers] * answers
        self.parts["shown"].append(
            max(stage[2] for stage in inner if stage[0] == "edit") - whole[1]
        )
        # A board before the answer comes while that is searched for, not after it.
        edits = [stage for stage in inner if stage[0] == "edit"]
        writes = [stage for stage in inner if stage[0] == "write"]
        if len(edits) == 1:
            gap = edits[0][1] - writes[-1][2]
            self.parts["look beside"].append(max(0.0, gap - between / answers))


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


def measure(games: int, rate: float, seconds: float) -> tuple[Wire, float]:
    """The figures, and the bytes that the process takes."""
    (seen,) = asyncio.run(watch(games, (rate, seconds)))
    return wire_figures(seen), seen.samples[-1]["memory"]
