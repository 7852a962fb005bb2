"""What the settings of people and servers change, on an offline Discord."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.board.messages import board_scene
from bot.i18n import say_in
from engine.core.registry import package_of
from renderers import THEMES, draw
from tests.bot.board.test_turn_pings import pings, sent
from tests.bot.discord.stage import Stage
from tests.bot.present import needs


async def choose(venue: Any, actor: Any, **chosen: Any) -> None:
    """Set what a person has chosen."""
    await venue.services.store.preferences.set_person(actor.id, 1.0, **chosen)


async def choose_for_server(venue: Any, **chosen: Any) -> None:
    """Set what the server's managers have chosen."""
    await venue.services.store.preferences.set_server(venue.env.guild.id, **chosen)


async def board_in(stage: Stage, key: str) -> bytes:
    """The board's picture in a theme."""
    session = await stage.game()
    say = say_in(session.locale.split("-")[0])
    names = await stage.venue.app.core.messages.names_in(session, say)
    return draw(package_of(session.game).drawing, board_scene(session, names, say), THEMES[key])


@pytest.fixture
def stage(venue: Any) -> Stage:
    """The games' channel."""
    return Stage(venue, "connect4", venue.channel)


async def test_a_board_has_the_look_of_its_only_player(stage: Stage) -> None:
    """Ana's board has her look; a board of two people has the server's."""
    venue = stage.venue
    await choose(venue, venue.ana, theme="dark")
    await choose_for_server(venue, theme="high-contrast")
    await stage.begins(venue.ana)
    assert await stage.board().attachments[0].read() == await board_in(stage, "dark")
    there = await stage.in_another_channel()
    await there.pair()
    assert await there.board().attachments[0].read() == await board_in(there, "high-contrast")


@needs("puzzles", "daily")
@pytest.mark.parametrize("command", ["puzzle", "daily"])
async def test_a_private_picture_has_its_readers_look(stage: Stage, command: str) -> None:
    """Private pictures have the reader's look, not the server's."""
    venue, pictures = stage.venue, []
    for theme, servers in (("dark", "high-contrast"), ("dark", None), ("classic", None)):
        await choose(venue, venue.ana, theme=theme)
        await choose_for_server(venue, theme=servers)
        shown = await venue.ana.slash(venue.channel, command)
        pictures.append(await shown.response.attachments[0].read())
    assert pictures[0] == pictures[1]
    assert pictures[1] != pictures[2]


async def test_public_messages_are_in_the_servers_language(stage: Stage) -> None:
    """Where the server has chosen Spanish, boards are in Spanish and private answers are not."""
    venue = stage.venue
    await choose_for_server(venue, language="es")
    await stage.begins(venue.ana)
    assert (await stage.game()).locale.startswith("es")
    refused = await stage.slash(venue.bea, "resign")
    assert refused.ephemeral
    assert "game" in refused.response.content


async def test_without_a_choice_a_board_is_in_its_players_language(stage: Stage) -> None:
    """The language that Ana has chosen is that of her board where the server has chosen none."""
    await choose(stage.venue, stage.venue.ana, language="es")
    await stage.begins(stage.venue.ana)
    assert (await stage.game()).locale == "es-419"


async def test_boards_come_as_text(stage: Stage) -> None:
    """After a move by button or command the board follows in words, for the player alone."""
    venue = stage.venue
    await stage.begins(venue.ana)
    await choose(venue, venue.ana, as_text=True)
    pressed = await stage.press(venue.ana, "4")
    (told,) = pressed.followups
    assert told.ephemeral
    say = say_in("en")
    assert told.content == await venue.app.core.messages.as_text(await stage.game(), say)
    typed = await stage.play(venue.ana, "1")
    words, _, board = typed.response.content.partition("\n")
    assert words.startswith("You played column 1")
    assert board == await venue.app.core.messages.as_text(await stage.game(), say)


async def test_reminders_are_chosen_apart_from_pings(stage: Stage) -> None:
    """Who wants no reminders is still pinged on their turns."""
    venue = stage.venue
    players = venue.services.store.players
    await choose(venue, venue.ana, reminders=False)
    assert (await players.preferences(venue.ana.id)).pings
    assert pings(venue) == []
    assert sent(venue) == []


async def test_a_deleted_channel_for_games_closes_no_other(stage: Stage) -> None:
    """Once the only channel for games is deleted, games begin in every channel again."""
    venue = stage.venue
    there = await stage.in_another_channel()
    await choose_for_server(venue, games_channel_id=there.channel.id)
    refused = await stage.slash(venue.ana, "start")
    assert refused.response.content == f"No games in here, please: try <#{there.channel.id}>."
    await venue.env.bot.get_channel(there.channel.id).delete()
    await stage.begins(venue.ana)


@needs("statistics")
async def test_public_cards_are_in_the_servers_language(stage: Stage) -> None:
    """A public leaderboard has the server's language; the same list in private the reader's."""
    venue = stage.venue
    await stage.pair(9)
    await venue.services.sessions.resign(venue.channel.id, venue.bea.id)
    await venue.services.ratings.settled(venue.ana.id, 30)
    await choose_for_server(venue, language="es")
    shown = await venue.ana.slash(venue.channel, "stats", game="connect4")
    assert not shown.ephemeral
    details = say_in("es")("button.stats_details")
    private = await venue.ana.click(shown.response.message, label=details)
    assert private.ephemeral
    assert "Streak" in private.response.content


async def test_a_community_has_the_language_of_its_server(stage: Stage) -> None:
    """A community's language in Discord is that of its boards, until its managers choose another.

    In other servers the language that Discord gives was not chosen.
    """
    venue = stage.venue
    guild = venue.client.get_guild(venue.env.guild.id)
    guild.preferred_locale = discord.Locale.spain_spanish
    await stage.begins(venue.ana)
    assert (await stage.game()).locale == "en-US"
    guild.features.append("COMMUNITY")
    there = await stage.in_another_channel()
    await there.begins(venue.ana)
    assert (await there.game()).locale == "es-ES"
    await choose_for_server(venue, language="en")
    elsewhere = await stage.in_another_channel()
    await elsewhere.begins(venue.ana)
    assert (await elsewhere.game()).locale == "en-US"
