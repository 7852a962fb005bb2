"""A server gets its daily puzzle exactly once, whichever step fails."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert, update

from bot.discord.answering import DiscordTime
from bot.discord.names import NameBook
from bot.feature import Services
from bot.features.daily.discord import LATER, PATIENCE, DailyMessages, DailyPoster
from bot.features.daily.store import DailyChannel, DailyPostRow, DailyPosts, DailyTries
from bot.features.puzzles.choice import DAY, puzzle_of_day
from tests.bot.board.test_permissions import forbid
from tests.bot.drills.drilling import Driller
from tests.bot.features.daily.days import (
    at_noon,
    daily_of,
    later,
    messages,
    one_day,
    posted,
    subscribed,
    sweep,
    today,
)
from tests.bot.features.puzzles.solving import solve
from tests.bot.running import run_services

POSTS = "/channels/*/messages"


@pytest.mark.databases
async def test_two_processes_post_once(venue: Any) -> None:
    """Of two processes one posts for each server and day; the other has nothing left to do."""
    at_noon(venue)
    await subscribed(venue)
    async with run_services(venue.services.settings, Random(9), venue.services.clock) as other:
        posters = [poster(venue, one) for one in (venue.services, other, other)]
        for _ in range(2):
            await asyncio.gather(*(one.sweep() for one in posters))
    assert len(messages(venue)) == 1


@pytest.mark.parametrize("arrived", [True, False])
async def test_messages_of_a_killed_process_are_found(venue: Any, arrived: bool) -> None:
    """A message sent by a killed process is found in the channel and kept.

    If missing, it is posted.
    """
    at_noon(venue)
    await subscribed(venue)
    daily, store = poster(venue, venue.services), posts_of(venue)
    (claimed,) = await store.claim_unsent(daily_of(venue.services).now(), 1)
    if arrived:
        await daily._send(claimed)
    # The message does not show her yet, and no later try makes it outdated.
    await solved_by_ana(venue)
    await lapse(venue)
    await later(venue, 3600.0)
    await later(venue, 60.0)
    assert len(messages(venue)) == 1
    assert "**Ana**" in posted(venue).content


async def test_messages_of_unknown_arrival_are_not_sent_again(venue: Any) -> None:
    """If it is unknown whether today's message was sent, it is not sent again.

    Tomorrow's is posted.
    """
    at_noon(venue)
    await subscribed(venue)
    now = daily_of(venue.services).now()
    await posts_of(venue).claim_unsent(now, 1)
    await lapse(venue)
    venue.env.inject_error("GET", POSTS, status=403, code=50013)
    await later(venue, 3600.0)
    assert messages(venue) == []
    await later(venue, DAY)
    assert len(messages(venue)) == 1


async def test_a_refused_message_is_sent_later_on_the_same_day(venue: Any) -> None:
    """A message that Discord refuses is sent again later on the same day, but not on the next."""
    at_noon(venue)
    await subscribed(venue)
    venue.env.inject_error("POST", POSTS, status=400, code=50035, times=2)
    await sweep(venue)
    await later(venue, 60.0)
    assert messages(venue) == []
    await later(venue, LATER)
    assert messages(venue) == []
    await later(venue, LATER)
    assert len(messages(venue)) == 1
    await later(venue, LATER)
    assert len(messages(venue)) == 1


async def test_a_day_that_was_missed_is_not_made_up_for(venue: Any) -> None:
    """After a missed day only the new day's puzzle is posted, from its hour on."""
    at_noon(venue)
    await subscribed(venue)
    venue.services.clock.forward(13 * 3600.0)
    await sweep(venue)
    assert messages(venue) == []
    await later(venue, 11 * 3600.0)
    assert len(messages(venue)) == 1
    assert f".{today(venue)}:" in str([row.to_dict() for row in posted(venue).components])


async def test_a_closed_channel_is_waited_for(venue: Any) -> None:
    """A closed channel gets its message once it opens on that day.

    After two weeks it is given up.
    """
    at_noon(venue)
    await subscribed(venue)
    await forbid(venue, "send_messages")
    await sweep(venue)
    assert messages(venue) == []
    found = await posts_of(venue).channel(venue.env.guild.id)
    assert found.closed_at is not None
    await allow(venue)
    await later(venue, LATER)
    assert len(messages(venue)) == 1
    await forbid(venue, "send_messages")
    await later(venue, DAY)
    await later(venue, PATIENCE + DAY)
    assert await posts_of(venue).channel(venue.env.guild.id) is None
    assert len(messages(venue)) == 1


