"""The pie rule between two people on the offline Discord."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from bot.game.refusal import Refusal
from bot.i18n import say_in
from tests.bot.discord.stage import Stage
from tests.bot.features.proposals.made import close_lapsed, undos_of
from tests.bot.present import needs


@pytest.fixture
def stage(venue: Any) -> Stage:
    """Connect 4 in the channel."""
    return Stage(venue, "connect4", venue.channel)


async def begin(stage: Stage, language: str = "en", **options: Any) -> Any:
    """Begin a game between Ana and Bea with the pie rule; return the challenge's message."""
    venue, accept = stage.venue, say_in(language)("button.accept")
    offered = await stage.slash(venue.ana, "start", opponent=venue.bea, opening="swap", **options)
    text = offered.response.content
    await venue.bea.click(offered.response, label=accept)
    return text


def labels(stage: Stage) -> list[str]:
    """The labels of the board's buttons."""
    return [b.label for row in stage.board().components for b in row.children]


async def seats(stage: Stage) -> tuple[int, int]:
    """The players of the first and the second seat."""
    first, second = (await stage.game()).seats
    return first.user_id, second.user_id


@pytest.mark.parametrize(("family", "language"), [("gato", "es"), ("boom", "es")])
async def test_the_second_player_may_swap_sides(venue: Any, family: str, language: str) -> None:
    """After the first turn the second player has a button to swap sides, as the challenge said."""
    say, stage = say_in(language), Stage(venue, family, venue.channel)
    venue.speak(language)
    text = await begin(stage, language)
    assert say("pie.on", name="Bea") in text
    assert say("pie.on", name="Bea") in stage.board().content
    swap = say("button.swap")
    assert swap not in labels(stage)
    await stage.play(venue.ana)
    assert say("pie.choose", name="Bea") in stage.board().content
    assert swap in labels(stage)
    await stage.press(venue.bea, swap)
    assert await seats(stage) == (venue.bea.id, venue.ana.id)
    board = stage.board().content
    assert say("pie.swapped") in board
    turn = "turn.boom.turn.1.2.named" if family == "boom" else "turn.other"
    assert say(turn, name="Ana") in board
    assert swap not in labels(stage)
    await stage.play(venue.ana)
    assert (await stage.game()).moves[1].user_id == venue.ana.id


async def test_a_player_who_moves_keeps_their_side(stage: Stage) -> None:
    """After the second player's first move no swap is offered any more."""
    venue = stage.venue
    await begin(stage)
    await stage.play(venue.ana)
    await stage.play(venue.bea)
    assert await seats(stage) == (venue.ana.id, venue.bea.id)
    assert "Swap sides" not in labels(stage)
    assert "Pie rule" not in stage.board().content


@needs("privacy", "replays", "reviews", "statistics")
async def test_the_result_belongs_to_the_seats(stage: Stage) -> None:
    """After a swap, ratings, statistics, history, export and rematch follow the new seats."""
    venue = stage.venue
    await begin(stage, size="5x4")
    await stage.play(venue.ana, "1")
    await stage.press(venue.bea, "Swap sides")
    for actor, move in ((venue.ana, "2"), (venue.bea, "1"), (venue.ana, "2"), (venue.bea, "1")):
        await stage.play(actor, move)
    await stage.play(venue.ana, "3")
    # Four in column 1, of which Ana has put the first.
    await stage.play(venue.bea, "1")
    game = await venue.services.store.games.find(1)
    assert (game.end.ending, game.end.winner) == ("line", 1)
    assert "**Bea wins** in 3 moves!" in stage.board().content
    board = stage.board()
    assert "Bea wins" in board.content
    assert await venue.services.ratings.settled(venue.ana.id, 60)
    changes = {c.user_id: c for c in (await venue.services.store.games.find(1)).changes}
    after, before = (changes[venue.bea.id].after.value, changes[venue.ana.id].after.value)
    assert after > before
    card = await stage.slash(venue.bea, "stats")
    assert "1 win, 0 draws, 0 losses" in card.response.attachments[0].description
    files = (await stage.slash(venue.bea, "export")).response.attachments
    (row,) = csv.DictReader(io.StringIO((await files[0].read()).decode()))
    assert (row["side"], row["result"], row["pie"], row["swapped"]) == ("1", "win", "True", "True")
    assert row["moves"] == "1 2 1 2 1 3 1"
    review = (await venue.ana.click(board, label="Review")).response
    assert review.attachments
    assert (await venue.ana.click(review, label="Replay")).response.attachments
    offered = await venue.bea.click(board, label="Rematch")
    assert "**Ana** starts" in offered.response.content
    assert "Pie rule: after the first turn **Bea**" in offered.response.content


async def test_a_swap_cannot_be_undone(stage: Stage) -> None:
    """Undo cannot go back beyond a swap, but works for moves after it."""
    venue = stage.venue
    await begin(stage)
    await stage.play(venue.ana)
    await stage.slash(venue.ana, "undo")
    await stage.press(venue.bea, "Swap sides")
    with pytest.raises(Refusal, match="undo_lapsed"):
        await undos_of(venue.services).accept(1, venue.bea.id)
    await stage.play(venue.ana)
    asked = await stage.slash(venue.ana, "undo")
    await venue.bea.click(asked.response, label="Allow")
    session = await stage.game()
    assert (len(session.moves), session.swapped_at is not None) == (1, True)
    assert await seats(stage) == (venue.bea.id, venue.ana.id)
    assert "Swap sides" not in labels(stage)


async def test_a_swap_survives_a_restart(stage: Stage) -> None:
    """The right to swap and a swap survive restarts, and an undo request from before it lapses."""
    venue = stage.venue
    await begin(stage)
    await stage.play(venue.ana)
    asked = await stage.slash(venue.ana, "undo")
    await venue.restart()
    await stage.press(venue.bea, "Swap sides")
    await venue.restart()
    assert await seats(stage) == (venue.bea.id, venue.ana.id)
    await close_lapsed(venue)
    (request,) = [m for m in venue.channel.history() if m.id == asked.response.id]
    assert "has expired" in request.content
    await stage.play(venue.ana)
    assert len((await stage.game()).moves) == 2
