"""Refusal scenes at a board: moves, buttons and ways to end a game."""

from __future__ import annotations

from bot.i18n import LANGUAGES, say_in
from tests.bot.asked import note_asked
from tests.bot.discord.stage import Stage, scene


@scene("not_your_game")
async def a_bystander(stage: Stage) -> None:
    """A bystander's move is refused.

    They can begin their own game in a thread or another channel.
    """
    bea = stage.venue.bea
    await stage.begins(stage.venue.ana)
    await stage.refuses("not_your_game", lambda: stage.play(bea))
    await stage.refuses("not_your_game", lambda: stage.slash(bea, "resign"))
    await stage.refuses("not_your_game", lambda: stage.press(bea, "Resign"))
    await (await stage.in_another_channel()).begins(bea)
    await (await stage.in_another_channel(thread=True)).begins(bea)


@scene("not_your_turn")
async def the_others_turn(stage: Stage) -> None:
    """A move out of turn is refused; after the other player's move it works."""
    await stage.pair()
    bea = stage.venue.bea
    await stage.refuses("not_your_turn", lambda: stage.play(bea))
    await stage.play(stage.venue.ana)
    assert "You played" in (await stage.play(bea)).response.content


@scene("cuatro_thinking")
async def while_cuatro_thinks(stage: Stage) -> None:
    """The buttons are refused while Cuatro thinks, and work again once it has moved."""
    venue, sessions = stage.venue, stage.venue.services.sessions
    await stage.begins(venue.ana)
    while not (session := await stage.game()).awaits_agent:
        move = session.game.label(session.position.legal_moves()[0])
        await sessions.play(stage.channel.id, venue.ana.id, move)
    await stage.refuses("cuatro_thinking", lambda: stage.play(venue.ana))
    while (await stage.game()).awaits_agent:
        await sessions.reply(stage.channel.id)
    await stage.slash(venue.ana, "board")
    made = len((await stage.game()).moves)
    await stage.play(venue.ana)
    assert len((await stage.game()).moves) > made


@scene("not_a_move")
async def no_move_at_all(stage: Stage) -> None:
    """Text that is no move is refused; the answer lists moves that can be played."""
    await stage.begins(stage.venue.ana)
    # Beyond every board, and a number, which some commands require.
    said = await stage.refuses("not_a_move", lambda: stage.play(stage.venue.ana, "99"))
    assert " B" not in said.replace("BOOM", "")
    assert "You played" in (await stage.play(stage.venue.ana)).response.content


@scene("illegal.full", "illegal.taken", "illegal.nobomb")
async def moves_that_are_not_allowed(stage: Stage) -> None:
    """A move that is not allowed is refused; another column or square, or a plain stone, works."""
    await stage.pair()
    if stage.family == "boom":
        ana = stage.venue.ana
        await stage.refuses("illegal.nobomb", lambda: stage.slash(ana, "explode"))
    square, height = {"connect4": ("1", 6), "gato": ("a1", 1), "boom": ("1", 7)}[stage.family]
    for _ in range(height):
        await stage.play(await stage.mover(), square)
    mover = await stage.mover()
    key = "illegal.taken" if stage.family == "gato" else "illegal.full"
    await stage.refuses(key, lambda: stage.play(mover, square))
    assert "You played" in (await stage.play(mover)).response.content


@scene("already_over", "rematch_not_yours")
async def after_the_end(stage: Stage) -> None:
    """A move after the end is refused.

    Players can press Rematch, others can begin their own game.
    """
    venue = stage.venue
    await stage.begins(venue.ana)
    asked = await stage.press(venue.ana, "Resign")
    await stage.resign(venue.ana)
    sure = asked.response.message
    await stage.refuses("already_over", lambda: venue.ana.click(sure, label="Yes, cancel"))
    said = await stage.refuses("rematch_not_yours", lambda: stage.press(venue.bea, "Rematch"))
    assert "own game" in said
    board = stage.board()
    refused = await stage.press(venue.bea, "Rematch")
    await note_asked(venue.services, venue.bea.id)
    await venue.bea.click(refused.response, label="Play")
    assert (await stage.game()).people == (venue.bea.id,)
    await stage.resign(venue.bea)
    await venue.ana.click(board, label="Rematch")
    assert (await stage.game()).people == (venue.ana.id,)


@scene("stop_not_yours")
async def a_watched_game(stage: Stage) -> None:
    """A move in a watched game is refused; the starter can stop it, others can begin their own."""
    venue = stage.venue
    await stage.slash(venue.ana, "watch")
    await stage.refuses("stop_not_yours", lambda: stage.press(venue.bea, "Stop"))
    await stage.refuses("stop_not_yours", lambda: stage.slash(venue.bea, "resign"))
    await (await stage.in_another_channel(thread=True)).begins(venue.bea)
    await stage.press(venue.ana, "Stop")
    assert await stage.game() is None


@scene("opening_alone")
async def an_opening_alone(stage: Stage) -> None:
    """An opening is refused against an agent; a game against a person can have it."""
    venue = stage.venue
    await stage.refuses("opening_alone", lambda: stage.slash(venue.ana, "start", opening="swap"))
    offered = await stage.slash(venue.ana, "start", opening="swap", opponent=venue.bea)
    await venue.bea.click(offered.response, label=say_in(LANGUAGES[0])("button.accept"))
    assert (await stage.game()).setup.pie


@scene("no_balanced")
async def a_board_without_balanced_openings(stage: Stage) -> None:
    """A balanced opening is refused on a board that has none."""
    venue, connect4 = stage.venue, Stage(stage.venue, "connect4", stage.channel)
    asked = {"opponent": venue.bea, "opening": "balanced"}
    await connect4.refuses(
        "no_balanced", lambda: connect4.slash(venue.ana, "start", size="8x8", **asked)
    )
    offered = await connect4.slash(venue.ana, "start", **asked)
    assert say_in(LANGUAGES[0])("opening.offered") in offered.response.content


@scene("not_a_board")
async def a_message_without_a_game(stage: Stage) -> None:
    """The entries in the menus of boards are refused on other messages; a board has a text."""
    venue = stage.venue
    ana, channel = venue.ana, stage.channel
    said = await ana.send(channel, "hello")
    name = {language: say_in(language)("menu.as_text") for language in LANGUAGES}["en"]
    await stage.refuses("not_a_board", lambda: ana.context_menu(channel, name, said))
    await stage.begins(ana)
    shown = await ana.context_menu(channel, name, stage.board())
    assert shown.ephemeral
    assert "Ana" in shown.response.content
