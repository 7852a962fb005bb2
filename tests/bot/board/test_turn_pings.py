"""Turn pings on the offline Discord: who is pinged, and when there is no ping."""

from __future__ import annotations

from typing import Any

import pytest

from bot.store.records import GameSetup, person
from engine.core.registry import game_of


async def begin(venue: Any, family: str = "connect4", **options: Any) -> None:
    """Begin a game between Ana and Bea, Ana first."""
    offered = await venue.ana.slash(venue.channel, f"{family} start", opponent=venue.bea, **options)
    await venue.bea.click(offered.response, label="Accept")


async def drop(venue: Any, actor: Any, column: int, family: str = "connect4") -> Any:
    """Drop a stone."""
    return await actor.slash(venue.channel, f"{family} drop", column=column)


def pings(venue: Any) -> list[str]:
    """The texts of all turn pings in the channel."""
    return [m.content for m in venue.channel.history() if "it is your turn against" in m.content]


def sent(venue: Any) -> list[dict[str, Any]]:
    """The bodies of all turn pings ever sent, oldest first."""
    posted = [r.json for r in venue.env.http_requests if r.method == "POST" and r.json]
    return [body for body in posted if "it is your turn against" in body.get("content", "")]


async def test_the_mover_is_pinged(venue: Any) -> None:
    """In each turn one message notifies only the player to move and links to the board."""
    await begin(venue, size="5x4")
    (first,) = pings(venue)
    assert f"<@{venue.ana.id}>" in first
    assert "**Bea**" in first
    assert str(venue.board().id) in first
    await drop(venue, venue.ana, 1)
    await venue.bea.click(venue.board(), label="2")
    mentions = [body["allowed_mentions"] for body in sent(venue)]
    assert [allowed["users"] for allowed in mentions] == [
        [venue.ana.id],
        [venue.bea.id],
        [venue.ana.id],
    ]
    assert all(not allowed.get("parse") for allowed in mentions)


async def test_the_channel_does_not_fill_up(venue: Any) -> None:
    """The previous ping is deleted, even after a restart, and the last one when the game ends."""
    await begin(venue, size="5x4")
    await drop(venue, venue.ana, 1)
    (only,) = pings(venue)
    assert f"<@{venue.bea.id}>" in only
    await venue.restart()
    await drop(venue, venue.bea, 2)
    (only,) = pings(venue)
    assert f"<@{venue.ana.id}>" in only
    await venue.ana.slash(venue.channel, "connect4 resign")
    assert pings(venue) == []
    assert await venue.services.store.games.ping_of(1) is None


async def test_the_last_move_does_not_ping(venue: Any) -> None:
    """After the winning move no ping remains."""
    await begin(venue, size="5x4")
    for actor, column in ((venue.ana, 1), (venue.bea, 2)) * 3:
        await drop(venue, actor, column)
    await drop(venue, venue.ana, 1)
    assert await venue.services.sessions.games.current(venue.channel.id) is None
    assert pings(venue) == []


async def test_only_the_beginning_of_a_turn_pings(venue: Any) -> None:
    """The second move of a turn in BOOM and reposting the board send no ping."""
    await begin(venue, "boom")
    await drop(venue, venue.ana, 1, "boom")
    before = len(sent(venue))
    assert len(pings(venue)) == 1
    await drop(venue, venue.bea, 2, "boom")
    assert pings(venue) == []
    await venue.ana.slash(venue.channel, "boom board")
    assert len(sent(venue)) == before
    await drop(venue, venue.bea, 3, "boom")
    assert len(sent(venue)) == before + 1
    (only,) = pings(venue)
    assert f"<@{venue.ana.id}>" in only


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
    await drop(venue, venue.ana, 2)
    assert sent(venue) == []


@pytest.mark.parametrize("status", [403, 404, 500])
async def test_a_ping_that_fails_harms_nothing(venue: Any, status: int) -> None:
    """If a ping fails or is not permitted, the game goes on without it."""
    await begin(venue, size="5x4")
    venue.env.inject_error("POST", "/channels/*/messages", status=status, times=10)
    venue.env.inject_error("DELETE", "/channels/*/messages/*", status=status, times=10)
    answer = await drop(venue, venue.ana, 1)
    assert "You played column 1." in answer.response.content
    await drop(venue, venue.bea, 2)
    session = await venue.services.sessions.games.current(venue.channel.id)
    assert [move.move for move in session.moves] == ["1", "2"]
    assert "Ana's turn" in venue.board().content


async def test_a_timeout_leaves_no_ping(venue: Any) -> None:
    """When a game ends by a timeout, its last ping is deleted."""
    await begin(venue, size="5x4", clock="30s")
    assert len(pings(venue)) == 1
    await venue.let_pass(31)
    assert await venue.services.sessions.games.current(venue.channel.id) is None
    assert pings(venue) == []
