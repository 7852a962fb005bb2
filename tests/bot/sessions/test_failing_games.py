"""A finished game that cannot be rated or judged keeps no other from being settled."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from sqlalchemy import text

from bot.app import Services
from bot.features.league.rules import LeagueQueue
from bot.game.session import Session
from bot.game.setup import Order, agent, person
from bot.ops.metrics import Metrics
from bot.settings import Settings
from bot.store.owners import Unsettled
from bot.store.tables import MAX_ATTEMPTS
from engine.core.registry import game_of
from tests.bot.running import run_services

pytestmark = pytest.mark.databases

ANA, BEA, CLEO, DAN = 1, 2, 3, 4
LADDER = "connect4-small"
NO_MOVE = "UPDATE moves SET move = '99' WHERE game_id = :id AND number = 1"
POISONS = {
    "no move": NO_MOVE,
    "illegal move": "UPDATE moves SET move = '1' WHERE game_id = :id",
    "unknown variant": "UPDATE games SET variant = '0x0' WHERE id = :id",
    "unknown family": "UPDATE games SET family = 'chess' WHERE id = :id",
}


async def play(
    services: Services, channel_id: int, one: int, other: int, poison: str | None = None
) -> int:
    """Let somebody beat somebody else; `poison` is done to the stored game before the last move."""
    order = Order(channel_id, 9, one, "en", game_of("connect4", "5x4"), person(one), person(other))
    session = await services.sessions.start(order)
    for number, move in enumerate("1212121"):
        if number == 6 and poison is not None:
            await run(services, poison, id=session.id)
        mover = session.mover.user_id
        assert mover is not None
        session = await services.sessions.play(channel_id, mover, move)
    return session.id


async def corrupt(services: Services, game_id: int, move: str) -> None:
    """Replace a stored game's first move."""
    moves = "UPDATE moves SET move = :move WHERE game_id = :id AND number = 1"
    await run(services, moves, move=move, id=game_id)


async def run(services: Services, statement: str, **values: Any) -> None:
    """Run a statement that the bot itself never would."""
    async with services.store.database.writing() as connection:
        await connection.execute(text(statement), values)


async def retry(services: Services, table: str = "ratings_due") -> None:
    """Let the time pass until the next attempt, and make it."""
    await run(services, f"UPDATE {table} SET next_attempt_at = 0")  # noqa: S608  # two names
    await services.ratings._queue.drained(60)


async def games_of(services: Services, user_id: int) -> int:
    """How many of somebody's games have been rated."""
    found = await services.store.ratings.of(user_id, LADDER)
    return 0 if found is None else found.rating.games


