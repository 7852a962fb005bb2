"""Exact values: the end of a game under perfect play, and its notations.

A solved position has a winner, or is a draw, and the game ends with a certain stone (or movement).
This fact has five notations:

    end       the stones on the board at the end of the game, negative if the second player wins,
              0 for a draw: books and journals
    score     for one player, as solvers of Connect 4 count: k for a win with that player's k-th
              last stone, -k for a loss to the opponent's k-th last, 0 for a draw
    search    for one player, on the scale of `core.compiled.scores`: WIN - n for a win by move
              number n of the game
    distance  plies, or a player's own moves, from a position to the end
    share     of the point at stake: 1 for a win, 0.5 for a draw, 0 for a loss

All conversions are made here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Self, TypeAlias

from engine.core.compiled.scores import WIN, WON_BOUND
from engine.core.game import Player, Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Ends: TypeAlias = "npt.NDArray[np.int64]"
"""Signed ends of many positions."""

_FAR = 1000
"""More stones than any board holds: turns "ends sooner" into "is larger"."""


@dataclass(frozen=True, slots=True)
class Value:
    """The exact value of a position, independent of any player's point of view."""

    end: int
    """Stones at the end of the game, negative if the second player wins; 0 for a draw."""

    @classmethod
    def won(cls, winner: Player, stones: int) -> Self:
        """The value of a game that `winner` wins with stone number `stones`."""
        return cls(stones if winner is Player.FIRST else -stones)

    @classmethod
    def of_ended(cls, over: Position) -> Self:
        """The value of a finished game."""
        assert over.outcome is not None, "only a game that is over has ended"
        winner = over.outcome.winner
        return cls(0) if winner is None else cls.won(winner, over.ply)

    @classmethod
    def from_score(cls, score: int, player: Player, squares: int) -> Self:
        """The value that a solver's score means on a board of `squares` squares.

        A player's k-th last stone is number N + 2 - 2k or N + 1 - 2k of N, whichever has the
        parity of that player's stones.
        """
        if score == 0:
            return cls(0)
        winner = player if score > 0 else player.other
        stones = squares + 2 - 2 * abs(score)
        if stones % 2 != winner % 2:
            stones -= 1
        return cls.won(winner, stones)

    @classmethod
    def from_search(cls, score: int, player: Player) -> Self:
        """The value of a proven score of a search; 0 is a draw.

        Raises ValueError for an evaluation, which is not exact.
        """
        if score == 0:
            return cls(0)
        if not is_decided(score):
            raise ValueError(f"{score} is an evaluation, not an exact value")
        return cls.won(player if score > 0 else player.other, WIN - abs(score))

    @property
    def winner(self) -> Player | None:
        """The winner; None for a draw."""
        if self.end == 0:
            return None
        return Player.FIRST if self.end > 0 else Player.SECOND

    def score(self, player: Player, squares: int) -> int:
        """The score for `player` as solvers count it, on a board of `squares` squares."""
        return self._sign(player) * win_score(squares, abs(self.end)) if self.end else 0

    def search(self, player: Player) -> int:
        """The score for `player`, on the scale of all searches."""
        return self._sign(player) * (WIN - abs(self.end)) if self.end else 0

    def share(self, player: Player) -> float:
        """The share of a point for `player`."""
        return share_of(self.search(player))

    def _sign(self, player: Player) -> int:
        return 1 if self.winner is player else -1


@dataclass(frozen=True, slots=True)
class Score:
    """The value of a move or a position for one player, as found by a search or a proof.

    Searches, solvers and `Analysis` use plain integers for the side to move. Their callers get this
    type, which states for which player the number counts and whether it is exact, so that they need
    not remember the scale or the sign.
    """

    points: int
    """On the scale of `core.compiled.scores`: a result with its distance, or an evaluation."""
    player: Player
    """The player for whom the points count."""
    exact: bool
    """Whether this is the value under perfect play rather than an evaluation."""

    @property
    def is_decided(self) -> bool:
        """Whether it is a proven win or loss."""
        return is_decided(self.points)

    @property
    def winner(self) -> Player | None:
        """The winner if that is proven; None for a draw and for an evaluation."""
        if not self.is_decided:
            return None
        return self.player if self.points > 0 else self.player.other

    @property
    def value(self) -> Value | None:
        """The exact value; None for an evaluation."""
        return Value.from_search(self.points, self.player) if self.exact else None

    def for_player(self, player: Player) -> Score:
        """Return the same score from a player's point of view."""
        points = self.points if player is self.player else -self.points
        return Score(points, player, self.exact)

    def plies_to_end(self, ply: int, longest: int = 0) -> int:
        """Return the plies from a position with `ply` moves made to the end; see `plies_to_end`."""
        return plies_to_end(self.points, ply, longest)

    def moves_to_end(self, ply: int) -> int:
        """Return the moves of the player to move until the end; see `moves_to_end`."""
        return moves_to_end(self.points, ply)

    def expected(self, spread: float) -> float:
        """Return the share of a point that the player can expect; see `expected`."""
        return expected(self.points, spread)

    def stored(self) -> int:
        """Return the number that is stored; `from_stored` reads it back."""
        return self.points

    @classmethod
    def from_stored(cls, points: int, player: Player, *, proven: bool) -> Self:
        """Read a stored number; the player and whether it was proven are stored beside it."""
        return cls(points, player, proven or is_decided(points))


def is_decided(score: int) -> bool:
    """Whether a search's score is a proven win or loss rather than an evaluation."""
    return abs(score) > WON_BOUND


def share_of(score: int) -> float:
    """The share of a point that an exact score means, in any convention for one player."""
    return 0.5 if score == 0 else float(score > 0)


def plies_to_end(score: int, ply: int, longest: int = 0) -> int:
    """Plies from a position with `ply` moves made to the end, by a search's score.

    A draw is played to the last move that the game allows, number `longest`.
    """
    return (WIN - abs(score) if score else longest) - ply


def moves_to_end(score: int, ply: int) -> int:
    """Moves of the player to move until the end of a decided game in which players alternate."""
    return (plies_to_end(score, ply) + 1) // 2


def win_score(squares: int, stone: int) -> int:
    """The score of a win completed by stone number `stone` on a board of `squares` squares."""
    return (squares + 2 - stone) // 2


def bounds_before_search(squares: int, ply: int) -> tuple[int, int]:
    """The nearest loss and the nearest win (or draw) that are possible with `ply` stones placed."""
    return -win_score(squares, ply + 2), max(win_score(squares, ply + 1), 0)


def best_end(player: Player, ends: list[int]) -> int:
    """The end that a player prefers: the earliest win, or the latest loss."""
    sign = 1 if player is Player.FIRST else -1
    return max(ends, key=lambda end: sign * _preference(end))


def _preference(end: int) -> int:
    """An end as a number that is larger the better it is for the first player."""
    return 0 if end == 0 else _FAR - end if end > 0 else -_FAR - end


def preferences(ends: Ends) -> Ends:
    """Ends as numbers that are larger the better for the first player; its own inverse."""
    # Imported here because connecting a process does not need NumPy.
    import numpy as np

    found: Ends = np.sign(ends) * (_FAR - np.abs(ends))
    return found


WORST_FOR_FIRST, WORST_FOR_SECOND = -2 * _FAR, 2 * _FAR
"""Numbers below and above every preference."""


def expected(score: int, spread: float) -> float:
    """The expected score of an evaluation; 1 for a proven win at any distance."""
    if is_decided(score):
        return share_of(score)
    return 1 / (1 + exp(-score / spread))
