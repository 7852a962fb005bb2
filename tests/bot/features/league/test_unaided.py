"""Judging people's unaided moves in games with hints, through the league's queue."""

from __future__ import annotations

import pytest

from bot.feature import Services
from bot.store.records import agent, person
from bot.store.tables import UnaidedRow
from engine.core.game import Player
from tests.bot.features.league.judging import Judging
from tests.bot.hinting import note_hint
from tests.bot.ratings.own_moves import ANA, BEA, HERE, LADDER, PEOPLE, begin, losses, play, unaided


async def found(services: Services, judged: Judging, user_id: int) -> list[UnaidedRow]:
    """The stored judgement of a person once all games have been judged."""
    assert await services.ratings.settled(user_id, 60)
    assert await judged.queue.settled(60)
    return await unaided(services, user_id)


async def test_moves_after_a_hint_do_not_count(services: Services, judged: Judging) -> None:
    """A game with hints is unrated, but the moves made without them count."""
    await begin(services, *PEOPLE)
    await play(services, "12")
    await note_hint(services, HERE, ANA)
    session = await play(services, "12121")
    assert session.is_over
    assert [made.hinted for made in session.moves].count(True) == 1
    (ana,), (bea,) = await found(services, judged, ANA), await found(services, judged, BEA)
    assert (ana.judged, bea.judged) == (
        len(losses(session, Player.FIRST)),
        len(losses(session, Player.SECOND)),
    )
    assert ana.loss == pytest.approx(sum(losses(session, Player.FIRST)))
    assert await services.store.ratings.of(ANA, LADDER) is None


async def test_players_who_took_moves_back_are_not_judged(
    services: Services, judged: Judging
) -> None:
    """Moves of a person who took moves back are not judged as unaided."""
    await begin(services, person(ANA), person(ANA))
    await note_hint(services, HERE, ANA)
    await play(services, "1212121")
    await begin(services, person(ANA), agent("easy"))
    await note_hint(services, HERE, ANA)
    await play(services, "1")
    await services.sessions.take_back(HERE, lambda present: len(present.moves) - 2)
    session = await services.sessions.games.require_current(HERE)
    while not session.is_over:
        session = await play(services, session.game.label(session.position.legal_moves()[0]))
    assert await found(services, judged, ANA) == []
