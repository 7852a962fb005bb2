"""The measured figures, and the file that keeps them."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

FILE = Path(__file__).with_name("measured.json")
PROGRAM = ("bot", "cluster", "engine", "renderers")
"""The folders of the measured program."""
SHARES = (0.0, *(n / 20 for n in range(1, 20)), 0.99, 0.999, 1.0)
"""Shares of a distribution whose quantiles are kept."""


@dataclass(frozen=True)
class Spread:
    """A distribution of seconds, as quantiles at `SHARES`."""

    quantiles: tuple[float, ...]

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """The distribution of measured values, at least one."""
        ordered = sorted(values)
        return cls(tuple(round(_quantile(ordered, share), 7) for share in SHARES))

    @classmethod
    def always(cls, value: float) -> Spread:
        """The distribution of a constant."""
        return cls((value,) * len(SHARES))

    def at(self, share: float) -> float:
        """The quantile at a share, interpolated."""
        after = max(1, bisect_left(SHARES, share))
        low, high = SHARES[after - 1], SHARES[after]
        part = (share - low) / (high - low)
        return self.quantiles[after - 1] * (1.0 - part) + self.quantiles[after] * part

    def draw(self, rng: Random) -> float:
        """A random value."""
        return self.at(rng.random())

    @cached_property
    def mean(self) -> float:
        """The mean of the values that `draw` returns."""
        steps = zip(SHARES, SHARES[1:], self.quantiles, self.quantiles[1:], strict=False)
        return sum((after - before) * (low + high) / 2 for before, after, low, high in steps)


@dataclass(frozen=True)
class Writes:
    """The time until a move is on disk in one kind of database."""

    alone: float
    """Median seconds with one writer."""
    together: float
    """Mean seconds per write with fifteen concurrent writers."""

    @property
    def per_second(self) -> float:
        """Writes per second with fifteen concurrent writers."""
        return 1.0 / self.together


@dataclass(frozen=True)
class Size:
    """Storage of a finished game."""

    rows: float
    sqlite_bytes: float
    postgres_bytes: float
    moves: float
    """Moves of both sides in the measured games."""


@dataclass(frozen=True)
class Memory:
    """Resident memory in bytes."""

    game: float
    """Per running game."""
    server: float
    """Per server with 20 channels and 15 roles, without games."""
    large_server: float
    """Per server with 50 channels and 40 roles."""


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a move: CPU time of the event loop, and waiting."""

    name: str
    """`gap` for the time between named steps."""
    loop: float
    """CPU seconds of the event loop."""
    wait: float
    """Further wall-clock seconds, for a disk, a thread or a response."""
    thread: float = 0.0
    """CPU seconds of another thread, included in the wait."""


@dataclass(frozen=True)
class Move:
    """A recorded move without concurrent work, from the click to the board."""

    weight: float
    """Statistical weight; long moves are seldom without concurrent work."""
    by_command: bool
    ends: bool
    """Whether it or the answer ended the game."""
    arrive: float
    """Seconds from the click until the bot reads it."""
    store: tuple[Step, ...]
    """Until it is acknowledged."""
    answer: tuple[Step, ...]
    """Until the agent's moves are stored, if there are any."""
    show: tuple[Step, ...]
    """Until Discord has the board."""
    tail: float
    """CPU seconds of the event loop afterwards."""
    seen: float
    """Seconds until players see the board."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps."""
        return (*self.store, *self.answer, *self.show)

    @property
    def loop(self) -> float:
        """CPU seconds of the event loop."""
        return sum(step.loop for step in self.steps) + self.tail

    def count(self, name: str) -> int:
        """The number of steps with a name."""
        return sum(step.name == name for step in self.steps)


@dataclass(frozen=True)
class Wire:
    """Costs of moves, measured with players over the network."""

    moves: tuple[Move, ...]
    others: tuple[float, ...]
    """CPU seconds of the event loop for interactions other than moves, such as starts."""
    others_a_move: float
    settle: float
    """CPU seconds of the loop per finished game, for evaluation, rating and display."""
    judge: Spread
    """CPU seconds of an evaluation thread per finished game."""
    background: float
    """CPU seconds of the loop per second, without players."""
    stand_in: float
    """CPU seconds of the players and the simulated Discord per move."""
    ends: float
    """Ends of games per move of a person."""
    calls: Mapping[str, float]
    """All requests per move of a person, by method and route."""

    @cached_property
    def weights(self) -> list[float]:
        """Running totals of the moves' weights."""
        return list(accumulate(move.weight for move in self.moves))

    def draw(self, rng: Random, *, ends: bool | None = None) -> Move:
        """A random recorded move; with `ends`, one that does or does not end a game."""
        while True:
            found = rng.choices(self.moves, cum_weights=self.weights)[0]
            if ends is None or found.ends == ends:
                return found

    def mean(self, value: Callable[[Move], float]) -> float:
        """The weighted mean of a value over all moves."""
        return sum(move.weight * value(move) for move in self.moves) / self.weights[-1]

    def of_steps(self, name: str, value: Callable[[Step], float]) -> list[float]:
        """The value of every step with this name."""
        return [value(step) for move in self.moves for step in move.steps if step.name == name]


