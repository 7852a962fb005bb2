"""Faults of threads: what people read, and that the game goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.features.threads.rules import PATIENCE
from bot.i18n import say_in
from tests.bot.board.test_permissions import forbid
from tests.bot.features.threads.opening import (
    game_in,
    labels,
    newest_thread,
    open_thread,
    rows,
)

Make = Callable[[Any], Any]


def fails(method: str, path: str, status: int, code: int, times: int | None = 1) -> Make:
    """A fault of requests of the bot."""

    async def make(venue: Any) -> None:
        fault = {"status": status, "code": code, "message": "refused", "times": times}
        venue.env.inject_error(method, path, **fault)

    return make


async def forbidden(venue: Any) -> None:
    """Take the permission to create threads from the bot."""
    await forbid(venue, "create_public_threads")


THREADS, MESSAGES = "/channels/*/threads", "/channels/*/messages"

UNOPENED: dict[str, tuple[Make, str]] = {
    "permission missing": (forbidden, "thread_permission"),
    "permission just taken": (fails("POST", THREADS, 403, 50013), "thread_permission"),
    "another refusal": (fails("POST", THREADS, 400, 0), "thread_unopened"),
}
"""Faults with which no thread is opened, and the refusals."""

UNSHOWN: dict[str, tuple[Make, str, dict[str, str]]] = {
    "may not write there": (
        fails("POST", MESSAGES, 403, 50013),
        "board.closed",
        {"missing": "permission.send_messages_in_threads"},
    ),
    "archived at once": (fails("POST", MESSAGES, 400, 50083), "board.locked", {}),
}
"""Faults with which the board of a game in a new thread cannot be shown, and what is said."""


def said(result: Any) -> str:
    """The last private answer to a press."""
    found = [one for one in (result.response, *result.followups) if one is not None]
    return str([one.content for one in found if one.ephemeral][-1])


async def offered(venue: Any, kind: str) -> tuple[Any, str]:
    """A message whose button begins a game in a thread, and the id of that button."""
    await venue.mod.slash(venue.channel, "gato start", level="easy")
    if kind == "asked":
        refused = await venue.ana.slash(venue.channel, "connect4 start", level="easy")
        message = refused.response.message
    else:
        sent = await venue.bea.slash(venue.channel, "connect4 start", opponent=venue.ana)
        message = sent.response.message
    return message, message.components[0].children[0].custom_id


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("permission missing", "accepted"),
        ("permission just taken", "asked"),
        ("another refusal", "accepted"),
    ],
)
async def test_without_a_thread_nothing_has_changed(venue: Any, fault: str, kind: str) -> None:
    """If no thread is opened, the player reads why; the offer stays, and later it works."""
    message, custom_id = await offered(venue, kind)
    make, key = UNOPENED[fault]
    await make(venue)
    text = said(await venue.ana.click(message, custom_id=custom_id))
    named = say_in("en")("permission.create_public_threads")
    assert text == say_in("en")(f"refusal.{key}", missing=named)
    (running,) = await venue.services.store.games.running()
    assert running.setup.people == (venue.mod.id,)
    assert (venue.channel.threads, await rows(venue)) == ([], [])
    channel = venue.env.bot.get_channel(venue.channel.id)
    await channel.set_permissions(channel.guild.me, create_public_threads=True)
    await venue.ana.click(message, custom_id=custom_id)
    assert venue.ana.id in (await game_in(venue, newest_thread(venue.channel))).people


@pytest.mark.parametrize(
    ("fault", "kind"), [("may not write there", "asked"), ("archived at once", "accepted")]
)
async def test_a_game_whose_board_is_not_shown_goes_on(venue: Any, fault: str, kind: str) -> None:
    """If the board cannot be posted in the new thread, the player reads why; it follows later."""
    message, custom_id = await offered(venue, kind)
    make, key, fields = UNSHOWN[fault]
    await make(venue)
    pressed = await venue.ana.click(message, custom_id=custom_id)
    say, thread = say_in("en"), newest_thread(venue.channel)
    values = {name: say(text) for name, text in fields.items()}
    assert said(pressed) == say(key, **values)
    assert (await game_in(venue, thread)).people
    await venue.let_pass(31.0)
    assert venue.board(thread).id == (await game_in(venue, thread)).message_id


async def in_thread(venue: Any) -> Any:
    """Begin a game of Ana's in a thread; return the thread."""
    await venue.mod.slash(venue.channel, "gato start", level="easy")
    await open_thread(
        venue.ana, await venue.ana.slash(venue.channel, "connect4 start", level="easy")
    )
    return newest_thread(venue.channel)


