"""Refusals of undos, draws and swaps."""

from __future__ import annotations

from functools import partial

from bot.i18n import LANGUAGES, say_in
from bot.settings import Rate
from tests.bot.discord.refusals_of_haste import PAUSE_SECONDS, limited
from tests.bot.discord.stage import Stage, scene
from tests.bot.features.proposals.made import swaps_of


@scene("undo_watched")
async def undo_of_a_watched_game(stage: Stage) -> None:
    """An undo in a watched game is refused; in one's own game it works."""
    ana = stage.venue.ana
    await stage.slash(ana, "watch")
    await stage.refuses("undo_watched", lambda: stage.slash(ana, "undo"))
    await stage.press(ana, "Stop")
    await stage.begins(ana)
    await stage.play(ana)
    await stage.slash(ana, "undo")
    assert (await stage.game()).undos == 1


@scene("no_game", "other_game", "not_your_game", "undo_over")
async def proposals_without_a_game(stage: Stage) -> None:
    """Proposals need a running game of the player; a refused person can begin one."""
    venue = stage.venue
    family = "gato" if stage.family == "connect4" else "connect4"
    other = Stage(venue, family, (await stage.in_another_channel()).channel)
    there = Stage(venue, stage.family, other.channel)
    await other.begins(venue.ana)
    for command in ("undo", "draw"):
        await stage.refuses("no_game", partial(stage.slash, venue.ana, command))
        await stage.refuses("other_game", partial(there.slash, venue.ana, command))
        await stage.refuses("not_your_game", partial(other.slash, venue.bea, command))
    await stage.begins(venue.ana)
    await stage.resign(venue.ana)
    await stage.refuses("undo_over", lambda: stage.slash(venue.ana, "undo"))
    await stage.begins(venue.bea)


@scene("undo_nothing", "undo_lapsed", "not_your_undo", "undo_declined")
async def undos(stage: Stage) -> None:
    """An undo needs a move, the other player answers it, and then a new request can be made."""
    venue = stage.venue
    await stage.pair()
    await stage.refuses("undo_nothing", lambda: stage.slash(venue.ana, "undo"))
    await stage.play(venue.ana)
    asked = (await stage.slash(venue.ana, "undo")).response
    await stage.refuses("not_your_undo", lambda: venue.ana.click(asked, label="Allow"))
    for language in reversed(LANGUAGES):
        await stage.play(await stage.mover())
        await stage.refuses(
            "undo_lapsed", lambda asked=asked: venue.bea.click(asked, label="Allow"), [language]
        )
        asked = (await stage.slash(venue.ana, "undo")).response
    await venue.bea.click(asked, label="Don't allow")
    await stage.refuses("undo_declined", lambda: stage.slash(venue.ana, "undo"))
    made = len((await stage.game()).moves)
    again = (await stage.slash(venue.bea, "undo")).response
    await venue.ana.click(again, label="Allow")
    assert len((await stage.game()).moves) < made


@scene("draw_nobody", "draw_early", "draw_open", "draw_declined", "draw_lapsed", "not_your_draw")
async def draws(stage: Stage) -> None:
    """A draw offer needs a human opponent, who answers it before the next move.

    After that a new offer can be made.
    """
    venue, other = stage.venue, await stage.in_another_channel()
    await other.begins(venue.ana)
    await stage.refuses("draw_nobody", lambda: other.slash(venue.ana, "draw"))
    await other.resign(venue.ana)
    await stage.pair(3)
    await stage.refuses("draw_early", lambda: stage.slash(venue.ana, "draw"))
    await stage.play(await stage.mover())
    asked = (await stage.slash(venue.ana, "draw")).response
    said = await stage.refuses("draw_open", lambda: stage.slash(venue.ana, "draw"))
    assert asked.message.jump_url in said
    await stage.refuses("not_your_draw", lambda: venue.mod.click(asked, label="Accept draw"))
    await venue.bea.click(asked, label="Play on")
    await stage.refuses("draw_declined", lambda: stage.press(venue.ana, "Draw"))
    await stage.play(await stage.mover())
    again = (await stage.slash(venue.ana, "draw")).response
    await stage.play(await stage.mover())
    await stage.refuses("draw_lapsed", lambda: venue.bea.click(again, label="Accept draw"))
    third = (await stage.slash(venue.bea, "draw")).response
    await venue.ana.click(third, label="Accept draw")
    assert "by agreement" in stage.board().content


@scene("swap_over", "undo_swapped")
async def swapped_sides(stage: Stage) -> None:
    """A swap is refused once it is over and cannot be undone; a later move can."""
    venue = stage.venue
    offered = await stage.slash(venue.ana, "start", opening="swap", opponent=venue.bea)
    await venue.bea.click(offered.response, label=say_in(LANGUAGES[0])("button.accept"))
    await stage.play(venue.ana)
    swap = say_in(LANGUAGES[0])("button.swap")
    # Before the board shows the change.
    game = await stage.game()
    await swaps_of(venue.services).swap(stage.channel.id, venue.bea.id, game.id)
    await stage.refuses("swap_over", lambda: stage.press(venue.ana, swap))
    for actor in (venue.ana, venue.bea):
        await stage.refuses("undo_swapped", partial(stage.slash, actor, "undo"))
    await stage.play(venue.ana)
    asked = (await stage.slash(venue.ana, "undo")).response
    await venue.bea.click(asked, label="Allow")
    assert len((await stage.game()).moves) == 1


@scene("often_undos")
async def asking_to_undo_again_and_again(stage: Stage) -> None:
    """Too many undo requests are refused without a ping.

    Play goes on, and a later request works.
    """
    await stage.pair(2)
    ana = stage.venue.ana
    with limited(stage, undos=Rate(2, 600.0)):
        for _ in range(2):
            assert not (await stage.slash(ana, "undo")).ephemeral
        posted = len(stage.channel.history())
        said = await stage.refuses("often_undos", lambda: stage.slash(ana, "undo"))
        assert said.startswith("You've asked **Bea** twice. You can ask again <t:")
        assert len(stage.channel.history()) == posted
        assert not (await stage.slash(stage.venue.bea, "undo")).ephemeral
        assert "You played" in (await stage.play(await stage.mover())).response.content
        stage.venue.services.clock.forward(PAUSE_SECONDS)
        assert not (await stage.slash(ana, "undo")).ephemeral


@scene("often_draws")
async def offering_draws_again_and_again(stage: Stage) -> None:
    """Too many draw offers are refused; the opponent can offer one, and a later offer works."""
    await stage.pair(4)
    ana, bea = stage.venue.ana, stage.venue.bea
    with limited(stage, draws=Rate(1, 600.0)):
        offered = await stage.slash(ana, "draw")
        await bea.click(offered.response, label="Play on")
        assert "You played" in (await stage.play(await stage.mover())).response.content
        await stage.refuses("often_draws", lambda: stage.slash(ana, "draw"))
        offered = await stage.slash(bea, "draw")
        await ana.click(offered.response, label="Play on")
        stage.venue.services.clock.forward(PAUSE_SECONDS)
        assert not (await stage.slash(ana, "draw")).ephemeral
