"""Scenes in which seeing, exporting or deleting one's data is refused."""

from __future__ import annotations

import discord

from bot.settings import Rate
from tests.bot.discord.refusals_of_haste import limited
from tests.bot.discord.stage import Stage, scene

TESTED_ELSEWHERE = {"export_no_server": "test_tables.py: scenes are on a server"}
"""Where the other refusals of privacy are tested."""


@scene("nothing_stored")
async def nothing_is_known(stage: Stage) -> None:
    """A person without data has nothing to see or delete, and can play; then there is something."""
    mod = stage.venue.mod
    for command in ("show", "delete"):
        await stage.refuses(
            "nothing_stored",
            lambda command=command: mod.slash(stage.channel, "privacy", action=command),
        )
    refused = await mod.slash(stage.channel, "privacy")
    rows = refused.response.message.components
    assert [one.label for row in rows for one in row.children] == ["Play"]
    await stage.begins(mod)
    assert "1 game," in (await mod.slash(stage.channel, "privacy")).response.content
    asked = await mod.slash(stage.channel, "privacy", action="delete")
    await mod.click(asked.response.message, label="Yes, delete")
    await stage.refuses("nothing_stored", lambda: mod.slash(stage.channel, "privacy"))


@scene("often_pictures")
async def exporting_again_and_again(stage: Stage) -> None:
    """Too many exports in a short time are refused; a later one works."""
    ana = stage.venue.ana
    await stage.pair(4)
    await stage.resign(ana)
    with limited(stage, pictures=Rate(1, 60.0)):
        assert (await stage.slash(ana, "export")).response.attachments
        await stage.refuses("often_pictures", lambda: stage.slash(ana, "export"))
        stage.venue.services.clock.forward(61.0)
        assert (await stage.slash(ana, "export")).response.attachments


@scene("export_not_a_manager")
async def downloading_the_servers_games(stage: Stage) -> None:
    """Only managers of a server get its games; others get their own, as the refusal says."""
    venue = stage.venue
    await stage.pair(4)
    await stage.resign(venue.ana)
    await stage.refuses(
        "export_not_a_manager", lambda: stage.slash(venue.ana, "export", whose="server")
    )
    assert (await stage.slash(venue.ana, "export")).response.attachments
    role = venue.env.guild.create_role("M", permissions=discord.Permissions(manage_guild=True))
    carla = venue.env.guild.add_member(venue.env.create_user("carla"), roles=[role])
    given = await stage.slash(carla, "export", whose="server")
    assert given.ephemeral
    assert len(given.response.attachments) == 2