async def test_a_new_board_reopens_an_archived_thread(venue: Any) -> None:
    """In an archived thread no message can be edited, so the board is posted again."""
    thread = await in_thread(venue)
    old = venue.board(thread)
    await fails("PATCH", f"/channels/{thread.id}/messages/*", 400, 50083)(venue)
    await venue.ana.click(old, label="4")
    assert venue.board(thread).id != old.id
    assert len((await game_in(venue, thread)).moves) == 2
    await venue.ana.click(venue.board(thread), label="4")
    assert len((await game_in(venue, thread)).moves) == 4


async def test_moves_are_kept_in_a_thread_that_stays_closed(venue: Any) -> None:
    """Where the bot may not reopen a thread, moves are made, and the player reads who can."""
    thread = await in_thread(venue)
    for method, path in (("PATCH", "/messages/*"), ("POST", "/messages")):
        await fails(method, f"/channels/{thread.id}{path}", 400, 50083, times=None)(venue)
    venue.speak("es")
    pressed = await venue.ana.click(venue.board(thread), label="4")
    assert said(pressed) == say_in("es")("board.locked")
    assert len((await game_in(venue, thread)).moves) == 2
    venue.env.backend.faults.clear()
    await venue.ana.click(venue.board(thread), label="4")
    session = await game_in(venue, thread)
    assert len(session.moves) == 4
    assert session.message_id == venue.board(thread).id


async def test_a_game_goes_on_after_its_thread_was_deleted(venue: Any) -> None:
    """Its people are notified in the channel; a press by one of them opens another thread."""
    venue.speak("es")
    say, thread = say_in("es"), None
    await venue.mod.slash(venue.channel, "gato start", level="easy")
    sent = await venue.ana.slash(venue.channel, "connect4 start", opponent=venue.bea)
    await venue.bea.click(sent.response, label=say("button.accept"))
    thread = newest_thread(venue.channel)
    await venue.ana.click(venue.board(thread), label="4")
    await venue.env.bot.http.delete_channel(thread.id)
    await venue.let_pass(31.0)
    offers = [one for one in venue.channel.history() if labels(one) == [say("button.apart")]]
    players = say.all_of([f"<@{venue.ana.id}>", f"<@{venue.bea.id}>"])
    assert [one.content for one in offers] == [say("thread.gone", players=players)]
    other = await venue.mod.click(offers[0], label=say("button.apart"))
    assert other.ephemeral
    assert len((await game_in(venue, thread)).moves) == 1
    await venue.bea.click(offers[0], label=say("button.apart"))
    another = newest_thread(venue.channel)
    session = await game_in(venue, another)
    assert (len(session.moves), session.people) == (1, (venue.ana.id, venue.bea.id))
    assert session.message_id == venue.board(another).id
    assert await game_in(venue, thread) is None
    await venue.bea.click(venue.board(another), label="4")
    assert len((await game_in(venue, another)).moves) == 2
    link = f"https://discord.com/channels/{venue.env.guild.id}/{another.id}"
    players = say.all_of(["**Ana**", "**Bea**"])
    shown = [one.content for one in venue.channel.history() if one.id == offers[0].id]
    assert shown == [say("apart.accepted", players=players, link=link)]


def told(venue: Any) -> list[Any]:
    """The messages in the channel that offer another thread."""
    return [one for one in venue.channel.history() if labels(one) == ["Open a thread"]]


