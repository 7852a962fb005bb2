"""Votes as values: the leading choice, and the time in which votes count."""

from __future__ import annotations

from bot.game.session import Ballot
from bot.store.records import VoteRecord
from bot.store.tables import THE_RESULT

ANA, BEA, EVA, MOD = 1, 2, 3, 4


def voted(*given: tuple[int, str, float], number: int = 1) -> Ballot:
    """A ballot of a minute after these votes, each with its voter, choice and time."""
    ballot = Ballot(60.0)
    for user_id, choice, at in given:
        ballot = ballot.with_vote(VoteRecord(number, user_id, choice, at), at + ballot.seconds)
    return ballot


def test_the_choice_with_most_votes_leads() -> None:
    """The tally lists each choice with its votes, starting with the most."""
    ballot = voted((ANA, "3", 1.0), (BEA, "4", 2.0), (EVA, "4", 3.0))
    assert list(ballot.tally(1).items()) == [("4", 2), ("3", 1)]
    assert ballot.leader(1) == "4"


def test_of_equal_choices_the_earlier_one_leads() -> None:
    """Of choices with equally many votes the one that reached that number first leads."""
    assert voted((ANA, "3", 1.0), (BEA, "4", 2.0)).leader(1) == "3"
    tied = voted((ANA, "3", 1.0), (BEA, "4", 2.0), (EVA, "4", 3.0), (MOD, "3", 4.0))
    assert tied.leader(1) == "4"


def test_the_last_vote_of_a_person_counts() -> None:
    """A person's last vote replaces the one before and counts from its own time."""
    ballot = voted((ANA, "3", 1.0), (BEA, "4", 2.0), (ANA, "5", 3.0))
    assert ballot.tally(1) == {"4": 1, "5": 1}
    assert ballot.leader(1) == "4"


def test_the_time_runs_from_the_first_vote() -> None:
    """The time of a ballot runs from its first vote; later votes do not prolong it."""
    assert Ballot(60.0).until is None
    assert voted((ANA, "3", 1.0), (BEA, "4", 50.0)).until == 61.0


def test_a_vote_without_voters_ends() -> None:
    """When all voters have left a ballot it ends; the next vote starts its time again."""
    ballot = voted((ANA, "3", 1.0), (BEA, "4", 2.0))
    first, second = ballot.votes
    left = ballot.without(first)
    assert (left.until, left.leader(1)) == (61.0, "4")
    assert left.without(second).until is None


def test_after_a_move_only_votes_on_the_result_stay() -> None:
    """After a move the votes on moves are dropped, and those on the result stay."""
    ballot = voted((ANA, "3", 1.0)).with_vote(VoteRecord(THE_RESULT, BEA, "1", 2.0), 90.0)
    closed = ballot.closed()
    assert closed.until is None
    assert [vote.user_id for vote in closed.votes] == [BEA]
