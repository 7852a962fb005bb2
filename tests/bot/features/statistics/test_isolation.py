"""A damaged game does not keep others out of lists and reports."""

from __future__ import annotations

from typing import Any

import pytest

from bot.feature import Services
from bot.features.statistics.lists import Heading, PageOf, history_scene, option_text, report_scene
from bot.features.statistics.rules import Statistics
from bot.i18n import say_for
from bot.store.records import agent, person
from bot.store.results import Scope
from tests.bot.board.test_isolation import run
from tests.bot.discord.words_of import words_of
from tests.bot.sessions.spoiling import ANA, GOOD, begin, damage

FIRST_AGENT, SAY, NAMES = agent("easy"), say_for("en"), {ANA: "Ana"}


async def test_a_history_lists_damaged_games_too(services: Services) -> None:
    """A page of the history lists both games, and so does its menu."""
    for session in await begin(services, person(ANA), FIRST_AGENT):
        for move in "12":
            await services.sessions.play(session.channel_id, ANA, move)
            await services.sessions.reply(session.channel_id)
        await services.sessions.resign(session.channel_id, ANA)
    await damage(services, session.id - 1, "variant = '0x0'")
    found = await Statistics(services.store, services.clock).history(ANA, "connect4", 0, 8)
    scene = history_scene("connect4", found.games, NAMES, PageOf(0, 1), SAY)
    assert len(scene.rows) == len(found.games) == 2
    assert [row.board is None for row in scene.rows] == [False, True]
    assert all(option_text("connect4", game, NAMES, SAY) for game in found.games)
    assert (
        await Statistics(services.store, services.clock).of_player(ANA, "connect4")
    ).history.games


async def test_a_report_leaves_a_damaged_game_out(services: Services) -> None:
    """A server's report sums up the other game."""
    for session in await begin(services, person(ANA), FIRST_AGENT):
        for move in "12":
            await services.sessions.play(session.channel_id, ANA, move)
            await services.sessions.reply(session.channel_id)
        await services.sessions.resign(session.channel_id, ANA)
    await damage(services, session.id - 1, f"variant = '0x0', first_agent = '?', guild_id = {GOOD}")
    found = await Statistics(services.store, services.clock).report(
        Scope("connect4", guild_id=GOOD)
    )
    assert report_scene(Heading("Here", "connect4"), found.levels, SAY).levels


@pytest.mark.databases
async def test_a_damaged_rating_does_not_spoil_a_leaderboard(venue: Any) -> None:
    """The players are listed, one of them without a number."""
    for actor in (venue.ana, venue.bea):
        await run(venue, "INSERT INTO players (id, joined_at) VALUES (:id, 0) "
                  "ON CONFLICT DO NOTHING", id=actor.id)  # fmt: skip
        await run(
            venue,
            "INSERT INTO ratings (user_id, ladder, value, deviation, volatility, shown, games,"
            " updated_at) VALUES (:id, 'connect4-classic', 1000, 60, 0.06, 1000, 20, 0)",
            id=actor.id,
        )
    is_shared = venue.services.store.database.is_shared
    number = "'NaN'" if is_shared else "'many'"
    await run(venue, f"UPDATE ratings SET shown = {number} WHERE user_id = :id",  # noqa: S608
              id=venue.bea.id)  # fmt: skip
    shown = await venue.ana.slash(venue.channel, "leaderboard", game="connect4", where="everywhere")
    assert shown.response.attachments
    assert "Ana" in words_of(shown.response)
