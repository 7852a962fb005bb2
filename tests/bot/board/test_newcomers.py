"""First contact with the bot: help, the greeting, and the list of one's games."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import discord
import pytest
from discord.app_commands import ContextMenu

from bot.board.help import EXPERTS, FRIENDS, OVERVIEW, PLAYING, TOPICS
from bot.board.welcome import greet, greeting_channel
from bot.i18n import LANGUAGES, say_in
from engine.core.registry import games
from tests.bot.asked import note_asked
from tests.bot.discord.stage import Stage
from tests.builders import until


@pytest.mark.parametrize("family", games())
async def test_the_help_of_a_game_begins_that_game(venue: Any, family: str) -> None:
    """`help` with a game privately says its rules in both languages; its button begins it."""
    stage = Stage(venue, family, venue.channel)
    for language in LANGUAGES:
        venue.speak(language)
        said = await stage.slash(venue.ana, "help")
        assert said.ephemeral
        assert said.response.content == say_in(language)(f"help.{family}")
    (button,) = said.response.components[0]["components"]
    await note_asked(venue.services, venue.ana.id)
    await venue.ana.click(said.response, label=button["label"])
    assert (await stage.game()).game.key == family


def labels(message: Any) -> list[str]:
    """The labels of a private message's buttons, and the options of its menus."""
    items = [item for row in message.components for item in row["components"]]
    return [item["label"] for item in items if "label" in item]


def highlighted(message: Any) -> list[str]:
    """The labels of a private message's highlighted buttons."""
    items = [item for row in message.components for item in row["components"]]
    primary = discord.ButtonStyle.primary.value
    return [item["label"] for item in items if item.get("style") == primary]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_help_has_topics(venue: Any, language: str) -> None:
    """Help is three lines and buttons; each topic is at most five lines, in the same message."""
    venue.speak(language)
    say = say_in(language)
    helped = await venue.ana.slash(venue.channel, "help")
    overview = helped.response.content
    assert len(overview.splitlines()) == 3
    assert labels(helped.response)[0] == say("button.play_now")
    named = set(re.findall(r"</([\w ]+):", overview))
    for topic in TOPICS:
        await venue.ana.select(helped.response, [topic], custom_id="cuatro:help:topic")
        lines = helped.response.content.splitlines()
        assert 0 < len(lines) <= 5
        for line in lines:
            mention, about = line.split(" – ")
            named |= set(re.findall(r"</([\w ]+):", mention))
            assert 0 < len(about.split()) <= 8, line
    tree = venue.env.bot.tree
    present = {one.name for one in tree.get_commands() if not isinstance(one, ContextMenu)}
    assert {name.split()[0] for name in named} == present - {"help"}, "every command is in help"


async def test_a_topic_has_at_most_one_main_button(venue: Any) -> None:
    """What a topic is mostly about is its one highlighted button."""
    helped = await venue.ana.slash(venue.channel, "help")
    assert highlighted(helped.response) == ["Play"]
    for topic, main in ((PLAYING, ["Play"]), (FRIENDS, ["Challenge a friend"]), (EXPERTS, [])):
        await venue.ana.select(helped.response, [topic], custom_id="cuatro:help:topic")
        assert highlighted(helped.response) == main


def test_rules_are_three_sentences() -> None:
    """A game's rules are three sentences, in every language."""
    for game, language in product(games(), LANGUAGES):
        assert len(re.findall(r"\.(?=\s|$)", say_in(language)(f"help.{game}"))) == 3


async def test_the_buttons_of_help_do_what_they_say(venue: Any) -> None:
    """Each button of a topic is answered, and those that begin games begin different ones."""
    await note_asked(venue.services, venue.ana.id)
    for topic in (OVERVIEW, *TOPICS):
        await require_buttons(venue, topic)


