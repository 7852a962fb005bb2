"""Votes in words."""

from __future__ import annotations

from bot.table.session import Session
from bot.words import Say


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
