"""Pages of lists are turned only by their owners."""

from __future__ import annotations

from typing import Any

from bot.features.statistics.buttons import Page
from tests.bot.discord.forging import forge

TESTED_ELSEWHERE = 123


async def test_a_page_of_a_history_is_its_owners(venue: Any) -> None:
    """A history page is shown only to its owner, also after a forged press."""
    helped = await venue.ana.slash(venue.channel, "help")
    forge(venue, custom_id=f"cuatro:page:history:connect4:0:{venue.bea.id}")
    refused = await venue.ana.click(helped.response, label="Play")
    assert refused.ephemeral
    assert "somebody else's games" in refused.response.content
    forge(venue, custom_id=f"cuatro:page:history:connect4:0:{venue.ana.id}")
    turned = await venue.ana.click(helped.response, label="Play")
    assert turned.acknowledged
    assert turned.response is None or "somebody else" not in turned.response.content


async def test_pages_of_a_leaderboard_are_for_their_requester(venue: Any) -> None:
    """A leaderboard's pages are turned only by its reader; others learn how to get their own."""
    guild_id = venue.env.guild.id
    helped = await venue.ana.slash(venue.channel, "help")
    for owner, place in ((venue.bea.id, guild_id), (venue.ana.id, TESTED_ELSEWHERE)):
        forge(venue, custom_id=f"cuatro:page:server:connect4:0:{place}:by{owner}")
        refused = await venue.ana.click(helped.response, label="Play")
        assert refused.ephemeral
        assert "Only the person who asked for this list" in refused.response.content
    forge(venue, custom_id=f"cuatro:page:server:connect4:0:{guild_id}:small:by{venue.ana.id}")
    await venue.ana.click(helped.response, label="Play")
    edited = venue.env.http_requests[-1]
    assert edited.method == "PATCH"
    assert "Only the person who" not in str(edited.json)


def test_pages_belong_to_a_person() -> None:
    """A history belongs to its person, a leaderboard to its reader on the same server."""
    history = Page("history", "gato", 0, 7)
    assert history.is_of(7, TESTED_ELSEWHERE)
    assert not history.is_of(8, 7)
    board = Page("server", "gato", 0, 7, "", 5)
    assert board.is_of(5, 7)
    assert not board.is_of(6, 7)
    assert not board.is_of(5, TESTED_ELSEWHERE)
    assert not board.is_of(5, None)
    assert Page("server", "gato", 0, 7).is_of(6, 7)
