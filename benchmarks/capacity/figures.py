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
"""The folders of what is measured."""
SHARES = (0.0, *(n / 20 for n in range(1, 20)), 0.99, 0.999, 1.0)
"""The parts of a distribution that are kept: below each lies this share of it."""


@dataclass(frozen=True)
class Spread:
    """A distribution of seconds as a few of its quantiles, at `SHARES`."""

    quantiles: tuple[float, ...]

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """That of measured values, of which there must be one at least."""
        ordered = sorted(values)
        return cls(tuple(round(_quantile(ordered, share), 7) for share in SHARES))

    @classmethod
    def always(cls, value: float) -> Spread:
        """One value."""
        return cls((value,) * len(SHARES))

    def at(self, share: float) -> float:
        """The value below which this share lies."""
        after = max(1, bisect_left(SHARES, share))
        low, high = SHARES[after - 1], SHARES[after]
        part = (share - low) / (high - low)
        return self.quantiles[after - 1] * (1.0 - part) + self.quantiles[after] * part

    def draw(self, rng: Random) -> float:
        """A value by chance."""
        return self.at(rng.random())

    @cached_property
    def mean(self) -> float:
        """The mean of what `draw` gives."""
        steps = zip(SHARES, SHARES[1:], self.quantiles, self.quantiles[1:], strict=False)
        return sum((after - before) * (low + high) / 2 for before, after, low, high in steps)


@dataclass(frozen=True)
class Writes:
    """How long a move takes to be on disk in one kind of database."""

    alone: float
    """Seconds, when nobody else writes: the median."""
    together: float
    """Seconds for each when fifteen write at once, as fast as they can."""

    @property
    def a_second(self) -> float:
        """Writes a second when fifteen write at once."""
        return 1.0 / self.together


@dataclass(frozen=True)
class Size:
    """What a finished game leaves in a database."""

    rows: float
    sqlite_bytes: float
    postgres_bytes: float
    moves: float
    """Moves of both sides in the games that were measured."""


@dataclass(frozen=True)
class Memory:
    """Resident memory in bytes."""

    game: float
    """For each running game."""
    server: float
    """For each server of a usual make-up (20 channels, 15 roles) without a game."""
    large_server: float
    """The same with 50 channels and 40 roles."""


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a move: what the event loop computes for it, and what it waits for."""

    name: str
    """`gap` for what lies between the named ones."""
    loop: float
    """CPU seconds of the event loop."""
    wait: float
    """Seconds by the clock beyond that: for a disk, a thread, or an answer."""
    thread: float = 0.0
    """CPU seconds of another thread, which are part of the wait."""


@dataclass(frozen=True)
class Move:
    """A move as it was recorded, from the click to the board, while the bot did nothing else."""

    weight: float
    """For how many moves it stands, as a long one is seldom alone."""
    by_command: bool
    ends: bool
    """Whether it, or the answer to it, ended the game."""
    arrive: float
    """Seconds from the click until the bot reads it."""
    store: tuple[Step, ...]
    """Until it is acknowledged."""
    answer: tuple[Step, ...]
    """Until the agent's moves are stored, if there are any."""
    show: tuple[Step, ...]
    """Until Discord has the board."""
    tail: float
    """CPU seconds of the event loop after that."""
    seen: float
    """Seconds until people see the board."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps."""
        return (*self.store, *self.answer, *self.show)

    @property
    def loop(self) -> float:
        """CPU seconds of the event loop."""
        return sum(step.loop for step in self.steps) + self.tail

    def count(self, name: str) -> int:
        """How many steps have a name."""
        return sum(step.name == name for step in self.steps)


@dataclass(frozen=True)
class Wire:
    """What moves take, seen over the wire."""

    moves: tuple[Move, ...]
    others: tuple[float, ...]
    """CPU seconds of the event loop for interactions that are no moves, such as starts."""
    others_a_move: float
    settle: float
    """CPU seconds of the loop for each ended game, in which it is judged, rated and shown so."""
    judge: Spread
    """CPU seconds in the thread for judgements, for each ended game."""
    background: float
    """CPU seconds of the loop each second, with nobody playing."""
    stand_in: float
    """In the stand-in for Discord and the people, for each move."""
    ends: float
    """Ends of games for each move of a person."""
    calls: Mapping[str, float]
    """Requests for each move of a person, by method and route; all that games need besides too."""

    @cached_property
    def weights(self) -> list[float]:
        """Running totals of the moves' weights."""
        return list(accumulate(move.weight for move in self.moves))

    def draw(self, rng: Random, *, ends: bool | None = None) -> Move:
        """A recorded move by chance, one that ends a game or does not if that is asked for."""
        while True:
            found = rng.choices(self.moves, cum_weights=self.weights)[0]
            if ends is None or found.ends == ends:
                return found

    def mean(self, value: Callable[[Move], float]) -> float:
        """The mean of something over all moves."""
        return sum(move.weight * value(move) for move in self.moves) / self.weights[-1]

    def of_steps(self, name: str, value: Callable[[Step], float]) -> list[float]:
        """Something of all steps with a name."""
        return [value(step) for move in self.moves for step in move.steps if step.name == name]


@dataclass(frozen=True)
class Shape:
    """What a move costs a bot that is deployed in one way: see `tests.bot.support.wire.shapes`."""

    wire: Wire
    loop: float
    """CPU seconds of the event loop's thread for each move, with all that games need besides."""
    cpu: float
    """The same of all threads."""
    background: float
    """CPU seconds of the event loop's thread each second, with nobody playing; not in `loop`."""
    statements: float
    """SQL statements for each move, with those that serve many games at once."""
    transactions: float
    """Transactions for each move; on PostgreSQL also those of single statements."""
    syncs: float
    """Writes to disk that somebody waits for, for each move."""
    memory: float
    """Resident bytes of the process with sixty games, without servers."""


@dataclass(frozen=True)
class Scheduling:
    """What Dask takes for a trivial job: CPU seconds."""

    alone: float
    """In the scheduler, with one job at a time."""
    many: float
    """In the scheduler, with as many under way as there is room for."""
    worker: float
    """In the worker, with one at a time."""


@dataclass(frozen=True)
class Figures:
    """All of it."""

    machine: str
    date: str
    commit: str
    others: float
    """Cores that other programs took meanwhile, on average."""
    levels: Mapping[str, Spread]
    """CPU seconds of one search by level, of a `hint`, and of the judgement of a game (`judge`)."""
    boards: tuple[str, ...]
    """Which boards those are."""
    sqlite: Writes
    postgres: Writes
    size: Size
    memory: Memory
    scheduling: Scheduling
    shapes: Mapping[str, Shape]

    def save(self, file: Path = FILE) -> None:
        """Write the file, each recorded move on a line of its own."""
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
"""Seconds of recorded moves are kept as whole microseconds."""


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
    sequences = {
        name: tuple(Step(step, *(MICRO * n for n in numbers)) for step, *numbers in found)
        for name, found in zip(SEQUENCES, steps, strict=True)
    }
    times = {"arrive": MICRO * arrive, "tail": MICRO * tail, "seen": MICRO * seen}
    return Move(weight, by_command, ends, **times, **sequences)


def here_and_now() -> tuple[str, str, str]:
    """This machine in words, the date, and the last commit that changed what is measured."""
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
