"""Playing on from positions on Discord."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.analysis.rules import Trail
from bot.features.play_on import opening_to, play_on_button
from bot.i18n import say_in
from bot.store.records import Ending
from engine.core.game import replay
from engine.core.position_code import code_of
from engine.core.registry import game_of, games
from tests.bot.present import needs

MOVES = {"connect4": "4433", "gato": "a1b1a2b2c3", "boom": "1773"}
"""Some moves of each game after which it goes on for a while."""
PLAY_ON = say_in("en")("button.play_on")


def usual(family: str) -> Any:
    """The usual variant of a game."""
    return game_of(family, games()[family].usual)


async def plays_on(venue: Any, family: str, level: str = "easy") -> Any:
    """Play on from a position against a level; returns the game."""
    shown = await venue.ana.slash(venue.channel, "analyze", game=family, moves=MOVES[family])
    asked = await venue.ana.click(shown.response.message, label=PLAY_ON)
    assert asked.ephemeral
    await venue.ana.click(asked.response.message, label=level)
    return await venue.services.sessions.games.current(venue.channel.id)


async def test_a_game_goes_on_from_an_analysed_position(venue: Any) -> None:
    """The person makes the next move of the position, and the level answers it."""
    for family in games():
        session = await plays_on(venue, family)
        game, moves = usual(family), usual(family).moves(MOVES[family])
        assert session.position == replay(game, moves)
        assert session.setup.opening == len(moves)
        assert session.mover.user_id == venue.ana.id
        assert say_in("en")("play_on.line") in venue.board().content
        assert all(made.user_id is None for made in session.moves)
        stored = await venue.services.store.games.find(session.id)
        made = [one.move for one in stored.moves]
        assert made[: len(moves)] == [game.label(one) for one in moves]
        await venue.services.sessions.resign(venue.channel.id, venue.ana.id)


@needs("statistics")
async def test_such_a_game_is_not_rated_and_counts_in_no_statistics(venue: Any) -> None:
    """Its end says why it is not rated, it changes no number, and no figures of the player."""
    session = await plays_on(venue, "connect4")
    for column in (1, 7):
        await venue.ana.slash(venue.channel, "connect4 drop", column=column)
    await venue.resign(venue.ana)
    stored = await venue.services.store.games.find(session.id)
    assert stored.end is not None
    assert stored.end.ending is Ending.RESIGNED
    assert not stored.changes
    details = await venue.ana.click(venue.board(), label=say_in("en")("button.details"))
    assert say_in("en")("unrated.position") in details.response.content
    stats = await venue.ana.slash(venue.channel, "connect4 stats")
    assert stats.response.content == (await stats_of_a_newcomer(venue)).response.content


async def stats_of_a_newcomer(venue: Any) -> Any:
    """The statistics of a person who has not played."""
    return await venue.bea.slash(venue.channel, "connect4 stats")


async def test_a_rematch_begins_from_the_same_position(venue: Any) -> None:
    """Again means the same position and side; undo never takes back the moves to the position."""
    before = await plays_on(venue, "connect4")
    undone = await venue.ana.slash(venue.channel, "connect4 undo")
    assert undone.response.content == say_in("en")("refusal.undo_nothing")
    await venue.resign(venue.ana)
    await venue.ana.click(venue.board(), label=say_in("en")("button.rematch"))
    again = await venue.services.sessions.games.current(venue.channel.id)
    assert again.id != before.id
    assert again.position == before.position
    assert again.seats == before.seats
    assert again.setup.opening == before.setup.opening


@pytest.mark.parametrize("family", games())
def test_the_button_is_under_positions_that_can_be_reached(family: str) -> None:
    """A position without known moves can be played on where an order of moves can be found."""
    game, say = usual(family), say_in("en")
    moves = game.moves(MOVES[family])
    position = replay(game, moves)
    assert play_on_button(game.start(), moves, say) is not None
    assert play_on_button(game.start(), (), say) is None
    spec = play_on_button(position, (), say)
    assert (spec is not None) is (family != "boom")
    if spec is not None:
        assert spec.target.values[0] == code_of(position)
        found = opening_to(Trail(position))
        assert found is not None
        assert replay(game, found) == position
