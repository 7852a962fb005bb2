"""`analyze`: what a position is worth, exploring it, and sharing it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.words import say_in
from tests.bot.discord.stage import Stage


@pytest.mark.parametrize(
    ("family", "language"), [("connect4", "es"), ("gato", "en"), ("boom", "es"), ("connect4", "en")]
)
async def test_smoke(venue: Any, family: str, language: str) -> None:
    stage = Stage(venue, family, venue.channel)
    venue.speak(language)
    shown = await stage.slash(venue.ana, "analyze")
    print(shown.response.content)
    print(shown.response.attachments[0].description)
    __import__("pathlib").Path(f"/tmp/s-{family}-{language}.png").write_bytes(
        await shown.response.attachments[0].read()
    )

    say = say_in(language)
    await venue.ana.click(shown.response.message, label=say("button.forward"))
    m = [x for x in venue.channel.history(viewer=venue.ana) if x.flags.ephemeral][-1]
    print(m.content)
    await venue.ana.click(shown.response.message, label=say("button.last"))
    m = [x for x in venue.channel.history(viewer=venue.ana) if x.flags.ephemeral][-1]
    print(m.content)
    await venue.ana.click(shown.response.message, label=say("button.share"))
    print([x.content for x in venue.channel.history()])
    __import__("pathlib").Path(f"/tmp/t-{family}-{language}.png").write_bytes(
        await m.attachments[0].read()
    )
