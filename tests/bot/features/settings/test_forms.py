"""The forms of people's and servers' settings, on an offline Discord."""

from __future__ import annotations

from typing import Any

import pytest

from bot.i18n import say_in
from bot.store.people import Preferences, ServerPreferences
from tests.bot.features.settings.entering import (
    chosen,
    enter,
    fields,
    labels,
    manager,
    open_form,
    open_mine,
)
from tests.bot.present import needs

USUAL = {
    "language": ["discord"],
    "theme": ["classic"],
    "tell": ["pings", "reminders"],
    "others": ["seen", "shares"],
    "access": [],
}


async def preferences(venue: Any, actor: Any) -> Preferences:
    """What a person has chosen, as it is stored."""
    found: Preferences = await venue.services.store.players.preferences(actor.id)
    return found


async def test_the_form_has_five_fields_and_opens_as_things_are(venue: Any) -> None:
    """The form of a person has five fields with the present settings, and outlives a restart."""
    shown = await open_mine(venue, venue.ana)
    assert shown.modal["title"] == "Settings"
    assert labels(shown) == ["Language", "Board", "Tell me", "Others may", "Accessibility"]
    assert chosen(shown) == USUAL
    await venue.restart()
    saved = await enter(
        venue.ana, shown, theme="dark", tell=["reminders"], others=[], access=["as_text"]
    )
    assert saved.ephemeral
    assert saved.response.content == "Saved."
    assert await preferences(venue, venue.ana) == Preferences(
        private=True, shares=False, pings=False, as_text=True, theme="dark"
    )
    again = await open_mine(venue, venue.ana)
    assert chosen(again) == {
        "language": ["discord"],
        "theme": ["dark"],
        "tell": ["reminders"],
        "others": [],
        "access": ["as_text"],
    }
    assert await preferences(venue, venue.bea) == Preferences()


@needs("privacy")
async def test_saving_without_a_change_stores_nothing(venue: Any) -> None:
    """A person who saves the usual settings stays unknown."""
    await enter(venue.ana, await open_mine(venue, venue.ana))
    answer = await venue.ana.slash(venue.channel, "privacy")
    assert "nothing about you" in answer.response.content


async def test_the_language_changes_at_once(venue: Any) -> None:
    """A chosen language is that of the confirmation and of all private answers."""
    shown = await open_mine(venue, venue.ana)
    saved = await enter(venue.ana, shown, language="es")
    assert saved.response.content == "Guardado."
    shown = await open_mine(venue, venue.ana)
    assert shown.modal["title"] == "Ajustes"
    assert (await open_mine(venue, venue.bea)).modal["title"] == "Settings"
    saved = await enter(venue.ana, shown, language="discord")
    assert saved.response.content == "Saved."


async def test_a_look_that_was_not_chosen_follows_the_server(venue: Any) -> None:
    """The form offers the server's look, and saving it chooses nothing."""
    dia = manager(venue)
    await enter(dia, await open_form(venue, dia, "This server"), theme="high-contrast")
    shown = await open_mine(venue, venue.ana)
    assert chosen(shown)["theme"] == ["high-contrast"]
    await enter(venue.ana, shown, access=["spoken"])
    assert (await preferences(venue, venue.ana)).theme is None
    await enter(venue.ana, await open_mine(venue, venue.ana), theme="classic")
    assert (await preferences(venue, venue.ana)).theme == "classic"


@needs("daily")
async def test_managers_choose_whose_settings(venue: Any) -> None:
    """Managers are asked privately whose settings they want, in their language."""
    venue.speak("es")
    say, dia = say_in("es"), manager(venue)
    asked = await dia.slash(venue.channel, "settings")
    assert asked.ephemeral
    assert asked.response.content == say("settings.whose")
    mine = await dia.click(asked.response.message, label=say("button.settings_mine"))
    assert mine.modal["title"] == say("settings.title")
    server = await dia.click(asked.response.message, label=say("button.settings_server"))
    assert server.modal["title"] == say("server.title")
    assert labels(server) == [
        say(f"server.{name}") for name in ("puzzles", "hour", "games", "language", "theme")
    ]
    assert len(fields(server)["hour"]["options"]) == 24


