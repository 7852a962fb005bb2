"""The ladder of strengths: rungs of known rating for every game and size.

The ratings and the settings of the dial stand in `ladders/*.csv`, each with the command that
measured them. All of one ladder are on one scale, on which `medium` has 1200.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from engine.agents import Agent
from engine.connect4 import Connect4
from engine.game import Game, Position
from engine.perfect import Perfect
from engine.search import SearchResult, Stop
from engine.strength import Strength

LADDERS = Path(__file__).parent / "ladders"
SMALL, CLASSIC = 25, 48
"""Squares up to which a board of Connect 4 is small, and classic; beyond that it is large."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How a number is spread over games."""

    mean: float
    deviation: float
    """Standard deviation of one game's number."""


@dataclass(frozen=True, slots=True)
class Rung:
    """One strength of the ladder."""

    number: int
    """Counted from 1, the weakest."""
    level: str
    """The level that is this rung, such as `easy`; empty for the rungs between."""
    elo: float
    error: float
    """Half the width of the rating's 95 % interval."""
    agent: Agent
    loss: Spread | None = None
    """What its moves lose, by `engine.quality`; None where that was not measured."""
    trimmed: Spread | None = None
    """The same without the worst moves of each game."""

    @property
    def name(self) -> str:
        """What this rung is stored under."""
        return self.level or f"rung-{self.number}"


@dataclass(frozen=True, slots=True)
class Ladder:
    """All rungs of one game and size, from the weakest."""

    rungs: tuple[Rung, ...]
    others: Mapping[str, float]
    """The ratings of agents that are no rungs, by name."""

    def named(self, name: str) -> Rung:
        """The rung of this name; raises KeyError."""
        for rung in self.rungs:
            if name in (rung.name, f"rung-{rung.number}"):
                return rung
        raise KeyError(name)

    def elo_of(self, name: str) -> float | None:
        """The rating of any agent; None where nobody measured it."""
        for rung in self.rungs:
            if name in (rung.name, f"rung-{rung.number}"):
                return rung.elo
        return self.others.get(name)


def size_class(game: Game) -> str:
    """Which ladder, and which rating of a player, a game belongs to."""
    if not isinstance(game, Connect4):
        return game.key
    squares = game.rows * game.columns
    size = "small" if squares <= SMALL else "classic" if squares <= CLASSIC else "large"
    return f"{game.key}-{size}"


def ladder_of(game: Game) -> Ladder:
    """The ladder of a game."""
    return _read(size_class(game))


def lines_of(game: Game) -> list[str]:
    """The file of a game's ladder."""
    return _lines(size_class(game))


def _lines(name: str) -> list[str]:
    return (LADDERS / f"{name}.csv").read_text(encoding="utf-8").splitlines()


@cache
def _read(name: str) -> Ladder:
    lines = _lines(name)
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    rungs = tuple(_rung(row) for row in rows if row["number"])
    others = {row["level"]: float(row["elo"]) for row in rows if not row["number"]}
    return Ladder(rungs, others)


def _rung(row: Mapping[str, str]) -> Rung:
    number, level = int(row["number"]), row["level"]
    name = level or f"rung-{number}"
    agent: Agent = Perfect(name=name)
    if row["depth"]:
        agent = Strength(
            name,
            depth=int(row["depth"]),
            noise=int(row["noise"]),
            overlook=float(row["overlook"]),
            surely=int(row["surely"]),
            nodes=int(row["nodes"]) if row["nodes"] else None,
            knows=float(row["knows"] or 0),
        )
    return Rung(
        number,
        level,
        float(row["elo"]),
        float(row["error"]),
        agent,
        _spread(row["loss_mean"], row["loss_sd"]),
        _spread(row["trimmed_mean"], row["trimmed_sd"]),
    )


def _spread(mean: str, deviation: str) -> Spread | None:
    return Spread(float(mean), float(deviation)) if mean else None


@dataclass(frozen=True, slots=True)
class OnLadder:
    """The agent of one name on whatever ladder the game has that it is asked to play."""

    name: str

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move as this rung does; raises KeyError where the ladder has none."""
        agent = ladder_of(position.game).named(self.name).agent
        return agent.choose(position, rng=rng, stop=stop)
