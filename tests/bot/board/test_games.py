"""Whole games on the offline Discord, from start to final picture."""

from __future__ import annotations

import asyncio
import io
import re
from typing import Any

import pytest
from PIL import Image


def custom_ids(components: list[dict[str, Any]]) -> list[str]:
    """The custom ids of all buttons of a message, in order."""
    return [button["custom_id"] for row in components for button in row["components"]]


def is_disabled(components: list[dict[str, Any]], kind: str) -> list[bool]:
    """For each button of this kind, whether it is disabled."""
    buttons = [button for row in components for button in row["components"]]
    return [b.get("disabled", False) for b in buttons if f":{kind}:" in b["custom_id"]]


@pytest.mark.databases
async def test_a_whole_game_is_played_by_buttons_and_commands(venue: Any) -> None:
    """A game is played in one message from start to end, with buttons and commands in turn."""
    started = await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="hard")
    assert not started.ephemeral
    board = venue.board()
    turn = 0
    while (await venue.services.sessions.games.current(venue.channel.id)) is not None:
        move, turn = await venue.best_move(), turn + 1
        if turn % 2:
            result = await venue.ana.click(venue.board(), label=move)
            assert result.deferred
        else:
            result = await venue.ana.slash(venue.channel, "connect4 drop", column=int(move))
            assert result.ephemeral
    assert venue.board().id == board.id
    stored = (await venue.services.store.games.find(1)).end
    assert stored is not None
    assert stored.ending in ("line", "draw")
    final = venue.board()
    assert final.content.startswith(("**Ana wins**", "**Cuatro wins**", "**Draw.**"))
    left = [id.split(":")[1] for id in custom_ids([r.to_dict() for r in final.components])]
    assert left[0] == "rematch"
    assert not {"move", "resign"} & set(left)


async def test_a_quick_answer_is_shown_in_one_picture(venue: Any) -> None:
    """If the agent answers at once, only the board after its answer is shown."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    await venue.ana.click(venue.board(), label="2")
    before = len(venue.edits())
    await venue.ana.click(venue.board(), label="3")
    (only,) = venue.edits()[before:]
    assert is_disabled(only["components"], "move") == [False] * 4
    assert "Your turn, Ana." in only["content"]


async def test_the_picture_changes_with_each_move(venue: Any) -> None:
    """After a move the message holds one new picture that differs from the one before."""
    await venue.ana.slash(venue.channel, "connect4 start")
    before = await venue.board().attachments[0].read()
    await venue.ana.click(venue.board(), label="4")
    assert len(venue.board().attachments) == 1
    after = await venue.board().attachments[0].read()
    assert after != before
    assert Image.open(io.BytesIO(after)).format == "PNG"


async def test_the_bot_moves_first_when_asked_to(venue: Any) -> None:
    """With `first:bot` the bot moves before the person is asked to."""
    await venue.ana.slash(venue.channel, "connect4 start", level="easy", first="bot")
    session = await venue.services.sessions.games.current(venue.channel.id)
    assert len(session.moves) == 1
    assert session.mover.user_id == venue.ana.id
    assert "Your turn, Ana." in venue.board().content


async def test_a_coin_decides_who_begins_when_asked_to(venue: Any) -> None:
    """With `first:random` each side sometimes begins."""
    begun = set()
    for _ in range(40):
        await venue.ana.slash(venue.channel, "connect4 start", level="easy", first="random")
        session = await venue.services.sessions.games.current(venue.channel.id)
        begun.add(session.seats[0].user_id)
        await venue.resign(venue.ana)
        if len(begun) > 1:
            break
    assert begun == {venue.ana.id, None}


async def test_two_channels_play_at_once(venue: Any) -> None:
    """Games in two channels are independent."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    await venue.bea.slash(venue.other_channel, "connect4 start", size="6x7", level="easy")
    await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    await venue.bea.click(venue.board(venue.other_channel), label="7")
    one = await venue.services.sessions.games.current(venue.channel.id)
    two = await venue.services.sessions.games.current(venue.other_channel.id)
    assert (one.game.variant, one.moves[0].move) == ("5x4", "1")
    assert (two.game.variant, two.moves[0].move) == ("6x7", "7")


