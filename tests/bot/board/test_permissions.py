"""Players always get an answer where the bot lacks a permission.

For each permission, a game is begun, moved in, hinted at and ended without it.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import discord
import pytest

from bot.discord.replies import NEEDED, NEEDED_IN_THREADS
from bot.i18n import LANGUAGES, say_in
from tests.bot.discord.stage import command_for

pytestmark = pytest.mark.long

CASES = [*((name, False) for name in NEEDED), *((name, True) for name in NEEDED_IN_THREADS)]


async def forbid(venue: Any, *names: str, channel: Any = None) -> None:
    """Take permissions from the bot in a channel."""
    found = venue.env.bot.get_channel((channel or venue.channel).id)
    await found.set_permissions(found.guild.me, **dict.fromkeys(names, False))
    if "attach_files" in names:
        # The offline Discord lets edits attach files that may not be attached; Discord does not.
        refused = {"status": 403, "code": 50013, "message": "Missing Permissions"}
        venue.env.inject_error("PATCH", "/channels/*/messages/*", **refused, times=None)


async def thread_in(venue: Any, channel: Any) -> Any:
    """Create a thread in a channel."""
    found = venue.env.bot.get_channel(channel.id)
    await found.create_thread(name="a game", type=discord.ChannelType.public_thread)
    return channel.threads[-1]


async def test_a_game_is_not_begun_where_something_is_missing(venue: Any) -> None:
    """A game needs certain permissions: a private refusal names what is missing and what to do."""
    for name, in_thread in CASES:
        channel = venue.env.guild.create_text_channel("closed")
        place = await thread_in(venue, channel) if in_thread else channel
        await forbid(venue, name, channel=channel)
        for command, language in product(("start", "watch"), LANGUAGES):
            venue.speak(language)
            command_name, options = command_for("gato", command)
            refused = await venue.ana.slash(place, command_name, **options)
            assert refused.ephemeral, (name, in_thread)
            say = say_in(language)
            missing = say(f"permission.{name}")
            assert refused.response.content == say("refusal.missing_permissions", missing=missing)
    assert await venue.services.store.games.running() == []
    begun = await venue.ana.slash(venue.other_channel, "gato start", level="easy")
    assert not begun.ephemeral
    private = venue.ana.user
    await private.send_dm("hello")
    assert (await private.slash("gato start", level="easy")).response.attachments


async def test_all_missing_permissions_are_named_at_once(venue: Any) -> None:
    """A refusal lists all missing permissions, also for a challenge or a rematch."""
    offered = await venue.ana.slash(venue.channel, "gato start", opponent=venue.bea)
    await venue.bea.slash(
        venue.other_channel, "lab watch", game="gato", first="easy", second="hard"
    )
    await venue.bea.click(venue.board(venue.other_channel), label="Stop")
    for channel in (venue.channel, venue.other_channel):
        await forbid(venue, "attach_files", "view_channel", channel=channel)
    accepted = await venue.bea.click(offered.response, label="Accept")
    again = await venue.bea.click(venue.board(venue.other_channel), label="Watch again")
    for refused in (accepted, again):
        assert refused.ephemeral
        assert "**View Channel, Attach Files**" in refused.response.content
        assert "manages this channel" in refused.response.content


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("name", NEEDED)
async def test_a_game_goes_on_where_something_is_missing(
    venue: Any, name: str, is_late: bool
) -> None:
    """Without a permission moves are still answered, and the newest board is up to date.

    The board is edited through an interaction token while one is valid, and posted by one after
    that.
    """
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    await forbid(venue, name)
    if is_late:
        await venue.let_pass(16 * 60)
    typed = await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    assert "You played column 1. I played column" in typed.response.content
    assert await shown_moves(venue) == 2
    if is_late:
        await venue.let_pass(16 * 60)
    await venue.ana.click(venue.board(), label="2")
    assert await shown_moves(venue) == 4
    if is_late:
        await venue.let_pass(16 * 60)
    # A game without a rated player: a rating would show the board once more at the same time.
    ended = await venue.resign(venue.mod)
    assert ended.response.content == "Game stopped. It doesn't count."
    assert "stopped by a moderator" in venue.board().content


async def test_a_game_that_timed_out_is_shown_by_the_next_press(venue: Any) -> None:
    """When a game ends by time and the board cannot be edited, the next press shows the end."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy", clock="5m")
    await forbid(venue, "view_channel")
    await venue.let_pass(16 * 60)
    assert await venue.services.sessions.games.current(venue.channel.id) is None
    assert "Game cancelled" not in venue.board().content
    await venue.ana.click(venue.board(), label="1")
    assert "Game cancelled" in venue.board().content


async def shown_moves(venue: Any) -> int:
    """The number of moves on the newest board, which are all that were made."""
    session = await venue.services.sessions.games.current(venue.channel.id)
    assert venue.board().attachments[0].filename == f"connect4-1-{len(session.moves)}.png"
    assert session.message_id == venue.board().id
    return len(session.moves)
