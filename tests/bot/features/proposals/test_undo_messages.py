"""Undo on the offline Discord: who may use it, who is asked, and what messages show."""

from __future__ import annotations

import asyncio
import csv
import io
from typing import Any

import pytest

from engine.core.registry import games
from tests.bot.board.test_mentions import TROLL, messages, require_named
from tests.bot.board.test_turn_pings import pings
from tests.bot.discord.stage import Stage
from tests.bot.discord.words_of import words_of
from tests.bot.present import needs


async def current(venue: Any) -> Any:
    """The channel's running game."""
    return await venue.services.sessions.games.current(venue.channel.id)


async def drop(venue: Any, actor: Any, column: int) -> Any:
    """Drop a stone."""
    return await actor.slash(venue.channel, "connect4 drop", column=column)


async def begin(venue: Any, moves: str = "") -> None:
    """Let Ana and Bea play these columns by turns on a small board."""
    offered = await venue.ana.slash(venue.channel, "connect4 start", size="5x4", opponent=venue.bea)
    await venue.bea.click(offered.response, label="Accept")
    for number, move in enumerate(moves):
        await drop(venue, (venue.ana, venue.bea)[number % 2], int(move))


def requests(venue: Any) -> list[Any]:
    """All public messages about undo requests."""
    return [m for m in venue.channel.history() if "take the last turn" in m.content]


@pytest.mark.parametrize("family", games())
async def test_an_undo_against_an_agent_shows_the_earlier_board(venue: Any, family: str) -> None:
    """An undo against an agent shows the earlier board, with a private confirmation."""
    await venue.ana.slash(venue.channel, f"{family} start", level="easy", first="me")
    before, alt = await current(venue), venue.board().attachments[0].description
    picture = await venue.board().attachments[0].read()
    verb = games()[family].commands[0]
    move = before.game.label(before.position.legal_moves()[0])
    option = {verb.option: int(move) if verb.is_number else move}
    await venue.ana.slash(venue.channel, f"{family} {verb.name}", **option)
    assert venue.board().attachments[0].description != alt
    undone = await venue.ana.slash(venue.channel, f"{family} undo")
    assert undone.ephemeral
    assert "your turn again" in undone.response.content
    assert venue.board().id == before.message_id
    assert venue.board().attachments[0].description == alt
    assert await venue.board().attachments[0].read() == picture
    assert (await current(venue)).position == before.position
    assert len(venue.board().attachments) == 1


async def test_old_buttons_play_only_valid_moves(venue: Any) -> None:
    """A button for an outdated move only updates the board; one that is due again plays."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    old = venue.board()
    await drop(venue, venue.ana, 1)
    venue.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50035, times=1)
    await venue.ana.slash(venue.channel, "connect4 undo")
    assert "Last move" in venue.board().attachments[0].description
    await venue.ana.click(venue.board(), custom_id="cuatro:move:1:3:1")
    assert (await current(venue)).moves == ()
    assert "Last move" not in venue.board().attachments[0].description
    await venue.ana.click(old, label="2")
    assert (await current(venue)).moves[0].move == "2"


async def test_a_thinking_agent_is_interrupted(venue: Any) -> None:
    """An undo while the agent thinks shows the earlier position and cancels the search."""
    sessions, core = venue.services.sessions, venue.app.core
    await venue.ana.slash(venue.channel, "connect4 start", size="8x8", level="perfect")
    played = await sessions.play(venue.channel.id, venue.ana.id, "4")
    thinking = asyncio.create_task(core.runner.continue_game(played))
    await asyncio.sleep(0.2)
    await venue.ana.slash(venue.channel, "connect4 undo")
    assert await thinking == played
    # Showing an outdated board, as a quicker search would have done, changes nothing.
    await core.boards.show(played)
    assert "Ana to move" in venue.board().content
    assert "Last move" not in venue.board().attachments[0].description
    assert (await current(venue)).moves == ()


async def test_the_final_picture_says_that_it_is_unrated(venue: Any) -> None:
    """A game with an undo ends unrated, even after a restart."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    for _ in range(2):
        await drop(venue, venue.ana, 1)
        await drop(venue, venue.ana, 2)
        await venue.ana.slash(venue.channel, "connect4 undo")
    for column in (3, 4):
        await drop(venue, venue.ana, column)
    await venue.restart()
    await venue.ana.slash(venue.channel, "connect4 resign")
    final = words_of(venue.board())
    assert "Rating: unrated: turn taken back" in final
    assert "Turns taken back: 2" in final


