"""Every slash command in the documents works when it is typed on the local page."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.local.typed import commands_of, read_line
from tests.bot.present import needs
from tests.builders import ROOT

DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
NAMED = sorted(
    {
        line
        for document in DOCUMENTS
        for line in re.findall(r"`(/(?:connect4|gato|boom) [^`]+)`", document.read_text("utf-8"))
    }
)
OF = {
    "analyze": ("analysis",),
    "daily": ("daily",),
    "hint": ("hints",),
    "learn": ("lessons",),
    "stats": ("statistics",),
}
"""Commands that features bring, and which."""


def test_the_documents_name_commands() -> None:
    """The documents name several commands."""
    assert len(NAMED) > 7
    assert "/connect4 start size:5x4 level:medium" in NAMED


@pytest.mark.parametrize(
    "line", [pytest.param(one, marks=[needs(*OF.get(one.split()[1], ()))]) for one in NAMED]
)
async def test_a_documented_line_is_answered(venue: Any, line: str) -> None:
    """A documented line is answered in a channel with a game, unless it begins one itself."""
    command = read_line(await commands_of(venue.client.tree), line, {}, "en-US")
    family, verb = command.path
    if verb not in ("start", "watch"):
        await venue.ana.slash(venue.channel, f"{family} start")
    answer = await venue.ana.slash(venue.channel, command.name, **dict(command.options))
    assert answer.acknowledged
    text = answer.response.content if answer.response else ""
    assert "went wrong" not in text
    if verb in ("start", "drop", "place"):
        session = await venue.services.sessions.games.current(venue.channel.id)
        assert session.game.key == family
        assert bool(session.moves) == (verb != "start")
