"""What an agent saw in a position: the answer to the question why it moved as it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from engine.game import Move, Position
from engine.search import Stop

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
