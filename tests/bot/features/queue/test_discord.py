"""The queue on the offline Discord: asking for an opponent, leaving, the question and the game."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.queue.rules import ANSWER_SECONDS, GameChannel, Queue
from bot.features.queue.store import PAIRED, QueueStore
from bot.i18n import say_in
from tests.bot.discord.stage import Stage
from tests.bot.features.queue.waiting import control, find, places, press
from tests.bot.present import needs
from tests.builders import until


def sent(venue: Any, channel: Any = None) -> list[dict[str, Any]]:
    """The bodies of all messages sent to a channel so far, the oldest first."""
    path = f"/channels/{(channel or venue.channel).id}/messages"
    requests = venue.env.http_requests
    return [one.json for one in requests if one.method == "POST" and one.path == path]


def texts(channel: Any) -> list[str]:
    """What the public messages of a channel say now."""
    return [one.content for one in channel.history() if not one.flags.ephemeral]


async def game_of(venue: Any, actor: Any) -> Any:
    """A person's running game against another person, if there is one."""
    running = await venue.services.sessions.games.running_of(actor.id)
    return next((session for session in running if len(session.people) > 1), None)


def channel_of(venue: Any, session: Any) -> Any:
    """The channel or thread of a game."""
    channels = (venue.channel, venue.other_channel)
    found = (*channels, *(thread for channel in channels for thread in channel.threads))
    return next(one for one in found if one.id == session.channel_id)


async def forbid_threads(venue: Any) -> None:
    """Take the permission to open threads from the bot."""
    for handle in (venue.channel, venue.other_channel):
        channel = venue.env.bot.get_channel(handle.id)
        await channel.set_permissions(channel.guild.me, create_public_threads=False)


async def answers(venue: Any, *actors: Any) -> list[str | None]:
    """How the latest places of people have ended; None for those that wait."""
    return [(await places(venue.services.store, actor.id))[-1].answer for actor in actors]


async def test_two_people_meet_by_buttons_only(venue: Any) -> None:
    """The second one who asks plays the first: both are pinged once, and no one else."""
    venue.speak("es")
    say = say_in("es")
    waiting = await find(venue.ana, venue.channel)
    assert say("queue.waiting", game="{}", until="{}").split("{}")[0] in waiting.response.content
    assert await game_of(venue, venue.ana) is None
    await find(venue.bea, venue.other_channel)
    session = await game_of(venue, venue.ana)
    assert {*session.people} == {venue.ana.id, venue.bea.id}
    where = channel_of(venue, session)
    board = venue.board(where)
    assert board.id == await venue.services.store.boards.message_of(session.id)
    (ping,) = [one for one in sent(venue, where) if one["allowed_mentions"].get("users")]
    assert {*ping["allowed_mentions"]["users"]} == {*session.people}
    assert not ping["allowed_mentions"]["parse"]
    assert board.jump_url in ping["content"]
    assert ping["content"] in texts(where)
    stage = Stage(venue, "connect4", where)
    await stage.play(await stage.mover())
    assert ping["content"] not in texts(where)
    assert await answers(venue, venue.ana, venue.bea) == [PAIRED, PAIRED]
    # A press on what remains of the private message changes nothing.
    late = await press(venue.ana, waiting.response, "leave")
    assert late.response.content == say("refusal.queue_over")


async def test_wishes_can_be_changed_while_waiting(venue: Any) -> None:
    """Game, size and time can be changed in the private message; people who fit then play."""
    waiting = (await find(venue.ana, venue.channel)).response
    for name, choice in (("game", "gato"), ("game", "connect4"), ("size", "5x4"), ("time", "30s")):
        await venue.ana.select(waiting, [choice], custom_id=control(waiting, name))
    assert "**Connect 4** · 5x4" in waiting.content
    theirs = (await find(venue.bea, venue.channel)).response
    await venue.bea.select(theirs, ["any"], custom_id=control(theirs, "time"))
    assert await game_of(venue, venue.ana) is None
    await venue.bea.select(theirs, ["any"], custom_id=control(theirs, "size"))
    setup = (await game_of(venue, venue.ana)).setup
    assert (setup.variant, setup.clock.seconds, setup.balanced) == ("5x4", 30.0, True)