async def test_resigning_by_button_asks_first(venue: Any) -> None:
    """The resign button asks privately for confirmation, and only confirming ends the game."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    for column in (1, 2):
        await venue.ana.slash(venue.channel, "connect4 drop", column=column)
    asked = await venue.ana.click(venue.board(), label="Resign")
    assert asked.ephemeral
    assert await venue.services.sessions.games.current(venue.channel.id) is not None
    await venue.ana.click(asked.response.message, label="Yes, resign")
    assert await venue.services.sessions.games.current(venue.channel.id) is None
    assert "Ana resigned" in venue.board().content


async def test_resigning_by_command_asks_the_same(venue: Any) -> None:
    """The command asks as the button does; a game that has hardly begun is cancelled."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    early = await venue.ana.slash(venue.channel, "connect4 resign")
    assert early.response.content == "Cancel this game? It's too short to count."
    for column in (1, 2):
        await venue.ana.slash(venue.channel, "connect4 drop", column=column)
    asked = await venue.ana.slash(venue.channel, "connect4 resign")
    assert asked.ephemeral
    assert asked.response.content == "Resign this game? I will win it."
    await venue.ana.click(asked.response.message, label="Keep playing")
    # Meanwhile the game has begun, so that cancelling it would be a loss.
    again = await venue.ana.click(early.response.message, label="Yes, cancel")
    assert again.response.content == "Resign this game? I will win it."
    assert await venue.services.sessions.games.current(venue.channel.id) is not None
    await venue.ana.click(early.response.message, label="Yes, resign")
    assert await venue.services.sessions.games.current(venue.channel.id) is None


async def test_a_rematch_changes_sides(venue: Any) -> None:
    """Rematch starts the same game in a new message, with the other side first."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x5", level="easy")
    await venue.resign(venue.ana)
    old = venue.board()
    await venue.ana.click(old, label="Rematch")
    session = await venue.services.sessions.games.current(venue.channel.id)
    assert session.game.variant == "5x5"
    assert session.seats[0].agent == "easy"
    assert venue.board().id != old.id
    assert session.message_id == venue.board().id


async def test_the_board_is_posted_again_at_the_bottom(venue: Any) -> None:
    """`board` moves the game to a new message and removes the buttons from the old one."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    old = venue.board()
    await venue.ana.slash(venue.channel, "connect4 board")
    assert venue.board().id != old.id
    remaining = next(m for m in venue.channel.history() if m.id == old.id)
    assert remaining.components == []
    await venue.ana.click(venue.board(), label="3")
    assert "column 3" not in remaining.attachments[0].description


async def test_a_deleted_board_is_posted_again(venue: Any) -> None:
    """If the board's message is deleted, the next move posts it again, but only once."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    board = venue.board()
    await venue.mod.delete(board)
    await venue.ana.slash(venue.channel, "connect4 drop", column=2)
    boards = [m for m in venue.channel.history() if m.attachments]
    assert len(boards) == 1
    assert boards[0].id != board.id
    await venue.ana.click(boards[0], label="1")
    assert len([m for m in venue.channel.history() if m.attachments]) == 1


async def test_outdated_edits_are_skipped(venue: Any) -> None:
    """Of several pending edits of a board, only the newest is sent."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    sessions, before = venue.services.sessions, len(venue.edits())
    states = [await sessions.play(venue.channel.id, venue.ana.id, "1")]
    states.append(await sessions.reply(venue.channel.id))
    states.append(await sessions.play(venue.channel.id, venue.ana.id, "2"))
    await asyncio.gather(*(venue.app.core.boards.show(state) for state in states))
    shown = [edit["attachments"][0]["filename"] for edit in venue.edits()[before:]]
    assert shown == ["connect4-1-3.png"]


async def test_help_is_private_and_three_lines(venue: Any) -> None:
    """`help` is three lines with commands that can be pressed, for the person asking alone."""
    answer = await venue.ana.slash(venue.channel, "help")
    assert answer.ephemeral
    assert len(answer.response.content.splitlines()) == 3
    assert re.search(r"</play:\d+>", answer.response.content)


async def test_a_game_can_be_played_in_a_direct_message(venue: Any) -> None:
    """A person can play the bot in private."""
    ana = venue.ana.user
    await ana.send_dm("hello")
    channel = ana.dm_channel
    started = await ana.slash("connect4 start", size="5x4", level="easy")
    await ana.click(started.response.message, label="2")
    session = await venue.services.sessions.games.current(channel.id)
    assert session.guild_id is None
    assert session.moves[0].move == "2"
