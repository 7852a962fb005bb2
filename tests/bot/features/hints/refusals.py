"""Scenes in which a hint is refused."""

from __future__ import annotations

from dataclasses import replace

from bot.settings import Rate
from tests.bot.discord.refusals_of_haste import limited
from tests.bot.discord.stage import Stage, scene

TESTED_ELSEWHERE = {
    "hint_failed": "tests/bot/workers/test_questions.py: the engine has to fail",
}
"""Where the other refusals of hints are tested."""


APART = True
"""Each scene has a server of its own: what was found for one hint is not searched for again."""


def choosing(stage: Stage) -> Stage:
    """A stage for a game in which the first hint chooses between moves, as Gato's does not."""
    return replace(stage, family="connect4") if stage.family == "gato" else stage


@scene("not_your_game", "not_your_turn")
async def a_hint_for_another_person(stage: Stage) -> None:
    """A hint on the other player's turn is refused; the player to move can have one."""
    venue = stage.venue
    await stage.befriend()
    await stage.refuses("not_your_game", lambda: stage.slash(venue.mod, "hint"))
    await stage.refuses("not_your_game", lambda: stage.press(venue.mod, "Hint"))
    await stage.refuses("not_your_turn", lambda: stage.slash(venue.bea, "hint"))
    assert (await stage.slash(venue.ana, "hint")).ephemeral


@scene("hint_rated")
async def a_hint_in_a_rated_game_of_two_people(stage: Stage) -> None:
    """A rated game between two people has no hints and no button for them; a friendly one has."""
    venue = stage.venue
    await stage.pair()
    assert "Hint" not in stage.labels()
    await stage.refuses("hint_rated", lambda: stage.slash(venue.ana, "hint"))
    assert (await stage.game()).hints == ()
    await stage.resign(venue.ana)
    await stage.befriend()
    assert "Hint" in stage.labels()
    assert (await stage.slash(venue.ana, "hint")).response.attachments


@scene("hint_outdated")
async def more_of_an_old_hint(stage: Stage) -> None:
    """More of an outdated hint is refused; a new hint can be had and extended."""
    stage = choosing(stage)
    ana = stage.venue.ana
    await stage.begins(ana)
    asked = await stage.slash(ana, "hint")
    await ana.click(asked.response.message, label="Show the hint")
    old = stage.channel.history(viewer=ana)[-1]
    await stage.play(ana)
    await stage.refuses("hint_outdated", lambda: ana.click(old, label="Next clue"))
    hint = (await stage.slash(ana, "hint")).response
    more = await ana.click(hint, label="Next clue")
    assert more.acknowledged


@scene("one_at_a_time")
async def a_hint_while_a_question_is_open(stage: Stage) -> None:
    """A second hint while one is pending is refused; after the answer a hint can be had."""
    venue = stage.venue
    await stage.begins(venue.ana)
    await stage.play(venue.ana)
    await venue.services.sessions.take_back(stage.channel.id, lambda _: 0)
    # In an unrated game a hint costs nothing and comes without a question.
    with venue.services.workers.one_at_a_time(venue.ana.id):
        await stage.refuses("one_at_a_time", lambda: stage.slash(venue.ana, "hint"))
        await stage.refuses("one_at_a_time", lambda: stage.press(venue.ana, "Hint"))
    hint = await stage.slash(venue.ana, "hint")
    assert hint.response.attachments


@scene("often_hints")
async def asking_for_hints_again_and_again(stage: Stage) -> None:
    """Too many hints in a short time are refused.

    The same one can be seen again, a new one later.
    """
    ana, begun = stage.venue.ana, stage.family
    stage = choosing(stage)
    with limited(stage, hints=Rate(1, 60.0)):
        await stage.begins(ana)
        if stage.family != begun:
            # A position of its own: what was found for another game would not be searched for.
            await stage.play(ana, "2")
        asked = await stage.slash(ana, "hint")
        await ana.click(asked.response.message, label="Show the hint")
        assert (await stage.slash(ana, "hint")).response.attachments
        await stage.play(ana)
        await stage.refuses("often_hints", lambda: stage.slash(ana, "hint"))
        stage.venue.services.clock.forward(61.0)
        assert (await stage.slash(ana, "hint")).response.attachments
