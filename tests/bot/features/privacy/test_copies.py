"""Damaged games, and the operator's copies of them, are deleted with their players."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import text

from tests.bot.board.test_unreadable_games import DAMAGE, ILLEGAL, begun, copies, damage, row_of
from tests.bot.discord.stage import Stage
from tests.bot.features.privacy.erasing import erasure
from tests.bot.features.privacy.test_discord import MONTH, delete


async def test_the_copy_is_anonymised_and_deleted(venue: Any) -> None:
    """A copy names no people or places, expires after 30 days, and is deleted with a player."""
    stage, first = await begun(venue)
    await damage(venue, ILLEGAL, first)
    await stage.slash(venue.ana, "drop", column=1)
    (copy,) = (await copies(venue)).values()
    rows = json.loads(copy.rows)
    assert [move["user_id"] for move in rows["moves"]] == [1, 2, 1]
    assert [move["move"] for move in rows["moves"]] == ["1", "9", "1"]
    (game,) = rows["games"]
    assert (game["first_user"], game["second_user"], game["family"]) == (1, 2, "connect4")
    for number in (venue.ana.id, venue.bea.id, venue.channel.id, venue.env.guild.id):
        assert str(number) not in copy.rows + copy.reason
    assert "9" in copy.reason
    assert copy.version
    await erasure(venue.services).purge([venue.env.guild.id])
    assert first in await copies(venue)
    venue.services.clock.forward(MONTH)
    await erasure(venue.services).purge([venue.env.guild.id])
    assert await copies(venue) == {}
    for actor in (venue.ana, venue.bea):
        stage, game_id = await begun(venue)
        await damage(venue, ILLEGAL, game_id)
        await stage.slash(venue.mod, "board")
        assert list(await copies(venue)) == [game_id]
        await delete(venue, actor)
        assert await copies(venue) == {}


async def test_deletion_removes_damaged_games(venue: Any) -> None:
    """Deletion removes a damaged game even if the seat with the person's id is lost."""
    for statement in (ILLEGAL, DAMAGE["an empty seat"], DAMAGE["an unknown game"]):
        stage = Stage(venue, "connect4", venue.channel)
        await stage.begins(venue.ana)
        game_id = (await stage.game()).id
        await stage.play(venue.ana, "2")
        await damage(venue, statement, game_id)
        await delete(venue, venue.ana)
        assert await row_of(venue, game_id) is None, statement
        async with venue.services.store.database.reading() as connection:
            left = await connection.execute(text("SELECT count(*) FROM moves"))
            assert left.scalar_one() == 0


async def test_a_lost_seat_is_found_from_the_moves(venue: Any) -> None:
    """A person whose seat is lost is found by their moves, and the game is deleted with them."""
    _, game_id = await begun(venue, 4)
    await damage(venue, "UPDATE games SET second_user = NULL WHERE id = {id}", game_id)
    await venue.services.sessions.games.current(venue.channel.id)
    row = await row_of(venue, game_id)
    assert (row.first_user, row.second_user) == (venue.ana.id, venue.bea.id)
    await delete(venue, venue.bea)
    assert await copies(venue) == {}
