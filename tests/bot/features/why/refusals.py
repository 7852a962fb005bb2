"""Scenes in which an explanation is refused."""

from __future__ import annotations

from bot.settings import Rate
from tests.bot.discord.refusals_of_haste import limited
from tests.bot.discord.stage import Stage, scene

TESTED_ELSEWHERE = {
    "why_running": "tests/bot/features/why/test_discord.py",
    "why_no_agent": "tests/bot/features/why/test_discord.py",
    "why_unsearched": "tests/bot/features/why/test_rules.py: every search has to fail",
    "why_failed": "tests/bot/features/why/test_rules.py: the engine has to fail",
}
"""Where the other refusals of explanations are tested."""


@scene("one_at_a_time", "often_hints")
async def asking_why_in_haste(stage: Stage) -> None:
    """A second or too frequent explanation is refused.

    One can be had after the answer or some time.
    """
    venue, ana = stage.venue, stage.venue.ana
    await stage.slash(venue.mod, "watch")
    await venue.env.advance_time(venue.services.settings.watch_pace)
    with venue.services.workers.one_at_a_time(ana.id):
        await stage.refuses("one_at_a_time", lambda: stage.press(ana, "Why?"))
    with limited(stage, hints=Rate(1, 60.0)):
        assert "```" in (await stage.press(ana, "Why?")).response.content
        await stage.refuses("often_hints", lambda: stage.press(ana, "Why?"))
        venue.services.clock.forward(61.0)
        assert "```" in (await stage.press(ana, "Why?")).response.content
