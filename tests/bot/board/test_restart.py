"""A restart in the middle of a game loses nothing."""

from __future__ import annotations

from typing import Any

import pytest

from bot.board import boards
from tests.bot.discord.stage import Stage
from tests.bot.hinting import note_hint


async def test_old_buttons_work_after_a_restart(venue: Any) -> None:
    """A button sent before the restart still plays its move."""
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
    """A move stored just before a crash is answered and shown by the next run."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    await venue.services.sessions.play(venue.channel.id, venue.ana.id, "3")
    await venue.restart()
    moves = (await venue.services.store.games.find(1)).moves
    assert [move.player for move in moves] == [1, 2]
    assert "Last move" in venue.board().attachments[0].description
    await venue.ana.click(venue.board(), label="1")
    assert len((await venue.services.store.games.find(1)).moves) == 4


async def test_a_hint_before_a_restart_still_counts(venue: Any) -> None:
    """A hint given before a restart is recorded with the move made after it."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    await note_hint(venue.services, venue.channel.id, venue.ana.id)
    await venue.restart()
    await venue.ana.click(venue.board(), label="1")
    assert (await venue.services.store.games.find(1)).moves[0].hinted


async def test_a_finished_game_can_be_played_again_after_a_restart(venue: Any) -> None:
    """A rematch button sent before the restart still works."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    await venue.resign(venue.ana)
    await venue.restart()
    await venue.ana.click(venue.board(), label="Rematch")
    session = await venue.services.sessions.games.current(venue.channel.id)
    assert session.id == 2


async def test_a_clean_restart_edits_no_board(venue: Any) -> None:
    """A clean restart edits no board: all show the stored state, and the countdowns hold."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    await venue.ana.click(venue.board(), label="2")
    await venue.bea.slash(venue.other_channel, "gato start", level="easy")
    await venue.let_pass(5.0)
    edited, posted = venue.edits(), len(venue.channel.history())
    await venue.restart(away=8.0)
    await venue.let_pass(10.0)
    assert venue.edits() == edited
    assert len(venue.channel.history()) == posted
    assert await venue.app.convergence.differing() == 0


async def test_boards_that_are_wrong_come_before_countdowns(venue: Any) -> None:
    """After a long downtime outdated boards are edited first; countdowns keep their picture."""
    await Stage(venue, "connect4", venue.other_channel).pair()
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    await venue.let_pass(5.0)
    alone = venue.board(venue.other_channel)
    await venue.services.sessions.play(venue.channel.id, venue.ana.id, "3")
    await venue.services.sessions.reply(venue.channel.id)
    before = len(venue.edits())
    await venue.restart(away=3600.0)
    await venue.let_pass(10.0)
    wrong, countdown = venue.edits()[before:]
    assert wrong["attachments"]
    assert "attachments" not in countdown
    after = venue.board(venue.other_channel)
    assert after.content == countdown["content"] != alone.content
    assert [one.filename for one in after.attachments] == [
        one.filename for one in alone.attachments
    ]
    assert await venue.app.convergence.differing() == 0


async def test_a_countdown_alone_replaces_no_message(
    venue: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board of which only the countdown has changed is edited, however old its message is."""
    await Stage(venue, "connect4", venue.channel).pair()
    await venue.let_pass(5.0)
    before = venue.board()
    monkeypatch.setattr(boards, "OLD", -1.0)
    await venue.restart(away=3600.0)
    await venue.let_pass(10.0)
    after = venue.board()
    assert after.id == before.id
    assert after.content != before.content


@pytest.mark.parametrize("by_button", [True, False])
async def test_an_unconfirmed_move_is_answered(venue: Any, by_button: bool) -> None:
    """If a move can no longer be confirmed to the player, the game still goes on."""
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
    """If Discord refuses an edit, the move is still stored, and `board` shows it."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    venue.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50001, times=2)
    await venue.ana.click(venue.board(), label="2")
    assert len((await venue.services.store.games.find(1)).moves) == 2
    await venue.ana.slash(venue.channel, "connect4 board")
    assert "Last move" in venue.board().attachments[0].description
