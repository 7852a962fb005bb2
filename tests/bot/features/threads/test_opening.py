"""Games that begin in a thread because their channel has one, on the offline Discord."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.i18n import say_in
from tests.bot.features.threads.opening import (
    game_in,
    labels,
    newest_thread,
    open_thread,
    rows,
)


async def start(actor: Any, channel: Any, family: str = "connect4", **options: Any) -> Any:
    """Start a game against the easy level, or with other options."""
    return await actor.slash(channel, f"{family} start", **(options or {"level": "easy"}))


async def test_the_same_game_begins_in_a_thread(venue: Any) -> None:
    """Open a thread begins the game that was asked for, in a new thread; the answer leads there."""
    venue.speak("es")
    say = say_in("es")
    await start(venue.bea, venue.channel)
    refused = await start(venue.ana, venue.channel, "gato", level="hard", first="bot")
    assert refused.ephemeral
    assert labels(refused.response) == [say("button.apart")]
    await open_thread(venue.ana, refused, "es")
    thread = newest_thread(venue.channel)
    session = await game_in(venue, thread)
    assert (session.game.key, session.seats[0].agent) == ("gato", "hard")
    assert session.people == (venue.ana.id,)
    assert f"**Cuatro** (X, {say('level.hard')})" in venue.board(thread).content
    link = f"https://discord.com/channels/{venue.env.guild.id}/{thread.id}"
    assert refused.response.message.content == say("apart.begun", link=link)
    assert labels(refused.response) == []
    assert (await game_in(venue, venue.channel)).people == (venue.bea.id,)


async def test_a_thread_is_named_after_its_game_and_has_its_player(venue: Any) -> None:
    """A thread's name says who plays what; it stays open for a week, and the player is in it."""
    await start(venue.bea, venue.channel)
    await open_thread(venue.ana, await start(venue.ana, venue.channel, size="5x4"))
    thread = venue.env.backend.channels[newest_thread(venue.channel).id]
    assert thread.name == "Ana vs Cuatro · Connect 4 · 5x4"
    assert thread.type == discord.ChannelType.public_thread.value
    assert thread.thread_metadata.auto_archive_duration == 7 * 24 * 60
    assert venue.ana.id in thread.thread_members
    (row,) = await rows(venue)
    assert (row.thread_id, row.is_played, row.look_at) == (thread.id, 1, None)


async def test_the_game_in_a_thread_is_played_there(venue: Any) -> None:
    """Moves, the end and a rematch take place in the thread, also after a restart."""
    await start(venue.bea, venue.channel)
    await open_thread(venue.ana, await start(venue.ana, venue.channel))
    thread = newest_thread(venue.channel)
    await venue.restart()
    await venue.ana.click(venue.board(thread), label="4")
    assert len((await game_in(venue, thread)).moves) == 2
    await venue.resign(venue.ana, thread)
    assert await game_in(venue, thread) is None
    await venue.ana.click(venue.board(thread), label="Rematch")
    assert (await game_in(venue, thread)).people == (venue.ana.id,)


async def test_games_in_threads_are_listed_with_links(venue: Any) -> None:
    """`/games` leads to a game in a thread like to any other."""
    await start(venue.bea, venue.channel)
    await open_thread(venue.ana, await start(venue.ana, venue.channel))
    listed = await venue.ana.slash(venue.other_channel, "games")
    assert venue.board(newest_thread(venue.channel)).jump_url in listed.response.content


@pytest.mark.parametrize("kind", ["play", "rematch", "watch"])
async def test_every_way_to_begin_a_game_leads_to_a_thread(venue: Any, kind: str) -> None:
    """Play, a rematch and a game to watch can begin in a thread."""
    if kind == "rematch":
        await start(venue.ana, venue.channel)
        await venue.resign(venue.ana)
        old = venue.board()
    await start(venue.bea, venue.channel)
    if kind == "rematch":
        refused = await venue.ana.click(old, label="Rematch")
    elif kind == "watch":
        options = {"first": "easy", "second": "medium"}
        refused = await venue.ana.slash(venue.channel, "lab watch", **options)
    else:
        helped = await venue.ana.slash(venue.channel, "help")
        refused = await venue.ana.click(helped.response, label="Play")
    await open_thread(venue.ana, refused)
    assert await game_in(venue, newest_thread(venue.channel)) is not None


async def test_one_press_opens_one_thread(venue: Any) -> None:
    """Pressing twice opens one thread and begins one game."""
    await start(venue.bea, venue.channel)
    refused = await start(venue.ana, venue.channel)
    custom_id = refused.response.message.components[0].children[0].custom_id
    await open_thread(venue.ana, refused)
    assert custom_id.startswith("cuatro:retry:apart:run:")
    assert len(venue.channel.threads) == len(await rows(venue)) == 1


async def test_people_with_too_many_games_open_no_thread(venue: Any) -> None:
    """A person who may begin no other game reads so, and no thread is opened."""
    await start(venue.bea, venue.channel)
    refused = await start(venue.ana, venue.channel)
    for number in range(5):
        await start(venue.ana, venue.env.guild.create_text_channel(f"channel-{number}"))
    again = await open_thread(venue.ana, refused)
    assert again.response.content.startswith("You have 5 games going.")
    assert venue.channel.threads == []


async def test_where_threads_are_impossible_nothing_is_offered(venue: Any) -> None:
    """In threads, direct messages, voice and announcement channels the refusal has no button."""
    guild = venue.env.guild
    for channel in (guild.create_voice_channel("voice"), guild.create_news_channel("news")):
        await start(venue.bea, channel)
        refused = await start(venue.ana, channel)
        assert refused.response.content.startswith("This channel has a game")
        assert labels(refused.response) == []
    await start(venue.bea, venue.channel)
    await open_thread(venue.ana, await start(venue.ana, venue.channel))
    refused = await start(venue.bea, newest_thread(venue.channel))
    assert refused.response.content.startswith("This channel has a game")
    assert labels(refused.response) == []
    user = venue.ana.user
    await user.send_dm("hello")
    await user.slash("connect4 start", level="easy")
    refused = await user.slash("connect4 start", level="easy")
    assert refused.response.content.startswith("You're already playing here")
    assert labels(refused.response) == []
