"""Votes in a game: on the channel's next move, or on who wins a game that is watched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from bot.store import THE_RESULT, VoteRecord

USUAL_SECONDS = 60.0
"""How long a vote on a move takes where nobody says."""
SHORTEST, LONGEST = 30, 86_400
"""The fewest and the most seconds that a vote on a move may take."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """The votes that are taken in a game, and when the present vote ends."""

    seconds: float
    """How long each vote takes: on a move, from the first one that is given."""
    until: float | None = None
    """When the vote under way ends; None where none is."""
    votes: tuple[VoteRecord, ...] = ()
    """On the next move and on the result, one a person, by when each was given."""

    def about(self, number: int) -> tuple[VoteRecord, ...]:
        """The votes on a move, or with THE_RESULT on who wins."""
        return tuple(vote for vote in self.votes if vote.number == number)

    def tally(self, number: int) -> Mapping[str, int]:
        """How many have voted for each choice: the one that leads first, then the next."""
        votes = self.about(number)
        count = Counter(vote.choice for vote in votes)
        # The latest of its votes is the one with which a choice has reached its number.
        reached = {c: max((v.at, v.user_id) for v in votes if v.choice == c) for c in count}
        order = sorted(count, key=lambda choice: (-count[choice], reached[choice]))
        return {choice: count[choice] for choice in order}

    def leader(self, number: int) -> str | None:
        """What most have voted for; of equals what had so many first. None without votes."""
        return next(iter(self.tally(number)), None)

    def vote_of(self, user_id: int, number: int) -> VoteRecord | None:
        """What somebody has voted for, if they have."""
        return next((vote for vote in self.about(number) if vote.user_id == user_id), None)

    def with_vote(self, vote: VoteRecord, until: float) -> Self:
        """With somebody's vote in place of their earlier one; the vote ends as before, or then."""
        end = until if self.until is None else self.until
        return replace(self, until=end, votes=(*self._without(vote), vote))

    def without(self, vote: VoteRecord) -> Self:
        """Without somebody's vote; a vote on a move that nobody else has a part in ends."""
        left = replace(self, votes=self._without(vote))
        runs = left.about(vote.number) or vote.number == THE_RESULT
        return left if runs else replace(left, until=None)

    def closed(self) -> Self:
        """After the end of a vote: those on the result stay."""
        return replace(self, until=None, votes=self.about(THE_RESULT))

    def _without(self, vote: VoteRecord) -> tuple[VoteRecord, ...]:
        whose = (vote.number, vote.user_id)
        return tuple(one for one in self.votes if (one.number, one.user_id) != whose)
