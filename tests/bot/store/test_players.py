"""People's settings, and the messages that notify them."""

from __future__ import annotations

from bot.store.records import person
from bot.store.store import Store
from tests.bot.builders import ANA, BEA, new_game

OPENING = new_game(second=person(BEA))


async def test_people_are_notified_unless_they_opt_out(store: Store) -> None:
    """People are notified unless they opt out, even before their first game.

    The choice concerns only themselves.
    """
    assert (await store.players.preferences(ANA)).pings
    await store.players.set(ANA, 1.0, pings=False)
    assert not (await store.players.preferences(ANA)).pings
    assert (await store.players.preferences(BEA)).pings
    await store.games.add(OPENING, 0.0)
    assert not (await store.players.preferences(ANA)).pings
    assert (await store.players.preferences(BEA)).pings
    await store.players.set(ANA, 2.0, pings=True)
    assert (await store.players.preferences(ANA)).pings


async def test_privacy_is_independent_of_pings(store: Store) -> None:
    """Changing the notifications does not change whether a person's statistics are visible."""
    await store.players.set(ANA, 1.0, private=True)
    await store.players.set(ANA, 2.0, pings=False)
    assert await store.players.is_private(ANA)


async def test_a_games_ping_is_kept(store: Store) -> None:
    """A game's notification message is found until it, or every message, is forgotten."""
    game_id = await store.games.add(OPENING, 0.0)
    assert await store.boards.ping_of(game_id) is None
    assert await store.boards.ping_of(game_id + 1) is None
    await store.boards.set_ping(game_id, 77)
    assert await store.boards.ping_of(game_id) == 77
    await store.boards.set_ping(game_id, None)
    assert await store.boards.ping_of(game_id) is None
    await store.boards.set_ping(game_id, 78)
    await store.boards.forget_messages()
    assert await store.boards.ping_of(game_id) is None
