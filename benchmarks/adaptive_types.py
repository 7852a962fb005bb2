"""Simulated players, none of them a rung of a ladder, to test the adaptive opponent on.

A *style* is an agent with its own way of playing and erring. A *type* of player has one style, or
two and a rule that says which of them plays a game: a player who improves, who plays well one day
and badly the next, or who loses on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from engine.agents import Agent
from engine.game import Position
from engine.perfect import Perfect
from engine.roster import SEEDS
from engine.search import SearchResult, Stop
from engine.strength import Strength

IMPROVES_AFTER = 15
"""An improving player plays this many games in the weaker style."""
ENOUGH_SEEN = 12
"""The ply at which a thrown game begins to be thrown."""


@dataclass(frozen=True, slots=True)
class Wandering:
    """An agent that now and then moves at random."""

    agent: Agent
    chance: float

    @property
    def name(self) -> str:
        """The agent's name and the chance in percent."""
        return f"{self.agent.name} ~{100 * self.chance:.0f}%"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move."""
        if rng.random() < self.chance:
            return _anything(position, rng)
        return self.agent.choose(position, rng=rng, stop=stop)


@dataclass(frozen=True, slots=True)
class Careless:
    """Overlooks each ply, the furthest first, by one chance; if all of them, it moves at random."""

    name: str
    depth: int
    noise: int
    overlook: float

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move."""
        depth = self.depth
        while depth and rng.random() < self.overlook:
            depth -= 1
        if not depth:
            return _anything(position, rng)
        return Strength(self.name, depth, noise=self.noise).choose(position, rng=rng, stop=stop)


@dataclass(frozen=True, slots=True)
class Changing:
    """Plays the opening as one agent and the rest as another."""

    early: Agent
    late: Agent
    ply: int

    @property
    def name(self) -> str:
        """Both agents' names, and how long the first one plays."""
        return f"{self.early.name} for {self.ply} plies, then {self.late.name}"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move."""
        agent = self.early if position.ply < self.ply else self.late
        return agent.choose(position, rng=rng, stop=stop)


@dataclass(frozen=True, slots=True)
class Throwing:
    """Plays well for a while, then loses on purpose: gives the opponent a four where it can."""

    agent: Agent

    @property
    def name(self) -> str:
        """The name of the agent whose games it throws away."""
        return f"{self.agent.name} thrown"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move."""
        if position.ply < ENOUGH_SEEN:
            return self.agent.choose(position, rng=rng, stop=stop)
        legal = list(position.legal_moves())
        rng.shuffle(legal)
        for move in legal:
            after = position.play(move)
            if after.outcome is None and _can_be_won(after):
                return SearchResult(move, 0, 0, 0, 0.0, (move,))
        return _anything(position, rng)