async def test_leaving_is_one_press(venue: Any) -> None:
    """A person who leaves is not paired; asking again while waiting keeps the present place."""
    waiting = await find(venue.ana, venue.channel)
    again = await find(venue.ana, venue.other_channel)
    assert control(again.response, "leave") == control(waiting.response, "leave")
    await venue.restart()
    listed = await venue.ana.slash(venue.channel, "games")
    assert "You're looking for an opponent: **Connect 4**." in listed.response.content
    assert control(listed.response, "leave") == control(waiting.response, "leave")
    left = await press(venue.ana, waiting.response, "leave")
    assert left.response.content == "You're not looking any more."
    await find(venue.bea, venue.channel)
    await venue.let_pass(31.0)
    assert await game_of(venue, venue.ana) is None
    await press(venue.ana, left.response, "find")
    assert await game_of(venue, venue.ana) is not None


async def test_the_greeting_a_form_and_the_end_of_a_game_lead_to_the_queue(venue: Any) -> None:
    """The greeting, the form for a friend, and a finished game between people have the button."""
    venue.env.bot.dispatch("guild_join", venue.env.bot.get_guild(venue.env.guild.id))
    await until(venue.channel.history)
    greeting = venue.channel.history()[0]
    await press(venue.ana, greeting, "find")
    form = await venue.bea.context_menu(venue.channel, "Challenge to Connect 4", venue.ana)
    await press(venue.bea, form.response, "find")
    stage = Stage(venue, "connect4", channel_of(venue, await game_of(venue, venue.ana)))
    for _ in range(4):
        await stage.play(await stage.mover())
    await stage.resign(venue.bea)
    again = await press(venue.mod, stage.board(), "find")
    assert "**Connect 4** with you" in again.response.content
    await venue.services.ratings._queue.drained(60)


async def forbid(venue: Any, actor: Any, channel: Any, permission: str, allowed: bool) -> None:
    """Forbid a person something in a channel, or allow it again."""
    found = venue.env.bot.get_channel(channel.id)
    member = await found.guild.fetch_member(actor.id)
    await found.set_permissions(member, **{permission: allowed})


@pytest.mark.parametrize("permission", ["view_channel", "send_messages"])
async def test_nobody_is_paired_where_they_cannot_view_and_write(
    venue: Any, permission: str
) -> None:
    """Without a channel in which both can view and write they wait; with one they play there."""
    here, there = venue.channel, venue.other_channel
    await forbid(venue, venue.bea, here, permission, False)
    await forbid(venue, venue.ana, there, permission, False)
    await find(venue.ana, here)
    await find(venue.bea, there)
    assert not sent(venue, here)
    assert not sent(venue, there)
    await forbid(venue, venue.ana, there, permission, True)
    await venue.let_pass(61.0)
    where = channel_of(venue, await game_of(venue, venue.ana))
    assert where.id in {there.id, *(thread.id for thread in there.threads)}


@pytest.mark.parametrize("reason", ["taken", "closed"])
async def test_without_threads_a_game_begins_in_a_free_channel(venue: Any, reason: str) -> None:
    """The channel of the first person is not used if it has a game, or if games belong elsewhere.

    Once the other one has a game as well, people wait.
    """
    await forbid_threads(venue)
    await find(venue.ana, venue.channel)
    if reason == "taken":
        await Stage(venue, "gato", venue.channel).begins(venue.mod)
    else:
        server = venue.services.store.servers
        await server.set(venue.env.guild.id, games_channel_id=venue.other_channel.id)
    await find(venue.bea, venue.other_channel)
    session = await game_of(venue, venue.ana)
    assert {*session.people} == {venue.ana.id, venue.bea.id}
    assert session.channel_id == venue.other_channel.id
    await find(venue.mod, venue.other_channel)
    await find(venue.bea, venue.other_channel)
    await venue.let_pass(31.0)
    assert await answers(venue, venue.mod, venue.bea) == [None, None]


