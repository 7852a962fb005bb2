"""A rated game between people, and what its players may ask about meanwhile."""

from __future__ import annotations

from typing import Any

from bot.features.fair_play.discord import EVERY
from bot.i18n import say_in
from bot.store.records import GameSetup, agent, person
from engine.core.registry import game_of
from tests.bot.discord.stage import Stage
from tests.bot.present import needs

RUNNING = list("1234")


async def refused(stage: Stage, actor: Any, label: str) -> bool:
    """Whether pressing a button of the board is refused because of the rated game."""
    shown = await stage.press(actor, label)
    messages = [m for m in (shown.response, *shown.followups) if m is not None]
    return "your rated game" in messages[-1].content


@needs("reviews")
async def test_a_review_waits_for_the_rated_game(venue: Any) -> None:
    """Its players get none of a related game; others do, and they do afterwards."""
    stage = Stage(venue, "connect4", venue.channel)
    there = Stage(venue, "connect4", venue.other_channel)
    await there.pair()
    await there.make(RUNNING)
    await there.resign(venue.ana)
    assert not await refused(there, venue.ana, "Review")
    await stage.pair()
    await stage.make(RUNNING)
    for player in (venue.ana, venue.bea):
        assert await refused(there, player, "Review")
    assert not await refused(there, venue.mod, "Review")
    await stage.resign(venue.bea)
    assert not await refused(there, venue.bea, "Review")


@needs("why")
async def test_why_waits_for_the_rated_game(venue: Any) -> None:
    """Its players do not learn why an agent moved on a board that is theirs now."""
    stage = Stage(venue, "connect4", venue.channel)
    there = Stage(venue, "connect4", venue.other_channel)
    await there.slash(venue.mod, "watch")
    await venue.let_pass(venue.services.settings.watch_pace)
    while len((await there.game()).moves) < 2:
        await venue.let_pass(venue.services.settings.watch_pace)
    game = await there.game()
    assert not await refused(there, venue.ana, "Why?")
    await stage.pair()
    assert not await refused(there, venue.ana, "Why?")
    await stage.make(one.move for one in game.moves[:-1])
    assert await refused(there, venue.ana, "Why?")
    assert not await refused(there, venue.mod, "Why?")


@needs("voting")
async def test_players_do_not_vote_in_a_related_game(venue: Any) -> None:
    """A channel's game against Cuatro goes on without the votes of a rated game's players."""
    stage = Stage(venue, "connect4", venue.channel)
    there = Stage(venue, "connect4", venue.other_channel)
    await there.slash(venue.mod, "together", level="easy", seconds=600, first="bot")
    first = (await there.game()).moves[0].move
    await stage.pair()
    assert not await refused(there, venue.ana, "4")
    await stage.make([first])
    assert await refused(there, venue.ana, "4")
    assert not await refused(there, venue.mod, "4")
    await stage.make("1")
    assert not await refused(there, venue.ana, "4")


async def test_a_game_against_cuatro_waits_and_goes_on_by_itself(venue: Any) -> None:
    """Its board says so once the rated game is like it; Cuatro moves when that one is over."""
    stage, ana = Stage(venue, "connect4", venue.channel), venue.ana
    there = Stage(venue, "connect4", venue.other_channel)
    await stage.pair()
    await stage.make("4444443")
    game, guild = game_of("connect4", "6x7"), venue.env.guild.id
    seats = person(ana.id), agent("easy")
    setup = GameSetup("connect4", "6x7", there.channel.id, guild, "en", *seats, ana.id)
    began = await venue.services.sessions.start(setup, opening=game.moves("4444442"))
    await venue.app.core.boards.show(began)
    line = say_in("en")("fair_play.line", name="Ana")
    assert line not in there.board().content
    await stage.make("12")
    await venue.let_pass(EVERY)
    assert line in there.board().content
    moves = [button for row in there.board().components[:2] for button in row.children]
    assert all(button.disabled for button in moves)
    assert "Resign" in there.labels()
    await stage.resign(ana)
    await venue.let_pass(EVERY)
    assert line not in there.board().content
    session = await there.game()
    assert (session.is_held, session.moves[-1].user_id, len(session.moves)) == (False, None, 8)
