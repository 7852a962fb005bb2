"""Moves in words."""

from __future__ import annotations

from typing import Any

from tests.bot.discord.stage import Stage


async def test_moves_by_button_are_confirmed_on_request(venue: Any) -> None:
    """A player who wants moves in words gets them privately with the answer.

    Other players do not.
    """
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana)
    assert (await stage.press(venue.ana, "4")).followups == []
    await venue.services.store.preferences.set_person(venue.ana.id, 0.0, spoken=True)
    (message,) = (await stage.press(venue.ana, "4")).followups
    assert message.ephemeral
    assert message.content.startswith("You played column 4. I played column ")


async def test_an_exploded_bomb_is_confirmed_in_words(venue: Any) -> None:
    """The private confirmation names an exploded bomb with the same word as the button."""
    stage = Stage(venue, "boom", venue.other_channel)
    await stage.pair()
    while "💣 BOOM" not in [b.label for b in enabled(stage)]:
        await stage.play(await stage.mover())
    answer = await stage.slash(await stage.mover(), "explode")
    assert answer.response.content == "You played BOOM."


def enabled(stage: Stage) -> list[Any]:
    """The board's buttons that can be pressed."""
    rows = stage.board().components
    return [button for row in rows for button in row.children if not button.disabled]
