"""Scenes in which a review is refused."""

from __future__ import annotations

from bot.settings import Rate
from tests.bot.discord.refusals_of_haste import limited
from tests.bot.discord.stage import Stage, scene

TESTED_ELSEWHERE = {
    "nothing_to_review": "tests/bot/features/reviews/test_rules.py: only finished games have it",
    "review_failed": "tests/bot/features/reviews/test_rules.py: the engine has to fail",
}
"""Where the other refusals of reviews are tested."""


@scene("one_at_a_time", "often_pictures")
async def reviewing_in_haste(stage: Stage) -> None:
    """A second or too frequent review is refused; after the answer or some time one can be had."""
    venue, ana = stage.venue, stage.venue.ana
    await stage.pair(4)
    await stage.resign(ana)
    with venue.services.workers.one_at_a_time(ana.id):
        await stage.refuses("one_at_a_time", lambda: stage.press(ana, "Review"))
    with limited(stage, pictures=Rate(1, 60.0)):
        assert (await stage.press(ana, "Review")).response.attachments
        await stage.refuses("often_pictures", lambda: stage.press(ana, "Review"))
        venue.services.clock.forward(61.0)
        assert (await stage.press(ana, "Review")).response.attachments
