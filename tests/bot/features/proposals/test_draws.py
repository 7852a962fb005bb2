"""Draw offers between two people on the offline Discord."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.registry import games
from tests.bot.discord.stage import Stage
from tests.bot.discord.words_of import words_of


@pytest.fixture
def stage(venue: Any) -> Stage:
    """Connect 4 in the channel."""
    return Stage(venue, "connect4", venue.channel)


def offers(venue: Any) -> list[Any]:
    """All messages about offers of a draw."""
    return [m for m in venue.channel.history() if "draw" in m.content and not m.attachments]


@pytest.mark.parametrize("family", games())
async def test_an_accepted_offer_ends_the_game_as_a_rated_draw(venue: Any, family: str) -> None:
    """A draw offer pings only the opponent.

    Once accepted, both are rated and the card counts a draw.
    """
    stage = Stage(venue, family, venue.channel)
    await stage.pair(4)
    asked = await stage.press(venue.bea, "Offer a draw")
    assert not asked.ephemeral
    sent = [r.json for r in venue.env.http_requests if r.path.endswith("/callback")][-1]
    assert sent["data"]["allowed_mentions"]["users"] == [venue.ana.id]
    board = stage.board().id
    await venue.ana.click(asked.response, label="Accept")
    game = await venue.services.store.games.find(1)
    assert (game.end.ending, game.end.winner) == ("agreed", None)
    assert stage.board().id == board
    assert "A draw by agreement" in stage.board().content
    assert "accepted" in offers(venue)[-1].content
    assert not offers(venue)[-1].components
    assert await venue.services.ratings.settled(venue.ana.id, 60)
    assert len((await venue.services.store.games.find(1)).changes) == 2
    if stage.has("stats"):
        card = await stage.slash(venue.ana, "stats")
        assert "Draws: 1" in card.response.attachments[0].description


async def test_two_offers_are_an_agreement(stage: Stage) -> None:
    """Offering a draw during the other's open offer accepts it, and its message says so."""
    await stage.pair(4)
    await stage.slash(stage.venue.ana, "draw")
    answer = await stage.slash(stage.venue.bea, "draw")
    assert answer.ephemeral
    assert await stage.game() is None
    (shown,) = offers(stage.venue)
    assert "**Bea** accepted **Ana**" in shown.content
    assert not shown.components


@pytest.mark.parametrize("reason", ["move", "end", "undo"])
async def test_an_offer_lapses(stage: Stage, reason: str) -> None:
    """An offer lapses with the next move, the end of the game or an undo."""
    venue = stage.venue
    await stage.pair(4)
    await stage.slash(venue.ana, "draw")
    if reason == "move":
        await stage.play(await stage.mover())
    elif reason == "end":
        await stage.slash(venue.ana, "resign")
    else:
        asked = await stage.slash(venue.ana, "undo")
        await venue.bea.click(asked.response, label="Accept")
    await venue.env.advance_time(30)
    (shown,) = offers(venue)
    assert "no longer stands" in shown.content
    assert not shown.components


async def test_an_offer_survives_a_restart(stage: Stage) -> None:
    """After a restart the buttons of a draw offer still work."""
    await stage.pair(4)
    asked = await stage.slash(stage.venue.ana, "draw")
    await stage.venue.restart()
    await stage.venue.bea.click(asked.response, label="Decline")
    assert await stage.game() is not None
    assert "did not accept" in offers(stage.venue)[-1].content


async def test_a_draw_before_the_fourth_move_calls_the_game_off(stage: Stage) -> None:
    """A draw before the fourth move changes no rating and no statistics."""
    await stage.pair(3)
    asked = await stage.slash(stage.venue.ana, "draw")
    await stage.venue.bea.click(asked.response, label="Accept")
    assert "called off" in stage.board().content
    assert "unrated: too short" in words_of(stage.board())
    if stage.has("stats"):
        card = await stage.slash(stage.venue.ana, "stats")
        assert "No finished games yet" in card.response.attachments[0].description


async def test_only_two_people_have_the_button(stage: Stage) -> None:
    """A game against an agent has no draw button."""
    await stage.begins(stage.venue.ana)
    labels = [b.label for row in stage.board().components for b in row.children]
    assert labels[-2:] == ["Undo", "Resign"]
