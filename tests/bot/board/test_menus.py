"""The context menus of boards: analysing, reviewing, and reading them."""

from __future__ import annotations

from typing import Any

import pytest

from bot.i18n import LANGUAGES, say_in
from engine.core.registry import games
from tests.bot.discord.stage import Stage
from tests.bot.present import FEATURES, needs


def entries(venue: Any) -> list[str]:
    """The entries in the context menus of messages."""
    requests = [r for r in venue.env.http_requests if r.path.endswith("/commands")]
    return [one["name"] for one in requests[-1].json if one["type"] == 3]


async def test_boards_have_menus(venue: Any) -> None:
    """Boards can be analysed, reviewed and read from their context menus."""
    expected = {"As text"}
    expected |= {"Analyse"} if "analysis" in FEATURES else set()
    expected |= {"Review"} if "reviews" in FEATURES else set()
    assert set(entries(venue)) == expected


@pytest.mark.parametrize("family", games())
async def test_a_board_is_read_as_text(venue: Any, family: str) -> None:
    """As text describes the present board in words, privately and in the reader's language."""
    stage = Stage(venue, family, venue.channel)
    await stage.begins(venue.ana)
    for language in LANGUAGES:
        venue.speak(language)
        shown = await venue.bea.context_menu(venue.channel, "As text", stage.board())
        assert shown.ephemeral
        session = await stage.game()
        text = await venue.app.core.messages.as_text(session, say_in(language))
        assert shown.response.content == text


@needs("reviews")
async def test_a_finished_board_is_reviewed(venue: Any) -> None:
    """Review on a finished board gives its review privately, after a restart too."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana)
    for _ in range(4):
        await stage.play(venue.ana)
    await venue.services.sessions.resign(venue.channel.id, 0, moderator=True)
    await venue.restart()
    session = await venue.services.sessions.games.find(1)
    await venue.app.core.boards.show(session)
    reviewed = await venue.ana.context_menu(venue.channel, "Review", venue.board())
    assert reviewed.ephemeral
    assert reviewed.response.attachments
