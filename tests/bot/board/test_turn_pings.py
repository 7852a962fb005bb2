"""Turn pings on the offline Discord: who is pinged after a silence, and when there is no ping."""

from __future__ import annotations

from typing import Any

import pytest

from bot.game.clocks import SILENCE
from bot.store.records import GameSetup, person
from engine.core.registry import game_of


async def begin(venue: Any, family: str = "connect4", **options: Any) -> None:
    """Begin a game between Ana and Bea, Ana first."""
    offered = await venue.ana.slash(venue.channel, f"{family} start", opponent=venue.bea, **options)
    await venue.bea.click(offered.response, label="Accept")


async def drop(venue: Any, actor: Any, column: int, family: str = "connect4") -> Any:
    """Drop a stone."""
    return await actor.slash(venue.channel, f"{family} drop", column=column)


def messages(venue: Any) -> list[Any]:
    """All turn pings in the channel."""
    return [m for m in venue.channel.history() if "it's your turn against" in m.content]


def pings(venue: Any) -> list[str]:
    """The texts of all turn pings in the channel."""
    return [message.content for message in messages(venue)]


def sent(venue: Any) -> list[dict[str, Any]]:
    """The bodies of all turn pings ever sent, oldest first."""
    posted = [r.json for r in venue.env.http_requests if r.method == "POST" and r.json]
    return [body for body in posted if "it's your turn against" in body.get("content", "")]


async def test_a_silent_mover_is_pinged_once(venue: Any) -> None:
    """After two minutes of silence one message notifies the mover alone and links to the board."""
    await begin(venue, size="5x4")
    await venue.let_pass(SILENCE - 1)
    assert pings(venue) == []
    await venue.let_pass(2)
    (only,) = pings(venue)
    assert f"<@{venue.ana.id}>" in only
    assert "**Bea**" in only
    assert str(venue.board().id) in only
    await venue.let_pass(10 * SILENCE)
    (mentions,) = [body["allowed_mentions"] for body in sent(venue)]
    assert mentions["users"] == [venue.ana.id]
    assert not mentions.get("parse")
    assert SILENCE == 120


async def test_moves_that_follow_each_other_ping_no_one(venue: Any) -> None:
    """While the players answer within two minutes, no message but the board changes."""
    await begin(venue, size="5x4")
    before = len(venue.channel.history())
    for actor, column in ((venue.ana, 1), (venue.bea, 2)) * 3:
        await venue.let_pass(SILENCE - 1)
        await actor.click(venue.board(), label=str(column))
    assert len(venue.channel.history()) == before
    assert sent(venue) == []


async def test_a_ping_is_deleted_with_the_move(venue: Any) -> None:
    """A ping is deleted with the next move, even after a restart, and when the game ends."""
    await begin(venue, size="5x4")
    await venue.let_pass(SILENCE)
    await venue.restart()
    await venue.let_pass(SILENCE)
    assert len(sent(venue)) == 1
    await drop(venue, venue.ana, 1)
    assert pings(venue) == []
    await venue.let_pass(SILENCE)
    (only,) = pings(venue)
    assert f"<@{venue.bea.id}>" in only
    await venue.resign(venue.ana)
    assert pings(venue) == []
    assert await venue.services.store.boards.ping_of(1) is None


async def test_each_move_of_a_turn_may_be_pinged(venue: Any) -> None:
    """In BOOM a player who falls silent between the two moves of a turn is pinged as well."""
    await begin(venue, "boom")
    await drop(venue, venue.ana, 1, "boom")
    await drop(venue, venue.bea, 2, "boom")
    await venue.let_pass(SILENCE)
    (only,) = pings(venue)
    assert f"<@{venue.bea.id}>" in only


async def test_quick_games_have_no_pings(venue: Any) -> None:
    """With less than three minutes per move only the warning notifies the mover."""
    await begin(venue, size="5x4", clock="30s")
    await venue.let_pass(29)
    assert sent(venue) == []
    (warning,) = [m for m in venue.channel.history() if "your time runs out" in m.content]
    assert f"<@{venue.ana.id}>" in warning.content


@pytest.mark.parametrize("against", ["agent", "self"])
async def test_pings_need_another_person(venue: Any, against: str) -> None:
    """A game against an agent, or of a person against themselves, has no pings."""
    if against == "agent":
        await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    else:
        game, ana = game_of("connect4", "5x4"), person(venue.ana.id)
        order = GameSetup(
            game.key,
            game.variant,
            venue.channel.id,
            venue.env.guild.id,
            "en",
            ana,
            ana,
            venue.ana.id,
        )
        session = await venue.services.sessions.start(order)
        await venue.app.core.boards.show(session)
    await drop(venue, venue.ana, 1)
    await venue.let_pass(SILENCE)
    await drop(venue, venue.ana, 2)
    assert sent(venue) == []


async def test_whoever_presses_mutes_their_own_pings(venue: Any) -> None:
    """A button under a ping turns off the pings of the person who presses it; another undoes it."""
    await begin(venue, size="5x4")
    await venue.let_pass(SILENCE)
    muted = await venue.bea.click(messages(venue)[0], label="Mute these")
    assert muted.ephemeral
    await drop(venue, venue.ana, 1)
    await venue.let_pass(SILENCE)
    assert pings(venue) == []
    await drop(venue, venue.bea, 2)
    await venue.let_pass(SILENCE)
    assert [body["allowed_mentions"]["users"] for body in sent(venue)] == [[venue.ana.id]] * 2
    await venue.bea.click(muted.response.message, label="Turn on again")
    await drop(venue, venue.ana, 3)
    await venue.let_pass(SILENCE)
    (only,) = pings(venue)
    assert f"<@{venue.bea.id}>" in only


@pytest.mark.parametrize("status", [403, 404, 500])
async def test_a_ping_that_fails_harms_nothing(venue: Any, status: int) -> None:
    """If a ping fails or is not permitted, the game goes on without it."""
    await begin(venue, size="5x4")
    await venue.let_pass(SILENCE)
    venue.env.inject_error("POST", "/channels/*/messages", status=status, times=10)
    venue.env.inject_error("DELETE", "/channels/*/messages/*", status=status, times=10)
    answer = await drop(venue, venue.ana, 1)
    assert "You played column 1" in answer.response.content
    await venue.let_pass(SILENCE)
    await drop(venue, venue.bea, 2)
    session = await venue.services.sessions.games.current(venue.channel.id)
    assert [move.move for move in session.moves] == ["1", "2"]
    assert "Ana's turn" in venue.board().content


async def test_a_timeout_leaves_no_ping(venue: Any) -> None:
    """When a game ends by a timeout, its last ping is deleted."""
    await begin(venue, size="5x4", clock="5m")
    await venue.let_pass(SILENCE)
    assert len(pings(venue)) == 1
    await venue.let_pass(200)
    assert await venue.services.sessions.games.current(venue.channel.id) is None
    assert pings(venue) == []
    assert await venue.services.store.boards.ping_of(1) is None