@dataclass(frozen=True)
class Shape:
    """Costs of a move in a deployment: see `tests.bot.support.wire.shapes`."""

    wire: Wire
    loop: float
    """CPU seconds of the event loop's thread per move, including all other work for games."""
    cpu: float
    """CPU seconds of all threads per move."""
    background: float
    """CPU seconds of the event loop's thread per second without players; not part of `loop`."""
    statements: float
    """SQL statements per move, including those that serve many games."""
    transactions: float
    """Transactions per move; on PostgreSQL including those of single statements."""
    syncs: float
    """Synchronous writes to disk per move."""
    memory: float
    """Resident bytes of the process with sixty games and no servers."""


@dataclass(frozen=True)
class Scheduling:
    """CPU seconds of Dask for a trivial job."""

    alone: float
    """Scheduler, one job at a time."""
    many: float
    """Scheduler, many concurrent jobs."""
    worker: float
    """Worker, one job at a time."""


@dataclass(frozen=True)
class Figures:
    """All measured figures."""

    machine: str
    date: str
    commit: str
    others: float
    """Mean number of cores used by other programs."""
    levels: Mapping[str, Spread]
    """CPU seconds of a search by level, of a `hint`, and of the evaluation of a game (`judge`)."""
    boards: tuple[str, ...]
    """The boards of `levels`."""
    sqlite: Writes
    postgres: Writes
    size: Size
    memory: Memory
    scheduling: Scheduling
    shapes: Mapping[str, Shape]

    def save(self, file: Path = FILE) -> None:
        """Write the file with one recorded move per line."""
        known = asdict(self)
        lines: list[str] = []
        for shape in known["shapes"].values():
            moves = [json.dumps(_packed(move)) for move in shape["wire"]["moves"]]
            shape["wire"]["moves"] = [f"@{len(lines) + n}@" for n in range(len(moves))]
            shape["wire"]["others"] = list(shape["wire"]["others"])
            lines += moves
        text = json.dumps(known, indent=1)
        text = re.sub(r'"@(\d+)@"', lambda found: lines[int(found[1])], text)
        text = re.sub(r"\[[-\d.,e\s]+\]", lambda found: " ".join(found[0].split()), text)
        file.write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, file: Path = FILE) -> Figures:
        """Read the file; raises OSError, or KeyError and TypeError where it holds other figures."""
        read: dict[str, Any] = json.loads(file.read_text("utf-8"))
        shapes = {}
        for name, shape in read.pop("shapes").items():
            wire = shape.pop("wire")
            moves = tuple(_unpacked(move) for move in wire.pop("moves"))
            judge, others = Spread(tuple(wire.pop("judge")["quantiles"])), tuple(wire.pop("others"))
            shapes[name] = Shape(Wire(moves=moves, others=others, judge=judge, **wire), **shape)
        levels = {
            name: Spread(tuple(value["quantiles"])) for name, value in read.pop("levels").items()
        }
        return cls(
            levels=levels,
            boards=tuple(read.pop("boards")),
            sqlite=Writes(**read.pop("sqlite")),
            postgres=Writes(**read.pop("postgres")),
            size=Size(**read.pop("size")),
            memory=Memory(**read.pop("memory")),
            scheduling=Scheduling(**read.pop("scheduling")),
            shapes=shapes,
            **read,
        )


SEQUENCES = ("store", "answer", "show")
MICRO = 1e-6
"""Recorded seconds are stored as whole microseconds."""


def _packed(move: dict[str, Any]) -> list[Any]:
    plain = [move[name] for name in ("by_command", "ends")]
    times = [round(move[name] / MICRO) for name in ("arrive", "tail", "seen")]
    steps = [
        [
            [s["name"], *(round(s[one] / MICRO) for one in ("loop", "wait", "thread"))]
            for s in move[n]
        ]
        for n in SEQUENCES
    ]
    return [round(move["weight"], 3), *plain, *times, *steps]


def _unpacked(packed: list[Any]) -> Move:
    weight, by_command, ends, arrive, tail, seen, *steps = packed
    store, answer, show = (
        tuple(Step(step, *(MICRO * n for n in numbers)) for step, *numbers in found)
        for found in steps
    )
    times = MICRO * tail, MICRO * seen
    return Move(weight, by_command, ends, MICRO * arrive, store, answer, show, *times)


def provenance() -> tuple[str, str, str]:
    """The machine, the date, and the last commit of the measured program."""
    text = Path("/proc/cpuinfo").read_text("utf-8") if os.path.exists("/proc/cpuinfo") else ""
    models = [line.split(":")[1].strip() for line in text.splitlines() if "model name" in line]
    model = models[0] if models else platform.processor()
    machine = f"{os.cpu_count()} cores of {model}, CPython {platform.python_version()}"
    asked = ("git", "log", "-1", "--format=%h", "--", *PROGRAM)
    root = FILE.parents[2]
    found = subprocess.run(asked, cwd=root, capture_output=True, text=True, check=False)
    return machine, datetime.now(UTC).date().isoformat(), found.stdout.strip()


def _quantile(ordered: list[float], share: float) -> float:
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
