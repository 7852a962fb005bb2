"""What the store keeps of pings."""

from __future__ import annotations

from bot.store import NewGameRecord, SeatRecord, Store
from bot.store.pings import ping_of, set_ping, set_pings, wants_pings

ANA, BEA = 1, 2
OPENING = NewGameRecord(
    "gato", "4x4", 5, None, "en", SeatRecord(ANA, None), SeatRecord(BEA, None), False, 0.0
)


async def test_everybody_is_told_until_they_say_no(store: Store) -> None:
    """Also who has never played; and what somebody else wants does not matter."""
    assert await wants_pings(store, ANA)
    await set_pings(store, ANA, False, 1.0)
    assert not await wants_pings(store, ANA)
    assert await wants_pings(store, BEA)
    await store.add_game(OPENING)
    assert not await wants_pings(store, ANA)
    assert await wants_pings(store, BEA)
    await set_pings(store, ANA, True, 2.0)
    assert await wants_pings(store, ANA)


async def test_the_privacy_of_statistics_is_another_matter(store: Store) -> None:
    """Switching pings leaves statistics as shown or hidden as they were."""
    await store.set_private(ANA, True, 1.0)
    await set_pings(store, ANA, False, 2.0)
    assert await store.is_private(ANA)


async def test_a_games_ping_is_kept(store: Store) -> None:
    """The message is found again until it is gone; a bot without its messages forgets it."""
    game_id = await store.add_game(OPENING)
    assert await ping_of(store, game_id) is None
    assert await ping_of(store, game_id + 1) is None
    await set_ping(store, game_id, 77)
    assert await ping_of(store, game_id) == 77
    await set_ping(store, game_id, None)
    assert await ping_of(store, game_id) is None
    await set_ping(store, game_id, 78)
    await store.forget_messages()
    assert await ping_of(store, game_id) is None
