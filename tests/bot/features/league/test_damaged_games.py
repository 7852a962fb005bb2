"""A watched game that is damaged or cannot be judged delays no other game."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from bot.feature import Services
from bot.features.league.store import LeagueScope
from bot.features.league.view import watched_text
from bot.game.session import Session
from bot.i18n import say_for
from bot.ops.metrics import Metrics
from bot.settings import Settings
from bot.store.owners import Unsettled
from bot.store.records import GameSetup, agent
from tests.bot.features.league.judging import Judging, judging
from tests.bot.running import run_services
from tests.bot.sessions.spoiling import ANA, BEA, GOOD, NO_MOVE, begin, corrupt, damage, play

FIRST_AGENT, SAY = agent("easy"), say_for("en")


async def test_a_league_lists_damaged_games_too(services: Services, judged: Judging) -> None:
    """The league of a server counts the other game, and lists both."""
    for session in await begin(services, FIRST_AGENT, FIRST_AGENT):
        while await services.sessions.reply(session.channel_id) is not None:
            pass
    await damage(services, session.id - 1, f"variant = '0x0', guild_id = {GOOD}")
    table = await judged.league.table(LeagueScope("connect4", GOOD, GOOD))
    assert table.games == len(table.latest) == 2
    assert all(watched_text("connect4", game, SAY) for game in table.latest)


async def test_a_stuck_rating_does_not_keep_watched_games_from_being_judged(
    services: Services, judged: Judging
) -> None:
    """A stuck rating does not keep watched games from being judged."""
    await play(services, 1, ANA, BEA, NO_MOVE)
    seats = agent("easy"), agent("easy")
    order = GameSetup("connect4", "5x4", 5, 9, "en", *seats, ANA)
    session: Session | None = await services.sessions.start(order)
    while session is not None:
        last, session = session, await services.sessions.reply(5)
    assert last.is_over
    await services.ratings._queue.drained(60)
    assert await judged.queue.settled(60)
    assert await judged.games.unsettled() == Unsettled()


@pytest.mark.databases
async def test_a_game_that_cannot_be_judged_holds_up_no_other(settings: Settings) -> None:
    """A game that cannot be judged does not delay the next one, and failed attempts are counted."""
    metrics = Metrics()
    async with run_services(settings, meter=metrics) as services:
        services.ratings.wake = lambda: None  # type: ignore[method-assign]  # so that none is judged yet
        for channel_id in (5, 6):
            seats = agent("easy"), agent("easy")
            order = GameSetup("connect4", "5x4", channel_id, 9, "en", *seats, ANA)
            await services.sessions.start(order)
            while await services.sessions.reply(channel_id) is not None:
                pass
        judged = judging(services, metrics)
        first, second = await judged.games.due(9)
        await corrupt(services, first, "99")
        assert await judged.queue.settled(60)
        await judged.queue.queue.close()
        assert await judged.games.unsettled() == Unsettled(failing=1)
        async with services.store.database.reading() as connection:
            judged = await connection.execute(text("SELECT DISTINCT game_id FROM league_sides"))
            assert [row.game_id for row in judged] == [second]
    counted = metrics.registry.get_sample_value(
        "cuatro_settle_failures_total", {"queue": "judgements"}
    )
    assert counted == 1