@needs("threads")
async def test_games_open_in_threads(venue: Any) -> None:
    """Each game has a thread, also beside another game; who cannot write there plays above.

    If Discord opens no thread, the game begins in the channel.
    """
    (await Stage(venue, "gato", venue.channel).begins(venue.mod))
    await find(venue.ana, venue.channel)
    await find(venue.bea, venue.channel)
    session = await game_of(venue, venue.ana)
    (thread,) = venue.channel.threads
    assert session.channel_id == thread.id
    await venue.resign(venue.ana, thread)
    await venue.resign(venue.mod, family="gato")
    await forbid(venue, venue.bea, venue.channel, "send_messages_in_threads", False)
    await find(venue.ana, venue.channel)
    await find(venue.bea, venue.channel)
    assert (await game_of(venue, venue.ana)).channel_id == venue.channel.id
    await venue.resign(venue.ana)
    full = {"status": 400, "code": 160006, "message": "Maximum number of active threads reached"}
    venue.env.inject_error("POST", "/channels/*/threads", **full, times=1)
    await find(venue.ana, venue.channel)
    await find(venue.mod, venue.channel)
    assert (await game_of(venue, venue.mod)).channel_id == venue.channel.id


async def ask_both(venue: Any) -> tuple[Any, Any]:
    """Let Bea play, and Ana and Bea be asked; return the question and Ana's private message."""
    await (await Stage(venue, "gato", venue.channel).in_another_channel()).begins(venue.bea)
    waiting = await find(venue.ana, venue.channel)
    await find(venue.bea, venue.other_channel)
    return venue.channel.history()[-1], waiting.response


async def test_people_who_play_are_asked_and_so_is_the_other_one(venue: Any) -> None:
    """Both are pinged with one question; the game begins once both agree."""
    question, _ = await ask_both(venue)
    (body,) = sent(venue)
    assert {*body["allowed_mentions"]["users"]} == {venue.ana.id, venue.bea.id}
    assert question.content.startswith(f"<@{venue.ana.id}>, <@{venue.bea.id}>: there's a game")
    assert "**Connect 4** · 5 min per move.\nPlay now?" in question.content
    agreed = await press(venue.ana, question, "yes")
    assert agreed.response.content == "Good. The game begins once **Bea** agrees too."
    assert await game_of(venue, venue.ana) is None
    await venue.restart()
    await press(venue.bea, question, "yes")
    session = await game_of(venue, venue.ana)
    assert {*session.people} == {venue.ana.id, venue.bea.id}
    link = f"https://discord.com/channels/{venue.env.guild.id}/{session.channel_id}"
    assert f"You both agreed. Here's your game: {link}" in texts(venue.channel)
    assert venue.board(channel_of(venue, session)) is not None
    assert await answers(venue, venue.ana, venue.bea) == [PAIRED, PAIRED]


