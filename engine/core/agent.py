"""Agents, which are programs that play, and the explanations that they give of their moves.

The last part is shared by student agents, which play as earlier student programs did: choosing a
move from the values of all moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from time import perf_counter
from typing import Protocol

from engine.core.analysis import Analysis, SearchResult, pick
from engine.core.compiled.scores import INFINITE
from engine.core.game import Move, Position
from engine.core.limits import Stop


class Agent(Protocol):
    """A program that can take a side: a level, a rung of a ladder, or a seed agent."""

    @property
    def name(self) -> str:
        """The name it is stored under; looking the name up gives the same agent again."""

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move in a position that is not over."""


Amount = int | Decimal
"""A value in an agent's own unit, always exact; a Decimal has as many places as the unit needs."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """How an agent judges a position and its moves, in its own unit.

    A plain value: it can be sent to another process, stored, and shown.
    """

    agent: str
    """The agent's name."""
    leaf: Amount | tuple[Amount, Amount] | None
    """What the position itself is worth to the side to move, without looking ahead; for an agent
    that judges for both players, the first player's value and the second's. None for an agent that
    judges no positions. Also of a game that is over."""
    values: Mapping[Move, Amount]
    """What every legal move is worth to its maker, from the left; none where the game is over."""
    choices: tuple[Move, ...]
    """The moves that these values leave to choose from, by the rule of the agent's program."""
    chances: Mapping[Move, float] | None
    """How likely each move is that the agent may make: where a defect of its program is cured, that
    may be fewer moves than `choices`. None for an agent that errs on purpose."""
    depth: int
    """Plies that it looked ahead."""
    nodes: int
    """Positions that it looked at."""


class Explaining(Protocol):
    """An agent that can say what it sees."""

    @property
    def name(self) -> str:
        """What this agent is stored under."""

    def explain(self, position: Position, *, stop: Stop | None = None) -> Explanation:
        """What the agent sees in a position, which may be over.

        A search that was stopped has the values of the moves that it had completed.
        """


def refuse_if_over(position: Position) -> None:
    """Raise ValueError for a game that is over."""
    if position.outcome is not None:
        raise ValueError("the game is over: there is no move to choose")


def require_depth(depth: int) -> None:
    """Raise ValueError for a depth of less than one ply."""
    if depth < 1:
        raise ValueError(f"depth must be at least 1, not {depth}")


@dataclass(frozen=True, slots=True)
class Searched:
    """What looking ahead found."""

    values: Mapping[Move, int]
    """By move, from the left, in the unit of the search; not necessarily of every move."""
    depth: int
    """Plies that it has seen; 0 if it was cut short."""
    nodes: int


EVERY = 2 * INFINITE
"""A margin within which lies every move."""

NOTHING = Searched({}, 0, 0)
"""What is found in a game that is over."""


def highest(values: Mapping[Move, Amount]) -> tuple[Move, ...]:
    """The moves with the highest value, in the order of the mapping; none of no values."""
    top = max(values.values(), default=None)
    return tuple(move for move, value in values.items() if value == top)


def evenly(moves: Sequence[Move]) -> Mapping[Move, float]:
    """The same chance for each move."""
    return dict.fromkeys(moves, 1 / len(moves)) if moves else {}


def leaning_right(moves: Sequence[Move]) -> Mapping[Move, float]:
    """Half of the chances for the last move, a quarter for the one before, and so on.

    The first two share the rest: so it comes about where moves are compared from the left and each
    one that is as good as the best so far takes its place every other time.
    """
    return {
        move: 0.5 ** min(len(moves) - place, len(moves) - 1) for place, move in enumerate(moves)
    }


def drawn(chances: Mapping[Move, float], rng: Random) -> Move:
    """One of the moves, each as likely as its chance; without a draw where there is only one."""
    moves = list(chances)
    return moves[0] if len(moves) == 1 else rng.choices(moves, list(chances.values()))[0]


def chosen(
    scores: Mapping[Move, int],
    position: Position,
    *,
    depth: int,
    nodes: int,
    began: float,
    rng: Random,
) -> SearchResult:
    """Choose uniformly among the moves with the highest score.

    `depth` is in plies, 0 for a search that was cut short; `began` is when the search started, by
    `perf_counter`. If it was cut short before it had scored any move, the first legal one is made.
    """
    known = scores or {position.legal_moves()[0]: 0}
    lines = {move: (move,) for move in known}
    found = Analysis(known, lines, depth, nodes, perf_counter() - began)
    return pick(found, position.to_move, rng)
