"""Deletion and export continue past a damaged game, and leave other shards' servers alone."""

from __future__ import annotations

import pytest

from bot.feature import Services
from bot.features.privacy.view import as_csv, as_json_lines
from bot.ratings.glicko import newcomer
from bot.settings import Settings
from bot.store.records import person
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of
from tests.bot.clock import StepClock
from tests.bot.features.privacy.erasing import departures, erasure
from tests.bot.sessions.test_isolation import ANA, BEA, begin, damage, play
from tests.bot.sessions.test_ownership import (
    FIRST_SHARD,
    HERE,
    SECOND_SHARD,
    THERE,
    a_process,
    order,
)


async def test_games_to_give_up(services: Services) -> None:
    """A damaged game does not keep a person's other games from being given up."""
    bad, good = await begin(services, person(ANA), person(BEA))
    await damage(services, bad.id)
    assert good.id in [one.id for one in await erasure(services).resign_all(ANA)]


async def test_a_deletion_leaves_the_other_persons_result(services: Services) -> None:
    """Who deletes their data loses running games: the winner is rated for them."""
    first, second = await begin(services, person(ANA), person(BEA))
    for session in (first, second):
        await play(services, session.channel_id, "1122")
    deletion = erasure(services)
    assert len(await deletion.resign_all(ANA)) == 2
    await deletion.forget(ANA)
    assert await services.store.ratings.of(ANA, "connect4-small") is None
    known = await services.store.ratings.of(BEA, "connect4-small")
    assert known is not None
    assert known.rating.games >= 1
    assert known.rating.value > newcomer(ladder_of(game_of("connect4", "5x4"))).value


async def test_servers_to_delete(services: Services) -> None:
    """A damaged game does not keep a departed server's other data from being deleted."""
    bad, good = await begin(services, person(ANA), person(BEA))
    await damage(services, bad.id)
    await erasure(services).purge([])
    assert isinstance(services.clock, StepClock)
    services.clock.forward(31 * 86_400.0)
    await erasure(services).purge([])
    found = await services.store.games.find(good.id)
    assert found is not None
    assert found.setup.guild_id is None


async def test_exported_games(services: Services) -> None:
    """An export has the sound games, and the known facts of the damaged one."""
    for session in await begin(services, person(ANA), person(BEA)):
        await play(services, session.channel_id, "1212121")
    await damage(services, session.id - 1)
    games = await services.store.results.finished_by(ANA)
    assert as_csv(games, ANA).count("\n") == as_json_lines(games, ANA).count("\n") + 1 == 3


@pytest.mark.databases
async def test_departures_are_noted_by_the_responsible_process(
    settings: Settings, clock: StepClock
) -> None:
    """A server of another shard does not count as left because this process does not know it."""
    async with a_process(settings, clock, "0/2") as first:
        for channel, guild in ((HERE, FIRST_SHARD), (THERE, SECOND_SHARD)):
            await first.sessions.start(order(person(BEA), channel, guild))
        await erasure(first).purge([])
        assert await departures(first.store).due(clock()) == [FIRST_SHARD]