@pytest.mark.parametrize(
    ("act", "said", "ends"),
    [
        ("no", "**Ana** can't play now. **Bea**, I keep looking for you.", ["left", None]),
        ("leave", "**Ana** can't play now. **Bea**, I keep looking for you.", ["left", None]),
        ("yes", "**Bea** didn't answer in time. **Ana**, I keep looking", [None, "silent"]),
        ("", "Nobody answered in time, so I'm not looking any more.", ["silent", "silent"]),
        ("taken", "There's no free channel for your game now. I keep", [None, None]),
        ("busy", "One of you has too many games now. I keep looking", [None, None]),
    ],
)
async def test_a_question_is_closed_with_its_reason(
    venue: Any, act: str, said: str, ends: list[str | None]
) -> None:
    """A person who leaves or is silent waits no more; the other, and both otherwise, wait on."""
    question, waiting = await ask_both(venue)
    if act == "leave":
        await press(venue.ana, waiting, "leave")
    elif act in ("yes", "no"):
        await press(venue.ana, question, act)
    elif act:
        await press(venue.ana, question, "yes")
        if act == "taken":
            await forbid_threads(venue)
            for channel in (venue.channel, venue.other_channel):
                await Stage(venue, "gato", channel).begins(venue.mod)
        else:
            await Stage(venue, "gato", venue.channel).fills(venue.ana)
        await press(venue.bea, question, "yes")
    if act in ("yes", ""):
        await venue.let_pass(ANSWER_SECONDS)
    (shown,) = [one for one in venue.channel.history() if one.id == question.id]
    assert shown.content.startswith(said)
    assert not shown.components
    assert await answers(venue, venue.ana, venue.bea) == ends


@needs("privacy")
async def test_deleting_ones_data_closes_the_question(venue: Any) -> None:
    """The privacy page counts places; who deletes everything is not named, and the other waits."""
    question, _ = await ask_both(venue)
    page = await venue.ana.slash(venue.channel, "privacy")
    details = await venue.ana.click(page.response, label="Details")
    assert "looked for an opponent, in the last 30 days: 1" in details.response.content
    asked = await venue.ana.click(page.response, label="Delete everything")
    await venue.ana.click(asked.response, label="Yes, delete")
    await venue.let_pass(11.0)
    (shown,) = [one for one in venue.channel.history() if one.id == question.id]
    assert shown.content == "One of you isn't waiting any more. I keep looking for the other."
    assert await places(venue.services.store, venue.ana.id) == []
    assert await answers(venue, venue.bea) == [None]


async def test_a_question_that_cannot_be_sent_is_sent_later(venue: Any) -> None:
    """Without the message no one was asked: both wait, and are asked after a minute."""
    await (await Stage(venue, "gato", venue.channel).in_another_channel()).begins(venue.bea)
    venue.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=1)
    await find(venue.ana, venue.channel)
    await find(venue.bea, venue.channel)
    assert texts(venue.channel) == []
    await venue.let_pass(61.0)
    assert "Play now?" in texts(venue.channel)[-1]


@pytest.mark.parametrize("is_asked", [False, True])
async def test_a_crash_before_the_message_is_repaired(venue: Any, is_asked: bool) -> None:
    """What a killed process has stored and not shown is shown after a restart, once."""
    services = venue.services
    if is_asked:
        await (await Stage(venue, "gato", venue.channel).in_another_channel()).begins(venue.bea)
    await find(venue.ana, venue.channel)
    stored = QueueStore(services.store.database)
    queue = Queue(
        services.store,
        stored,
        services.sessions,
        services.clock,
        toss=lambda: True,
        objection=services.challenges.objection,
        games_per_player=5,
    )
    guild_id, channel_id = venue.env.guild.id, venue.channel.id
    await queue.join(venue.bea.id, guild_id, channel_id, "en", ("connect4", None, None))

    async def here(_one: Any, _other: Any) -> GameChannel:
        return GameChannel(channel_id, is_apart=False)

    async def begin(one: Any, other: Any, where: GameChannel) -> Any:
        return await queue.begin(one, other, queue.setup(one, other, where.channel_id))

    await queue.pair(await queue.open(guild_id), here, begin)
    assert not sent(venue)
    await venue.restart()
    if is_asked:
        await venue.let_pass(ANSWER_SECONDS)
    await venue.let_pass(31.0)
    pings = [one for one in sent(venue) if one["allowed_mentions"].get("users")]
    assert len(pings) == 1
    if is_asked:
        assert "Play now?" in texts(venue.channel)[-1]
    else:
        assert venue.board().jump_url in pings[0]["content"]
        assert not any(one.message_id for one in await queue.open(guild_id))
