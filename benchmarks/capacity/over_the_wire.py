"""Plays games over the network and times every stage of each move.

Also counts the bot's requests by route, and CPU of other programs, the players and the simulated
Discord.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.capacity.figures import Move, Spread, Step, Wire
from benchmarks.load import PATIENCE, begin_all, play
from tests.bot.discord_server import DiscordServer, Request
from tests.bot.support.wire.ledger import Ledger
from tests.bot.support.wire.program import Program
from tests.bot.support.wire.shapes import deployment
from tests.bot.support.wire.tables import LEVELS, Seen, Table, tables_on

TICKS_A_SECOND = 100
"""The unit of /proc/stat."""
WARM = (6.0, 20.0)
"""Moves per second, and seconds, before the measurement."""
TIMED = ("-m", "tests.bot.support.wire.timed")
MAX_DURATION = 0.3
"""Seconds beyond which a longer move does not get more weight."""


class CountingServer(DiscordServer):
    """A simulated Discord with counts of requests by method and route."""

    def __init__(self) -> None:
        """Keep the latest requests only."""
        super().__init__(keeps=2000)
        self.counted = Counter[str]()

    def _keep(self, request: Request) -> None:
        self.counted[f"{request.method} {route(request.path)}"] += 1
        super()._keep(request)


def route(path: str) -> str:
    """A request's path with placeholders for ids and tokens."""
    path = re.sub(r"/api/v\d+", "", path)
    path = re.sub(r"interaction-\d+", "{token}", path)
    return re.sub(r"/\d+", "/{id}", path)


@dataclass(frozen=True, slots=True)
class RunResult:
    """The results of a run."""

    games: int
    seconds: float
    waits: list[float]
    """Seconds from each click to the right board."""
    seen: list[Seen]
    """These moves with their tokens."""
    lines: list[dict[str, Any]]
    """What `tests.bot.support.wire.timed` has written."""
    samples: list[dict[str, Any]]
    computed: float
    """CPU seconds of the event loop's thread."""
    calls: Counter[str]
    stand_in: float
    """CPU seconds of the players and the simulated Discord."""
    others: float
    """Cores used by other programs."""
    idle: float
    """Idle cores."""

    @property
    def rate(self) -> float:
        """Moves a second."""
        return len(self.waits) / self.seconds

    @property
    def loop(self) -> float:
        """CPU seconds of the event loop's thread per move."""
        return self.computed / len(self.waits)


async def run_phases(
    games: int,
    *phases: tuple[float, float],
    shape: str = "sqlite",
    levels: tuple[str, ...] = LEVELS,
) -> list[RunResult]:
    """Play `games` games at once; a phase is a number of moves per second, and seconds.

    The games begin before the first phase.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = folder / "samples.jsonl", folder / "stages.jsonl"
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(CountingServer())
            server.limits.as_usual()
            program = Program(server, folder, *TIMED, *map(str, files))
            deployed = await stack.enter_async_context(deployment(shape, folder))
            program.settings |= deployed.settings
            server.gateway.max_concurrency = deployed.sessions
            await program.start()
            await program.connected()
            await server.until(lambda: len(server.bots) >= deployed.sessions, PATIENCE)
            tables = tables_on(server, Ledger(server), games)
            for table in tables:
                table.levels, table.answer_seconds = levels, PATIENCE
            try:
                await begin_all(tables)
                await play(tables, *WARM)
                return [await _phase(server, tables, files, *phase) for phase in phases]
            finally:
                await program.stop()


async def _phase(
    server: CountingServer,
    tables: list[Table],
    files: tuple[Path, Path],
    rate: float,
    seconds: float,
) -> RunResult:
    skipped = [len(_lines(one)) for one in files]
    server.counted.clear()
    for table in tables:
        table.waits.clear()
        table.seen.clear()
    began, spent, before = time.monotonic(), time.process_time(), _machine_seconds()
    if rate:
        await play(tables, rate, seconds)
    else:
        await asyncio.sleep(seconds)
    took, spent = time.monotonic() - began, time.process_time() - spent
    busy, idle = (now - was for now, was in zip(_machine_seconds(), before, strict=True))
    samples, lines = (_lines(one)[skip:] for one, skip in zip(files, skipped, strict=True))
    own = spent + samples[-1]["cpu"] - samples[0]["cpu"]
    return RunResult(
        games=len(tables),
        seconds=took,
        waits=[wait for table in tables for wait in table.waits],
        seen=[one for table in tables for one in table.seen],
        lines=lines,
        samples=samples,
        computed=samples[-1]["loop"] - samples[0]["loop"],
        calls=server.counted.copy(),
        stand_in=spent,
        others=max(0.0, busy - own) / took,
        idle=max(0.0, idle) / took,
    )


def _machine_seconds() -> tuple[float, float]:
    """Seconds for which all cores together were busy and idle."""
    line = Path("/proc/stat").read_text("ascii").splitlines()[0]
    user, nice, system, idle, waiting, *more = (int(n) / TICKS_A_SECOND for n in line.split()[1:])
    return user + nice + system + sum(more[:3]), idle + waiting


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def wire_figures(seen: RunResult, background: float = 0.0) -> Wire:
    """The costs of moves; `background` is the loop's CPU per second without players."""
    traced = [_Traced.of(line) for line in seen.lines if line["by"] != "judge"]
    moves = _moves_of(seen, traced)
    others = [one.own for one in _not_overlapping(traced) if one.by == "other"] or [0.0]
    count = len(seen.waits)
    a_move = sum(one.by == "other" for one in traced) / count
    ends = sum(one.ended for one in seen.seen) / count
    wire = Wire(
        moves=tuple(moves),
        others=tuple(round(one, 6) for one in others),
        others_a_move=a_move,
        settle=0.0,
        judge=Spread.of(
            [line["stages"][0][6] for line in seen.lines if line["by"] == "judge"] or [0.0]
        ),
        background=background,
        stand_in=seen.stand_in / count,
        ends=ends,
        calls={name: round(n / count, 4) for name, n in seen.calls.most_common()},
    )
    # CPU outside of interactions is that of finished games: evaluation, rating and display.
    known = wire.mean(lambda move: move.loop) + a_move * sum(others) / len(others)
    rest = seen.loop - background * seen.seconds / count - known
    return replace(wire, settle=max(0.0, rest) / ends if ends else 0.0)


