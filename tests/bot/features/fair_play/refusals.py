"""Scenes in which the players of a rated game get no help with it."""

from __future__ import annotations

from dataclasses import replace

from bot.store.records import agent, person
from tests.bot.discord.stage import Stage, scene

MOVES = {"connect4": "123456", "gato": "a1b2c3d1a2b1", "boom": "123456"}
"""Six moves without a line."""


def six(stage: Stage) -> list[str]:
    """The six moves of a game, one by one."""
    moves, size = MOVES[stage.family], 2 if stage.family == "gato" else 1
    return [moves[at : at + size] for at in range(0, len(moves), size)]


@scene("fair_play")
async def the_position_of_a_rated_game(stage: Stage) -> None:
    """No hint in a friendly game that is like the rated one; after the rated one there is one."""
    venue, there = stage.venue, await stage.in_another_channel()
    await stage.pair()
    await stage.make(six(stage))
    await there.befriend()
    await there.make(six(stage))
    mover = await there.mover()
    if there.has("hint"):
        said = await there.refuses("fair_play", lambda: there.slash(mover, "hint"))
        assert stage.board().jump_url in said
        venue.speak("en-US")
        await stage.resign(venue.ana)
        assert (await there.slash(mover, "hint")).response.attachments


@scene("fair_play_waits")
async def a_game_against_cuatro_like_a_rated_one(stage: Stage) -> None:
    """It waits for the next move of the rated one, and says so; then it can be played."""
    venue, there = stage.venue, await stage.in_another_channel()
    await stage.pair()
    rated, first = await stage.game(), six(stage)[0]
    seats = {"first": agent("easy"), "second": person(venue.ana.id)}
    setup = replace(rated.setup, channel_id=there.channel.id, **seats)
    await venue.services.sessions.start(setup, opening=rated.game.moves(first))
    await stage.make([first])
    said = await there.refuses("fair_play_waits", lambda: there.play(venue.ana))
    assert stage.board().jump_url in said
    if there.has("hint"):
        await there.refuses("game_waits", lambda: there.slash(venue.ana, "hint"))
    venue.speak("en-US")
    assert (await there.game()).is_held
    await stage.play(venue.bea)
    # Bea's move was the first allowed one; this is none of its mirror images.
    legal = (await there.game()).position.legal_moves()
    await there.play(venue.ana, rated.game.label(legal[-1]))
    assert not (await there.game()).is_held
