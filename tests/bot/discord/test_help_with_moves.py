"""Moves in words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bot.discord.stage import Stage


@pytest.fixture
async def stage(venue: Any) -> Stage:
    """A rated game of Ana's against Cuatro."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana)
    return stage


@pytest.mark.parametrize(("locale", "said"), [("en-US", "You played 4"), ("es-419", "Jugaste 4")])
async def test_moves_by_button_are_confirmed_to_who_wants_it(
    stage: Stage, locale: str, said: str
) -> None:
    """Privately, with the answer, in the player's language; nobody else gets it."""
    ana = stage.venue.ana
    silent = await stage.press(ana, "4")
    assert silent.followups == []
    stage.venue.speak(locale)
    await stage.slash(ana, "confirm", moves="say")
    told = await stage.press(ana, "4")
    (message,) = told.followups
    assert message.ephemeral
    assert message.content.startswith(f"{said}; Cuatro ")
    await stage.slash(ana, "confirm", moves="hush")
    assert (await stage.press(ana, "4")).followups == []


async def test_a_bomb_is_a_word(venue: Any) -> None:
    """Whoever explodes a bomb is told so in words, as the button says it."""
    stage = Stage(venue, "boom", venue.other_channel)
    await stage.pair()
    while "BOOM" not in [b.label for b in enabled(stage)]:
        await stage.play(await stage.mover())
    told = await stage.slash(await stage.mover(), "explode")
    assert told.response.content == "You played BOOM."


def enabled(stage: Stage) -> list[Any]:
    """The board's buttons that can be pressed."""
    rows = stage.board().components
    return [button for row in rows for button in row.children if not button.disabled]
