"""Challenges in the store."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.store.people import RematchOpen, RequestAnswered
from bot.store.records import NewChallengeRecord, TimeControl, person
from bot.store.store import Store
from tests.bot.builders import ANA, BEA, new_game

OPENING = new_game(second=person(BEA))
OFFER = NewChallengeRecord(replace(OPENING, clock=TimeControl(300.0)), 10.0, 20.0)


async def test_a_challenge_is_read_back_as_it_was_written(store: Store) -> None:
    """A challenge is read back as it was written.

    That includes the seats, the time control and the message that shows it.
    """
    timed = await store.challenges.add(OFFER)
    swapped = replace(OPENING, first=OPENING.second, second=OPENING.first, pie=True)
    untimed = await store.challenges.add(replace(OFFER, setup=swapped))
    await store.challenges.set_message(timed.id, 77)
    assert await store.challenges.find(timed.id) == replace(timed, message_id=77)
    assert await store.challenges.find(untimed.id) == untimed
    assert (untimed.offer.challenger, untimed.offer.challenged) == (ANA, BEA)
    assert await store.challenges.find(untimed.id + 1) is None


async def test_of_two_rematches_of_a_pair_at_once_one_is_stored(store: Store) -> None:
    """Two people who ask each other for a rematch at the same time have one of them open."""
    mine = replace(OFFER, rematch_of=7)
    theirs = replace(mine, setup=replace(OFFER.setup, started_by=BEA))
    asked = (store.challenges.add(one) for one in (mine, theirs))
    first, second = await asyncio.gather(*asked, return_exceptions=True)
    kept, refused = (first, second) if isinstance(second, RematchOpen) else (second, first)
    assert isinstance(refused, RematchOpen)
    assert refused.present == kept
    # It may follow once the first one has been answered, and other challenges may be open beside.
    await store.challenges.add(OFFER)
    assert not await store.challenges.is_declined(7)
    await store.challenges.answer(kept.id, "declined")
    assert await store.challenges.is_declined(7)
    assert not await store.challenges.is_declined(8)
    await store.challenges.add(theirs)


async def test_a_challenge_is_accepted_once_and_with_its_game(store: Store) -> None:
    """A challenge is accepted once and stored together with its game.

    A second acceptance begins no game.
    """
    challenge = await store.challenges.add(OFFER)
    accepting = store.challenges.acceptance(challenge.id)
    await store.games.add(OPENING, 15.0, accepting=accepting)
    found = await store.challenges.find(challenge.id)
    assert found is not None
    assert found.answer == "accepted"
    with pytest.raises(RequestAnswered):
        await store.games.add(replace(OPENING, channel_id=6), 15.0, accepting=accepting)
    assert len(await store.games.running()) == 1
