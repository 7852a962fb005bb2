"""Scenes in which statistics and past games are refused."""

from __future__ import annotations

from bot.settings import Rate
from tests.bot.discord.refusals_of_haste import limited
from tests.bot.discord.stage import Stage, scene

TESTED_ELSEWHERE = {
    "not_your_page": "test_pages.py: a press has to be forged",
    "not_your_list": "test_pages.py: a press has to be forged",
}
"""Where the other refusals of statistics are tested."""


@scene()
async def the_past_of_others(stage: Stage) -> None:
    """Other people's past games are refused; one's own open from the history that is named."""
    venue, store = stage.venue, stage.venue.services.store
    await stage.begins(venue.ana)
    (running,) = await store.games.running()
    await stage.clear()
    await stage.pair(4)
    await stage.resign(venue.bea)
    shown = await stage.slash(venue.bea, "history")
    menu = f"cuatro:open:{stage.family}"
    (own,) = [o["value"] for o in shown.response.components[0]["components"][0]["options"]]
    venue.speak(venue.locale, values=[str(running.id)])
    refused = await venue.bea.select(shown.response, [own], custom_id=menu)
    venue.speak(venue.locale)
    assert "Only the people who played that game" in refused.response.content
    opened = await venue.bea.select(shown.response, [own], custom_id=menu)
    assert opened.response.attachments


@scene("no_stats_for_bots", "stats_are_private")
async def statistics_of_others(stage: Stage) -> None:
    """Hidden statistics of others are refused; one's own are shown privately."""
    ana, bea = stage.venue.ana, stage.venue.bea
    robot = stage.venue.env.guild.add_member(stage.venue.env.create_user("robot", bot=True))
    await stage.refuses("no_stats_for_bots", lambda: stage.slash(ana, "stats", player=robot))
    await stage.pair(4)
    await stage.resign(ana)
    await stage.venue.services.store.players.set(bea.id, 0.0, private=True)
    await stage.refuses("stats_are_private", lambda: stage.slash(ana, "stats", player=bea))
    assert not (await stage.slash(ana, "stats")).ephemeral
    for options in ({}, {"player": bea}):
        own = await stage.slash(bea, "stats", **options)
        assert own.ephemeral
        assert own.response.attachments
    await stage.venue.services.store.players.set(bea.id, 0.0, private=False)


@scene("often_pictures")
async def asking_for_pictures_again_and_again(stage: Stage) -> None:
    """All pictures of statistics count towards one limit; a later one works."""
    ana = stage.venue.ana
    await stage.pair(4)
    await stage.resign(ana)
    with limited(stage, pictures=Rate(1, 60.0)):
        assert (await stage.slash(ana, "stats")).response.attachments
        for command in ("stats", "history", "leaderboard", "report"):
            await stage.refuses("often_pictures", lambda command=command: stage.slash(ana, command))
        assert (await stage.slash(stage.venue.bea, "stats")).response.attachments
        stage.venue.services.clock.forward(61.0)
        assert (await stage.slash(ana, "history")).response.attachments
