"""Silent players on the offline Discord: the time that is left, and being told of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

LOOK = 310
"""Seconds in which the bot looks at least once for silent players."""


async def begin(venue: Any) -> None:
    """Ana and Bea begin a game, Ana first."""
    offered = await venue.ana.slash(venue.channel, "connect4 start", size="5x4", opponent=venue.bea)
    await venue.bea.click(offered.response, label="Accept")


async def let_time_run(venue: Any, share: float) -> None:
    """Let the mover be silent for this share of their time, and let the bot look.

    The offline Discord's clock moves the bot's loops, but not the clock that games are timed with.
    """
    sessions, reminders = venue.services.sessions, venue.services.reminders
    session = await sessions.current(venue.channel.id)
    at = session.last_at() + share * sessions.turn_seconds
    sessions._now = reminders._now = lambda: at
    await venue.env.advance_time(LOOK)


def reminders(venue: Any) -> list[Any]:
    """All messages in the channel that remind somebody."""
    return [m for m in venue.channel.history() if "is still due" in m.content]


def sent(venue: Any) -> list[dict[str, Any]]:
    """The bodies of all such messages that were ever sent."""
    posted = [r.json for r in venue.env.http_requests if r.method == "POST" and r.json]
    return [body for body in posted if "is still due" in body.get("content", "")]


async def deadline_of(venue: Any) -> int:
    """Until when the move must be made."""
    sessions = venue.services.sessions
    session = await sessions.current(venue.channel.id)
    return int(session.deadline(sessions.turn_seconds))


async def test_the_board_shows_until_when(venue: Any) -> None:
    """While a person is to move, the board's text holds the time as Discord counts it down."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    assert f"<t:{await deadline_of(venue)}:R>" in venue.board().content
    await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    assert f"<t:{await deadline_of(venue)}:R>" in venue.board().content
    thinking = next(e["content"] for e in venue.edits() if "is thinking" in e["content"])
    assert "<t:" not in thinking
    await venue.ana.slash(venue.channel, "connect4 resign")
    assert "<t:" not in venue.board().content


async def test_a_challenge_that_is_accepted_shows_it_too(venue: Any) -> None:
    """Between two people the time is there from the first move on."""
    await begin(venue)
    assert f"<t:{await deadline_of(venue)}:R>" in venue.board().content


@pytest.mark.parametrize("is_against_agent", [True, False])
async def test_a_silent_player_is_told_once(venue: Any, is_against_agent: bool) -> None:
    """A message mentions and notifies the mover alone, says until when, and is not repeated."""
    if is_against_agent:
        await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    else:
        await begin(venue)
    await let_time_run(venue, 0.5)
    assert reminders(venue) == []
    await let_time_run(venue, 0.8)
    (told,) = reminders(venue)
    assert f"<@{venue.ana.id}>" in told.content
    assert re.search(r"<t:\d+:R>", told.content)
    assert str(venue.board().id) in told.content
    assert [body["allowed_mentions"]["users"] for body in sent(venue)] == [[venue.ana.id]]
    await let_time_run(venue, 0.9)
    await venue.restart()
    await let_time_run(venue, 0.95)
    assert len(sent(venue)) == 1
    assert len(reminders(venue)) == 1
    await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    assert reminders(venue) == []


async def test_a_reminder_takes_the_place_of_the_ping(venue: Any) -> None:
    """Of both there is one message in the channel at most."""
    await begin(venue)
    await let_time_run(venue, 0.8)
    mentions = [m for m in venue.channel.history() if f"<@{venue.ana.id}>" in m.content]
    assert [m.id for m in mentions] == [m.id for m in reminders(venue)]


async def test_who_wants_no_pings_can_read_it(venue: Any) -> None:
    """The message is in the channel, but it notifies nobody."""
    await venue.ana.slash(venue.channel, "connect4 pings", turns="off")
    await begin(venue)
    await let_time_run(venue, 0.8)
    assert len(reminders(venue)) == 1
    assert [body["allowed_mentions"].get("users", []) for body in sent(venue)] == [[]]
    assert not sent(venue)[0]["allowed_mentions"].get("parse")


async def test_a_reminder_that_cannot_be_sent_harms_nothing(venue: Any) -> None:
    """The game goes on, and the bot goes on looking."""
    await begin(venue)
    venue.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=1)
    await let_time_run(venue, 0.8)
    assert reminders(venue) == []
    await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    await let_time_run(venue, 0.8)
    (told,) = reminders(venue)
    assert f"<@{venue.bea.id}>" in told.content
