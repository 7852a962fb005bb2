"""The last shown state of each game, and the boards that differ from the stored game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import create_engine, text, update

from bot.database.schema import config_for
from bot.store.boards import ShownBoard
from bot.store.records import Ending, EndRecord, MoveRecord
from bot.store.rows import GRACE, countdown_moved, state_number
from bot.store.store import Store
from bot.store.tables import GameRow
from tests.bot.builders import ANA, new_game
from tests.bot.databases import address_of

MOVE = MoveRecord(1, ANA, "1", False, 5.0, 1.0)
AFTER_ALL = 1000.0


async def due(store: Store, now: float = AFTER_ALL) -> list[int]:
    """The games whose boards are due."""
    return [game.id for game in await store.boards.due(now, 50)]


async def begun(store: Store, channel_id: int = 1) -> int:
    """A game whose board has been shown."""
    game_id = await store.games.add(new_game(channel_id), 0.0)
    await store.boards.set_message(game_id, 10, shown=state(0))
    return game_id


def state(moves: int, undos: int = 0, *, is_over: bool = False, is_rated: bool = False) -> int:
    """The number of a game's state."""
    return state_number(moves, undos, is_over=is_over, is_rated=is_rated)


async def test_a_new_game_is_due_until_it_is_shown(store: Store) -> None:
    """A new game's board is due once its starter has had a moment to show it."""
    game_id = await store.games.add(new_game(), 0.0)
    assert await due(store, GRACE - 0.1) == []
    assert await due(store, GRACE) == [game_id]
    await store.boards.set_message(game_id, 10, shown=state(0))
    assert await due(store) == []


async def test_every_change_makes_a_board_due(store: Store) -> None:
    """A move, an undo and an end each make the board due until that state has been shown."""
    game_id = await begun(store)
    await store.games.append(game_id, 1, MOVE, look_at=None)
    assert await due(store) == [game_id]
    await store.boards.note({game_id: ShownBoard(10, state(1))})
    assert await due(store) == []
    await store.games.take_back(game_id, 0, 7.0, look_at=None)
    assert await due(store) == [game_id]
    await store.boards.note({game_id: ShownBoard(10, state(0, 1))})
    assert await due(store) == []
    await store.games.append(game_id, 1, MOVE, look_at=None, end=EndRecord(Ending.LINE, 1, 9.0))
    assert await due(store) == [game_id]
    await store.boards.note({game_id: ShownBoard(10, state(1, 1, is_over=True))})
    assert await due(store) == []


async def test_notes_that_are_late_or_about_other_messages_hide_no_change(store: Store) -> None:
    """A late note, or a note about a message that was replaced, does not hide a change."""
    game_id = await begun(store)
    await store.games.append(game_id, 1, MOVE, look_at=None)
    await store.boards.note({game_id: ShownBoard(10, state(0))})
    await store.boards.note({game_id: ShownBoard(9, state(1))})
    assert await due(store) == [game_id]
    assert await store.boards.of(game_id) == ShownBoard(10, state(0))
    assert await store.boards.count_due() == 1


async def test_a_board_can_be_postponed_hastened_and_given_up(store: Store) -> None:
    """A board can be postponed, hastened or given up.

    The longest due come first, so boards that keep failing do not block others.
    """
    first, second = await begun(store), await begun(store, 2)
    for game_id in (first, second):
        await store.games.append(game_id, 1, MOVE, look_at=None)
    await store.boards.postpone(first, 500.0)
    assert await due(store, 400.0) == [second]
    await store.boards.hasten(AFTER_ALL)
    assert await due(store, 0.0) == [first, second]
    await store.boards.give_up(first)
    assert await due(store) == [second]


async def test_the_latest_changes_come_first_at_a_start(store: Store) -> None:
    """At startup the boards with the latest changes come first.

    Postponed ones follow, then countdowns.
    """
    countdown, failed, older, newer = [await begun(store, number) for number in range(1, 5)]
    for game_id, at in ((failed, 20.0), (older, 50.0), (newer, 80.0)):
        await store.games.append(game_id, 1, replace(MOVE, at=at), look_at=None)
    await store.boards.postpone(failed, 300.0)
    await move_countdown(store, countdown, 1.0)
    await store.boards.hasten(90.0)
    assert await due(store, 90.0) == [newer, older, failed, countdown]


async def test_a_countdown_that_has_changed_makes_a_board_due(store: Store) -> None:
    """A changed countdown makes a board due; a board that differs otherwise stays due for that."""
    first, second = await begun(store), await begun(store, 2)
    await store.games.append(second, 1, MOVE, look_at=None)
    for game_id in (first, second):
        await move_countdown(store, game_id, 500.0)
    assert await due(store, 499.0) == [second]
    assert await due(store) == [second, first]
    shown = [await store.boards.of(one) for one in (first, second)]
    assert [one and one.lacks_countdown(state(0)) for one in shown] == [True, False]
    await store.boards.note({first: ShownBoard(10, state(0))})
    assert await due(store) == [second]


async def test_failed_boards_of_a_channel_can_be_hastened(store: Store) -> None:
    """Boards that failed in a channel can be hastened without those of other channels."""
    here, there = await begun(store), await begun(store, 2)
    for game_id in (here, there):
        await store.games.append(game_id, 1, MOVE, look_at=None)
        await store.boards.postpone(game_id, 500.0)
    await store.boards.hasten_in(1)
    assert await due(store, 400.0) == [here]


async def move_countdown(store: Store, game_id: int, at: float) -> None:
    """Change only the countdown of a game."""
    moved = update(GameRow).where(GameRow.id == game_id).values(countdown_moved(at))
    await store.database.change(moved)


@pytest.mark.parametrize("is_over", [False, True])
async def test_boards_of_earlier_versions_are_shown_again_while_their_games_run(
    tmp_path: Path, is_over: bool
) -> None:
    """Boards from earlier versions are shown again if their games are running."""
    file = tmp_path / "old.db"
    engine = create_engine(f"sqlite:///{file.as_posix()}")
    with engine.begin() as connection:
        command.upgrade(config_for(connection), "0012")
        connection.execute(
            text(
                "INSERT INTO games (id, family, variant, channel_id, locale, second_agent, auto, "
                "started_at, finished_at, ending, undos) VALUES "
                "(7, 'connect4', '6x7', 1, 'en', 'easy', 1, 1.0, :end, :ending, 2)"
            ),
            {"end": 2.0 if is_over else None, "ending": "line" if is_over else None},
        )
        connection.execute(
            text(
                "INSERT INTO moves (game_id, number, player, move, hinted, at, seconds) "
                "VALUES (7, 1, 1, '4', 0, 1.5, 0.5)"
            )
        )
    engine.dispose()
    store = Store(address_of(file))
    await store.open()
    assert await due(store, 0.0) == ([] if is_over else [7])
    await store.boards.set_message(7, 10, shown=state(1, 2))
    assert await due(store) == []
    await store.close()
