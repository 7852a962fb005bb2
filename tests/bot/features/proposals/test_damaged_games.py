"""Proposals in damaged games are closed, and delay no other proposal."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from bot.feature import Services
from bot.store.records import Ending
from tests.bot.board.test_unreadable_games import (
    ILLEGAL,
    begun,
    damage,
    ending_notice,
    refused,
    row_of,
)
from tests.bot.builders import ANA, HERE, THERE
from tests.bot.features.proposals.made import (
    RULES,
    begin,
    close_lapsed,
    play_on,
    propose,
    stored_draws,
    stored_undos,
)


@pytest.mark.parametrize("kind", RULES)
async def test_a_damaged_game_does_not_keep_others_from_lapsing(
    services: Services, kind: str
) -> None:
    """A damaged game does not keep a proposal in another game from lapsing with the next move."""
    rules = RULES[kind](services)
    for channel in (THERE, HERE):
        session = await begin(services, "1234", channel=channel)
        asked = await propose(rules, ANA, channel)
    async with services.store.database.writing() as connection:
        damaged = text("UPDATE games SET variant = '0x0' WHERE id <> :good")
        await connection.execute(damaged, {"good": session.id})
    services.sessions.games.forget()
    await play_on(services, "1")
    assert asked.id in [one.id for one in await rules.lapse()]
    assert await rules.stored.open(session.id) == []


async def test_open_requests_in_a_damaged_game_are_closed(venue: Any) -> None:
    """An open undo or draw request in a damaged game says that it can no longer be answered."""
    for command in ("undo", "draw"):
        stage, game_id = await begun(venue, 4)
        asked = await stage.slash(venue.ana, command)
        await damage(venue, ILLEGAL, game_id)
        await close_lapsed(venue)
        (question,) = [m for m in venue.channel.history() if m.id == asked.response.id]
        assert question.content == ending_notice("en", game_id)
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
