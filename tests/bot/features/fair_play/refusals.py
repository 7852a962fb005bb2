"""Scenes in which the players of a rated game get no help with it."""

from __future__ import annotations

from tests.bot.discord.stage import Stage, scene

MOVES = {"connect4": "123456", "gato": "a1b2c3d1a2b1", "boom": "123456"}
"""Six moves without a line."""


@scene("fair_play")
async def the_position_of_a_rated_game(stage: Stage) -> None:
    """No hint in a friendly game that is like the rated one; after the rated one there is one."""
    venue, there = stage.venue, await stage.in_another_channel()
    await stage.pair()
    moves = list(MOVES[stage.family])
    if stage.family == "gato":
        moves = [MOVES["gato"][at : at + 2] for at in range(0, len(MOVES["gato"]), 2)]
    await stage.make(moves)
    await there.befriend()
    await there.make(moves)
    mover = await there.mover()
    if there.has("hint"):
        said = await there.refuses("fair_play", lambda: there.slash(mover, "hint"))
        assert stage.board().jump_url in said
        venue.speak("en-US")
        await stage.resign(venue.ana)
        assert (await there.slash(mover, "hint")).response.attachments