async def require_buttons(venue: Any, topic: str) -> None:
    """Require that each button of this topic does what it says."""
    helped = await venue.ana.slash(venue.channel, "help")
    if topic != OVERVIEW:
        await venue.ana.select(helped.response, [topic], custom_id="cuatro:help:topic")
    begun = set()
    for label in labels(helped.response):
        pressed = await venue.ana.click(helped.response, label=label)
        assert pressed.acknowledged
        session = await venue.services.sessions.games.current(venue.channel.id)
        if session is not None:
            begun.add((session.game.key, session.is_watched))
            await venue.services.sessions.resign(venue.channel.id, venue.ana.id, moderator=True)
        elif pressed.response is not None:
            assert say_in("en")("refusal.unexpected", game="") not in pressed.response.content
    expected = {OVERVIEW: 1, PLAYING: len(games()), EXPERTS: 1}
    assert len(begun) == expected.get(topic, 0)


async def test_a_server_is_greeted_where_the_bot_may_write(venue: Any) -> None:
    """The first channel open to the bot gets a greeting in the server's language with buttons."""
    bot = venue.env.bot
    guild = bot.get_guild(venue.env.guild.id)
    closed = guild.get_channel(venue.channel.id)
    await closed.set_permissions(guild.me, send_messages=False)
    assert greeting_channel(guild).id == venue.other_channel.id
    bot.dispatch("guild_join", guild)
    await until(venue.other_channel.history)
    (greeting,) = venue.other_channel.history()
    assert "Cuatro" in greeting.content
    await note_asked(venue.services, venue.ana.id)
    await venue.ana.click(greeting, label="BOOM")
    session = await venue.services.sessions.games.current(venue.other_channel.id)
    assert session.game.key == "boom"


async def test_a_server_without_an_open_channel_is_not_greeted(venue: Any) -> None:
    """A server without a channel open to the bot gets no greeting, and nothing fails."""
    guild = venue.env.bot.get_guild(venue.env.guild.id)
    for channel in guild.text_channels:
        await channel.set_permissions(guild.me, view_channel=False)
    await greet(guild)
    assert venue.channel.history() == []


async def test_ones_games_are_listed_with_links(venue: Any) -> None:
    """A player's games are listed with links; without any, the list says how to begin."""
    ana, stage = venue.ana, Stage(venue, "gato", venue.channel)
    none = await stage.slash(ana, "games")
    assert none.ephemeral
    assert "</play:" in none.response.content
    await stage.begins(ana)
    other = Stage(venue, "boom", venue.other_channel)
    await other.slash(ana, "watch")
    listed = (await ana.slash(venue.channel, "games")).response.content
    for one in (stage, other):
        assert one.board().jump_url in listed
    assert "Ana to move" in listed
    others = (await venue.bea.slash(venue.channel, "games")).response.content
    assert "</play:" in others
    assert "to move" not in others


async def test_a_coin_decides_who_begins_a_challenge(venue: Any) -> None:
    """In a challenge with `first:random` the message names the first player, who then begins."""
    stage, begun = Stage(venue, "gato", venue.channel), set()
    for _ in range(40):
        offered = await stage.slash(venue.ana, "start", opponent=venue.bea, first="random")
        said = offered.response.content
        await venue.bea.click(offered.response, label="Accept")
        mover = await stage.mover()
        assert f"**{mover.user.global_name}** starts." in said
        begun.add(mover.id)
        await stage.resign(venue.ana)
        if len(begun) > 1:
            break
    assert begun == {venue.ana.id, venue.bea.id}


async def test_a_challenge_that_could_not_be_sent_is_taken_back(venue: Any) -> None:
    """A challenge that could not be sent is withdrawn, so that its challenger can send another."""
    stage = Stage(venue, "gato", venue.channel)
    late = {"status": 404, "code": 10062, "message": "Unknown interaction"}
    venue.env.inject_error("POST", "/interactions/*/callback", **late, times=1)
    await stage.slash(venue.ana, "start", opponent=venue.bea)
    venue.expected_errors = len(venue.env.errors)
    offered = await stage.slash(venue.ana, "start", opponent=venue.bea)
    assert not offered.ephemeral
    assert isinstance(offered.response.message, discord.Message)