def _moves_of(seen: RunResult, traced: list[_Traced]) -> list[Move]:
    """The recorded moves of a run without concurrent interactions."""
    watched = {one.token: one for one in seen.seen}
    rate = len(traced) / seen.seconds
    found = []
    for one in _not_overlapping(traced):
        view = watched.get(one.token)
        if view is None or not {"write", "acknowledge", "edit"} <= {s[0] for s in one.stages}:
            continue
        # Long moves are less likely to have no concurrent interaction.
        weight = math.exp(rate * min(MAX_DURATION, one.ended - one.began))
        found.append(one.recorded(view, weight))
    return found


@dataclass(frozen=True, slots=True)
class _Traced:
    """An interaction as recorded by the bot."""

    by: str
    token: str
    stages: list[list[Any]]
    """Stages in the order of their starts, without the enclosing one."""
    whole: list[Any]

    @classmethod
    def of(cls, line: dict[str, Any]) -> _Traced:
        *stages, whole = line["stages"]
        return cls(line["by"], line["token"], sorted(stages, key=lambda one: one[1]), whole)

    @property
    def began(self) -> float:
        return float(self.whole[1])

    @property
    def ended(self) -> float:
        return float(self.whole[2])

    @property
    def own(self) -> float:
        """CPU seconds of the loop."""
        return float(self.whole[4] - self.whole[3])

    def recorded(self, view: Seen, weight: float) -> Move:
        """This interaction as a move, with the times seen by its player."""
        edits = [stage for stage in self.stages if stage[0] == "edit"]
        last = edits[-1]
        acknowledged = next(s for s in self.stages if s[0] == "acknowledge")
        stored = [s for s in self.stages if s[0] == "write" and s[1] > acknowledged[1]]
        answered = max((s[2] for s in stored if s[2] <= last[1]), default=acknowledged[2])
        parts: dict[str, list[Step]] = {"store": [], "answer": [], "show": []}
        at, used = self.began, self.whole[3]
        draws = [stage for stage in self.stages if stage[0] == "draw"]
        for stage in self.stages:
            name, began, ended, before, after, waited, spent = stage
            # A board that is shown during the search for the answer is shown again.
            if name in ("arrive", "draw") or began < at or (name == "edit" and stage is not last):
                continue
            which = (
                "store" if ended <= acknowledged[2] else "answer" if ended <= answered else "show"
            )
            parts[which].append(_step("gap", began - at, before - used))
            if name == "edit":
                parts[which] += _edit_steps(stage, draws)
            else:
                parts[which].append(_step(name, ended - began - waited, after - before, spent))
            at, used = ended, after
            if stage is last:
                break
        return Move(
            weight=weight,
            by_command=self.by == "command",
            ends=view.ended,
            arrive=max(0.0, self.began - view.clicked),
            store=tuple(parts["store"]),
            answer=tuple(parts["answer"]),
            show=tuple(parts["show"]),
            tail=max(0.0, self.whole[4] - used),
            seen=max(0.0, view.shown - at),
        )


def _step(name: str, took: float, loop: float, thread: float = 0.0) -> Step:
    loop = max(0.0, loop)
    return Step(name, loop, max(0.0, took - loop), thread)


def _edit_steps(edit: list[Any], draws: list[list[Any]]) -> list[Step]:
    """The steps of a board's picture and of its edit."""
    _, began, ended, before, after, _, _ = edit
    inner = next((one for one in draws if began <= one[1] and one[2] <= ended), None)
    if inner is None:
        return [_step("edit", ended - began, after - before)]
    _, _, drawn, _, used, waited, spent = inner
    return [
        _step("draw", drawn - began - waited, used - before, spent),
        _step("edit", ended - drawn, after - used),
    ]


def _not_overlapping(traced: list[_Traced]) -> list[_Traced]:
    """The interactions that overlap no other one."""
    ordered, found, reached = sorted(traced, key=lambda one: one.began), [], -math.inf
    for one, after in zip(ordered, [*ordered[1:], None], strict=True):
        if one.began > reached and (after is None or after.began > one.ended):
            found.append(one)
        reached = max(reached, one.ended)
    return found
