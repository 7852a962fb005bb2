"""The claims about Connect 4 with three levels, against simulated players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from statistics import fmean

from benchmarks.adaptive.careers import FittingRule, play_career
from benchmarks.adaptive.games import Outcome, Wanted, contest, play
from benchmarks.adaptive.measures import SETTLED
from benchmarks.adaptive.people import Kind, steady_kinds
from benchmarks.documents.claims import Line, even, of_mean, of_scores
from engine.core.analysis import SearchResult
from engine.core.game import Player, Position
from engine.core.limits import Stop
from engine.core.registry import game_called
from engine.games.connect4.agents.window import Window
from engine.strength.ladder import Rung

BOARDS = ("6x7", "5x4")
LEVELS = (2, 4, 6)
"""The depths of the three levels."""
EACH = 10
"""Games of a level against a simulated player from each seat."""
CAREERS = 4
LATEST, MANY, FEW = 5, 4, 1
"""The rule: the number of the last games, and the wins for a level up and for one down."""


def people() -> tuple[Kind, ...]:
    """The simulated players, without those that play like programs."""
    return tuple(kind for kind in steady_kinds() if kind.is_human)


@dataclass(slots=True)
class Counting:
    """An agent that counts its moves, nodes and seconds."""

    agent: Window
    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.agent.name

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose as the agent does."""
        found = self.agent.choose(position, rng=rng, stop=stop)
        self.moves += 1
        self.nodes += found.nodes
        self.seconds += found.seconds
        return found


@dataclass(frozen=True, slots=True)
class Contest:
    """A game of a level against a simulated player."""

    board: str
    depth: int
    score: float
    """The program's score."""
    plies: int
    moves: int
    nodes: int
    seconds: float


@cache
def contests(scale: float, seed: int) -> tuple[Contest, ...]:
    """The games of all levels and players on both boards."""
    found = []
    for board in BOARDS:
        for depth in LEVELS:
            for kind in people():
                for number in range(even(2 * EACH * scale)):
                    rng = Random(f"{seed} {board} {depth} {kind.name} {number}")
                    own = Counting(Window(depth))
                    side = (Player.FIRST, Player.SECOND)[number % 2]
                    style = kind.styles[rng.random() < kind.share(number)]
                    score, moves = contest(game_called(board), style, own, side, rng)
                    spent = (own.moves, own.nodes, own.seconds)
                    found.append(Contest(board, depth, 1 - score, len(moves), *spent))
    return tuple(found)


def _by_level(scale: float, seed: int) -> Iterator[tuple[str, list[Contest]]]:
    for board in BOARDS:
        for depth in LEVELS:
            games = [g for g in contests(scale, seed) if (g.board, g.depth) == (board, depth)]
            yield f"{board} `window-{depth}`", games


def wins(scale: float, seed: int) -> Iterator[Line]:
    """Yield the share of games that each level wins."""
    for title, games in _by_level(scale, seed):
        yield of_scores(f"{title} wins, games", [float(game.score == 1) for game in games])
        yield of_scores(f"{title} loses, games", [float(game.score == 0) for game in games])


def effort(scale: float, seed: int) -> Iterator[Line]:
    """Yield nodes per game and per move, and seconds per move."""
    for title, games in _by_level(scale, seed):
        yield of_mean(f"{title} nodes per game, games", [game.nodes for game in games], 0)
        moves = sum(game.moves for game in games)
        yield Line(f"{title} nodes per move", f"{sum(g.nodes for g in games) / moves:,.0f}")
        yield Line(f"{title} s per move", f"{sum(g.seconds for g in games) / moves:.5f}")


def lengths(scale: float, seed: int) -> Iterator[Line]:
    """Yield moves per game, of both sides together, by level and winner."""
    for title, games in _by_level(scale, seed):
        by_winner = {"the program": 1.0, "the person": 0.0, "nobody": 0.5}
        for winner, score in by_winner.items():
            plies = [game.plies for game in games if game.score == score]
            yield of_mean(f"{title} moves, won by {winner}, games", plies)
        for what, sides in (("of both sides", 1), ("of each side", 2)):
            within = [float(6 <= game.plies / sides <= 15) for game in games]
            yield of_scores(f"{title} 6 to 15 moves {what}, games", within)


def rule(scale: float, seed: int) -> Iterator[Line]:
    """Yield each player's score in games 11 to 30, by the document's rule and by `auto`."""
    found: dict[str, list[float]] = defaultdict(list)
    for kind in people():
        scores: dict[str, list[float]] = defaultdict(list)
        for number in range(max(1, round(CAREERS * scale))):
            rng = Random(f"{seed} {kind.name} {number}")
            scores["rule"] += _by_rule(kind, rng)[SETTLED]
            scores["auto"] += _by_auto(kind, seed, number, rng)[SETTLED]
        for name, own in scores.items():
            found[name].append(abs(fmean(own) - 0.5))
            yield of_scores(f"{kind.name}, {name}, games", own)
    for name, distances in found.items():
        yield of_mean(f"distance from one half, {name}, players", distances, 3)


def next_level(level: int, wins: Sequence[bool]) -> int:
    """The number of the next level by the document's rule, from the person's games so far."""
    latest = sum(wins[-LATEST:])
    change = 1 if latest >= MANY else -1 if latest <= FEW else 0
    return min(max(level + change, 0), len(LEVELS) - 1)


def _by_rule(kind: Kind, rng: Random) -> list[float]:
    level, scores, seat = 0, list[float](), rng.choice(tuple(Player))
    for number in range(1, SETTLED.stop + 1):
        style = kind.styles[rng.random() < kind.share(number)]
        agent = Window(LEVELS[level])
        score, _ = contest(game_called("6x7"), style, agent, seat, rng)
        scores.append(score)
        level = next_level(level, [one == 1 for one in scores])
        seat = seat.other
    return scores


def _by_auto(kind: Kind, seed: int, career: int, rng: Random) -> list[float]:
    count = 0

    def game(style: str, rung: Rung, seat: Player) -> Outcome:
        nonlocal count
        count += 2
        number = count + (0 if seat is Player.FIRST else 1)
        own = 1000 * (1000 * seed + career)
        return play(Wanted("connect4:6x7", style, rung.number, number, own))

    career_games = play_career(kind, FittingRule(game_called("6x7")), game, rng)
    return [one.score for one in career_games]
