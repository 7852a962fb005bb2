"""A restart in the middle of a game loses nothing."""

from __future__ import annotations

from typing import Any

import pytest


async def test_old_buttons_work_after_a_restart(venue: Any) -> None:
    """A button of a message that an earlier run of the bot sent still plays."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    await venue.ana.click(venue.board(), label="2")
    old = venue.board()
    before = (await venue.services.store.games.find(1)).moves
    await venue.restart()
    await venue.ana.click(old, label="3")
    moves = (await venue.services.store.games.find(1)).moves
    assert moves[:2] == before
    assert moves[2].move == "3"
    assert len(moves) == 4
    assert venue.board().id == old.id


async def test_the_bot_answers_a_move_that_a_crash_left_unanswered(venue: Any) -> None:
    """A move that was stored just before the end is answered and shown by the next run."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    await venue.services.sessions.play(venue.channel.id, venue.ana.id, "3")
    await venue.restart()
    moves = (await venue.services.store.games.find(1)).moves
    assert [move.player for move in moves] == [1, 2]
    assert "Last move" in venue.board().attachments[0].description
    await venue.ana.click(venue.board(), label="1")
    assert len((await venue.services.store.games.find(1)).moves) == 4


async def test_a_hint_before_a_restart_still_counts(venue: Any) -> None:
    """A hint asked for before a restart is noted with the move made after it."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    await venue.ana.slash(venue.channel, "connect4 hint")
    await venue.restart()
    await venue.ana.click(venue.board(), label="1")
    assert (await venue.services.store.games.find(1)).moves[0].hinted


async def test_a_finished_game_can_be_played_again_after_a_restart(venue: Any) -> None:
    """The rematch button of an earlier run still works."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    await venue.ana.slash(venue.channel, "connect4 resign")
    await venue.restart()
    await venue.ana.click(venue.board(), label="Rematch")
    session = await venue.services.sessions.current(venue.channel.id)
    assert session.id == 2


@pytest.mark.parametrize("by_button", [True, False])
async def test_an_unconfirmed_move_is_answered(venue: Any, by_button: bool) -> None:
    """When Discord no longer takes the confirmation of a move, the game goes on all the same."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    late = {"status": 404, "code": 10062, "message": "Unknown interaction"}
    venue.env.inject_error("POST", "/interactions/*/callback", **late, times=1)
    if by_button:
        await venue.ana.click(venue.board(), label="2")
    else:
        await venue.ana.slash(venue.channel, "connect4 drop", column=2)
    assert len((await venue.services.store.games.find(1)).moves) == 2
    assert "Last move" in venue.board().attachments[0].description


async def test_a_failing_discord_loses_no_move(venue: Any) -> None:
    """When Discord refuses an edit, the move is stored all the same and `board` shows it."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    venue.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50001, times=2)
    await venue.ana.click(venue.board(), label="2")
    assert len((await venue.services.store.games.find(1)).moves) == 2
    await venue.ana.slash(venue.channel, "connect4 board")
    assert "Last move" in venue.board().attachments[0].description
