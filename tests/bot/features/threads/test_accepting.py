"""Accepted challenges whose channel has a game, on the offline Discord."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from bot.features.threads.store import ThreadRow
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import say_in
from bot.store.records import GameSetup, person
from tests.bot.features.threads.opening import (
    game_in,
    labels,
    newest_thread,
    refuse_threads,
    rows,
)
from tests.bot.present import needs


async def challenge(venue: Any, **options: Any) -> Any:
    """Let Ana challenge Bea where Mod plays; return the challenge."""
    await venue.mod.slash(venue.channel, "gato start", level="easy")
    sent = await venue.ana.slash(venue.channel, "connect4 start", opponent=venue.bea, **options)
    assert not sent.ephemeral
    return sent.response


async def test_an_accepted_challenge_opens_a_thread(venue: Any) -> None:
    """Where the channel has a game, an accepted challenge begins in a thread with both players."""
    venue.speak("es")
    say = say_in("es")
    message = await challenge(venue)
    await venue.bea.click(message, label=say("button.accept"))
    thread = newest_thread(venue.channel)
    versus = say("board.players", first="Ana", second="Bea")
    assert thread.name == f"{versus} · {say('game.connect4')}"
    session = await game_in(venue, thread)
    assert session.people == (venue.ana.id, venue.bea.id)
    assert venue.board(thread).id == session.message_id
    members = venue.env.backend.channels[thread.id].thread_members
    assert {venue.ana.id, venue.bea.id} <= members.keys()
    players = say.all_of(["**Ana**", "**Bea**"])
    link = f"https://discord.com/channels/{venue.env.guild.id}/{thread.id}"
    assert message.message.content == say("apart.accepted", players=players, link=link)
    assert labels(message) == []


async def test_a_free_channel_has_the_board_in_the_challenge(venue: Any) -> None:
    """Once the channel's game is over, the board replaces the challenge, and no thread opens."""
    message = await challenge(venue)
    await venue.resign(venue.mod, family="gato")
    await venue.bea.click(message, label="Accept")
    assert (await game_in(venue, venue.channel)).message_id == message.id
    assert venue.channel.threads == []


@needs("open_challenges")
async def test_whoever_joins_an_open_challenge_plays_in_a_thread(venue: Any) -> None:
    """An open challenge can be posted beside a game; joining it opens a thread."""
    await venue.mod.slash(venue.channel, "gato start", level="easy")
    posted = await venue.ana.slash(venue.channel, "connect4 start", open=True, first="bot")
    assert not posted.ephemeral
    await venue.bea.click(posted.response, label="Join")
    thread = newest_thread(venue.channel)
    assert thread.name == "Bea vs Ana · Connect 4"
    assert (await game_in(venue, thread)).people == (venue.bea.id, venue.ana.id)
    assert posted.response.message.content.startswith("**Bea** and **Ana** play in a thread: ")


async def test_a_refused_game_leaves_no_thread(venue: Any) -> None:
    """Without an interaction, too: if another person was faster, the thread is removed again."""
    place = (venue.channel.id, venue.env.guild.id, "en")
    people = (person(venue.ana.id), person(venue.bea.id))
    setup = GameSetup("connect4", "6x7", *place, *people, venue.ana.id)
    opened = list[int]()

    async def start(channel_id: int) -> Session:
        opened.append(channel_id)
        raise Refusal("challenge_over")

    with pytest.raises(Refusal, match="challenge_over"):
        await venue.app.core.runner.begin_apart(setup, start)
    assert len(opened) == 1
    assert (venue.channel.threads, await rows(venue)) == ([], [])


async def test_without_a_thread_the_challenge_stays_open(venue: Any) -> None:
    """If Discord opens no thread, the challenge stays open and can be accepted later."""
    message = await challenge(venue)
    refuse_threads(venue, 400, 160006, "Maximum number of active threads reached")
    refused = await venue.bea.click(message, label="Accept")
    assert refused.response.ephemeral
    assert refused.response.content.startswith("This server has as many open threads as Discord")
    assert labels(message) == ["Accept", "Decline", *labels(message)[2:]]
    await venue.bea.click(message, label="Accept")
    assert (await game_in(venue, newest_thread(venue.channel))).people[0] == venue.ana.id


@pytest.mark.databases
async def test_a_crash_before_the_board_is_repaired_in_the_thread(venue: Any) -> None:
    """A game in a thread whose board was never posted is shown after a restart."""
    message = await challenge(venue)
    await venue.bea.click(message, label="Accept")
    thread = newest_thread(venue.channel)
    (row,) = await rows(venue)
    session = await game_in(venue, thread)
    store = venue.services.store
    # As a process leaves it that is killed after it has stored the game.
    unnoted = update(ThreadRow).where(ThreadRow.id == row.id)
    await store.database.change(unnoted.values(is_played=0, look_at=row.opened_at))
    await venue.env.bot.http.delete_message(thread.id, session.message_id)
    await venue.restart()
    await venue.let_pass(31.0)
    await venue.ana.slash(thread, "connect4 board")
    assert venue.board(thread).id != session.message_id
    (row,) = await rows(venue)
    assert (row.is_played, row.look_at) == (1, None)
    assert newest_thread(venue.channel).id == thread.id