async def test_the_other_person_alone_answers(venue: Any) -> None:
    """A request notifies the opponent, and clicks by others are refused privately."""
    await begin(venue, "12")
    before, board = await current(venue), venue.board()
    asked = await venue.ana.slash(venue.channel, "connect4 undo")
    assert not asked.ephemeral
    assert "Ana" in asked.response.content
    assert "(1, 2)" in asked.response.content
    sent = [r.json for r in venue.env.http_requests if r.path.endswith("/callback")][-1]
    assert sent["data"]["allowed_mentions"]["users"] == [venue.bea.id]
    for actor in (venue.ana, venue.mod):
        for label in ("Accept", "Decline"):
            refused = await actor.click(asked.response, label=label)
            assert refused.ephemeral
            assert "Only the other player" in refused.response.content
    assert await current(venue) == before
    await venue.bea.click(asked.response, label="Accept")
    assert (await current(venue)).moves == ()
    assert venue.board().id == board.id
    assert "Last move" not in venue.board().attachments[0].description
    (shown,) = requests(venue)
    assert "**Bea** let **Ana**" in shown.content
    assert not shown.components


async def test_a_declined_undo_request_is_closed(venue: Any) -> None:
    """A declined request says so and loses its buttons; the game is unchanged."""
    await begin(venue, "12")
    before = await current(venue)
    asked = await venue.ana.slash(venue.channel, "connect4 undo")
    await venue.bea.click(asked.response, label="Decline")
    assert await current(venue) == before
    (shown,) = requests(venue)
    assert "did not let" in shown.content
    assert not shown.components


async def test_a_double_click_takes_back_once(venue: Any) -> None:
    """A second click on Accept is answered privately and changes nothing."""
    await begin(venue, "1212")
    asked = await venue.ana.slash(venue.channel, "connect4 undo")
    late = {"status": 404, "code": 10062, "message": "Unknown interaction"}
    venue.env.inject_error("POST", "/interactions/*/callback", **late, times=1)
    await venue.bea.click(asked.response, label="Accept")
    again = await venue.bea.click(asked.response, label="Accept")
    assert again.ephemeral
    assert "no longer stands" in again.response.content
    assert [move.move for move in (await current(venue)).moves] == ["1", "2"]


@pytest.mark.parametrize(
    ("reason", "is_clicked"),
    [("move", True), ("move", False), ("end", True), ("end", False), ("newer", False)],
)
async def test_a_request_lapses(venue: Any, reason: str, is_clicked: bool) -> None:
    """After a move, the end or a newer request, a request says that it has lapsed."""
    await begin(venue, "12")
    asked = await venue.ana.slash(venue.channel, "connect4 undo")
    if reason == "move":
        await drop(venue, venue.ana, 3)
    elif reason == "end":
        await venue.ana.slash(venue.channel, "connect4 resign")
    else:
        await venue.ana.slash(venue.channel, "connect4 undo")
    before = await current(venue)
    if is_clicked:
        refused = await venue.bea.click(asked.response, label="Accept")
        assert refused.ephemeral
        assert "no longer stands" in refused.response.content
    else:
        await venue.env.advance_time(30)
    assert await current(venue) == before
    shown = next(m for m in venue.channel.history() if m.id == asked.response.id)
    assert "no longer stands" in shown.content
    assert not shown.components


async def test_a_request_survives_a_restart(venue: Any) -> None:
    """After a restart the buttons of a request still work."""
    await begin(venue, "123")
    asked = await venue.bea.slash(venue.channel, "connect4 undo")
    await venue.restart()
    await venue.ana.click(asked.response, label="Accept")
    assert [move.move for move in (await current(venue)).moves] == ["1"]
    assert "Bea to move" in venue.board().content


async def test_impossible_undos_are_explained(venue: Any) -> None:
    """Each reason against an undo has its own private answer, and nothing changes."""

    async def answer(actor: Any, family: str = "connect4") -> str:
        refused = await actor.slash(venue.channel, f"{family} undo")
        assert refused.ephemeral
        return str(refused.response.content)

    answers = [await answer(venue.ana)]
    await begin(venue)
    answers += [await answer(venue.ana), await answer(venue.mod), await answer(venue.ana, "gato")]
    await drop(venue, venue.ana, 1)
    await venue.ana.slash(venue.channel, "connect4 resign")
    answers.append(await answer(venue.ana))
    await venue.ana.slash(venue.channel, "connect4 watch")
    answers.append(await answer(venue.ana))
    for text, part in zip(
        answers,
        (
            "no game in this channel",
            "nothing to take back",
            "not playing in this channel",
            "played with /connect4",
            "is over",
            "between two bots",
        ),
        strict=True,
    ):
        assert part in text
    assert requests(venue) == []
    assert (await venue.services.store.games.find(1)).undos == 0