@pytest.mark.databases
async def test_the_clock_stands_still_until_a_game_has_moved(venue: Any) -> None:
    """No player loses on time where there is no thread; `/games` links its channel and goes on."""
    await venue.mod.slash(venue.channel, "gato start", level="easy")
    challenge = {"opponent": venue.bea, "clock": "5m"}
    sent = await venue.ana.slash(venue.channel, "connect4 start", **challenge)
    await venue.bea.click(sent.response, label="Accept")
    thread = newest_thread(venue.channel)
    await venue.ana.click(venue.board(thread), label="4")
    venue.services.clock.forward(100.0)
    await venue.env.bot.http.delete_channel(thread.id)
    await venue.env.settle()
    await venue.restart(1200.0)
    await venue.app.timeouts.check()
    assert (await game_in(venue, thread)).is_held
    listed = await venue.bea.slash(venue.channel, "games")
    lines = listed.response.content.splitlines()
    assert lines[1].endswith(f"/{venue.env.guild.id}/{venue.channel.id}")
    assert lines[2].startswith("The thread of your game is gone")
    await venue.bea.click(listed.response, label="Open a thread")
    session = await game_in(venue, newest_thread(venue.channel))
    assert not session.is_held
    assert session.countdown.deadline - venue.services.clock() == pytest.approx(200.0, abs=10.0)
    assert "Bea's turn" in venue.board(newest_thread(venue.channel)).content


async def test_a_game_that_nobody_moves_ends(venue: Any) -> None:
    """A week after its thread was deleted, a game ends as if the channel were gone too."""
    thread = await in_thread(venue)
    await venue.env.bot.http.delete_channel(thread.id)
    await venue.let_pass(31.0)
    venue.services.clock.forward(PATIENCE - 120.0)
    await venue.let_pass(31.0)
    assert await game_in(venue, thread) is not None
    await venue.let_pass(90.0)
    assert await game_in(venue, thread) is None
    (listed,) = (await venue.ana.slash(venue.channel, "games")).response.content.splitlines()
    assert listed.startswith("You have no running games.")


async def test_a_thread_that_was_deleted_unnoticed_is_missed(venue: Any) -> None:
    """If a thread was deleted while no process ran, its people are notified at the next start."""
    thread, backend = await in_thread(venue), venue.env.backend
    backend.get_guild(venue.env.guild.id).thread_ids.remove(thread.id)
    del backend.channels[thread.id]
    await venue.restart()
    await venue.let_pass(31.0)
    (message,) = told(venue)
    await venue.ana.click(message, label="Open a thread")
    assert (await game_in(venue, newest_thread(venue.channel))).people == (venue.ana.id,)


async def test_people_are_told_once_the_bot_may_write(venue: Any) -> None:
    """If the bot may not write in the channel, its people read later that a thread is gone."""
    thread = await in_thread(venue)
    await fails("POST", f"/channels/{venue.channel.id}/messages", 403, 50013)(venue)
    await venue.env.bot.http.delete_channel(thread.id)
    await venue.env.settle()
    assert told(venue) == []
    for _ in range(3):
        await venue.let_pass(61.0)
    assert len(told(venue)) == 1
    assert await game_in(venue, thread) is not None


async def test_without_its_channel_the_game_ends(venue: Any) -> None:
    """If the channel of a thread is gone as well, the game cannot go on."""
    thread = await in_thread(venue)
    await fails("POST", f"/channels/{venue.channel.id}/messages", 404, 10003)(venue)
    await venue.env.bot.http.delete_channel(thread.id)
    await venue.env.settle()
    assert await game_in(venue, thread) is None


async def test_a_game_against_cuatro_survives_too(venue: Any) -> None:
    """A thread deleted before its board was posted, with a restart in between, loses no game."""
    await venue.mod.slash(venue.channel, "gato start", level="easy")
    refused = await venue.ana.slash(venue.channel, "connect4 start", level="easy", first="bot")
    await fails("POST", MESSAGES, 404, 10003)(venue)
    await open_thread(venue.ana, refused)
    thread = newest_thread(venue.channel)
    await venue.env.bot.http.delete_channel(thread.id)
    await venue.restart()
    await venue.ana.click(told(venue)[-1], label="Open a thread")
    session = await game_in(venue, newest_thread(venue.channel))
    assert session.people == (venue.ana.id,)
    assert len(session.moves) == 1
