"""Balanced openings between two people on the offline Discord."""

from __future__ import annotations

from typing import Any

import pytest

from bot.i18n import say_in
from engine.core.game import replay
from engine.core.registry import game_of
from engine.study.balanced import balanced_openings
from engine.study.mining.miner import canonical
from tests.bot.discord.stage import Stage
from tests.bot.present import needs


@pytest.fixture
def stage(venue: Any) -> Stage:
    """Connect 4 in the channel."""
    return Stage(venue, "connect4", venue.channel)


async def begin(stage: Stage, language: str = "en", **options: Any) -> str:
    """Begin a game between Ana and Bea from a balanced opening; return the challenge's text."""
    venue, accept = stage.venue, say_in(language)("button.accept")
    offered = await stage.slash(
        venue.ana, "start", opponent=venue.bea, opening="balanced", **options
    )
    text: str = offered.response.content
    await venue.bea.click(offered.response, label=accept)
    return text


@pytest.mark.parametrize("language", ["en", "es"])
async def test_the_first_discs_are_placed(venue: Any, stage: Stage, language: str) -> None:
    """The game begins from one of the openings, with moves of no player, and the texts say so."""
    say = say_in(language)
    venue.speak(language)
    assert say("opening.offered") in await begin(stage, language)
    session = await stage.game()
    made = len(session.moves)
    assert say("opening.line", n=made) in stage.board().content
    game = game_of("connect4", "6x7")
    known = {canonical(replay(game, moves)) for moves in balanced_openings(game)}
    assert canonical(session.position) in known
    assert {one.user_id for one in session.moves} == {None}
    assert session.mover.user_id == venue.ana.id


async def test_openings_differ(stage: Stage) -> None:
    """Each game draws an opening of its own, a rematch too, with the sides exchanged."""
    venue = stage.venue
    await begin(stage, size="5x4")
    first = await stage.game()
    await venue.resign(venue.ana)
    board = stage.board()
    offered = await venue.bea.click(board, label="Rematch")
    assert "Balanced start" in offered.response.content
    await venue.ana.click(offered.response, label="Accept")
    again = await stage.game()
    assert again.setup.balanced
    assert again.setup.first.user_id == venue.bea.id
    assert again.position != first.position


@needs("statistics")
async def test_such_a_game_is_rated_and_counted(stage: Stage) -> None:
    """A game from a balanced opening changes ratings and statistics like any other."""
    venue = stage.venue
    await begin(stage, size="5x4")
    for _ in range(2):
        await stage.play(venue.ana)
        await stage.play(venue.bea)
    await venue.resign(venue.ana)
    assert await venue.services.ratings.settled(venue.bea.id, 60)
    changes = (await venue.services.store.games.find(1)).changes
    assert {one.user_id for one in changes} == {venue.ana.id, venue.bea.id}
    card = await stage.slash(venue.bea, "stats")
    assert "1 win, 0 draws, 0 losses" in card.response.attachments[0].description


@needs("proposals")
async def test_the_opening_cannot_be_undone(stage: Stage) -> None:
    """Undo takes back people's moves alone."""
    venue = stage.venue
    await begin(stage)
    made = len((await stage.game()).moves)
    await stage.play(venue.ana)
    await stage.press(venue.ana, "Undo")
    question = stage.venue.channel.history()[-1]
    await venue.bea.click(question, label="Allow")
    assert len((await stage.game()).moves) == made
