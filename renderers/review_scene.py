"""What the picture of a reviewed game shows, as plain values.

Every word is already in the reader's language.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Player


@dataclass(frozen=True, slots=True)
class ReviewedPly:
    """One move of a reviewed game.

    Raises:
        ValueError: when the expectation is not from 0 to 1, or the weight is below 0.
    """

    player: Player
    """Who made it."""
    expected: float
    """What the first player could expect after it, from 0 to 1."""
    mark: str = ""
    """The sign for what the move did, such as `??`; empty for a move without one."""
    weight: int = 0
    """How much the mark says: where marks would overlap, those with more weight are written."""

    def __post_init__(self) -> None:
        if not 0 <= self.expected <= 1:
            raise ValueError(f"{self.expected} is no share of a point")
        if self.weight < 0:
            raise ValueError("a weight is at least 0")


@dataclass(frozen=True, slots=True)
class ReviewScene:
    """The course of a game with the marks of its moves.

    Raises:
        ValueError: when there are no moves, or when the turning point is none of them.
    """

    title: str
    subtitle: str
    names: tuple[str, str]
    """The names of the first player and the second."""
    accuracies: tuple[str, str]
    """How well each played, as short as `accuracy 87`."""
    plies: tuple[ReviewedPly, ...]
    """The moves in order."""
    turning: int | None = None
    """The index of the move at which the game turned, if it did."""
    footer: str = ""
    """What the marks mean; may be empty."""
    told: tuple[str, ...] = ()
    """The course and the marks in sentences, for the alternative text."""

    def __post_init__(self) -> None:
        if not self.plies:
            raise ValueError("a review needs a move")
        if self.turning is not None and not 0 <= self.turning < len(self.plies):
            raise ValueError(f"there is no move {self.turning} for the game to turn at")
