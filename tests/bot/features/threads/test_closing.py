"""The end of threads on the offline Discord: the result, archiving, and repairs."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.threads.discord import ThreadHandler
from bot.features.threads.rules import KEPT, MAX_ATTEMPTS, REPAIR_AFTER, Threads
from bot.features.threads.store import QUIET, ThreadStore, forget_guild, guilds_query
from bot.i18n import say_in
from tests.bot.features.threads.opening import (
    game_in,
    is_archived,
    newest_thread,
    open_thread,
    rows,
)
from tests.bot.present import needs


async def in_thread(venue: Any, actor: Any = None, **options: Any) -> Any:
    """Begin a game in a thread, since Bea plays in the channel; return the thread."""
    if await game_in(venue, venue.channel) is None:
        await venue.bea.slash(venue.channel, "gato start", level="easy")
    actor, options = actor or venue.ana, options or {"level": "easy"}
    await open_thread(actor, await actor.slash(venue.channel, "connect4 start", **options))
    return newest_thread(venue.channel)


async def people_in_thread(venue: Any, **options: Any) -> Any:
    """Begin a game between Ana and Mod in a thread; return the thread."""
    await venue.bea.slash(venue.channel, "gato start", level="easy")
    sent = await venue.ana.slash(venue.channel, "connect4 start", opponent=venue.mod, **options)
    await venue.mod.click(sent.response, custom_id=_first_id(sent.response))
    return newest_thread(venue.channel)


def _first_id(message: Any) -> str:
    return str(message.message.components[0].children[0].custom_id)


async def play(venue: Any, thread: Any, moves: str) -> None:
    """Make moves, each by the player to move, without showing them."""
    for move in moves:
        mover = (await game_in(venue, thread)).mover.user_id
        await venue.services.sessions.play(thread.id, mover, move)


def renames(venue: Any, thread: Any) -> list[str]:
    """The names that a thread was given."""
    return [
        one.json["name"]
        for one in venue.env.http_requests
        if one.method == "PATCH" and one.path == f"/channels/{thread.id}" and "name" in one.json
    ]


@pytest.mark.databases
async def test_a_thread_gets_the_result_and_is_archived(venue: Any) -> None:
    """Five minutes after the end the name has the result, and the thread is archived."""
    venue.speak("es")
    say = say_in("es")
    thread = await people_in_thread(venue)
    await play(venue, thread, "1212")
    await venue.resign(venue.mod, thread)
    await venue.let_pass(QUIET - 31.0)
    assert not is_archived(venue, thread)
    assert renames(venue, thread) == []
    await venue.let_pass(31.0)
    assert is_archived(venue, thread)
    versus = say("board.players", first="Ana", second="Mod")
    won = say("thread.won", name="Ana")
    assert renames(venue, thread) == [f"{versus} · {say('game.connect4')} · {won}"]
    await venue.let_pass(3600.0)
    assert len(renames(venue, thread)) == 1


async def test_a_thread_stays_open_while_a_game_runs(venue: Any) -> None:
    """A thread with a rematch is neither renamed nor archived; a reopened one is archived again."""
    thread = await in_thread(venue)
    await venue.resign(venue.ana, thread)
    await venue.ana.click(venue.board(thread), label="Rematch")
    await venue.let_pass(QUIET + 31.0)
    assert (renames(venue, thread), is_archived(venue, thread)) == ([], False)
    assert (await rows(venue))[0].look_at is None
    await venue.resign(venue.ana, thread)
    await venue.let_pass(QUIET + 31.0)
    assert renames(venue, thread) == ["Cuatro vs Ana · Connect 4 · stopped"]
    assert is_archived(venue, thread)
    await venue.env.bot.http.edit_channel(thread.id, archived=False)
    await venue.ana.slash(thread, "connect4 start", level="easy")
    await venue.let_pass(QUIET + 31.0)
    assert not is_archived(venue, thread)
    await venue.resign(venue.ana, thread)
    await venue.let_pass(QUIET + 31.0)
    assert is_archived(venue, thread)


async def test_attempts_to_archive_are_bounded(venue: Any) -> None:
    """A thread that Discord does not let the bot change is given up after some attempts."""
    thread = await in_thread(venue)
    await venue.resign(venue.ana, thread)
    refused = {"status": 403, "code": 50013, "message": "Missing Permissions"}
    venue.env.inject_error("PATCH", f"/channels/{thread.id}", **refused, times=None)
    for _ in range(MAX_ATTEMPTS):
        await venue.let_pass(3 * 3600.0)
    (row,) = await rows(venue)
    assert (row.look_at, row.attempts) == (None, MAX_ATTEMPTS)
    assert not is_archived(venue, thread)
    tried = len([one for one in venue.env.http_requests if one.path == f"/channels/{thread.id}"])
    assert tried == MAX_ATTEMPTS


async def test_nothing_is_kept_of_a_deleted_thread(venue: Any) -> None:
    """A thread that was deleted after its game is forgotten."""
    thread = await in_thread(venue)
    await venue.resign(venue.ana, thread)
    await venue.env.bot.http.delete_channel(thread.id)
    await venue.let_pass(QUIET + 31.0)
    assert await rows(venue) == []


async def test_a_thread_without_a_game_is_removed(venue: Any) -> None:
    """What a process leaves that is killed between the thread and its game is removed.

    A thread that the bot may not delete is archived.
    """
    handler, channel = threads_of(venue), venue.env.bot.get_channel(venue.channel.id)
    opened = []
    for name in ("removed", "archived"):
        id = await handler.threads.begin(venue.env.guild.id, channel.id)
        thread = await channel.create_thread(name=name, type=discord.ChannelType.public_thread)
        await handler.threads.opened(id, thread.id)
        opened.append(thread)
    refused = {"status": 403, "code": 50013, "message": "Missing Permissions"}
    venue.env.inject_error("DELETE", f"/channels/{opened[1].id}", **refused, times=1)
    await venue.let_pass(31.0)
    assert len(venue.channel.threads) == 2
    await venue.let_pass(REPAIR_AFTER)
    assert opened[0].id not in venue.env.backend.channels
    assert is_archived(venue, opened[1])
    assert await rows(venue) == []


@pytest.mark.databases
async def test_a_thread_that_was_not_noted_is_found(venue: Any) -> None:
    """What a process leaves that is killed before it notes the thread is found and removed."""
    handler, channel = threads_of(venue), venue.env.bot.get_channel(venue.channel.id)
    kept = await in_thread(venue)
    await handler.threads.begin(venue.env.guild.id, channel.id)
    await channel.create_thread(name="a", type=discord.ChannelType.public_thread)
    # One without a thread is forgotten.
    await handler.threads.begin(venue.env.guild.id, venue.other_channel.id)
    await venue.let_pass(REPAIR_AFTER + 31.0)
    assert [one.id for one in venue.channel.threads] == [kept.id]
    assert [one.thread_id for one in await rows(venue)] == [kept.id]


@pytest.mark.databases
async def test_rows_expire_and_belong_to_their_server(venue: Any) -> None:
    """Rows are deleted thirty days after the thread was archived, and with their server's data."""
    first = await in_thread(venue)
    await venue.resign(venue.ana, first)
    await venue.let_pass(QUIET + 31.0)
    await venue.let_pass(KEPT + 3600.0)
    assert await rows(venue) == []
    await in_thread(venue)
    database = venue.services.store.database
    assert [row.guild_id for row in await database.fetch(guilds_query())] == [venue.env.guild.id]
    async with database.writing() as connection:
        await forget_guild(connection, venue.env.guild.id)
    assert await rows(venue) == []


def threads_of(venue: Any) -> ThreadHandler:
    """The handler of threads of the present client."""
    services = venue.services
    stored = ThreadStore(services.store.database)
    return ThreadHandler(venue.app.core, Threads(stored, services.clock))


@needs("matches")
async def test_a_thread_stays_open_while_a_match_waits(venue: Any) -> None:
    """The thread of a match is archived once that is over, and the board that says so is in it."""
    thread = await people_in_thread(venue, match=2)
    await play(venue, thread, "1212121")
    await venue.let_pass(QUIET + 120.0)
    assert not is_archived(venue, thread)
    for seconds in (30 * 60.0, 120.0):
        await venue.let_pass(seconds)
    assert is_archived(venue, thread)
    assert "The match ended after 1 of 2 games" in venue.board(thread).content