@pytest.mark.parametrize("poison", POISONS.values(), ids=POISONS)
async def test_a_game_that_cannot_be_rated_holds_up_nobody_else(
    services: Services, poison: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Other people's later games are rated at once; those of its own people once it is parked."""
    with caplog.at_level(logging.ERROR):
        bad = await play(services, 1, ANA, BEA, poison)
        await play(services, 2, CLEO, DAN)
        await play(services, 3, ANA, CLEO)
        assert await services.ratings.settled(DAN, 60)
        assert (await games_of(services, CLEO), await games_of(services, ANA)) == (1, 0)
        assert await services.store.ratings.unsettled() == Unsettled(failing=1)
        for attempt in range(1, MAX_ATTEMPTS):
            assert await services.store.ratings.is_due(BEA), attempt
            assert await games_of(services, ANA) == 0
            await retry(services)
        assert await services.store.ratings.unsettled() == Unsettled(parked=1)
        assert (await games_of(services, CLEO), await games_of(services, ANA)) == (2, 1)
        assert not await services.store.ratings.is_due(ANA)
        await retry(services)
    reported = [r.getMessage() for r in caplog.records if f"game {bad} " in r.getMessage()]
    assert len(reported) == 2, "at the first failure, and when it is parked"
    stored = await services.store.games.find(bad)
    assert stored is not None
    assert (stored.rating_due, stored.rating_failed) == (False, True)


async def test_a_failed_attempt_is_not_repeated_at_once(services: Services) -> None:
    """Each pause is twice the one before; what wakes the queue meanwhile changes nothing."""
    bad = await play(services, 1, ANA, BEA, NO_MOVE)
    pauses = []
    for _ in range(MAX_ATTEMPTS):
        await services.ratings._queue.drained(60)
        await services.ratings._queue.drained(60)
        pause = await services.store.ratings.next_attempt(services.ownership.owner)
        assert pause is not None
        pauses.append(pause)
        await run(services, "UPDATE ratings_due SET next_attempt_at = 0 WHERE game_id = :id",
                  id=bad)  # fmt: skip
    assert all(5 * 2**n - 3 < pause <= 5 * 2**n for n, pause in enumerate(pauses[:-1])), pauses
    assert 86_000 < pauses[-1] <= 86_400


async def test_a_mended_game_is_rated_by_the_next_run(settings: Settings) -> None:
    """A start retries what is parked; the rating counts beside those of later games."""
    async with run_services(settings) as services:
        bad = await play(services, 1, ANA, BEA, NO_MOVE)
        for _ in range(MAX_ATTEMPTS):
            await retry(services)
        await play(services, 3, ANA, CLEO)
        assert await services.ratings.settled(ANA, 60)
        later = await services.store.ratings.of(ANA, LADDER)
        await corrupt(services, bad, "1")
        await services.ratings._queue.drained(60)
        assert await games_of(services, ANA) == 1
    async with run_services(settings) as services:
        await services.ratings._queue.drained(60)
        assert (await games_of(services, ANA), await games_of(services, BEA)) == (2, 1)
        assert await services.store.ratings.unsettled() == Unsettled()
        found = await services.store.ratings.of(ANA, LADDER)
        assert found is not None
        assert later is not None
        assert found.updated_at == later.updated_at, "its last game is the later one"


async def test_a_stuck_rating_does_not_keep_watched_games_from_being_judged(
    services: Services,
) -> None:
    """The league gets its turn after every look at the ratings."""
    await play(services, 1, ANA, BEA, NO_MOVE)
    seats = agent("easy"), agent("easy")
    order = Order(5, 9, ANA, "en", game_of("connect4", "5x4"), *seats)
    session: Session | None = await services.sessions.start(order)
    while session is not None:
        last, session = session, await services.sessions.reply(5)
    assert last.is_over
    await services.ratings._queue.drained(60)
    assert await services.league.judging.settled(60)
    assert await services.store.league.unsettled() == Unsettled()


async def test_a_game_that_cannot_be_judged_holds_up_no_other(settings: Settings) -> None:
    """The next one is judged, and every failed attempt is counted."""
    metrics = Metrics()
    async with run_services(settings, meter=metrics) as services:
        services.ratings.wake = lambda: None  # type: ignore[method-assign]  # so that none is judged yet
        for channel_id in (5, 6):
            seats = agent("easy"), agent("easy")
            order = Order(channel_id, 9, ANA, "en", game_of("connect4", "5x4"), *seats)
            await services.sessions.start(order)
            while await services.sessions.reply(channel_id) is not None:
                pass
        first, second = await services.store.league.due(9)
        await corrupt(services, first, "99")
        queue = LeagueQueue(services.store, services.ownership, services.workers, meter=metrics)
        assert await queue.settled(60)
        await queue.queue.close()
        assert await services.store.league.unsettled() == Unsettled(failing=1)
        async with services.store.database.reading() as connection:
            judged = await connection.execute(text("SELECT DISTINCT game_id FROM league_sides"))
            assert [row.game_id for row in judged] == [second]
    counted = metrics.registry.get_sample_value(
        "cuatro_settle_failures_total", {"queue": "judgements"}
    )
    assert counted == 1
