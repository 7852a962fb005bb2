"""Games on a real SQLite file: stored move by move and read back."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import event

from bot.store import rows
from bot.store.games import ChannelTaken, MoveTaken
from bot.store.records import (
    Ending,
    EndRecord,
    GameSetup,
    HintRecord,
    MoveRecord,
    SeatRecord,
    TimeControl,
)
from bot.store.store import Store

OPENING = GameSetup(
    "connect4",
    "5x4",
    2**62 + 1,
    2**62 + 2,
    "es-ES",
    SeatRecord(2**62 + 3, None),
    SeatRecord(None, "medium"),
    auto=True,
    clock=TimeControl(90.5, "game"),
)
HINT = HintRecord(1, 2**62 + 3, "3", 1005.0, 2**63 - 1, 0.5, 2**40, 12, -7, proven=True)
PERSONS_MOVE = MoveRecord(1, 2**62 + 3, "3", True, 1010.5, 10.25)
AGENTS_MOVE = MoveRecord(2, None, "2", False, 1011.0, 0.5, 2**40, 12, -7, proven=True)


async def test_a_game_is_read_back_as_it_was_written(store: Store) -> None:
    """63-bit ids, times, moves with all their details, and hints come back unchanged."""
    game_id = await store.games.add(OPENING, 1000.25)
    await store.games.add_hint(game_id, HINT)
    await store.games.append(game_id, 1, PERSONS_MOVE, look_at=None)
    end = EndRecord(Ending.LINE, 2, 1011.0)
    await store.games.append(game_id, 2, AGENTS_MOVE, look_at=None, end=end)
    await store.boards.set_message(game_id, 2**62 + 4)
    game = await store.games.find(game_id)
    assert game is not None
    assert game.setup == OPENING
    assert game.moves == (PERSONS_MOVE, AGENTS_MOVE)
    assert game.hints == (HINT,)
    assert game.end == end
    assert game.message_id == 2**62 + 4


async def test_a_channel_has_one_running_game(store: Store) -> None:
    """The database itself refuses a second running game until the first has ended."""
    first = await store.games.add(OPENING, 1000.25)
    with pytest.raises(ChannelTaken):
        await store.games.add(OPENING, 1000.25)
    await store.games.finish(first, EndRecord(Ending.RESIGNED, 2, 1020.0))
    second = await store.games.add(OPENING, 1000.25)
    running = await store.games.running_in(OPENING.channel_id)
    assert running is not None
    assert running.id == second


async def test_of_racing_starts_one_wins(store: Store) -> None:
    """If several games are started in a channel at once, exactly one is stored."""
    tried = await asyncio.gather(
        *(store.games.add(OPENING, 1000.25) for _ in range(8)), return_exceptions=True
    )
    assert sum(isinstance(result, int) for result in tried) == 1
    assert sum(isinstance(result, ChannelTaken) for result in tried) == 7


async def test_a_move_is_stored_once(store: Store) -> None:
    """Of two moves with the same number, the first stays and the second is refused."""
    game_id = await store.games.add(OPENING, 1000.25)
    await store.games.append(game_id, 1, PERSONS_MOVE, look_at=None)
    with pytest.raises(MoveTaken):
        await store.games.append(game_id, 1, AGENTS_MOVE, look_at=None)
    game = await store.games.find(game_id)
    assert game is not None
    assert game.moves == (PERSONS_MOVE,)


async def test_a_refused_last_move_does_not_end_the_game(store: Store) -> None:
    """A final move and the end of its game are stored together or not at all."""
    game_id = await store.games.add(OPENING, 1000.25)
    await store.games.append(game_id, 1, PERSONS_MOVE, look_at=None)
    with pytest.raises(MoveTaken):
        await store.games.append(
            game_id, 1, AGENTS_MOVE, look_at=None, end=EndRecord(Ending.LINE, 2, 1011.0)
        )
    assert await store.games.running_in(OPENING.channel_id) is not None


async def test_a_move_comes_next_or_not_at_all(store: Store) -> None:
    """A process that missed an undo or the end of a game cannot store its move."""
    game_id = await store.games.add(OPENING, 1000.25)
    with pytest.raises(MoveTaken):
        await store.games.append(game_id, 2, AGENTS_MOVE, look_at=7.0)
    await store.games.finish(game_id, EndRecord(Ending.RESIGNED, 2, 1020.0))
    with pytest.raises(MoveTaken):
        await store.games.append(game_id, 1, PERSONS_MOVE, look_at=7.0)
    game = await store.games.find(game_id)
    assert game is not None
    assert (game.moves, game.look_at) == ((), None)


async def test_an_end_is_final(store: Store) -> None:
    """A game that has ended keeps its first end."""
    game_id = await store.games.add(OPENING, 1000.25)
    assert await store.games.finish(game_id, EndRecord(Ending.RESIGNED, 2, 1020.0))
    assert not await store.games.finish(game_id, EndRecord(Ending.STOPPED, None, 1030.0))
    game = await store.games.find(game_id)
    assert game is not None
    assert game.end == EndRecord(Ending.RESIGNED, 2, 1020.0)


async def test_only_its_owner_changes_a_game(store: Store) -> None:
    """A process that has lost a game changes nothing of it; its owner does."""
    game_id = await store.games.add(OPENING, 1000.25, owner="owner")
    await store.games.append(game_id, 1, PERSONS_MOVE, look_at=7.0, owner="owner")
    before = await store.games.find(game_id)
    end = EndRecord(Ending.RESIGNED, 2, 1020.0)
    assert not await store.games.finish(game_id, end, counts=True, owner="another")
    assert not await store.games.set_due(game_id, 9.0, expecting_moves=1, owner="another")
    assert not await store.boards.set_message(game_id, 5, owner="another")
    for refused in (
        store.games.append(game_id, 2, AGENTS_MOVE, look_at=None, end=end, owner="another"),
        store.games.take_back(game_id, 0, 1020.0, look_at=None, owner="another"),
        store.games.add_hint(game_id, HINT, owner="another"),
    ):
        with pytest.raises(MoveTaken):
            await refused
    assert await store.games.find(game_id) == before
    assert await store.ratings.due(1) == []
    assert await store.games.finish(game_id, end, counts=True, owner="owner")


async def test_the_same_hint_counts_once(store: Store) -> None:
    """Two hints for the same position count once.

    A hint for another position at the same move counts separately.
    """
    game_id = await store.games.add(OPENING, 1000.25)
    for at in (1.0, 2.0):
        await store.games.add_hint(game_id, HintRecord(1, 5, "3", at, 77))
    game = await store.games.find(game_id)
    assert game is not None
    assert [hint.at for hint in game.hints] == [1.0]
    await store.games.add_hint(game_id, HintRecord(1, 5, "4", 3.0, 78))
    game = await store.games.find(game_id)
    assert game is not None
    assert [(hint.move, hint.position) for hint in game.hints] == [("3", 77), ("4", 78)]


async def test_a_more_detailed_hint_replaces_the_stored_one(store: Store) -> None:
    """A more detailed hint replaces the stored one of its position.

    A less detailed one does not.
    """
    game_id = await store.games.add(OPENING, 1000.25)
    hint = HintRecord(1, 5, "3", 1.0, 77, exact="3:9990 1:0", level=1)
    for level, given in ((1, 1), (3, 2), (2, 2), (3, 3)):
        await store.games.add_hint(game_id, replace(hint, move="1", level=level, given=given))
        await store.games.add_hint(game_id, hint)
    game = await store.games.find(game_id)
    assert game is not None
    assert game.hints == (replace(hint, move="1", level=3, given=2),)


async def test_running_games_are_counted_by_player(store: Store) -> None:
    """Running games count for players in either seat; finished games do not count."""
    person = OPENING.first.user_id
    assert person is not None
    swapped = replace(OPENING, first=OPENING.second, second=OPENING.first)
    games = [
        replace(opening, channel_id=n) for n, opening in enumerate((OPENING, swapped, OPENING))
    ]
    ids = [await store.games.add(game, 1000.25) for game in games]
    await store.games.finish(ids[2], EndRecord(Ending.STOPPED, None, 5.0))
    assert await store.games.count_running(person) == 2
    assert await store.games.count_running(1) == 0
    assert [game.id for game in await store.games.running()] == ids[:2]


async def test_forgotten_messages_leave_finished_games_alone(store: Store) -> None:
    """If a message is forgotten, only running games lose their reference to it."""
    ended = await store.games.add(OPENING, 1000.25)
    await store.boards.set_message(ended, 11)
    await store.games.finish(ended, EndRecord(Ending.DRAW, None, 5.0))
    running = await store.games.add(OPENING, 1000.25)
    await store.boards.set_message(running, 12)
    await store.boards.forget_messages()
    assert await store.boards.message_of(ended) == 11
    assert await store.boards.message_of(running) is None


async def test_running_games_are_read_in_parts(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Running games are read in parts, since a query takes at most 32,766 parameters."""
    asked: list[int] = []
    engine = store.database._engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda *given: asked.append(len(given[3])))
    monkeypatch.setattr(rows, "AT_ONCE", 10)
    ids = [await store.games.add(replace(OPENING, channel_id=n), 1000.25) for n in range(25)]
    asked.clear()
    assert [game.id for game in await store.games.running()] == ids
    assert max(asked) == 10
