"""The measured figures, and the file that keeps them."""

from __future__ import annotations

import json
import os
import platform
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

FILE = Path(__file__).with_name("measured.json")
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

    process: float
    """Of a process that has played games of every family."""
    game: float
    """For each further running game."""


@dataclass(frozen=True)
class Wire:
    """What a move costs, seen over the wire at a low rate: seconds of CPU, mostly."""

    receive: Spread
    """On the event loop: reading an interaction, and all that belongs to no other stage."""
    write: Spread
    """On the loop: one change of the database."""
    acknowledge: Spread
    """On the loop."""
    search: Spread
    """In a search thread, for the wire's mix of games against `easy` and `medium`."""
    hand_over: Spread
    """On the loop: from the acknowledgement to the search and from it to the write."""
    edit: Spread
    """On the loop: making a board's message and sending it."""
    draw: Spread
    """In the thread for boards."""
    tail: Spread
    """On the loop, when the board has been shown: whatever comes after that."""
    judge: Spread
    """In the thread for judgements, for each finished game."""
    beside: Mapping[str, Spread]
    """Seconds by the clock in which a stage waits for something else than the loop: `write` for the
    disk, `look` for what the database says of the board, `acknowledge` and `edit` for the stand-in,
    `search` and `draw` for their threads."""
    stand_in: float
    """In the stand-in for Discord and the people, for each move."""
    answers: float
    """Agents' moves for each move of a person."""
    ends: float
    """Ends of games for each move of a person."""
    calls: Mapping[str, float]
    """Requests for each move of a person, by method and route; all that games need besides too."""


@dataclass(frozen=True)
class Figures:
    """All of it."""

    machine: str
    date: str
    levels: Mapping[str, Spread]
    """CPU seconds of one search by level, of a `hint`, and of the judgement of a game (`judge`)."""
    boards: tuple[str, ...]
    """Which boards those are."""
    sqlite: Writes
    postgres: Writes
    size: Size
    memory: Memory
    wire: Wire

    def save(self, file: Path = FILE) -> None:
        """Write the file."""
        file.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, file: Path = FILE) -> Figures:
        """Read the file; raises OSError, or KeyError and TypeError where it holds other figures."""
        read: dict[str, Any] = json.loads(file.read_text("utf-8"))
        wire = {name: _read(value) for name, value in read.pop("wire").items()}
        return cls(
            levels={name: _read(value) for name, value in read.pop("levels").items()},
            boards=tuple(read.pop("boards")),
            sqlite=Writes(**read.pop("sqlite")),
            postgres=Writes(**read.pop("postgres")),
            size=Size(**read.pop("size")),
            memory=Memory(**read.pop("memory")),
            wire=Wire(**wire),
            **read,
        )


def here_and_now() -> tuple[str, str]:
    """This machine in words, and the date."""
    text = Path("/proc/cpuinfo").read_text("utf-8") if os.path.exists("/proc/cpuinfo") else ""
    models = [line.split(":")[1].strip() for line in text.splitlines() if "model name" in line]
    model = models[0] if models else platform.processor()
    machine = f"{os.cpu_count()} cores of {model}, CPython {platform.python_version()}"
    return machine, datetime.now(UTC).date().isoformat()


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if "quantiles" in value:
        return Spread(tuple(value["quantiles"]))
    return {name: _read(one) for name, one in value.items()}


def _quantile(ordered: list[float], share: float) -> float:
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
