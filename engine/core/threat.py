"""Threats, forks and forced replies in a position, as plain values.

Every `Threat` is a statement that follows from the rules alone, or from a strategy that is
enumerated; none is an opinion. Each game's package names the function that derives them
(`GamePackage.threats`), and docs/hints.md explains the terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.game import Move, Player, Square


class ThreatKind(StrEnum):
    """The kinds of statements about `Threat.player`, `moves` and `squares`.

    To complete is to make a line of four. "At once" means with the next movement, or in BOOM, where
    a turn has two, within the next turn.
    """

    WIN = "win"
    """The player, who is to move, completes a line with any one of the moves."""
    TURN = "turn"
    """The player would complete a line with these moves, one after the other, in one turn. Only in
    BOOM, and only if no single movement would do; also stated of the other player, as if the turn
    were theirs."""
    THREAT = "threat"
    """The player, who is not to move, would complete a line with any one of the moves."""
    DOUBLE = "double"
    """The same with several moves: after any reply, the player completes a line next."""
    HELPLESS = "helpless"
    """The player, who is to move, cannot keep the other from completing a line at once."""
    FORCED = "forced"
    """The player, who is to move and has several moves, has only this one after which the other
    cannot complete a line at once."""
    FORK = "fork"
    """With any one of the moves the player gets more threats than the other can stop: after any
    reply, the player completes a line next. If the player is not to move: as if it were their
    turn."""
    ZUGZWANG = "zugzwang"
    """The player wins by answering every move in its own column: in the end the other has to play
    below the square where the player completes a line. If the player is to move: after any one of
    the moves."""
    GIVES = "gives"
    """If the other plays any of these moves, the player may complete a line just above it."""
    SPENDS = "spends"
    """The player would complete a line just above these moves; playing there lets the other player
    take that square."""
    STACKED = "stacked"
    """The player completes a line on either of two empty squares, one right above the other."""
    OPEN_THREE = "open_three"
    """The player has three in a row and completes a line at either end, both of which are empty."""
    ODD = "odd"
    """The player completes a line on these empty squares, which cannot be played yet and are in odd
    rows, counted from the bottom."""
    EVEN = "even"
    """The same in even rows."""
    QUIET = "quiet"
    """No square completes a line for either player and there is no fork; in BOOM, no line can be
    completed within a turn."""


@dataclass(frozen=True, slots=True)
class Threat:
    """One statement about a position."""

    kind: ThreatKind
    player: Player
    squares: tuple[Square, ...] = ()
    """The squares concerned, from the left and in a column from the bottom."""
    moves: tuple[Move, ...] = ()
    """The moves concerned, in the order of the buttons; for a `TURN`, in the order of play."""
