"""Proposals in damaged games are closed, and delay no other proposal."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from bot.feature import Services
from bot.features.proposals.rules import Proposals
from bot.store.records import Ending, GameSetup, person
from engine.core.registry import game_of
from tests.bot.board.test_unreadable_games import (
    ILLEGAL,
    begun,
    damage,
    refused,
    row_of,
    told,
)
from tests.bot.features.proposals.made import draws_of, stored_draws, stored_undos, undos_of

pytestmark = pytest.mark.databases

ANA, BEA = 1, 2
BAD, GOOD = 100, 200
"""The channels of the damaged game and of the sound one."""


@pytest.mark.parametrize("rules_of", [undos_of, draws_of])
async def test_a_damaged_game_does_not_keep_others_from_lapsing(
    services: Services, rules_of: Any
) -> None:
    """A damaged game does not keep a proposal in another game from lapsing with the next move."""
    rules: Proposals = rules_of(services)
    for channel in (BAD, GOOD):
        game, seats = game_of("connect4", "5x4"), (person(ANA), person(BEA))
        session = await services.sessions.start(
            GameSetup(game.key, game.variant, channel, channel, "en", *seats, ANA)
        )
        await services.sessions.play(channel, ANA, "1")
        _, asked = await rules.ask(channel, ANA)
    assert asked is not None
    async with services.store.database.writing() as connection:
        damaged = text("UPDATE games SET variant = '0x0' WHERE id <> :good")
        await connection.execute(damaged, {"good": session.id})
    services.sessions.games.forget()
    await services.sessions.play(GOOD, BEA, "2")
    assert asked.id in [one.id for one in await rules.lapse()]
    assert await rules.stored.open(session.id) == []


async def test_open_requests_in_a_damaged_game_are_closed(venue: Any) -> None:
    """An open undo or draw request in a damaged game says that it can no longer be answered."""
    for command in ("undo", "draw"):
        stage, game_id = await begun(venue)
        asked = await stage.slash(venue.ana, command)
        await damage(venue, ILLEGAL, game_id)
        await venue.let_pass(31)
        (question,) = [m for m in venue.channel.history() if m.id == asked.response.id]
        assert question.content == told("en", game_id)
        assert not question.components
    assert await stored_undos(venue.services.store).open() == []
    assert await stored_draws(venue.services.store).open() == []


@pytest.mark.parametrize("command", ["undo", "draw"])
async def test_a_command_in_a_damaged_game_is_answered(venue: Any, command: str) -> None:
    """A proposal in a damaged game ends the game and gets a private answer."""
    stage, game_id = await begun(venue, 2)
    await damage(venue, ILLEGAL, game_id)
    answer = await stage.slash(venue.ana, command)
    assert answer.ephemeral
    assert answer.response.content == refused("en")
    assert (await row_of(venue, game_id)).ending == Ending.UNREADABLE
