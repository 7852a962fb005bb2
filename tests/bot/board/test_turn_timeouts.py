"""Turn timeouts on the offline Discord: countdowns, reminders and their effects."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from bot.board import runner
from bot.game.session import ANSWER_SECONDS
from bot.i18n import say_in
from bot.show.scenes import board_scene
from engine.core.jobs import Job
from tests.bot.engine_jobs import doing
from tests.builders import until

pytestmark = pytest.mark.long

TIME = 300.0
"""Seconds per move for people in these games."""


async def begin(venue: Any) -> None:
    """Begin a game between Ana and Bea, Ana first."""
    options = {"size": "5x4", "opponent": venue.bea, "clock": "5m"}
    offered = await venue.ana.slash(venue.channel, "connect4 start", **options)
    await venue.bea.click(offered.response, label="Accept")


async def let_time_pass(venue: Any, share: float) -> None:
    """Let this share of the mover's time pass."""
    session = await venue.services.sessions.games.require_current(venue.channel.id)
    left = session.last_at() + share * TIME - venue.services.clock()
    await venue.let_pass(left)


def reminders(venue: Any) -> list[Any]:
    """All reminders in the channel."""
    return [m for m in venue.channel.history() if "your time runs out" in m.content]


def sent(venue: Any) -> list[dict[str, Any]]:
    """The bodies of all reminders ever sent."""
    posted = [r.json for r in venue.env.http_requests if r.method == "POST" and r.json]
    return [body for body in posted if "your time runs out" in body.get("content", "")]


async def deadline_of(venue: Any) -> int:
    """The time by which the move must be made."""
    session = await venue.services.sessions.games.require_current(venue.channel.id)
    return int(session.countdown.deadline)


async def test_the_board_shows_the_deadline(venue: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between people the board has a countdown to the deadline; against the bot it has none."""
    monkeypatch.setattr(runner, "SKIP_WITHIN", 0.0)
    await begin(venue)
    assert f"<t:{await deadline_of(venue)}:R>" in venue.board().content
    await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    assert f"<t:{await deadline_of(venue)}:R>" in venue.board().content
    await venue.resign(venue.bea)
    assert "<t:" not in venue.board().content
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    assert await deadline_of(venue)
    assert "<t:" not in venue.board().content


async def test_an_accepted_challenge_shows_the_deadline(venue: Any) -> None:
    """An accepted challenge shows the countdown from the first move on."""
    await begin(venue)
    assert f"<t:{await deadline_of(venue)}:R>" in venue.board().content


@pytest.mark.parametrize("is_against_agent", [True, False])
async def test_a_slow_player_is_reminded_once(venue: Any, is_against_agent: bool) -> None:
    """A reminder mentions and notifies only the mover, gives the deadline and is not repeated."""
    if is_against_agent:
        await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy", clock="5m")
    else:
        await begin(venue)
    await let_time_pass(venue, 0.5)
    assert reminders(venue) == []
    await let_time_pass(venue, 0.8)
    (reminder,) = reminders(venue)
    assert f"<@{venue.ana.id}>" in reminder.content
    assert re.search(r"<t:\d+:R>", reminder.content)
    assert str(venue.board().id) in reminder.content
    assert [body["allowed_mentions"]["users"] for body in sent(venue)] == [[venue.ana.id]]
    await let_time_pass(venue, 0.9)
    await venue.restart()
    await let_time_pass(venue, 0.95)
    assert len(sent(venue)) == 1
    assert len(reminders(venue)) == 1
    await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    assert reminders(venue) == []


async def test_a_reminder_takes_the_place_of_the_ping(venue: Any) -> None:
    """A reminder replaces the turn ping, so that the channel has at most one such message."""
    await begin(venue)
    await let_time_pass(venue, 0.8)
    mentions = [m for m in venue.channel.history() if f"<@{venue.ana.id}>" in m.content]
    assert [m.id for m in mentions] == [m.id for m in reminders(venue)]


async def test_unwanted_reminders_do_not_notify(venue: Any) -> None:
    """With reminders switched off one is posted without notifying anyone, with pings on or off."""
    await venue.services.store.players.set(venue.ana.id, 0.0, reminders=False)
    await begin(venue)
    await let_time_pass(venue, 0.8)
    assert len(reminders(venue)) == 1
    assert [body["allowed_mentions"].get("users", []) for body in sent(venue)] == [[]]
    assert not sent(venue)[0]["allowed_mentions"].get("parse")


async def test_a_reminder_that_cannot_be_sent_harms_nothing(venue: Any) -> None:
    """If a reminder cannot be sent, the game and the timeout checks go on."""
    await begin(venue)
    venue.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=1)
    await let_time_pass(venue, 0.8)
    assert reminders(venue) == []
    await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    await let_time_pass(venue, 0.8)
    (reminder,) = reminders(venue)
    assert f"<@{venue.bea.id}>" in reminder.content


async def test_thirty_seconds_are_kept_across_a_restart(venue: Any) -> None:
    """After a restart a game against the bot is still lost on time."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy", clock="30s")
    for column in (2, 3):
        await venue.ana.slash(venue.channel, "connect4 drop", column=column)
    await venue.restart()
    venue.services.clock.forward(31)
    # The previous run set the alarm, and the new run sets it again.
    venue.services.alarm.stop()
    venue.app.timeouts.start()
    await until(lambda: "Ana ran out of time" in venue.board().content)
    assert await venue.services.sessions.games.current(venue.channel.id) is None


