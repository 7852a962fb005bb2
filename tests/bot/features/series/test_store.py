"""Series in the database: limits, claims, counting games and forgetting people and servers."""

from __future__ import annotations

from functools import partial

import pytest

from bot.features.league.store import WatchedGame
from bot.features.series.store import (
    LEASE,
    UNSENT,
    SeriesOver,
    SeriesStore,
    TooMany,
    count_series,
    forget_asker,
    forget_guild,
)
from bot.store.records import Ending, EndRecord, GameSetup, MoveRecord, agent
from bot.store.store import Store
from tests.bot.builders import ANA, BEA
from tests.bot.features.series.playing import MESSAGE, new

pytestmark = pytest.mark.databases

CARLA = 3


async def play(store: Store, series_id: int, number: int, winner: int | None) -> int:
    """Store a game of a series."""
    series = SeriesStore(store.database)
    setup = GameSetup("connect4", "5x4", 1, 9, "en", agent("easy"), agent("medium"), opening=1)
    moves = (
        MoveRecord(1, None, "3", False, 1.0, 0.0),
        MoveRecord(2, None, "2", False, 2.0, 0.5, nodes=10, depth=2, score=1),
    )
    end = EndRecord(Ending.LINE if winner else Ending.DRAW, winner, 3.0)
    note = partial(series.note_game, series_id=series_id, number=number, at=3.0)
    return await store.played.add(setup, 0.5, moves, end, note)


async def test_a_person_has_one_series_and_a_server_two(store: Store) -> None:
    """A second series of a person and a third of a server are refused until one is over."""
    series = SeriesStore(store.database)
    first = await series.add(new(ANA), most=2)
    with pytest.raises(TooMany) as found:
        await series.add(new(ANA, guild_id=8), most=2)
    assert found.value.is_theirs
    assert found.value.present == first
    await series.add(new(BEA), most=2)
    with pytest.raises(TooMany) as found:
        await series.add(new(CARLA), most=2)
    assert not found.value.is_theirs
    await series.add(new(CARLA, guild_id=None), most=1)
    assert await series.end(first.id, "stopped", 101.0)
    assert not await series.end(first.id, "stopped", 102.0)
    await series.add(new(ANA), most=2)


async def test_a_series_without_a_message_is_given_up(store: Store) -> None:
    """A series whose process was killed before it had a message is not played, and deleted."""
    series = SeriesStore(store.database)
    lost = await series.add(new(ANA), most=2)
    assert await series.claim(200.0, 9) == []
    await series.add(new(ANA, began_at=100.5 + UNSENT), most=2)
    assert await series.find(lost.id) is None


async def test_series_are_claimed_in_turn(store: Store) -> None:
    """The series that has waited longest comes first; one that is claimed is left alone."""
    series = SeriesStore(store.database)
    one, two = [await series.add(new(asker), most=9) for asker in (ANA, BEA)]
    for each in (one, two):
        await series.set_message(each.id, MESSAGE)
    (found,) = await series.claim(100.0, 1)
    assert found.id == one.id
    assert [each.id for each in await series.claim(100.0, 9)] == [two.id]
    assert await series.claim(100.0, 9) == []
    await series.release(one.id, 120.0)
    await series.release(two.id, 110.0)
    assert await series.claim(105.0, 9) == []
    assert [each.id for each in await series.claim(130.0, 9)] == [two.id, one.id]
    assert LEASE > 0


async def test_each_game_counts_once(store: Store) -> None:
    """A game is stored only as the next one of its series, and the last game ends it."""
    series = SeriesStore(store.database)
    one = await series.add(new(games=3), most=2)
    await play(store, one.id, 0, 1)
    for number in (0, 2):
        with pytest.raises(SeriesOver):
            await play(store, one.id, number, 1)
    await play(store, one.id, 1, 1)
    last = await play(store, one.id, 2, None)
    assert await store.games.find(last + 1) is None
    found = await series.find(one.id)
    assert found is not None
    assert (found.played, found.ending, found.ended_at, found.state) == (3, "played", 3.0, 3)
    with pytest.raises(SeriesOver):
        await play(store, one.id, 3, 1)
    # In the second game the other agent moved first.
    tally = await series.tally(found)
    assert (tally.first, tally.drawn, tally.second, tally.games) == (1, 1, 1, 3)
    assert tally.played[1:] == (
        WatchedGame(last - 1, "5x4", "medium", "easy", 1),
        WatchedGame(last, "5x4", "easy", "medium", None),
    )
    # Only the second side's moves were searched, and the second side changes.
    assert (tally.first_nodes, tally.second_nodes) == (10.0, 10.0)
    itself = await series.add(new(BEA, first_agent="easy", second_agent="easy"), most=9)
    for number in (0, 1):
        await play(store, itself.id, number, 1)
    assert (await series.tally(itself)).first == 2


