"""Tournaments of agents: each pair plays with both colours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

import numpy as np

from engine.core.agent import Agent
from engine.core.game import Game, Move, Player, replay
from engine.core.parallel import ParallelMap
from engine.core.registry import game_of
from engine.strength.elo import Numbers, Ratings, fit
from engine.strength.judging import judge, losses_of
from engine.strength.openings import random_opening
from engine.strength.roster import agent_named

RANDOM_PLIES = 2
"""Random moves at the start of each game; each such start is played with either colour."""

MAX_JUDGED = 40
"""The most games of a pair whose moves are judged."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game to be played, as a plain value that can be sent to another process."""

    family: str
    variant: str
    first: str
    second: str
    start: str
    """The seed of the random first moves: pairings with the same text have the same start."""
    seed: str
    """The seed of the agents' random choices."""
    random_plies: int = RANDOM_PLIES
    judged: bool = False
    """Whether to judge the moves as well, which takes another tenth of a second."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that has been played."""

    pairing: Pairing
    winner: int | None
    """1, 2 or None for a draw."""
    moves: tuple[int, int]
    """The number of moves that each side chose, without the random ones."""
    nodes: tuple[int, int]
    seconds: tuple[float, float]
    losses: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """The losses of each side's moves, by `engine.strength.judging`; empty for games that were not
    judged."""

    def points(self) -> tuple[float, float]:
        """The points of each side."""
        if self.winner is None:
            return 0.5, 0.5
        return (1.0, 0.0) if self.winner == Player.FIRST else (0.0, 1.0)


def pairings(
    game: Game,
    names: Sequence[str],
    games: int,
    seed: int,
    *,
    near: int | None = None,
    judged: bool = False,
) -> list[Pairing]:
    """The games of a tournament: `games` for each pair, half of them with colours reversed.

    With `near`, only agents at most that many places apart in `names` meet. If `judged`, the first
    games of each pair have their moves judged: judging more of them would add little.
    """
    found = []
    for one, other in combinations(names, 2):
        if near is not None and names.index(other) - names.index(one) > near:
            continue
        for number in range(games):
            first, second = (one, other) if number % 2 == 0 else (other, one)
            start = f"{seed} {one} {other} {number // 2}"
            own = f"{start} {number % 2}"
            pairing = Pairing(game.key, game.variant, first, second, start, own)
            found.append(replace(pairing, judged=judged and number < MAX_JUDGED))
    return found


def play(pairing: Pairing) -> Played:
    """Play one game."""
    agents = [agent_named(pairing.family, name) for name in (pairing.first, pairing.second)]
    game = game_of(pairing.family, pairing.variant)
    made = random_start(game, pairing)
    position = replay(game, made)
    rng = Random(pairing.seed)
    moves, nodes, seconds = [0, 0], [0, 0], [0.0, 0.0]
    while position.outcome is None:
        side = position.to_move - 1
        result = agents[side].choose(position, rng=rng)
        position = position.play(result.move)
        made.append(result.move)
        moves[side] += 1
        nodes[side] += result.nodes
        seconds[side] += result.seconds
    winner = position.outcome.winner
    return Played(
        pairing,
        None if winner is None else int(winner),
        (moves[0], moves[1]),
        (nodes[0], nodes[1]),
        (seconds[0], seconds[1]),
        _judged(game, made, pairing.random_plies) if pairing.judged else ((), ()),
    )


def random_start(game: Game, pairing: Pairing) -> list[Move]:
    """The pairing's random first moves, none of which ends the game."""
    return random_opening(game, Random(pairing.start), pairing.random_plies)


def _judged(
    game: Game, moves: Sequence[Move], random_plies: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The losses of each side's own moves; random moves belong to neither side."""
    judgement = judge(game, moves)
    return (
        losses_of(judgement, Player.FIRST, since=random_plies),
        losses_of(judgement, Player.SECOND, since=random_plies),
    )


def play_all(wanted: Sequence[Pairing], parallel: ParallelMap) -> Iterator[Played]:
    """Play games in parallel; each is yielded when it is over, in any order."""
    yield from parallel(play, wanted)


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent's line in the table."""

    name: str
    elo: float
    error: float
    """Half the width of the rating's 95 % interval."""
    score: float
    """Points a game."""
    against: tuple[float | None, ...]
    """Points per game against each agent, in the order of the table; None against itself."""
    nodes: float
    """Mean nodes per move."""
    seconds: float
    """Mean seconds per move."""


def standings(played: Sequence[Played], names: Sequence[str]) -> tuple[Standing, ...]:
    """The table of a tournament, the strongest agent first."""
    points, games = cross_table(played, names)
    ratings: Ratings = fit(points, games)
    order = sorted(range(len(names)), key=lambda i: -ratings.elo[i])
    effort = _effort(played)
    with np.errstate(invalid="ignore"):
        rates = points / games
    return tuple(
        Standing(
            name=names[i],
            elo=float(ratings.elo[i]),
            error=float(ratings.errors[i]),
            score=float(points[i].sum() / games[i].sum()),
            against=tuple(None if i == j else float(rates[i, j]) for j in order),
            nodes=effort[names[i]][0],
            seconds=effort[names[i]][1],
        )
        for i in order
    )


def cross_table(played: Sequence[Played], names: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Points and games of each agent (row) against each (column)."""
    index = {name: i for i, name in enumerate(names)}
    points, games = np.zeros((len(names),) * 2), np.zeros((len(names),) * 2)
    for game in played:
        i, j = index[game.pairing.first], index[game.pairing.second]
        for (row, column), scored in zip(((i, j), (j, i)), game.points(), strict=True):
            points[row, column] += scored
            games[row, column] += 1
    return points, games


def _effort(played: Sequence[Played]) -> dict[str, tuple[float, float]]:
    """Mean nodes and mean seconds per move, by agent."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for game in played:
        for side, name in enumerate((game.pairing.first, game.pairing.second)):
            total = totals[name]
            total[0] += game.moves[side]
            total[1] += game.nodes[side]
            total[2] += game.seconds[side]
    return {name: (n / max(m, 1), s / max(m, 1)) for name, (m, n, s) in totals.items()}


def known_agents(family: str, names: Sequence[str]) -> list[Agent]:
    """The agents of these names; raises KeyError for an unknown one."""
    return [agent_named(family, name) for name in names]