async def test_an_agent_whose_answer_was_lost_is_asked_again(
    venue: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent whose answer was lost is asked again without a restart."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    with monkeypatch.context() as lost:
        lost.setattr(venue.services.sessions, "reply", lambda channel_id: asyncio.sleep(0))
        await venue.ana.slash(venue.channel, "connect4 drop", column=2)
    session = await venue.services.sessions.games.require_current(venue.channel.id)
    assert session.awaits_agent
    await venue.let_pass(ANSWER_SECONDS + 1)
    await until(lambda: "Your turn, Ana." in venue.board().content)
    session = await venue.services.sessions.games.require_current(venue.channel.id)
    assert (len(session.moves), session.awaits_person) == (2, True)


async def test_a_watched_game_whose_answer_was_lost_continues(venue: Any) -> None:
    """A watched game whose answer was lost continues at its usual pace."""
    await venue.ana.slash(venue.channel, "lab watch", first="medium", second="medium")
    await venue.env.advance_time(venue.services.settings.watch_pace)
    playback = venue.app.playback
    session = await venue.services.sessions.games.require_current(venue.channel.id)
    await playback.end(("watch", session.id))
    await venue.env.advance_time(venue.services.settings.watch_pace)
    lost = await venue.services.sessions.games.require_current(venue.channel.id)
    await venue.let_pass(ANSWER_SECONDS + 1)
    await until(lambda: playback.has(("watch", session.id)))
    await venue.env.advance_time(venue.services.settings.watch_pace)
    going = await venue.services.sessions.games.require_current(venue.channel.id)
    assert len(going.moves) > len(lost.moves)
    # While a game is played back at its pace, nothing else is shown.
    before = len(venue.edits())
    venue.services.clock.forward(ANSWER_SECONDS + 1)
    await venue.app.timeouts.check()
    assert len(venue.edits()) == before


async def test_a_move_made_without_a_search_is_marked(
    venue: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When every search fails, the game goes on and the picture says so."""

    def broken(job: Any, stop: Any = None) -> Any:
        raise ArithmeticError("the search is broken")

    monkeypatch.setattr(Job, "run", doing(broken))
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    await venue.ana.slash(venue.channel, "connect4 drop", column=2)
    session = await venue.services.sessions.games.require_current(venue.channel.id)
    assert [move.is_unsearched for move in session.moves] == [False, True]
    assert "quick move" in board_scene(session, {venue.ana.id: "Ana"}, say_in("en")).footer
