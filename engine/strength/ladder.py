"""The ladders of strengths: rungs of known rating, one ladder per size class.

Ratings and settings are kept in `ladders/*.csv` of each game's folder, each with the command that
measured them. Each ladder has a scale of its own, on which `medium` is 1200.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

from engine.core.agent import Agent
from engine.core.analysis import SearchResult
from engine.core.game import Game, Position
from engine.core.limits import Stop
from engine.core.package import GamePackage, Population
from engine.core.registry import games, package_of
from engine.strength.agent import Strength
from engine.strength.interpolation import interpolate
from engine.strength.perfect import Perfect

_RUNG = re.compile(r"rung-(-?[0-9]+)")
_RATING = re.compile(r"elo-(-?[0-9]+)")

MEDIUM = "medium"
"""The level that anchors every ladder's scale, and that replaces unknown agents."""

MEDIUM_ELO = 1200
"""The rating of `medium`, which anchors every ladder's scale."""

GUESSED_STEP, GUESSED_NODES = 200.0, 5_000
"""Points between the levels of an unmeasured ladder, and positions per move."""
HEAD_START = "# head start at medium, and by Elo point: "
"""The beginning of the line of a ladder's file with the advantage of moving first."""

PEOPLE_START = "# head start of people: "
"""The beginning of the line with the advantage that people have."""


def rung_name(number: int) -> str:
    """The name of a rung that is not a level."""
    return f"rung-{number}"


def number_of(name: str) -> int | None:
    """The number in the name of a rung; None for any other name."""
    found = _RUNG.fullmatch(name)
    return int(found[1]) if found else None


def rating_name(elo: float) -> str:
    """The name of the agent of a rating between two rungs."""
    return f"elo-{elo:.0f}"


def rating_in(name: str) -> float | None:
    """The rating in the name of an agent between two rungs; None for any other name."""
    found = _RATING.fullmatch(name)
    return float(found[1]) if found else None


def is_rung(name: str) -> bool:
    """Whether a name is that of a numbered rung or an agent between two, on any ladder."""
    return number_of(name) is not None or rating_in(name) is not None


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean and deviation of a number that varies from game to game."""

    mean: float
    deviation: float
    """The standard deviation of a single game's number."""


@dataclass(frozen=True, slots=True)
class Rung:
    """One strength on the ladder."""

    number: int
    """One more than that of the rung below. Stored games refer to rungs by their numbers, so a
    number keeps its place on the scale: `medium` keeps its number, and rungs that were added below
    the first one have 0 and -1."""
    level: str
    """The level of this rung, such as `easy`; empty for rungs between levels."""
    elo: float
    error: float
    """Half the width of the rating's 95 % interval."""
    agent: Agent
    loss: Spread | None = None
    """The loss of its moves, by `engine.strength.judging`; None if not measured."""
    trimmed: Spread | None = None
    """The same without the worst moves of each game."""
    is_between: bool = False
    """Whether it is not measured, but lies between two rungs; its number is that of the nearer."""

    @property
    def is_timid(self) -> bool:
        """Whether it wastes moves on purpose, so that what it fails at says nothing of a puzzle."""
        return isinstance(self.agent, Strength) and self.agent.timid > 0

    @property
    def name(self) -> str:
        """The name under which this rung is stored."""
        if self.is_between:
            return rating_name(self.elo)
        return self.level or rung_name(self.number)


