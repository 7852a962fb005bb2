"""Scenes in which the analysis of a position is refused, or not available to a person."""

from __future__ import annotations

from functools import partial

from bot.settings import Rate
from engine.core.game import replay
from engine.core.position_code import code_of
from engine.core.registry import game_of, games
from tests.bot.discord.refusals_of_haste import limited
from tests.bot.discord.stage import Stage, scene

TESTED_ELSEWHERE = {
    "analysis_failed": "tests/bot/features/analysis/test_rules.py: the engine has to fail",
}
"""Where the other refusals of analyses are tested."""

DECIDED = {"connect4": "121212", "gato": "a1b1a2b2a3b3", "boom": "17723"}
"""Moves after which little is left to search."""
TOO_MANY = {"connect4": "11111112", "gato": "a1a1", "boom": "11111111"}
"""Moves, one of them into a full column."""


@scene("analysis_both", "analysis_code", "analysis_long", "analysis_board", "analysis_move")
async def what_was_typed_is_nothing(stage: Stage) -> None:
    """Unreadable input is refused; any suggested input (moves, a board, a code) is analysed."""
    ana = stage.venue.ana
    analyze = partial(stage.slash, ana, "analyze")
    moves = DECIDED[stage.family]
    game = game_of(stage.family, games()[stage.family].usual)
    code = code_of(replay(game, game.moves(moves)))
    await stage.refuses("analysis_both", lambda: analyze(moves=moves, code=code))
    for wrong in (code[:-1], "1234", "?", code.replace(code[-1], "u")):
        await stage.refuses("analysis_code", lambda wrong=wrong: analyze(code=wrong))
    await stage.refuses("analysis_long", lambda: analyze(moves="1" * 501))
    for wrong in ("1/2", "..../..../11../....", "./.", "....x/", "#/#"):
        await stage.refuses("analysis_board", lambda wrong=wrong: analyze(moves=wrong))
    await stage.refuses("not_a_move", lambda: analyze(moves="99"))
    await stage.refuses("analysis_move", lambda: analyze(moves=TOO_MANY[stage.family]))
    for again in (moves, " ".join(moves)):
        assert (await analyze(moves=again)).response.attachments
    assert (await analyze(code=f" {code.upper()}")).response.attachments


@scene("analysis_yours", "analysis_running")
async def a_game_that_is_being_played(stage: Stage) -> None:
    """A player cannot analyse their running game.

    Others can privately, and everyone can afterwards.
    """
    venue = stage.venue
    moves = DECIDED[stage.family]
    await stage.pair()
    game = (await stage.game()).game
    for move in game.moves(moves):
        await stage.play(await stage.mover(), game.label(move))
    said = await stage.refuses("analysis_yours", lambda: stage.slash(venue.ana, "analyze"))
    assert stage.board().jump_url in said
    watching = await stage.slash(venue.mod, "analyze")
    message = watching.response.message
    await stage.refuses("analysis_running", lambda: venue.mod.click(message, label="Share"))
    await stage.resign(venue.ana)
    venue.speak("en-US")
    shared = await venue.mod.click(message, label="Share")
    assert not shared.followups[-1].flags.ephemeral
    assert (await stage.slash(venue.ana, "analyze", moves=moves)).response.attachments


@scene("often_pictures")
async def analysing_again_and_again(stage: Stage) -> None:
    """Too many analyses in a short time are refused; a later one works."""
    ana, moves = stage.venue.ana, DECIDED[stage.family]
    with limited(stage, pictures=Rate(1, 60.0)):
        assert (await stage.slash(ana, "analyze", moves=moves)).response.attachments
        await stage.refuses("often_pictures", lambda: stage.slash(ana, "analyze", moves=moves))
        stage.venue.services.clock.forward(61.0)
        assert (await stage.slash(ana, "analyze", moves=moves)).response.attachments


@scene("analysis_not_over")
async def a_board_that_is_not_over(stage: Stage) -> None:
    """The menu of a running game's board does not analyse it; that of a finished one does."""
    venue, menu = stage.venue, "Analyse"
    await stage.begins(venue.ana)
    board = stage.board()
    await stage.refuses(
        "analysis_not_over", lambda: venue.bea.context_menu(stage.channel, menu, board)
    )
    await stage.play(venue.ana)
    await venue.services.sessions.resign(stage.channel.id, 0, moderator=True)
    session = await venue.services.sessions.games.find(1)
    await venue.app.core.boards.show(session)
    shown = await venue.ana.context_menu(stage.channel, menu, stage.board())
    assert shown.ephemeral
    assert shown.response.attachments
