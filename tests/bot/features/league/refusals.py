"""Scenes in which the league is refused."""

from __future__ import annotations

from bot.settings import Rate
from tests.bot.discord.refusals_of_haste import limited
from tests.bot.discord.stage import Stage, scene

TESTED_ELSEWHERE = {"not_watched_here": "test_discord.py"}
"""Where the other refusals of the league are tested."""


@scene("often_pictures")
async def asking_for_the_league_again_and_again(stage: Stage) -> None:
    """Too many requests for the league are refused; a later one works."""
    bea = stage.venue.bea
    with limited(stage, pictures=Rate(1, 60.0)):
        assert (await stage.slash(bea, "league")).response.content
        await stage.refuses("often_pictures", lambda: stage.slash(bea, "league"))
        stage.venue.services.clock.forward(61.0)
        assert (await stage.slash(bea, "league")).response.content
