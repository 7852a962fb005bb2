"""Who is reminded of a move before the game is lost by silence, and how often."""

from __future__ import annotations

from typing import Any

import pytest

from bot.play.reminders import Reminders
from bot.play.sessions import Sessions
from bot.play.undos import Undos
from bot.store import SeatRecord
from bot.table.orders import Order, agent, person
from bot.table.session import Session
from engine.games import game_of

ANA, BEA, HERE, THERE = 1, 2, 100, 200
PATIENCE = 100.0


class Clock:
    """A time that the test sets."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        """The time now."""
        return self.at


def a_run(services: Any, clock: Clock) -> tuple[Sessions, Reminders]:
    """What a bot that has just been started works with."""
    sessions = Sessions(services.store, services.workers, turn_seconds=PATIENCE, now=clock)
    return sessions, Reminders(services.store, sessions, now=clock)


def order(second: SeatRecord, channel_id: int = HERE) -> Order:
    """Ana's order for a game."""
    return Order(channel_id, 9, ANA, "en", game_of("connect4", "5x4"), person(ANA), second)


def ids(sessions: list[Session]) -> list[int]:
    """Which games these are."""
    return [session.id for session in sessions]


@pytest.mark.parametrize("second", [person(BEA), agent("easy"), person(ANA)])
async def test_who_has_a_quarter_left_is_reminded_once(services: Any, second: SeatRecord) -> None:
    """Whoever the game is against; not before, and not again for the same move."""
    clock = Clock()
    sessions, reminders = a_run(services, clock)
    game = await sessions.start(order(second))
    clock.at = 74.0
    assert await reminders.due() == []
    clock.at = 75.0
    assert ids(await reminders.due()) == [game.id]
    for clock.at in (75.0, 80.0, 99.0):
        assert await reminders.due() == []


async def test_a_restart_reminds_nobody_again(services: Any) -> None:
    """What was stored before anybody was told is known to the next run."""
    clock = Clock()
    sessions, reminders = a_run(services, clock)
    game = await sessions.start(order(person(BEA)))
    clock.at = 80.0
    assert ids(await reminders.due()) == [game.id]
    clock.at = 81.0
    _, later = a_run(services, clock)
    assert await later.due() == []


async def test_each_move_is_reminded_of_anew(services: Any) -> None:
    """After a move, or an undo, the time begins again, and so does the right to be told."""
    clock = Clock()
    sessions, reminders = a_run(services, clock)
    game = await sessions.start(order(person(ANA)))
    for start in (80.0, 160.0):
        clock.at = start
        assert ids(await reminders.due()) == [game.id]
        await sessions.play(HERE, ANA, "1")
        assert await reminders.due() == []
    clock.at = 240.0
    assert ids(await reminders.due()) == [game.id]
    await Undos(services.store, sessions, now=clock).ask(HERE, ANA)
    assert await reminders.due() == []
    clock.at = 314.0
    assert await reminders.due() == []
    clock.at = 315.0
    assert ids(await reminders.due()) == [game.id]


async def test_only_those_are_reminded_who_can_still_move(services: Any) -> None:
    """Nobody is told whose time is up, whose game is over, or who waits for an agent."""
    clock = Clock()
    sessions, reminders = a_run(services, clock)
    await sessions.start(order(agent("easy")))
    await sessions.play(HERE, ANA, "1")
    await sessions.start(order(person(BEA), THERE))
    clock.at = 90.0
    await sessions.resign(THERE, ANA)
    assert await reminders.due() == []
    await sessions.start(order(person(BEA), THERE))
    clock.at = 190.0
    assert await reminders.due() == []
    assert len(await sessions.forfeit_silent()) == 1
