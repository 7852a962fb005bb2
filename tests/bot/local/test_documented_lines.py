"""Every slash command in the documents works when it is typed on the local page."""

from __future__ import annotations

import re
from typing import Any

from bot.local.typed import commands_of, read_line
from tests.bot.present import FEATURES
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


async def test_documented_lines_are_answered(venue: Any) -> None:
    """Each documented line is answered in a channel with a game, unless it begins one itself."""
    commands = await commands_of(venue.client.tree)
    for number, line in enumerate(one for one in NAMED if FEATURES.issuperset(brought_by(one))):
        channel = venue.channel.guild.create_text_channel(f"channel-{number}")
        command = read_line(commands, line, {}, "en-US")
        family, verb = command.path
        if verb not in ("start", "watch"):
            await venue.ana.slash(channel, f"{family} start")
        answer = await venue.ana.slash(channel, command.name, **dict(command.options))
        assert answer.acknowledged, line
        text = answer.response.content if answer.response else ""
        assert "went wrong" not in text, line
        if verb in ("start", "drop", "place"):
            session = await venue.services.sessions.games.current(channel.id)
            assert session.game.key == family, line
            assert bool(session.moves) == (verb != "start"), line
        if verb != "watch":
            # One person may only have a few games.
            await venue.resign(venue.ana, channel, family)


def brought_by(line: str) -> tuple[str, ...]:
    """The features without which a line has no command."""
    return OF.get(line.split()[1], ())