async def test_a_stored_game_has_no_board_to_show(store: Store) -> None:
    """A game of a series has its moves and its end, and takes no channel."""
    one = await SeriesStore(store.database).add(new(), most=2)
    game = await store.games.find(await play(store, one.id, 0, 2))
    assert game is not None
    assert (game.end, game.message_id) == (EndRecord(Ending.LINE, 2, 3.0), None)
    assert [move.move for move in game.moves] == ["3", "2"]
    assert (game.setup.opening, game.setup.started_by) == (1, None)
    assert await store.games.running_in(1) is None
    assert await store.boards.due(1e12, 9) == []


async def test_attempts_are_bounded(store: Store) -> None:
    """A game that fails again and again is skipped, and the series ends if the next one does."""
    series = SeriesStore(store.database)
    one = await series.add(new(), most=2)
    assert await series.fail(one.id, 101.0, most=2) == 1
    await play(store, one.id, 0, 1)
    for attempt, played in ((1, 1), (2, 2), (3, 2), (4, 2)):
        assert await series.fail(one.id, 101.0 + attempt, most=2) == attempt
        found = await series.find(one.id)
        assert found is not None
        assert (found.played, found.ending) == (played, "failed" if attempt == 4 else None)
    assert found.ended_at == 105.0
    assert (await series.tally(found)).games == 1


async def test_a_skipped_game_can_be_the_last(store: Store) -> None:
    """A series whose last game is skipped has been played to its end."""
    series = SeriesStore(store.database)
    one = await series.add(new(games=2), most=2)
    for attempt in (1, 2):
        assert await series.fail(one.id, 101.0, most=2) == attempt
    await play(store, one.id, 1, 1)
    two = await series.add(new(BEA, games=1), most=2)
    for attempt in (1, 2):
        assert await series.fail(two.id, 102.0, most=2) == attempt
    for found in (await series.find(one.id), await series.find(two.id)):
        assert found is not None
        assert (found.played, found.ending) == (found.games, "played")


async def test_an_ended_series_is_done_once_that_is_shown(store: Store) -> None:
    """A series that has ended stays due until its message shows the end, or cannot be reached."""
    series = SeriesStore(store.database)
    one, two = [await series.add(new(asker), most=9) for asker in (ANA, BEA)]
    for each in (one, two):
        await series.set_message(each.id, MESSAGE)
    await series.stop_all(ANA, 101.0)
    stopped = await series.find(one.id)
    assert stopped is not None
    await series.showed(one, 105.0)
    assert len(await series.claim(200.0, 9)) == 2
    await series.showed(stopped, 105.0)
    await series.give_up(two.id, 110.0)
    for each in (one, two):
        await series.release(each.id, 0.0)
    assert await series.claim(200.0, 9) == []
    lost = await series.find(two.id)
    assert lost is not None
    assert lost.ending == "stopped"


async def test_people_and_servers_are_forgotten(store: Store) -> None:
    """A series keeps nothing of a person who is forgotten, and goes with its server."""
    series = SeriesStore(store.database)
    one = await series.add(new(ANA), most=2)
    await play(store, one.id, 0, 1)
    async with store.database.writing() as connection:
        assert await count_series(connection, ANA) == {"stored.series": 1}
        await forget_asker(connection, ANA)
        assert await count_series(connection, ANA) == {"stored.series": 0}
    found = await series.find(one.id)
    assert found is not None
    assert found.asker is None
    async with store.database.writing() as connection:
        await forget_guild(connection, 9)
    assert await series.find(one.id) is None