async def test_an_undo_that_cannot_be_shown_has_happened(venue: Any) -> None:
    """An undo is stored even if Discord refuses every answer, and `board` shows it."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    await drop(venue, venue.ana, 1)
    late = {"status": 404, "code": 10062, "message": "Unknown interaction"}
    venue.env.inject_error("POST", "/interactions/*/callback", **late, times=1)
    venue.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50035, times=1)
    await venue.ana.slash(venue.channel, "connect4 undo")
    assert (await venue.services.store.games.find(1)).moves == ()
    await venue.ana.slash(venue.channel, "connect4 board")
    assert "Last move" not in venue.board().attachments[0].description


@needs("privacy", "replays")
async def test_replays_leave_out_undone_moves(venue: Any) -> None:
    """Replays and exports leave out moves that were taken back."""
    await begin(venue, "334412")
    asked = await venue.ana.slash(venue.channel, "connect4 undo")
    await venue.bea.click(asked.response, label="Accept")
    await drop(venue, venue.ana, 4)
    await venue.ana.slash(venue.channel, "connect4 resign")
    replay = await venue.bea.click(venue.board(), label="Replay")
    (shown,) = replay.response.attachments
    assert "Moves: 3, 3, 4, 4, 4." in shown.description
    exported = await venue.ana.slash(venue.channel, "connect4 export")
    table = (await exported.response.attachments[0].read()).decode()
    (row,) = csv.DictReader(io.StringIO(table))
    assert (row["moves"], row["hints"]) == ("3 3 4 4 4", "0")


async def test_the_button_waits_for_a_first_move(venue: Any) -> None:
    """The undo button is disabled before the first move."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana)
    (undo,) = (b for row in stage.board().components for b in row.children if b.label == "Undo")
    assert undo.disabled


async def test_a_button_between_people_asks_the_other(venue: Any) -> None:
    """Between two people the undo button asks the opponent, as the command does."""
    stage = Stage(venue, "gato", venue.other_channel)
    await stage.pair(2)
    asked = await stage.press(venue.ana, "Undo")
    assert f"<@{venue.bea.id}>" in asked.response.content
    await venue.bea.click(asked.response, label="Accept")
    assert (await stage.game()).moves == ()


async def test_the_first_undo_of_a_rated_game_says_its_price(venue: Any) -> None:
    """The first undo of a rated game asks once for confirmation that the game becomes unrated."""
    stage, ana = Stage(venue, "connect4", venue.channel), venue.ana
    await stage.begins(ana)
    await stage.play(ana)
    asked = await stage.press(ana, "Undo")
    assert "no longer counts for ratings" in asked.response.content
    assert len((await stage.game()).moves) == 2
    await ana.click(asked.response.message, label="Take it back anyway")
    assert (await stage.game()).moves == ()
    await stage.play(ana)
    undone = await stage.press(ana, "Undo")
    assert "your turn again" in undone.response.content


async def test_an_accepted_undo_pings_the_asker(venue: Any) -> None:
    """When the other person agrees to an undo, the asker is pinged."""
    await begin(venue, "1")
    asked = await venue.ana.slash(venue.channel, "connect4 undo")
    await venue.bea.click(asked.response, label="Accept")
    (only,) = pings(venue)
    assert f"<@{venue.ana.id}>" in only


async def test_an_own_undo_does_not_ping(venue: Any) -> None:
    """An undo against an agent sends no ping, as it is one's own turn."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    await drop(venue, venue.ana, 1)
    await venue.ana.slash(venue.channel, "connect4 undo")
    assert pings(venue) == []


@pytest.mark.parametrize("command", ["undo", "draw"])
async def test_a_question_pings_the_person_asked(venue: Any, command: str) -> None:
    """An undo request pings only the person asked, with any names."""
    troll = venue.env.create_user("troll", global_name=TROLL)
    venue.ana = venue.env.guild.add_member(troll)
    stage = Stage(venue, "connect4", venue.channel)
    await stage.pair(2)
    asked = await stage.slash(venue.ana, command)
    require_named(messages(venue))
    await venue.bea.click(asked.response, label="Decline")
    assert "@everyone" not in asked.response.content
