"""Hints on the offline Discord where permissions are missing."""

from __future__ import annotations

from typing import Any

from tests.bot.board.test_permissions import NEEDED, forbid


async def test_a_hint_whose_picture_is_refused_says_why(venue: Any) -> None:
    """If Discord refuses the picture, the player learns which permission is missing."""
    await venue.ana.slash(venue.channel, "connect4 start", size="6x7", level="easy")
    asked = await venue.ana.slash(venue.channel, "connect4 hint")
    await forbid(venue, "attach_files")
    refused = {"status": 403, "code": 50013, "message": "Missing Permissions"}
    venue.env.inject_error("PATCH", "/webhooks/*", **refused, times=1)
    answer = await venue.ana.click(asked.response.message, label="Show the hint")
    (message,) = answer.followups
    assert message.ephemeral
    assert "**Attach Files**" in message.content


async def test_a_hint_is_given_where_something_is_missing(venue: Any) -> None:
    """A hint is private, so that the channel's permissions do not matter."""
    await venue.ana.slash(venue.channel, "connect4 start", size="6x7", level="easy")
    await venue.hint(venue.ana)
    # More and more is missing, and at last the right to see the channel.
    for number, name in reversed(list(enumerate(NEEDED))):
        await forbid(venue, *NEEDED[number:])
        hint = await venue.ana.slash(venue.channel, "connect4 hint", level="move")
        assert hint.ephemeral, name
        assert hint.response.attachments, name
