"""Statistics of people's own moves in rated games."""

from __future__ import annotations

import pytest

from bot.feature import Services
from bot.store.records import agent, person
from bot.store.tables import UnaidedRow
from engine.core.game import Player
from tests.bot.ratings.own_moves import ANA, BEA, HERE, LADDER, PEOPLE, begin, losses, play, unaided


async def found(services: Services, user_id: int) -> list[UnaidedRow]:
    """A person's stored statistics once all games are rated."""
    assert await services.ratings.settled(user_id, 60)
    return await unaided(services, user_id)


async def test_a_rated_game_adds_to_the_statistics_of_both_people(services: Services) -> None:
    """A rated game adds to both people's statistics once: the judged moves and their losses."""
    await begin(services, *PEOPLE)
    session = await play(services, "1212121")
    assert session.end is not None
    for user_id, side in ((ANA, Player.FIRST), (BEA, Player.SECOND)):
        (one,) = await found(services, user_id)
        lost = losses(session, side)
        assert (one.user_id, one.ladder, one.at) == (user_id, LADDER, session.end.at)
        assert (one.judged, one.loss) == (len(lost), pytest.approx(sum(lost)))


async def test_agents_moves_do_not_count(services: Services) -> None:
    """Agents have no statistics of their moves."""
    await begin(services, person(ANA), agent("easy"))
    session = await services.sessions.games.require_current(HERE)
    while not session.is_over:
        column = session.game.label(session.position.legal_moves()[0])
        session = await play(services, column)
    (ana,) = await found(services, ANA)
    assert ana.judged == len(losses(session, Player.FIRST))
