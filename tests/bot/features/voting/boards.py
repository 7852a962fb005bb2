"""The board of a game in which people vote or guess."""

from __future__ import annotations

from contextlib import suppress

from tests.bot.discord.stage import Stage
from tests.builders import until


async def seen(stage: Stage) -> str:
    """The board's text once it is up to date."""
    await stage.venue.env.advance_time(2)
    return str(stage.board().content)


async def shows(stage: Stage, text: str) -> None:
    """Wait until the board contains a text: on a busy machine it is drawn later."""

    async def is_shown() -> bool:
        return text in await seen(stage)

    with suppress(AssertionError):
        await until(is_shown)
    assert text in await seen(stage)
