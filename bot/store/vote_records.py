"""Votes, as the store takes and returns them: immutable values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VoteRecord:
    """What somebody voted for, in one vote of a game."""

    number: int
    """The number of the move that it is about; 0 for who wins."""
    user_id: int
    choice: str
    """The move as players write it; of a result the side that wins, 0 for neither."""
    at: float
    """When this person began to vote for it."""


@dataclass(frozen=True, slots=True)
class GivenVote:
    """A vote, and the game that it was given in."""

    game_id: int
    family: str
    channel_id: int
    is_running: bool
    vote: VoteRecord
