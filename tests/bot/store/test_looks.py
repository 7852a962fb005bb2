"""The times at which running games must be looked at, and their clocks."""

from __future__ import annotations

from bot.store.records import Ending, EndRecord, GameRecord, MoveRecord
from bot.store.records import TimeControl as Clock
from bot.store.store import Store
from tests.bot.builders import ANA, new_game

MOVE = MoveRecord(1, ANA, "1", False, 5.0, 1.0)


async def found(store: Store, game_id: int) -> GameRecord:
    """Return a stored game that must exist."""
    game = await store.games.find(game_id)
    assert game is not None
    return game


async def looks(store: Store, until: float) -> list[int]:
    """The games that must be looked at by this time."""
    return [game.id for game in await store.games.due(until)]


async def test_games_are_due_in_the_order_of_their_times(store: Store) -> None:
    """Games are due in the order of their next look, and the earliest one sets the timer."""
    assert await store.games.next_due() is None
    late, never, soon = [
        await store.games.add(new_game(n), 0.0, look_at=at)
        for n, at in enumerate((50.0, None, 20.0))
    ]
    assert await store.games.next_due() == 20.0
    assert await looks(store, 19.9) == []
    assert await looks(store, 20.0) == [soon]
    assert await looks(store, 99.0) == [soon, late]
    assert (await found(store, never)).look_at is None


async def test_every_change_of_a_game_sets_the_next_look(store: Store) -> None:
    """A move, an undo and a reminder each set the next look; a finished game has none."""
    game_id = await store.games.add(new_game(1), 0.0, look_at=10.0)
    await store.games.append(game_id, 1, MOVE, look_at=20.0)
    assert await store.games.next_due() == 20.0
    await store.games.take_back(game_id, 0, 15.0, look_at=30.0)
    assert await store.games.next_due() == 30.0
    assert await store.games.note_notice("reminded_at", game_id, 15.0, 29.0, 40.0)
    assert await store.games.next_due() == 40.0
    assert (await found(store, game_id)).reminded_at == 29.0
    await store.games.append(game_id, 1, MOVE, look_at=50.0, end=EndRecord(Ending.LINE, 1, 45.0))
    assert await store.games.next_due() is None
    assert await looks(store, 99.0) == []
    assert (await found(store, game_id)).look_at is None


async def test_a_reminder_is_noted_once(store: Store) -> None:
    """A reminder is stored once per move, and never after the end of the game."""
    game_id = await store.games.add(new_game(1), 0.0, look_at=10.0)
    assert await store.games.note_notice("reminded_at", game_id, 0.0, 10.0, 20.0)
    assert not await store.games.note_notice("reminded_at", game_id, 0.0, 11.0, 30.0)
    assert await store.games.next_due() == 20.0
    await store.games.finish(game_id, EndRecord(Ending.TIME, 2, 20.0))
    assert not await store.games.note_notice("reminded_at", game_id, 15.0, 21.0, 30.0)


async def test_a_look_is_not_set_for_a_game_that_has_moved_on(store: Store) -> None:
    """A process that read an earlier state of a game cannot set the look of a later one."""
    game_id = await store.games.add(new_game(1), 0.0, look_at=0.0)
    assert await store.games.set_due(game_id, 10.0, expecting_moves=0)
    assert await store.games.next_due() == 10.0
    await store.games.append(game_id, 1, MOVE, look_at=20.0)
    assert not await store.games.set_due(game_id, 99.0, expecting_moves=0)
    assert await store.games.set_due(game_id, None, expecting_moves=1)
    assert await store.games.next_due() is None
    await store.games.finish(game_id, EndRecord(Ending.RESIGNED, 2, 30.0))
    assert not await store.games.set_due(game_id, 40.0, expecting_moves=1)


async def test_games_without_a_clock_get_the_default(store: Store) -> None:
    """Running games without a clock get the default; games that have a clock keep it."""
    own = Clock(60.0, "game")
    ended, old, new = [
        await store.games.add(new_game(n, clock=clock), 0.0)
        for n, clock in enumerate((None, None, own))
    ]
    await store.games.finish(ended, EndRecord(Ending.RESIGNED, 2, 5.0))
    await store.games.set_default_clock(Clock(3600.0))
    clocks = [(await found(store, game_id)).setup.clock for game_id in (ended, old, new)]
    assert clocks == [None, Clock(3600.0, "move"), own]
