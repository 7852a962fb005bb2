"""Moves that are taken back, in the store."""

from __future__ import annotations

import pytest

from bot.store.games import MoveTaken
from bot.store.records import (
    Ending,
    EndRecord,
    GameRecord,
    HintRecord,
    MoveRecord,
    person,
)
from bot.store.store import Store
from tests.bot.builders import BEA, HERE, new_game

OPENING = new_game(second=person(BEA))


def hinted(game: GameRecord) -> set[int]:
    """The numbers of the moves for which a hint was given."""
    return {hint.number for hint in game.hints}


async def game_of_four(store: Store) -> int:
    """A game after four moves, with hints at the second and the fourth."""
    game_id = await store.games.add(OPENING, 0.0)
    for number in (1, 2, 3, 4):
        move = MoveRecord(2 - number % 2, 2 - number % 2, "1", number % 2 == 0, float(number), 1.0)
        if move.hinted:
            hint = HintRecord(number, BEA, "1", float(number), given=number // 2)
            await store.games.add_hint(game_id, hint)
        await store.games.append(game_id, number, move, look_at=None)
    return game_id


async def test_other_games_keep_theirs(store: Store) -> None:
    """An undo in one game does not touch another."""
    first = await game_of_four(store)
    await store.games.finish(first, EndRecord(Ending.RESIGNED, 1, 5.0))
    second = await game_of_four(store)
    await store.games.take_back(second, 1, 9.0, look_at=None)
    kept = await store.games.find(first)
    assert kept is not None
    assert (len(kept.moves), hinted(kept), kept.undos) == (4, {2, 4}, 0)


async def test_the_latest_game_of_a_channel_is_found(store: Store) -> None:
    """The latest game of a channel is found, running or finished."""
    assert await store.games.latest_in(HERE) is None
    first = await game_of_four(store)
    await store.games.finish(first, EndRecord(Ending.RESIGNED, 1, 5.0))
    assert await store.games.latest_in(HERE) == first
    assert await store.games.latest_in(HERE + 1) is None
    assert await store.games.latest_in(HERE) != await store.games.add(OPENING, 0.0)


async def test_a_finished_game_keeps_its_moves(store: Store) -> None:
    """A process that missed the end of a game cannot take moves back."""
    game_id = await game_of_four(store)
    await store.games.finish(game_id, EndRecord(Ending.RESIGNED, 1, 6.0))
    with pytest.raises(MoveTaken):
        await store.games.take_back(game_id, 2, 9.0, look_at=None)
    game = await store.games.find(game_id)
    assert game is not None
    assert (len(game.moves), game.undos) == (4, 0)
