"""The card with a player's statistics, and the level that `auto` takes from them."""

from __future__ import annotations

from typing import Any

from bot.rating.difficulty import fitting_rung
from bot.rating.ratings import NEWCOMER
from bot.show.titles import agent_title
from bot.words import say_in
from engine.games import game_of
from engine.ladder import ladder_of


async def test_a_player_without_games_gets_a_card_too(venue: Any) -> None:
    """The card of somebody who never finished a game says how to begin."""
    card = await venue.ana.slash(venue.channel, "connect4 stats")
    assert not card.ephemeral
    text = card.response.attachments[0].description
    assert "Games: 0" in text
    assert "/connect4 start" in text


async def test_a_card_counts_results_moves_and_hints(venue: Any) -> None:
    """Games, losses, streak, mean moves, hints and the level stand on the card."""
    for hints in (1, 0):
        await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
        for _ in range(hints):
            await venue.ana.slash(venue.channel, "connect4 hint")
        await venue.ana.slash(venue.channel, "connect4 drop", column=2)
        await venue.ana.slash(venue.channel, "connect4 resign")
    card = await venue.bea.slash(venue.channel, "connect4 stats", player=venue.ana)
    text = card.response.attachments[0].description
    for figure in (
        "Ana.",
        "Games: 2",
        "Losses: 2",
        "Streak: 2 lost",
        "Moves a game: 2.0",
        "Hints used: 1",
        "Against: medium, Games: 2",
    ):
        assert figure in text


async def test_the_card_tells_what_auto_would_be(venue: Any) -> None:
    """The card says which rung `auto` would choose, by its name or its strength."""
    card = await venue.ana.slash(venue.channel, "gato stats")
    game = game_of("gato", "4x4")
    rung = fitting_rung(ladder_of(game), NEWCOMER, None)
    title = agent_title(game, rung.name, say_in("en"))
    assert f"auto now plays at: {title}" in card.response.attachments[0].description
