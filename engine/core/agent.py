"""Agents, which are programs that play, and the explanations that they give of their moves.

The functions at the end are shared by student agents, which play like earlier student programs:
they choose a move from the values of all moves.
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
from engine.core.values import Score, is_decided


class Agent(Protocol):
    """A program that can play a side: a level, a rung of a ladder, or a student agent."""

    @property
    def name(self) -> str:
        """The name under which it is stored; looking the name up returns the same agent."""

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose a move in a position that is not over; `rng` decides among equal moves."""


Amount = int | Decimal
"""A value in an agent's own unit, always exact; a Decimal has as many places as the unit needs."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """An agent's evaluation of a position and its moves, in the agent's own unit.

    A plain value: it can be sent to another process, stored, and shown.
    """

    agent: str
    """The agent's name."""
    leaf: Amount | tuple[Amount, Amount] | None
    """The value of the position itself for the side to move, without looking ahead, also of a game
    that is over. For an agent that evaluates both players: the first player's value and the
    second's. None for an agent that does not evaluate positions."""
    values: Mapping[Move, Amount]
    """The value of every legal move for its maker, from the left; empty if the game is over."""
    choices: tuple[Move, ...]
    """The moves among which the agent's program chooses, given these values."""
    chances: Mapping[Move, float] | None
    """The probability of each move that the agent may make; fewer moves than `choices` where a
    defect of the original program was fixed. None for an agent that makes deliberate errors."""
    depth: int
    """Plies searched."""
    nodes: int
    """Positions visited."""


class Explaining(Protocol):
    """An agent that can explain its evaluation."""

    @property
    def name(self) -> str:
        """The name under which the agent is stored."""

    def explain(self, position: Position, *, stop: Stop | None = None) -> Explanation:
        """Return the agent's evaluation of a position, which may be over.

        If the search is stopped, only the moves that it has completed have values.
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
    """The result of a search."""

    values: Mapping[Move, int]
    """Values by move, from the left, in the unit of the search; not necessarily of every move."""
    depth: int
    """Plies completed; 0 if the search was cut short."""
    nodes: int


FULL_MARGIN = 2 * INFINITE
"""A margin that includes every move."""

NO_RESULT = Searched({}, 0, 0)
"""The search result for a game that is over."""


def highest(values: Mapping[Move, Amount]) -> tuple[Move, ...]:
    """The moves with the highest value, in the order of the mapping."""
    top = max(values.values(), default=None)
    return tuple(move for move, value in values.items() if value == top)


def wins_alike(scores: Mapping[Move, int], won: int) -> Mapping[Move, int]:
    """Scores of the engine's scale with every win worth `won` and every loss `-won`."""
    return {
        move: (won if score > 0 else -won) if is_decided(score) else score
        for move, score in scores.items()
    }


def uniform(moves: Sequence[Move]) -> Mapping[Move, float]:
    """The same probability for each move."""
    return dict.fromkeys(moves, 1 / len(moves)) if moves else {}


def right_biased(moves: Sequence[Move]) -> Mapping[Move, float]:
    """Return the probability 1/2 for the last move, 1/4 for the one before, and so on.

    The first two have the same probability. This distribution results if moves are compared from
    the left and a move equal to the best so far replaces it half of the time.
    """
    return {
        move: 0.5 ** min(len(moves) - place, len(moves) - 1) for place, move in enumerate(moves)
    }


def draw_move(chances: Mapping[Move, float], rng: Random) -> Move:
    """A move drawn with the given probabilities; `rng` is not used if there is only one."""
    moves = list(chances)
    return moves[0] if len(moves) == 1 else rng.choices(moves, list(chances.values()))[0]


def choose_uniformly(
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
    `perf_counter`. If it was cut short before it had scored any move, the first legal move is
    chosen.
    """
    known = scores or {position.legal_moves()[0]: 0}
    lines = {move: (move,) for move in known}
    found = Analysis(known, lines, depth, nodes, perf_counter() - began)
    return pick(found, position.to_move, rng)


def choose_first(
    values: Mapping[Move, Amount], position: Position, found: Searched, began: float
) -> SearchResult:
    """Choose the first of the moves with the highest value.

    `values` are those of `found` in the agent's own unit; the result has the score of the engine's
    scale. If the search was cut short before it had scored any move, the first legal move is
    chosen.
    """
    move = (*highest(values), position.legal_moves()[0])[0]
    points = found.values.get(move, 0)
    score = Score(points, position.to_move, exact=is_decided(points))
    seconds = perf_counter() - began
    return SearchResult(move, score, found.depth, found.nodes, seconds, line=(move,))
