"""Votes as values: what leads, and until when one may vote."""

from __future__ import annotations

from bot.game.session import Ballot
from bot.store.records import VoteRecord
from bot.store.tables import THE_RESULT

ANA, BEA, EVA, MOD = 1, 2, 3, 4


def voted(*given: tuple[int, str, float], number: int = 1) -> Ballot:
    """A ballot of a minute after these votes: who, for what, when."""
    ballot = Ballot(60.0)
    for user_id, choice, at in given:
        ballot = ballot.with_vote(VoteRecord(number, user_id, choice, at), at + ballot.seconds)
    return ballot


def test_the_choice_with_most_votes_leads() -> None:
    """The tally names it first, and each choice with its votes."""
    ballot = voted((ANA, "3", 1.0), (BEA, "4", 2.0), (EVA, "4", 3.0))
    assert list(ballot.tally(1).items()) == [("4", 2), ("3", 1)]
    assert ballot.leader(1) == "4"


def test_of_equals_the_one_that_had_so_many_first_leads() -> None:
    """What counts is when a choice reached its number, not when it was first named."""
    assert voted((ANA, "3", 1.0), (BEA, "4", 2.0)).leader(1) == "3"
    tied = voted((ANA, "3", 1.0), (BEA, "4", 2.0), (EVA, "4", 3.0), (MOD, "3", 4.0))
    assert tied.leader(1) == "4"


def test_the_last_vote_of_a_person_counts() -> None:
    """It takes the place of the one before, and comes when it was given."""
    ballot = voted((ANA, "3", 1.0), (BEA, "4", 2.0), (ANA, "5", 3.0))
    assert ballot.tally(1) == {"4": 1, "5": 1}
    assert ballot.leader(1) == "4"


def test_the_time_runs_from_the_first_vote() -> None:
    """Later ones do not prolong it; with none there is no end."""
    assert Ballot(60.0).until is None
    assert voted((ANA, "3", 1.0), (BEA, "4", 50.0)).until == 61.0


def test_a_vote_without_voters_ends() -> None:
    """The next one starts the time anew; while others are in it, it goes on."""
    ballot = voted((ANA, "3", 1.0), (BEA, "4", 2.0))
    first, second = ballot.votes
    left = ballot.without(first)
    assert (left.until, left.leader(1)) == (61.0, "4")
    assert left.without(second).until is None


def test_after_a_move_only_votes_on_the_result_stay() -> None:
    """Those on the move have been decided."""
    ballot = voted((ANA, "3", 1.0)).with_vote(VoteRecord(THE_RESULT, BEA, "1", 2.0), 90.0)
    closed = ballot.closed()
    assert closed.until is None
    assert [vote.user_id for vote in closed.votes] == [BEA]