@dataclass(frozen=True, slots=True)
class Ladder:
    """All rungs of one size class, from the weakest."""

    rungs: tuple[Rung, ...]
    others: Mapping[str, float]
    """The ratings of agents that are not rungs, by name."""
    head_start: tuple[float, float] = (0.0, 0.0)
    """The Elo points that moving first adds to players as strong as `medium` (moving second takes
    as many away), and the increase of that with each point of rating (`benchmarks.head_start`)."""
    people: Population | None = None
    """How strong people are; None if unknown."""
    people_start: float | None = None
    """The Elo points that moving first adds to people, who gain more by it than rungs; None if it
    was not measured."""

    def named(self, name: str) -> Rung:
        """The rung with this name or number (such as `rung-5`); raises KeyError."""
        rung = self.find(name)
        if rung is None:
            raise KeyError(name)
        return rung

    def find(self, name: str) -> Rung | None:
        """The rung with this name, number or rating, such as `rung-5` and `elo-905`, or None."""
        elo = rating_in(name)
        if elo is not None:
            return self.at(elo)
        names = ((rung, (rung.name, rung_name(rung.number))) for rung in self.rungs)
        return next((rung for rung, known in names if name in known), None)

    def at(self, elo: float) -> Rung:
        """The rung of a rating, whose settings are interpolated between those of its neighbours.

        The nearest rung where that is impossible: beyond the ladder's ends, next to perfect play,
        and where only one of the neighbours has a node limit.
        """
        above = next((i for i, rung in enumerate(self.rungs) if rung.elo > elo), len(self.rungs))
        if above in (0, len(self.rungs)):
            return self.rungs[min(above, len(self.rungs) - 1)]
        low, high = self.rungs[above - 1], self.rungs[above]
        share = (elo - low.elo) / (high.elo - low.elo)
        nearer = high if share >= 0.5 else low
        weak, strong = low.agent, high.agent
        if share == 0 or not isinstance(weak, Strength) or not isinstance(strong, Strength):
            return nearer
        if (weak.nodes is None) != (strong.nodes is None):
            return nearer
        agent = interpolate(weak, strong, share, rating_name(elo))
        error = max(low.error, high.error)
        return Rung(nearer.number, "", elo, error, agent, is_between=True)

    def place_of(self, number: int) -> int:
        """The index of the rung with this number, counted from 0."""
        return number - self.rungs[0].number

    def nearest(self, name: str) -> Rung:
        """The rung of this name or, if the ladder has none, the nearest one.

        A number beyond the ladder's ends gives its first or last rung, any other name `medium`.
        """
        number = number_of(name)
        if number is None:
            return self.find(name) or self.find(MEDIUM) or self.rungs[len(self.rungs) // 2]
        return self.rungs[min(max(self.place_of(number), 0), len(self.rungs) - 1)]

    def level_of(self, name: str) -> str:
        """The level nearest by rating to a rung that has none; other names stay unchanged."""
        if not is_rung(name):
            return name
        elo = self.nearest(name).elo
        levels = [rung for rung in self.rungs if rung.level]
        return min(levels, key=lambda rung: abs(rung.elo - elo)).level

    def adjusted_for_seat(self, elo: float, *, is_first: bool) -> float:
        """Return the rating of a person's opponent with the advantage of moving first.

        It is added if the opponent moves first, otherwise taken away. Without a measurement of
        people's games it is that of rungs, which beyond the ladder's ends is the same as there.
        """
        if self.people_start is not None:
            return elo + self.people_start if is_first else elo - self.people_start
        at_medium, growth = self.head_start
        inside = min(max(elo, self.rungs[0].elo), self.rungs[-1].elo)
        advantage = at_medium + growth * (inside - MEDIUM_ELO)
        return elo + advantage if is_first else elo - advantage

    def elo_of(self, name: str) -> float | None:
        """The rating of any agent; None if it was not measured."""
        rung = self.find(name)
        return self.others.get(name) if rung is None else rung.elo


def size_class(game: Game) -> str:
    """Return the size class of a game, by which its ladder and its players' ratings are named."""
    return package_of(game).class_of(game)


def ladder_of(game: Game) -> Ladder:
    """Return the ladder of a game."""
    return _ladder(game.key, size_class(game))


@cache
def _ladder(key: str, name: str) -> Ladder:
    """The ladder of a size class, cached because every move looks it up."""
    package = games()[key]
    if package.ladder == "guessed":
        return _guessed()
    return replace(_read(ladder_file(package, name)), people=package.people.get(name))


def ladder_named(name: str) -> Ladder | None:
    """Return the ladder of a size class, of any game; None for an unknown one."""
    for package in games().values():
        for variant in package.variants:
            if package.class_of(package.from_variant(variant)) == name:
                return _ladder(package.key, name)
    return None


def ladder_lines(game: Game) -> list[str]:
    """Return the lines of the file of a game's ladder."""
    return _lines(ladder_file(package_of(game), size_class(game)))


def ladder_file(package: GamePackage, name: str) -> Path:
    """Return the path of the file with the ladder of a size class."""
    return package.folder("ladders") / f"{name}.csv"


def ladder_files() -> tuple[Path, ...]:
    """Return the files of all measured ladders, in the order of games and variants."""
    found = (
        ladder_file(package, package.class_of(package.from_variant(variant)))
        for package in games().values()
        if package.ladder == "measured"
        for variant in package.variants
    )
    return tuple(dict.fromkeys(found))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@cache
def _guessed() -> Ladder:
    """Levels of fixed depth, for a game whose ladder has not been measured."""
    levels = ("easy", "medium", "hard", "expert")
    rungs = [
        Rung(
            number,
            level,
            MEDIUM_ELO + GUESSED_STEP * (number - 2),
            GUESSED_STEP,
            Strength(level, depth=number, nodes=GUESSED_NODES, surely=1),
        )
        for number, level in enumerate(levels, 1)
    ]
    best = MEDIUM_ELO + GUESSED_STEP * (len(levels) - 1)
    rungs.append(Rung(len(levels) + 1, "perfect", best, GUESSED_STEP, Perfect(name="perfect")))
    return Ladder(tuple(rungs), {})


@cache
def _read(path: Path) -> Ladder:
    lines = _lines(path)
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    rungs = tuple(_rung(row) for row in rows if row["number"])
    others = {row["level"]: float(row["elo"]) for row in rows if not row["number"]}
    at_medium, growth = _figures(lines, HEAD_START) or (0.0, 0.0)
    of_people = _figures(lines, PEOPLE_START)
    people_start = of_people[0] if of_people else None
    return Ladder(rungs, others, (at_medium, growth), people_start=people_start)


def _figures(lines: Sequence[str], head: str) -> list[float]:
    """The numbers in the line with this beginning; empty if there is none."""
    found = [line.removeprefix(head) for line in lines if line.startswith(head)]
    return [float(number) for number in found[0].split()] if found else []


def _rung(row: Mapping[str, str]) -> Rung:
    number, level = int(row["number"]), row["level"]
    name = level or rung_name(number)
    agent: Agent = Perfect(name=name)
    if row["depth"]:
        agent = Strength(
            name,
            depth=int(row["depth"]),
            noise=int(row["noise"]),
            overlook=float(row["overlook"]),
            surely=int(row["surely"]),
            nodes=int(row["nodes"]) if row["nodes"] else None,
            blind=float(row.get("blind") or 0),
            knows=float(row["knows"] or 0),
            timid=float(row.get("timid") or 0),
            fitted=float(row.get("fitted") or 0),
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
class RungAgent:
    """An agent that plays like the rung of its name on the ladder of the current game.

    Ladders are remeasured now and then. If the current one has no such rung, the nearest one plays,
    so that a stored game can go on.
    """

    name: str

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose a move as this rung does, or the nearest existing one."""
        agent = ladder_of(position.game).nearest(self.name).agent
        return agent.choose(position, rng=rng, stop=stop)


def estimate(ladder: Ladder, value: float, *, trimmed: bool = False) -> tuple[float, float]:
    """The rating for a quality of moves, and the standard deviation of one game's estimate.

    It is interpolated between two rungs, and clipped at the ladder's ends. The rungs' means are
    first made to fall steadily (pool-adjacent-violators; Ayer et al. 1955). Raises ValueError for a
    ladder whose rungs were not calibrated.
    """
    rungs = [r for r in ladder.rungs if (r.trimmed if trimmed else r.loss) is not None]
    if len(rungs) < 2:
        raise ValueError("the ladder's moves were not calibrated")
    spreads = [r.trimmed if trimmed else r.loss for r in rungs]
    means = non_increasing([spread.mean for spread in spreads if spread])
    deviations = [spread.deviation for spread in spreads if spread]
    elos = [rung.elo for rung in rungs]
    slope = (elos[-1] - elos[0]) / max(means[0] - means[-1], 1e-9)
    elo, at = _between(means, elos, value)
    return elo, deviations[at] * slope


def non_increasing(values: Sequence[float]) -> list[float]:
    """Return the values made non-increasing: rising neighbours are replaced by their mean."""
    blocks: list[tuple[float, int]] = []
    for value in values:
        mean, size = value, 1
        while blocks and blocks[-1][0] < mean:
            before, count = blocks.pop()
            mean = (before * count + mean * size) / (count + size)
            size += count
        blocks.append((mean, size))
    return [mean for mean, size in blocks for _ in range(size)]


def _between(means: Sequence[float], elos: Sequence[float], value: float) -> tuple[float, int]:
    """The rating at a value of falling means, and the index of the nearest mean above it."""
    same = [elo for mean, elo in zip(means, elos, strict=True) if mean == value]
    if same:
        return sum(same) / len(same), means.index(value)
    if value > means[0]:
        return elos[0], 0
    if value < means[-1]:
        return elos[-1], len(means) - 1
    after = next(i for i, mean in enumerate(means) if mean < value)
    share = (means[after - 1] - value) / (means[after - 1] - means[after])
    return elos[after - 1] + share * (elos[after] - elos[after - 1]), after - 1
