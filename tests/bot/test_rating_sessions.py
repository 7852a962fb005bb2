"""Ratings and silence in the running games: what an end changes, and when."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from bot.play.sessions import Sessions
from bot.rating.ratings import NEWCOMER, Evidence
from bot.table.orders import Order, agent, person
from bot.table.refusal import Refusal
from bot.table.session import Session
from engine.game import Player
from engine.games import game_of

ANA, BEA, HERE, THERE = 1, 2, 100, 200
LADDER, HOUR = "connect4-small", 3600.0


def order(channel_id: int = HERE, *, against: Any = None) -> Order:
    """Ana's order for a 5x4 game, against `easy` unless somebody else is named."""
    seats = person(ANA), against or agent("easy")
    return Order(channel_id, 9, ANA, "en", game_of("connect4", "5x4"), *seats)


async def play_on(sessions: Sessions, channel_id: int, moves: str) -> Session:
    """Let whoever's turn it is make these moves, agents answering as they like."""
    session = await sessions.current(channel_id)
    assert session is not None
    for move in moves:
        assert session.mover.user_id is not None
        session = await sessions.play(channel_id, session.mover.user_id, move)
        session = await sessions.reply(channel_id) or session
    return session


async def value_of(services: Any, user_id: int) -> float | None:
    """A player's rating on small boards."""
    found = await services.store.ratings.of(user_id, LADDER)
    return found.rating.value if found else None


async def test_a_win_on_the_board_is_rated_with_its_move(services: Any) -> None:
    """When the winning move returns, both ratings are stored and the session carries them."""
    sessions = services.sessions
    await sessions.start(order(against=person(BEA)))
    session = await play_on(sessions, HERE, "1212121")
    assert session.winner is Player.FIRST
    won, lost = session.changes
    assert (won.user_id, lost.user_id) == (ANA, BEA)
    assert await value_of(services, ANA) == won.after.value > NEWCOMER.value
    assert await value_of(services, BEA) == lost.after.value < NEWCOMER.value
    assert (await sessions.find(session.id)).changes == session.changes
    assert (await sessions.find(session.id)).until(3).changes == ()


async def test_games_that_end_at_once_in_two_channels_both_count(services: Any) -> None:
    """Two games that one person gives up at the same time are two losses."""
    sessions = services.sessions
    for channel_id in (HERE, THERE):
        await sessions.start(order(channel_id))
        await play_on(sessions, channel_id, "23")
    first, second = await asyncio.gather(sessions.resign(HERE, ANA), sessions.resign(THERE, ANA))
    earlier, later = sorted((first, second), key=lambda s: s.changes[0].after.games)
    assert later.changes[0].before == earlier.changes[0].after
    assert later.changes[0].after.games == 2
    assert await value_of(services, ANA) == later.changes[0].after.value
    assert len(await services.store.ratings.course(ANA, LADDER)) == 2


async def test_moves_are_looked_at_before_a_game_is_rated(services: Any) -> None:
    """Evidence of both sides' moves is found first and counts with the result."""
    seen: list[tuple[int, tuple[Player, ...]]] = []

    def look(session: Session, sides: Sequence[Player]) -> dict[Player, Evidence]:
        seen.append((len(session.moves), tuple(sides)))
        return {Player.SECOND: Evidence(2000.0, 80.0)}

    sessions = Sessions(services.store, services.workers, evidence=look)
    await sessions.start(order(against=person(BEA)))
    session = await play_on(sessions, HERE, "1212121")
    assert seen == [(7, (Player.FIRST, Player.SECOND))]
    won, lost = session.changes
    assert won.after.value > NEWCOMER.value
    # The loser's moves were far better than the result.
    assert lost.after.value > NEWCOMER.value - 100


async def test_a_hint_leaves_the_game_unrated(services: Any) -> None:
    """A game in which a hint was given changes no rating, however it ends."""
    sessions = services.sessions
    await sessions.start(order(against=person(BEA)))
    await sessions.hint(HERE, ANA)
    session = await play_on(sessions, HERE, "1212121")
    assert session.is_over
    assert session.changes == ()
    assert await value_of(services, ANA) is await value_of(services, BEA) is None


async def silent_sessions(services: Any, clock: list[float]) -> Sessions:
    """Sessions with a clock that the test sets, and a day's patience."""
    return Sessions(services.store, services.workers, turn_seconds=24 * HOUR, now=lambda: clock[0])


async def test_who_is_silent_for_too_long_loses(services: Any) -> None:
    """A game whose mover was silent for the whole time is lost for them, and rated."""
    clock = [0.0]
    sessions = await silent_sessions(services, clock)
    await sessions.start(order(against=person(BEA)))
    await play_on(sessions, HERE, "1234")
    clock[0] = 24 * HOUR - 1
    assert await sessions.forfeit_silent() == []
    clock[0] = 24 * HOUR
    (ended,) = await sessions.forfeit_silent()
    assert ended.end.ending == "time"
    assert ended.winner is Player.SECOND
    assert [change.user_id for change in ended.changes] == [ANA, BEA]
    assert await value_of(services, ANA) < NEWCOMER.value < await value_of(services, BEA)
    assert await sessions.current(HERE) is None
    assert await sessions.forfeit_silent() == []
    assert (await services.store.games.find(ended.id)).end == ended.end


async def test_a_move_starts_the_time_anew(services: Any) -> None:
    """Only the silence since the last move counts, not the age of the game."""
    clock = [0.0]
    sessions = await silent_sessions(services, clock)
    await sessions.start(order(against=person(BEA)))
    for hours in (20, 40, 60, 80):
        clock[0] = hours * HOUR
        await play_on(sessions, HERE, "1")
        assert await sessions.forfeit_silent() == []
    clock[0] = 104 * HOUR
    assert len(await sessions.forfeit_silent()) == 1


async def test_a_game_that_hardly_began_is_stopped(services: Any) -> None:
    """Silence before the fourth move ends a game without a result and frees the channel."""
    clock = [0.0]
    sessions = await silent_sessions(services, clock)
    await sessions.start(order())
    await play_on(sessions, HERE, "1")
    clock[0] = 30 * HOUR
    (ended,) = await sessions.forfeit_silent()
    assert (ended.end.ending, ended.end.winner, ended.changes) == ("stopped", None, ())
    assert await value_of(services, ANA) is None
    with pytest.raises(Refusal):
        await sessions.play(HERE, ANA, "1")


async def test_nobody_loses_by_an_agents_silence(services: Any) -> None:
    """A game that waits for an agent, or is played by agents, is not ended."""
    clock = [0.0]
    sessions = await silent_sessions(services, clock)
    await sessions.start(order())
    await play_on(sessions, HERE, "1")
    await sessions.play(HERE, ANA, "2")
    two = Order(THERE, 9, ANA, "en", game_of("connect4", "5x4"), agent("easy"), agent("easy"))
    await sessions.start(two)
    clock[0] = 1000 * HOUR
    assert await sessions.forfeit_silent() == []


async def test_silence_is_noticed_by_fresh_sessions(services: Any) -> None:
    """A bot that starts again ends the games that went silent before."""
    clock = [0.0]
    sessions = await silent_sessions(services, clock)
    await sessions.start(order())
    await play_on(sessions, HERE, "12")
    clock[0] = 25 * HOUR
    (ended,) = await (await silent_sessions(services, clock)).forfeit_silent()
    assert ended.winner is Player.SECOND