@dataclass(frozen=True, slots=True)
class Beginner:
    """Looks one ply ahead: wins or blocks at once if it notices, else prefers the middle."""

    notices: float
    """The chance that it notices a win in one, and again a loss in one."""

    @property
    def name(self) -> str:
        """How often it notices, in percent."""
        return f"beginner-{100 * self.notices:.0f}"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move."""
        legal = list(position.legal_moves())
        after = {move: position.play(move) for move in legal}
        for move in legal:
            if after[move].outcome is not None and rng.random() < self.notices:
                return SearchResult(move, 0, 1, 0, 0.0, (move,))
        if rng.random() < self.notices:
            open_moves = [m for m in legal if after[m].outcome is None]
            legal = [m for m in open_moves if not _can_be_won(after[m])] or legal
        middle = (len(position.cells()[0]) - 1) / 2
        move = rng.choices(legal, [2.0 ** -abs(move - middle) for move in legal])[0]
        return SearchResult(move, 0, 1, 0, 0.0, (move,))


def _can_be_won(position: Position) -> bool:
    """Whether the side to move can win at once."""
    ends = (position.play(move).outcome for move in position.legal_moves())
    return any(end is not None and end.winner is position.to_move for end in ends)


def _anything(position: Position, rng: Random) -> SearchResult:
    move = rng.choice(position.legal_moves())
    return SearchResult(move, 0, 0, 0, 0.0, (move,))


@dataclass(frozen=True, slots=True)
class PlayerType:
    """A type of player: which of two styles plays a game depends on its number in the career."""

    name: str
    kind: str
    styles: tuple[str, str]
    share: Callable[[int], float]
    """The chance that the second style plays game number n, counted from 1."""


RISING = (
    ("noisy-60", "shallow-7"),
    ("shallow-50", "shallow-3"),
    ("shallow-18", "careless-60"),
    ("noisy-8", "careless-50"),
    ("careless-80", "careless-25"),
    ("shallow-7", "steady-7"),
    ("careless-75", "steady-9"),
    ("window-6", "steady-13"),
)
"""Pairs of styles about 400 Elo apart, for players who improve by as much."""


def styles() -> Mapping[str, Agent]:
    """All styles by name; none plays with the settings of a rung."""
    seeds = SEEDS["connect4"]
    found: list[Agent] = []
    found += [Strength(f"noisy-{n}", 1, noise=n) for n in (90, 60, 45, 30, 20, 14, 8, 4)]
    found += [
        Careless(f"shallow-{n}", 2, noise=n, overlook=0.15) for n in (70, 50, 36, 26, 18, 12, 7, 3)
    ]
    found += [
        Careless(f"careless-{round(100 * p)}", 8, noise=2, overlook=p)
        for p in (0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5, 0.4, 0.25, 0.1)
    ]
    found += [Strength(f"steady-{d}", d, noise=1) for d in (5, 7, 9, 11, 13)]
    found += [Strength("steady-90000", 63, noise=1, surely=2, nodes=90_000)]
    found += [Wandering(Perfect(), chance) for chance in (0.01, 0.03, 0.08, 0.2)]
    found += [Beginner(notices) for notices in (0.3, 0.6, 0.8, 1.0)]
    found += list(seeds.values())
    found += [Wandering(a, c) for a in seeds.values() if a.name[-1] in "246357" for c in (0.1, 0.3)]
    found += [Wandering(seeds["greedy"], 0.1)]
    by_name = {agent.name: agent for agent in found}
    strong = by_name["steady-7"]
    for weak in ("noisy-45", "shallow-26", "careless-70"):
        found += [Changing(strong, by_name[weak], 14), Changing(by_name[weak], strong, 10)]
    found += [Changing(Perfect(), strong, ply) for ply in (6, 12, 18, 24)]
    found += [Changing(by_name["steady-90000"], Perfect(), ply) for ply in (4, 8, 12)]
    found += [Throwing(by_name[name]) for name in ("steady-9", "window-6", "careless-40")]
    return {agent.name: agent for agent in found}


def player_types() -> tuple[PlayerType, ...]:
    """At least sixty types: one for each style, and those that change from game to game."""
    found = [
        PlayerType(name, _kind(agent), (name, name), lambda _game: 0.0)
        for name, agent in styles().items()
        if not isinstance(agent, Throwing)
    ]
    for share in (0.3, 0.5):
        for name in ("steady-9", "window-6", "careless-40"):
            pair = (name, f"{name} thrown")
            label = f"{name}, throws {100 * share:.0f}%"
            found.append(PlayerType(label, "throws games", pair, _always(share)))
    for weak, strong in RISING:
        label = f"{weak} becomes {strong}"
        found.append(PlayerType(label, "improves at once", (weak, strong), _late))
        label = f"{weak} grows to {strong}"
        found.append(PlayerType(label, "improves slowly", (weak, strong), _growing))
    return tuple(found)


def _kind(agent: Agent) -> str:
    name = agent.name
    if isinstance(agent, Beginner):
        return "beginners"
    if isinstance(agent, Changing):
        return "plays in two ways"
    if name.startswith("perfect"):
        return "perfect with lapses"
    if isinstance(agent, Wandering) or name in SEEDS["connect4"]:
        return "seed agents"
    return {"noisy": "shallow and noisy", "shallow": "shallow and noisy"}.get(
        name.split("-")[0], "deep and careless"
    )


def _always(share: float) -> Callable[[int], float]:
    return lambda _game: share


def _late(game: int) -> float:
    return float(game > IMPROVES_AFTER)


def _growing(game: int) -> float:
    return min(1.0, game / 30)