async def test_a_deleted_channel_gets_no_more_messages(venue: Any) -> None:
    """A deleted channel gets no more messages; a new one named on the same day gets the puzzle."""
    at_noon(venue)
    await subscribed(venue)
    await venue.env.bot.get_channel(venue.channel.id).delete()
    await sweep(venue)
    assert await posts_of(venue).channel(venue.env.guild.id) is None
    await subscribed(venue, venue.other_channel)
    await later(venue, LATER)
    assert len(messages(venue, venue.other_channel)) == 1


async def test_a_deleted_message_stays_deleted(venue: Any) -> None:
    """A deleted message is not replaced; people who solve the puzzle meanwhile learn of it."""
    at_noon(venue)
    await subscribed(venue)
    await sweep(venue)
    message = posted(venue)
    await venue.env.bot.get_channel(venue.channel.id).get_partial_message(message.id).delete()
    await venue.ana.slash(venue.channel, "daily", game="connect4")
    await solve(Driller(venue, venue.ana), puzzle_of_day("connect4", today(venue)))
    for _ in range(3):
        await later(venue, LATER)
    assert messages(venue) == []


async def test_an_edit_that_fails_is_made_later(venue: Any) -> None:
    """A failed edit of the list of solvers is made later."""
    at_noon(venue)
    await subscribed(venue)
    await sweep(venue)
    await solved_by_ana(venue)
    venue.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=30046)
    await later(venue, 60.0)
    assert "Ana" not in posted(venue).content
    await later(venue, LATER)
    assert "**Ana**" in posted(venue).content
    edits = len(venue.edits())
    await later(venue, LATER)
    assert len(venue.edits()) == edits


async def test_a_process_that_hands_over_posts_nothing(venue: Any) -> None:
    """A process that hands over posts nothing; its successor does."""
    at_noon(venue)
    await subscribed(venue)
    ownership = venue.services.ownership
    ownership.owner = replace(ownership.owner, takes=False)
    await sweep(venue)
    assert messages(venue) == []
    ownership.owner = replace(ownership.owner, takes=True)
    await sweep(venue)
    assert len(messages(venue)) == 1


async def test_a_damaged_puzzle_message_does_not_keep_others_from_being_posted(venue: Any) -> None:
    """A damaged message row does not keep other servers from getting their puzzles."""
    at_noon(venue)
    await subscribed(venue)
    at, other = venue.services.clock(), 555
    await posts_of(venue).subscribe(
        DailyChannel(other, venue.other_channel.id, "connect4", "en", 12, at)
    )
    damaged = {
        "guild_id": other, "day": today(venue), "family": "connect4", "puzzle": "none",
        "locale": "en", "channel_id": venue.other_channel.id, "look_at": 0.0,
    }  # fmt: skip
    async with venue.services.store.database.writing() as connection:
        await connection.execute(insert(DailyPostRow), damaged)
    await sweep(venue)
    assert len(messages(venue)) == 1


def posts_of(venue: Any) -> DailyPosts:
    """The post repository of a venue."""
    return DailyPosts(venue.services.store.database)


def poster(venue: Any, services: Services) -> DailyPoster:
    """A poster as in another process."""
    database, names = services.store.database, NameBook(venue.client)
    texts = DailyMessages(DailyTries(database), services.workers, names, services.store.preferences)
    return DailyPoster(
        venue.client,
        DailyPosts(database),
        services.ownership,
        daily_of(services),
        texts,
        DiscordTime(),
    )


async def solved_by_ana(venue: Any) -> None:
    """Store that Ana solves today's puzzle on the server."""
    await one_day(venue.services.store, venue.ana.id, today(venue), venue.env.guild.id)


async def lapse(venue: Any) -> None:
    """Kill the process that claimed a message, and let its lease expire."""
    lapsed = update(DailyPostRow).values(busy_until=0.0)
    await venue.services.store.database.change(lapsed)


async def allow(venue: Any) -> None:
    """Restore the bot's permissions."""
    found = venue.env.bot.get_channel(venue.channel.id)
    await found.set_permissions(found.guild.me, overwrite=None)
