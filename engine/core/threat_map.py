"""The map of a position's threats: the empty squares that complete a line, and what comes of them.

A threat is an empty square on which a player completes a line, whether it can be played now or
not, as in `engine.core.reason`. In games whose pieces fall, the map also says whom it suits if both
sides only fill up the board:

- If the side that is not to move can win by always answering on top of the other's move, that is
  proven by enumeration (`Side.follow_up`).
- Otherwise Allis' rule of odd and even threats decides (`engine.core.plan.favoured`), a rule of
  thumb. It says nothing while a side can complete a line at once, since then the next move is
  determined by that.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.boards import bits_in
from engine.core.game import Player, Square
from engine.core.plan import favoured
from engine.core.reason import Side


@dataclass(frozen=True, slots=True)
class MappedThreat:
    """An empty square that completes a line."""

    square: Square
    players: tuple[Player, ...]
    """Who completes a line on it: one player or both."""
    is_playable: bool
    """Whether it can be filled now."""
    is_odd: bool | None = None
    """Whether it is in an odd row, counted from the bottom; None where pieces do not fall."""


@dataclass(frozen=True, slots=True)
class ThreatMap:
    """All threats of a position."""

    threats: tuple[MappedThreat, ...]
    """From the left, and in a column from the bottom; where pieces do not fall, row by row."""
    favours: Player | None = None
    """Whom the threats suit if both sides only fill up the board; None for neither or unknown."""
    decisive: Square | None = None
    """The square on which that player is proven to win by always answering on top; None where it is
    only usual that they win."""


def map_of(first: Side, to_move: Player, *, falls: bool) -> ThreatMap:
    """Return the map of a position that is not over.

    `first` is the board as the first player sees it; `falls` says whether pieces fall.
    """
    threats = tuple(
        MappedThreat(
            first.place_of(square),
            tuple(
                player
                for player, side in ((Player.FIRST, first), (Player.SECOND, first.swapped))
                if square & side.threats
            ),
            is_playable=bool(square & first.playable),
            is_odd=(first.rows - first.place_of(square).row) % 2 == 1 if falls else None,
        )
        for square in bits_in(first.threats | first.swapped.threats)
    )
    if not falls:
        return ThreatMap(threats)
    waits = first.swapped if to_move is Player.FIRST else first
    decisive = waits.follow_up
    if decisive:
        return ThreatMap(threats, to_move.other, first.place_of(decisive))
    is_quiet = not first.wins and not first.swapped.wins
    return ThreatMap(threats, favoured(first) if is_quiet else None)
