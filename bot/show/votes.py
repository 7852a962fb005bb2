"""Votes in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.show.scenes import seat_name
from bot.store import THE_RESULT, VoteRecord
from bot.table.session import Session
from bot.words import Say
from bot.words.plain import escaped
from engine.core.game import Player

DRAW = "0"
"""Stands for neither side, where somebody says who wins."""
CHOICES = ("1", DRAW, "2")
"""What can be said of who wins, in the order in which it is offered."""
MOST_NAMED = 10
"""How many of those who were right are named at most."""


def vote_line(session: Session, say: Say) -> str:
    """How the vote on the channel's next move stands and when it ends, or how it begins."""
    ballot = session.ballot
    assert ballot is not None, "votes are taken in it"
    if ballot.until is None:
        return say("vote.open", time=say.duration(ballot.seconds))
    votes = " · ".join(
        say("vote.one", move=say.move(session.game.key, choice), count=say.number(count))
        for choice, count in ballot.tally(session.number).items()
    )
    return say("vote.tally", votes=votes, until=f"<t:{int(ballot.until)}:R>")


def choice_name(session: Session, choice: str, say: Say) -> str:
    """What somebody says who says that a side wins a watched game, or neither."""
    if choice == DRAW:
        return say("guess.draw")
    return seat_name(session, Player(int(choice)), {}, say)


def guesses_line(session: Session, say: Say) -> str:
    """How many say that each side wins, and when the game begins."""
    ballot = session.ballot
    assert ballot is not None, "votes are taken in it"
    assert ballot.until is not None, "it has not begun"
    tally = ballot.tally(THE_RESULT)
    votes = " · ".join(
        say(
            "vote.one",
            move=escaped(choice_name(session, choice, say)),
            count=say.number(tally.get(choice, 0)),
        )
        for choice in CHOICES
    )
    return say("guess.tally", votes=votes, until=f"<t:{int(ballot.until)}:R>")


def right_guesses(session: Session) -> tuple[VoteRecord, ...]:
    """The votes on who wins that were right, the earliest first; none before there is a result."""
    if session.ballot is None or session.end is None or _is_without_result(session):
        return ()
    right = str(session.end.winner or DRAW)
    return tuple(vote for vote in session.ballot.about(THE_RESULT) if vote.choice == right)


def right_line(session: Session, names: Sequence[str], say: Say) -> str:
    """How many knew who would win, and those of them who may be named; empty without votes."""
    if session.ballot is None or session.end is None or _is_without_result(session):
        return ""
    given = len(session.ballot.about(THE_RESULT))
    if not given:
        return ""
    right = len(right_guesses(session))
    told = say("guess.right", right=say.number(right), of=say.number(given))
    if not names:
        return told
    others = right - len(names)
    listed = ", ".join(f"**{escaped(name)}**" for name in names)
    if others:
        listed = say("guess.others", names=listed, count=say.number(others))
    return f"{told}: {listed}"


def _is_without_result(session: Session) -> bool:
    return session.end is not None and session.end.ending in ("stopped", "aborted")
