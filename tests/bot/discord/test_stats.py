"""The card with a player's statistics, and the level that `auto` takes from them."""

from __future__ import annotations

from typing import Any


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
        "Moves a game: 1.0",
        "Hints used: 1",
        "Level now: medium",
        "Against: medium, Games: 2",
    ):
        assert figure in text


async def test_auto_follows_the_stored_results(venue: Any) -> None:
    """`auto`, the usual level, is chosen from the player's own finished games on that size."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4")
    session = await venue.services.sessions.current(venue.channel.id)
    assert session.auto
    assert session.seats[1].agent_name == "easy"
    await venue.ana.slash(venue.channel, "connect4 resign")
    for _ in range(5):
        await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="hard")
        await venue.ana.slash(venue.channel, "connect4 resign")
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4")
    session = await venue.services.sessions.current(venue.channel.id)
    assert session.seats[1].agent_name == "medium"
    await venue.bea.slash(venue.other_channel, "connect4 start", size="5x4")
    other = await venue.services.sessions.current(venue.other_channel.id)
    assert other.seats[1].agent_name == "easy"
