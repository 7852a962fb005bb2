"""The running games of a server in `/games`, on the offline Discord."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.server_games import LISTED, running_on
from bot.i18n import say_in
from tests.bot.databases import plan
from tests.bot.discord.stage import Stage
from tests.bot.present import needs


@pytest.fixture
def stage(venue: Any) -> Stage:
    """Connect 4 in the channel."""
    return Stage(venue, "connect4", venue.channel)


async def listed(stage: Stage, actor: Any, **options: Any) -> str:
    """What a person reads in `/games`."""
    text: str = (await actor.slash(stage.venue.channel, "games", **options)).response.content
    return text


@pytest.mark.parametrize("language", ["en", "es"])
async def test_others_games_can_be_watched(venue: Any, stage: Stage, language: str) -> None:
    """Games of others have a line with their players, the number of the move and a link."""
    say = say_in(language)
    await stage.begins(venue.ana, level="easy", first="me")
    await stage.play(venue.ana)
    venue.speak(language)
    text = await listed(stage, venue.bea)
    assert say("server_games.title") in text
    assert say("server_games.move", n=3) in text
    assert "**Ana**" in text
    assert stage.board().jump_url in text
    assert say("server_games.title") not in await listed(stage, venue.ana)


async def test_games_are_listed_by_kind(stage: Stage) -> None:
    """With `game` only games of that kind are listed."""
    venue = stage.venue
    await stage.begins(venue.ana)
    assert "Ana" in await listed(stage, venue.bea, game="connect4")
    assert "Ana" not in await listed(stage, venue.bea, game="gato")


async def test_hidden_people_are_not_named(stage: Stage) -> None:
    """A person who hides their statistics is a player without a name."""
    venue = stage.venue
    await stage.begins(venue.ana)
    await venue.services.store.players.set(venue.ana.id, 0.0, private=True)
    text = await listed(stage, venue.bea)
    assert "**a player**" in text
    assert "Ana" not in text


async def test_games_in_channels_that_one_cannot_view_are_not_listed(stage: Stage) -> None:
    """A game is listed for people who can view its channel, by roles and by person."""
    venue = stage.venue
    await stage.begins(venue.ana)
    channel = venue.env.bot.get_channel(venue.channel.id)
    guild = channel.guild
    link = stage.board().jump_url
    await channel.set_permissions(guild.me, view_channel=True)
    await channel.set_permissions(guild.default_role, view_channel=False)
    assert link not in await listed_elsewhere(stage, venue.bea)
    role = await guild.create_role(name="players")
    await channel.set_permissions(role, view_channel=True)
    assert link not in await listed_elsewhere(stage, venue.bea)
    member = await guild.fetch_member(venue.bea.id)
    await member.add_roles(role)
    assert link in await listed_elsewhere(stage, venue.bea)
    await channel.set_permissions(member, view_channel=False)
    assert link not in await listed_elsewhere(stage, venue.bea)


async def listed_elsewhere(stage: Stage, actor: Any) -> str:
    """What a person reads in `/games` of another channel."""
    text: str = (await actor.slash(stage.venue.other_channel, "games")).response.content
    return text


async def test_games_in_threads_are_listed_where_the_thread_is_public(stage: Stage) -> None:
    """A game in a public thread is listed, one in a private thread is not."""
    venue = stage.venue
    public = await stage.in_another_channel(thread=True)
    await public.begins(venue.ana)
    channel = venue.env.bot.get_channel(venue.channel.id)
    secret = await channel.create_thread(name="secret", type=discord.ChannelType.private_thread)
    await secret.add_user(discord.Object(venue.ana.id))
    private = Stage(venue, "connect4", venue.channel.threads[-1])
    await private.begins(venue.ana)
    text = await listed(stage, venue.bea)
    assert public.board().jump_url in text
    assert private.board().jump_url not in text


async def test_the_list_is_short(stage: Stage) -> None:
    """The newest games are listed, no more than fit."""
    venue = stage.venue
    venue.services.sessions._games_per_player = LISTED + 3
    stages = await stage.fills(venue.ana, LISTED + 1)
    text = await listed(stage, venue.bea)
    shown = [one.board().jump_url in text for one in stages]
    assert shown == [False, *[True] * LISTED]


async def test_without_discords_answer_only_ones_own_games_are_listed(stage: Stage) -> None:
    """If Discord does not say which channels one can view, none of the server's are listed."""
    venue = stage.venue
    await stage.begins(venue.ana)
    venue.env.inject_error("GET", "/guilds/*/roles", status=403, code=50013, times=None)
    assert "https" not in await listed(stage, venue.bea)


@pytest.mark.sqlite
@pytest.mark.parametrize("family", [None, "connect4"])
async def test_an_index_finds_the_games_of_a_server(venue: Any, family: str | None) -> None:
    """Finding a server's running games, of one family or all, reads no whole table."""
    async with venue.services.store.database.reading() as connection:
        steps = await plan(connection, running_on(7, family))
    assert any("INDEX" in step for step in steps)
    assert not [step for step in steps if step.startswith("SCAN") and "INDEX" not in step]


@needs("voting")
async def test_a_vote_on_who_wins_is_named(stage: Stage) -> None:
    """A game that waits for guesses says so."""
    venue = stage.venue
    await stage.slash(venue.ana, "watch", seconds=60)
    assert say_in("en")("server_games.guess") in await listed(stage, venue.bea)
