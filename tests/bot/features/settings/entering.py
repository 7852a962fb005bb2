"""Opening the settings' forms on the offline Discord, reading them and submitting them."""

from __future__ import annotations

from typing import Any

import discord

COMMAND = "settings"


def manager(venue: Any) -> Any:
    """A person who may manage the server."""
    role = venue.env.guild.create_role("M", permissions=discord.Permissions(manage_guild=True))
    return venue.env.guild.add_member(venue.env.create_user("dia"), roles=[role])


async def open_mine(venue: Any, actor: Any) -> Any:
    """Open a person's own form, by command."""
    return await actor.slash(venue.channel, COMMAND)


async def open_form(venue: Any, actor: Any, label: str) -> Any:
    """Open a form as a manager, with the button of this label."""
    asked = await actor.slash(venue.channel, COMMAND)
    return await actor.click(asked.response.message, label=label)


def fields(shown: Any) -> dict[str, dict[str, Any]]:
    """The fields of a form by their names."""
    parts = shown.modal["components"]
    return {part["component"]["custom_id"]: part["component"] for part in parts}


def labels(shown: Any) -> list[str]:
    """The labels of a form's fields."""
    return [part["label"] for part in shown.modal["components"]]


def chosen(shown: Any) -> dict[str, list[str]]:
    """What is chosen in each field of a form as it opens."""
    found = {}
    for name, field in fields(shown).items():
        if "options" in field:
            found[name] = [one["value"] for one in field["options"] if one.get("default")]
        else:
            found[name] = [str(one["id"]) for one in field.get("default_values") or ()]
    return found


async def enter(actor: Any, shown: Any, **changed: Any) -> Any:
    """Submit a form with some fields changed and all others as they opened."""
    values: dict[str, Any] = {}
    for name, field in fields(shown).items():
        given = chosen(shown)[name]
        if field["type"] == discord.ComponentType.radio_group.value:
            values[name] = given[0]
        elif "options" in field:
            values[name] = given
    return await actor.submit_modal(shown, {**values, **changed})
