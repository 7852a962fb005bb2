"""People's own settings, and the messages that notify them."""

from __future__ import annotations

from bot.store.records import GameSetup, SeatRecord
from bot.store.store import Store

ANA, BEA = 1, 2
OPENING = GameSetup("gato", "4x4", 5, None, "en", SeatRecord(ANA, None), SeatRecord(BEA, None))


async def test_people_are_notified_unless_they_opt_out(store: Store) -> None:
    """Even people who have never played; and each decides for themselves only."""
    assert await store.players.wants_pings(ANA)
    await store.players.set(ANA, 1.0, pings=False)
    assert not await store.players.wants_pings(ANA)
    assert await store.players.wants_pings(BEA)
    await store.games.add(OPENING, 0.0)
    assert not await store.players.wants_pings(ANA)
    assert await store.players.wants_pings(BEA)
    await store.players.set(ANA, 2.0, pings=True)
    assert await store.players.wants_pings(ANA)


async def test_privacy_is_independent_of_pings(store: Store) -> None:
    """Switching pings leaves statistics shown or hidden as they were."""
    await store.players.set(ANA, 1.0, private=True)
    await store.players.set(ANA, 2.0, pings=False)
    assert await store.players.is_private(ANA)


async def test_a_games_ping_is_kept(store: Store) -> None:
    """The message is found again until it is gone, or all messages are."""
    game_id = await store.games.add(OPENING, 0.0)
    assert await store.games.ping_of(game_id) is None
    assert await store.games.ping_of(game_id + 1) is None
    await store.games.set_ping(game_id, 77)
    assert await store.games.ping_of(game_id) == 77
    await store.games.set_ping(game_id, None)
    assert await store.games.ping_of(game_id) is None
    await store.games.set_ping(game_id, 78)
    await store.games.forget_messages()
    assert await store.games.ping_of(game_id) is None


async def test_privacy_is_kept(store: Store) -> None:
    """Statistics are shown unless their owner hides them, even before a first game."""
    assert not await store.players.is_private(ANA)
    await store.players.set(ANA, 1.0, private=True)
    assert await store.players.is_private(ANA)
    await store.players.set(ANA, 2.0, private=False)
    assert not await store.players.is_private(ANA)


async def test_confirmations_in_words_are_opt_in(store: Store) -> None:
    """Moves are confirmed in words only after a person has switched it on."""
    assert not await store.players.wants_words(ANA)
    await store.players.set(ANA, 1.0, spoken=True)
    assert await store.players.wants_words(ANA)
    assert not await store.players.wants_words(BEA)
    await store.players.set(ANA, 2.0, spoken=False)
    assert not await store.players.wants_words(ANA)