@pytest.mark.databases
@needs("daily")
async def test_a_server_gets_what_its_manager_enters(venue: Any) -> None:
    """A server's choices are saved, shown again, and the puzzle's channel and hour are named."""
    dia, services = manager(venue), venue.services
    shown = await open_form(venue, dia, "This server")
    assert chosen(shown) == {
        "puzzles": [],
        "hour": ["12"],
        "games": [],
        "language": ["discord"],
        "theme": ["classic"],
    }
    saved = await enter(
        dia,
        shown,
        puzzles=[venue.other_channel],
        hour=["7"],
        games=[venue.channel],
        language="es",
        theme="dark",
    )
    assert saved.response.content.startswith(
        f"Saved. The puzzle of the day comes to <#{venue.other_channel.id}> at <t:"
    )
    found = await services.store.servers.preferences(venue.env.guild.id)
    assert found == ServerPreferences(venue.channel.id, "es", "dark")
    again = await open_form(venue, dia, "This server")
    assert chosen(again) == {
        "puzzles": [str(venue.other_channel.id)],
        "hour": ["7"],
        "games": [str(venue.channel.id)],
        "language": ["es"],
        "theme": ["dark"],
    }
    off = await enter(dia, again, games=[venue.channel])
    assert off.response.content == "The puzzle of the day is now off."
    unchanged = await enter(dia, await open_form(venue, dia, "This server"))
    assert unchanged.response.content == "Saved."
    found = await services.store.servers.preferences(venue.env.guild.id)
    assert found == ServerPreferences(None, "es", "dark")


@needs("daily")
async def test_a_channel_that_is_closed_changes_nothing(venue: Any) -> None:
    """Where the bot may not post, nothing is saved until the permission is given."""
    dia, closed = manager(venue), venue.env.guild.create_text_channel("closed")
    here = venue.env.bot.get_channel(closed.id)
    await here.set_permissions(here.guild.me, attach_files=False)
    shown = await open_form(venue, dia, "This server")
    refused = await enter(dia, shown, puzzles=[closed], hour=["5"], theme="dark")
    (said,) = [one for one in (refused.response, *refused.followups) if one is not None]
    assert said.ephemeral
    assert f"I can't post in <#{closed.id}>: I need **Attach Files**" in said.content
    servers, guild_id = venue.services.store.servers, venue.env.guild.id
    assert await servers.preferences(guild_id) == ServerPreferences()
    refused = await dia.click(said.message, label="Try again")
    assert await servers.preferences(guild_id) == ServerPreferences()
    await here.set_permissions(here.guild.me, attach_files=True)
    saved = await dia.click(said.message, label="Try again")
    texts = [one.content for one in (saved.response, *saved.followups) if one is not None]
    assert any(f"comes to <#{closed.id}>" in text for text in texts), texts
    assert (await servers.preferences(guild_id)).theme == "dark"


async def test_only_managers_change_a_server(venue: Any) -> None:
    """A form of the server that is submitted by a person who no longer manages it is refused."""
    dia = manager(venue)
    shown = await open_form(venue, dia, "This server")
    guild = venue.env.guild
    await venue.env.bot.http.edit_role(guild.id, guild.roles["M"].id, permissions="0")
    refused = await enter(dia, shown, theme="dark")
    assert refused.ephemeral
    assert refused.response.content == say_in("en")("refusal.not_a_manager")
    found = await venue.services.store.servers.preferences(venue.env.guild.id)
    assert found == ServerPreferences()


async def test_in_private_there_is_only_ones_own_form(venue: Any) -> None:
    """In a direct message the form is the person's own."""
    ana = venue.ana.user
    await ana.send_dm("hello")
    shown = await ana.slash("settings")
    assert shown.modal["title"] == "Settings"
