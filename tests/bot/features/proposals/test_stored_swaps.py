"""Stored swaps of sides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.proposals.store import swap_sides
from bot.store.games import MoveTaken
from bot.store.records import GameSetup, MoveRecord, SeatRecord
from bot.store.store import Store

pytestmark = pytest.mark.databases

ANA, BEA, ME = 1, 2, "process"
OPENING = GameSetup(
    "gato", "4x4", 5, None, "en", SeatRecord(ANA, None), SeatRecord(BEA, None), pie=True
)


async def begin(store: Store, opening: GameSetup = OPENING) -> int:
    """A game in which Ana has moved."""
    game_id = await store.games.add(opening, 0.0, owner=ME)
    move = MoveRecord(1, ANA, "a1", False, 5.0, 5.0)
    await store.games.append(game_id, 1, move, look_at=9.0, owner=ME)
    return game_id


async def test_seats_change_and_moves_stay(store: Store) -> None:
    """A swap exchanges the seats, keeps the moves, restarts the clock and makes the board due."""
    game_id = await begin(store)
    before = await store.owners.state(game_id, ME)
    await swap_sides(store.database, game_id, 7.0, made=1, look_at=99.0, owner=ME)
    game = await store.games.find(game_id)
    assert game is not None
    assert (game.setup.first.user_id, game.setup.second.user_id) == (BEA, ANA)
    assert [move.user_id for move in game.moves] == [ANA]
    assert (game.swapped_at, game.look_at, game.asides, game.setup.pie) == (7.0, 99.0, 1, True)
    after = await store.owners.state(game_id, ME)
    assert before is not None
    assert after is not None
    assert after > before


async def test_sides_are_swapped_once(store: Store) -> None:
    """A swap needs the rule and the right turn, happens once, and in the game's process only."""
    game_id, database = await begin(store), store.database
    for made, owner in ((2, ME), (1, "another")):
        with pytest.raises(MoveTaken):
            await swap_sides(database, game_id, 7.0, made=made, look_at=None, owner=owner)
    await swap_sides(database, game_id, 7.0, made=1, look_at=None, owner=ME)
    with pytest.raises(MoveTaken):
        await swap_sides(database, game_id, 8.0, made=1, look_at=None, owner=ME)
    plain = await begin(store, replace(OPENING, channel_id=6, pie=False))
    with pytest.raises(MoveTaken):
        await swap_sides(database, plain, 7.0, made=1, look_at=None, owner=ME)
