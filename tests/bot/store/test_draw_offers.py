"""Offers of a draw in the store."""

from __future__ import annotations

from bot.features.proposals.store import NewDrawRecord
from bot.store.records import NewGameRecord, SeatRecord
from bot.store.store import Store

ANA, BEA = 1, 2
OPENING = NewGameRecord(
    "gato", "4x4", 5, None, "en", SeatRecord(ANA, None), SeatRecord(BEA, None), False, 0.0
)


async def test_an_offer_is_answered_once(store: Store) -> None:
    """It is open until its first answer, and keeps its message and that answer."""
    game_id = await store.games.add(OPENING)
    offer = NewDrawRecord(game_id, ANA, 4, 1, 5.0)
    draw = await store.draws.add(offer)
    assert (draw.request, draw.message_id, draw.answer) == (offer, None, None)
    await store.draws.set_message(draw.id, 77)
    assert [one.id for one in await store.draws.open(game_id)] == [draw.id]
    assert await store.draws.open(game_id + 1) == []
    assert await store.draws.answer(draw.id, "declined")
    assert not await store.draws.answer(draw.id, "accepted")
    found = await store.draws.find(draw.id)
    assert found is not None
    assert (found.message_id, found.answer) == (77, "declined")
    assert await store.draws.open() == []


async def test_the_latest_offer_is_found_answered_or_not(store: Store) -> None:
    """Each person has their own."""
    game_id = await store.games.add(OPENING)
    for made, asker in ((4, ANA), (6, BEA), (8, ANA)):
        draw = await store.draws.add(NewDrawRecord(game_id, asker, made, 0, 5.0))
        await store.draws.answer(draw.id, "lapsed")
    latest = await store.draws.latest(game_id, ANA)
    assert latest is not None
    assert latest.request.made == 8
    assert await store.draws.latest(game_id + 1, ANA) is None
