"""A finished game that cannot be rated or judged does not block the rating of other games."""

from __future__ import annotations

import logging

import pytest

from bot.feature import Services
from bot.settings import Settings
from bot.store.owners import Unsettled
from bot.store.tables import MAX_ATTEMPTS
from tests.bot.running import run_services
from tests.bot.sessions.spoiling import (
    ANA,
    BEA,
    CLEO,
    DAN,
    NO_MOVE,
    corrupt,
    play,
    retry,
    run,
)

pytestmark = pytest.mark.databases

LADDER = "connect4-small"
DAMAGES = {
    "no move": NO_MOVE,
    "illegal move": "UPDATE moves SET move = '1' WHERE game_id = :id",
    "unknown variant": "UPDATE games SET variant = '0x0' WHERE id = :id",
    "unknown family": "UPDATE games SET family = 'chess' WHERE id = :id",
}


async def games_of(services: Services, user_id: int) -> int:
    """The number of a player's rated games."""
    found = await services.store.ratings.of(user_id, LADDER)
    return 0 if found is None else found.rating.games


@pytest.mark.parametrize("poison", DAMAGES.values(), ids=DAMAGES)
async def test_a_game_that_cannot_be_rated_does_not_block_others(
    services: Services, poison: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A failing game does not delay other people's ratings.

    Its own players' later games are rated once it is parked.
    """
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
    """Each pause between attempts is twice the one before; waking the queue does not shorten it.

    After the last attempt the board, which says that the rating is pending, is shown again.
    """
    bad = await play(services, 1, ANA, BEA, NO_MOVE)
    await run(services, "UPDATE games SET message_id = 10, shown = state WHERE id = :id", id=bad)
    pauses = []
    for _ in range(MAX_ATTEMPTS):
        await services.ratings._queue.drained(60)
        await services.ratings._queue.drained(60)
        pause = await services.store.ratings.next_attempt(services.ownership.owner)
        assert pause is not None
        pauses.append(pause)
        assert await services.store.boards.count_due() == (len(pauses) == MAX_ATTEMPTS)
        await run(services, "UPDATE ratings_due SET next_attempt_at = 0 WHERE game_id = :id",
                  id=bad)  # fmt: skip
    assert all(5 * 2**n - 3 < pause <= 5 * 2**n for n, pause in enumerate(pauses[:-1])), pauses
    assert 86_000 < pauses[-1] <= 86_400


async def test_a_repaired_game_is_rated_by_the_next_run(settings: Settings) -> None:
    """A restart retries parked games; a repaired one is rated along with later games."""
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
