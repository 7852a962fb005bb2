"""Undos and draws on the offline Discord: who is asked, and what messages and boards show."""

from __future__ import annotations

import asyncio
import csv
import io
from typing import Any

import pytest

from engine.core.registry import games
from tests.bot.board.test_mentions import HARMFUL_NAME, messages, require_named
from tests.bot.board.test_turn_pings import pings
from tests.bot.discord.stage import Stage
from tests.bot.features.proposals.made import close_lapsed
from tests.bot.present import needs
from tests.builders import until


@pytest.fixture
def stage(venue: Any) -> Stage:
    """Connect 4 in the channel."""
    return Stage(venue, "connect4", venue.channel)


async def begin(stage: Stage, moves: str = "") -> None:
    """Let Ana and Bea play these columns by turns on a small board."""
    venue = stage.venue
    offered = await stage.slash(venue.ana, "start", size="5x4", opponent=venue.bea)
    await venue.bea.click(offered.response, label="Accept")
    for number, move in enumerate(moves):
        await stage.play((venue.ana, venue.bea)[number % 2], move)


async def moves_of(stage: Stage) -> str:
    """The moves of the running game."""
    return "".join(move.move for move in (await stage.game()).moves)


def questions(stage: Stage) -> list[Any]:
    """The public messages about undo requests and draw offers, oldest first."""
    parts = ("take back", "take it back", "request to undo", "move stays", "draw", "plays on")
    history = [m for m in stage.channel.history() if not m.attachments and not m.flags.ephemeral]
    return [m for m in history if any(part in m.content.lower() for part in parts)]


def shown_now(stage: Stage, asked: Any) -> Any:
    """The message of a question as it is now."""
    return next(m for m in stage.channel.history() if m.id == asked.response.id)


@pytest.mark.parametrize("family", games())
async def test_an_undo_against_an_agent_shows_the_earlier_board(venue: Any, family: str) -> None:
    """An undo against an agent shows the earlier board, with a private confirmation and no ping.

    Its button is disabled before the first move, and there is none to offer a draw.
    """
    stage = Stage(venue, family, venue.channel)
    await stage.begins(venue.ana, level="easy", first="me")
    before, shown = await stage.game(), stage.board().attachments[0]
    picture = await shown.read()
    buttons = (button for row in stage.board().components for button in row.children)
    *_, undo, resign = (button for button in buttons if button.label != "Rules")
    assert (undo.label, undo.disabled, resign.label) == ("Undo", True, "Resign")
    assert "Draw" not in stage.labels()
    await stage.play(venue.ana)
    assert stage.board().attachments[0].description != shown.description
    undone = await stage.slash(venue.ana, "undo")
    assert undone.ephemeral
    assert "It's your turn" in undone.response.content
    assert stage.board().id == before.message_id
    assert stage.board().attachments[0].description == shown.description
    assert await stage.board().attachments[0].read() == picture
    assert (await stage.game()).position == before.position
    assert len(stage.board().attachments) == 1
    assert pings(venue) == []


async def test_old_buttons_play_only_valid_moves(stage: Stage) -> None:
    """A button for an outdated move only updates the board; one that is due again plays."""
    venue = stage.venue
    await stage.begins(venue.ana, size="5x4", level="easy")
    old = stage.board()
    await stage.play(venue.ana, "1")
    venue.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50035, times=1)
    await stage.slash(venue.ana, "undo")
    assert "Last move" in stage.board().attachments[0].description
    await venue.ana.click(stage.board(), custom_id="cuatro:move:1:3:1")
    assert await moves_of(stage) == ""
    assert "Last move" not in stage.board().attachments[0].description
    await venue.ana.click(old, label="2")
    assert (await moves_of(stage))[0] == "2"


async def test_a_thinking_agent_is_interrupted(stage: Stage) -> None:
    """An undo while the agent thinks shows the earlier position and cancels the search."""
    venue = stage.venue
    sessions, core = venue.services.sessions, venue.app.core
    await stage.begins(venue.ana, size="8x8", level="perfect")
    played = await sessions.play(venue.channel.id, venue.ana.id, "4")
    thinking = asyncio.create_task(core.runner.continue_game(played))
    await until(lambda: sessions.is_answering(played))
    await stage.slash(venue.ana, "undo")
    assert await thinking == played
    # Showing an outdated board, as a quicker search would have done, changes nothing.
    await core.boards.show(played)
    assert "Your turn, Ana." in stage.board().content
    assert "Last move" not in stage.board().attachments[0].description
    assert await moves_of(stage) == ""


async def test_a_lost_game_with_an_undo_counts(stage: Stage) -> None:
    """A game with an undo counts if it is lost, even after a restart."""
    ana = stage.venue.ana
    await stage.begins(ana, size="5x4", level="medium")
    for _ in range(2):
        await stage.play(ana, "1")
        await stage.slash(ana, "undo")
    await stage.play(ana, "3")
    await stage.play(ana)
    await stage.venue.restart()
    await stage.resign(ana)
    assert "You had help" not in stage.board().content
    details = (await stage.press(ana, "Details")).response.content
    assert "undos 2" in details
    assert "unchanged" not in details
    assert await stage.venue.services.ratings.settled(ana.id, 60)
    known = await stage.venue.services.store.ratings.of(ana.id, "connect4-small")
    assert known.rating.games == 1


async def test_an_undo_by_command_says_its_price(stage: Stage) -> None:
    """The answer to an undo against a rated agent says that only a loss still counts."""
    ana = stage.venue.ana
    await stage.begins(ana, size="5x4", level="easy")
    await stage.play(ana, "1")
    assert (await stage.slash(ana, "undo")).response.content == (
        "Taken back. It's your turn. Winning won't raise your rating now, and losing still counts."
    )


async def test_the_other_person_alone_answers(stage: Stage) -> None:
    """Clicks by others on a request are refused privately; the answer says whose turn it is."""
    venue = stage.venue
    await begin(stage, "12")
    before, board = await stage.game(), stage.board()
    asked = await stage.press(venue.ana, "Undo")
    assert not asked.ephemeral
    assert asked.response.content == (
        f"<@{venue.bea.id}>, **Ana** would like to take back column 1.\n"
        "If you agree, this game is no longer rated."
    )
    buttons = [one for row in asked.response.message.components for one in row.children]
    assert [one.label for one in buttons] == ["Allow", "Don't allow"]
    assert len({one.style for one in buttons}) == 1
    for actor in (venue.ana, venue.mod):
        for label in ("Allow", "Don't allow"):
            refused = await actor.click(asked.response, label=label)
            assert refused.ephemeral
            assert "Only the other player" in refused.response.content
    assert await stage.game() == before
    await venue.bea.click(asked.response, label="Allow")
    assert await moves_of(stage) == ""
    assert stage.board().id == board.id
    assert "Last move" not in stage.board().attachments[0].description
    shown = shown_now(stage, asked)
    assert shown.content == "**Bea** let **Ana** take it back. Ana's turn."
    assert not shown.components


async def test_a_double_click_takes_back_once(stage: Stage) -> None:
    """A second click on Allow is answered privately and changes nothing."""
    venue = stage.venue
    await begin(stage, "1212")
    asked = await stage.slash(venue.ana, "undo")
    await stage.press_unseen(venue.bea, asked.response, "Allow")
    again = await venue.bea.click(asked.response, label="Allow")
    assert again.ephemeral
    assert "expired" in again.response.content
    assert await moves_of(stage) == "12"


async def test_a_declined_undo_is_gone_with_the_next_move(stage: Stage) -> None:
    """A declined request says that the move stays, also after a restart, until the next move."""
    venue = stage.venue
    await begin(stage, "123")
    asked = await stage.press(venue.ana, "Undo")
    question = asked.response.id
    await venue.bea.click(asked.response, label="Don't allow")
    assert shown_now(stage, asked).content == "The move stays."
    assert not shown_now(stage, asked).components
    await venue.restart()
    await stage.play(venue.bea, "4")
    assert question not in [m.id for m in venue.channel.history()]


async def test_a_declined_undo_cannot_be_repeated(stage: Stage) -> None:
    """A person can ask once to take back a move, also after later moves; then for a new one."""
    venue = stage.venue
    await begin(stage, "12")
    asked = await stage.press(venue.bea, "Undo")
    await venue.ana.click(asked.response, label="Don't allow")
    refused = await stage.press(venue.bea, "Undo")
    assert refused.ephemeral
    assert refused.response.content == "**Ana** already said no to this one. Play on."
    await stage.play(venue.ana, "3")
    assert (await stage.slash(venue.bea, "undo")).ephemeral
    other = await stage.press(venue.ana, "Undo")
    await venue.bea.click(other.response, label="Allow")
    assert (await stage.press(venue.bea, "Undo")).ephemeral
    await stage.play(venue.ana, "3")
    await stage.play(venue.bea, "4")
    assert not (await stage.press(venue.bea, "Undo")).ephemeral


@pytest.mark.parametrize(
    ("command", "label", "moves", "said"),
    [
        ("undo", "Allow", "123", "**Ana** let **Bea**"),
        ("draw", "Play on", "12345", "**Ana** plays on."),
    ],
)
async def test_a_question_survives_a_restart(
    stage: Stage, command: str, label: str, moves: str, said: str
) -> None:
    """After a restart the buttons of a question work: it says the answer and loses its buttons."""
    venue = stage.venue
    await begin(stage, "12341")
    asked = await stage.slash(venue.bea, command)
    await venue.restart()
    await venue.ana.click(asked.response, label=label)
    assert await moves_of(stage) == moves.replace("12345", "12341")
    shown = shown_now(stage, asked)
    assert said in shown.content
    assert not shown.components


@pytest.mark.parametrize(
    ("command", "reason", "is_clicked"),
    [("undo", "move", True), ("undo", "newer", False), ("undo", "end", False),
     ("draw", "undo", False)],
)  # fmt: skip
async def test_a_question_lapses(stage: Stage, command: str, reason: str, is_clicked: bool) -> None:
    """After a move, the end, an undo or a newer request, a question says that it has expired."""
    venue = stage.venue
    await begin(stage, "1212")
    asked = await stage.slash(venue.ana, command)
    if reason == "move":
        await stage.play(venue.ana, "3")
    elif reason == "end":
        await stage.resign(venue.ana)
    else:
        newer = await stage.slash(venue.ana, "undo")
        if reason == "undo":
            await venue.bea.click(newer.response, label="Allow")
    before = await stage.game()
    if is_clicked:
        refused = await venue.bea.click(asked.response, label="Allow")
        assert refused.ephemeral
        assert "expired" in refused.response.content
    elif reason != "newer":
        await close_lapsed(venue)
    assert await stage.game() == before
    assert "has expired" in shown_now(stage, asked).content
    assert not shown_now(stage, asked).components


async def test_an_undo_that_cannot_be_shown_has_happened(stage: Stage) -> None:
    """An undo is stored even if Discord refuses every answer, and `board` shows it."""
    venue = stage.venue
    await stage.begins(venue.ana, size="5x4", level="medium")
    await stage.play(venue.ana, "1")
    late = {"status": 404, "code": 10062, "message": "Unknown interaction"}
    venue.env.inject_error("POST", "/interactions/*/callback", **late, times=1)
    venue.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50035, times=1)
    await stage.slash(venue.ana, "undo")
    assert (await venue.services.store.games.find(1)).moves == ()
    await stage.slash(venue.ana, "board")
    assert "Last move" not in stage.board().attachments[0].description


@needs("privacy", "replays")
async def test_replays_leave_out_undone_moves(stage: Stage) -> None:
    """Replays and exports leave out moves that were taken back."""
    venue = stage.venue
    await begin(stage, "334412")
    asked = await stage.slash(venue.ana, "undo")
    await venue.bea.click(asked.response, label="Allow")
    await stage.play(venue.ana, "4")
    await stage.resign(venue.ana)
    (shown,) = (await stage.replay(venue.bea)).response.attachments
    assert "Moves: 3, 3, 4, 4, 4." in shown.description
    exported = await stage.slash(venue.ana, "export")
    table = (await exported.response.attachments[0].read()).decode()
    (row,) = csv.DictReader(io.StringIO(table))
    assert (row["moves"], row["hints"]) == ("3 3 4 4 4", "0")


async def test_the_first_undo_of_a_rated_game_says_its_price(stage: Stage) -> None:
    """The first undo of a rated game asks once: after it, a win no longer raises the rating."""
    ana = stage.venue.ana
    await stage.begins(ana)
    await stage.play(ana)
    asked = await stage.press(ana, "Undo")
    assert "won't raise your rating" in asked.response.content
    assert len((await stage.game()).moves) == 2
    await ana.click(asked.response.message, label="Take it back anyway")
    assert (await stage.game()).moves == ()
    await stage.play(ana)
    undone = await stage.press(ana, "Undo")
    assert "It's your turn" in undone.response.content


async def test_a_question_pings_the_person_asked(venue: Any) -> None:
    """A question pings only the person asked, with any names."""
    troll = venue.env.create_user("troll", global_name=HARMFUL_NAME)
    venue.ana = venue.env.guild.add_member(troll)
    stage = Stage(venue, "connect4", venue.channel)
    await stage.pair(4)
    for command, refuse in (("undo", "Don't allow"), ("draw", "Play on")):
        asked = await stage.slash(venue.ana, command)
        assert messages(venue)[-1]["allowed_mentions"]["users"] == [venue.bea.id]
        require_named(messages(venue))
        await venue.bea.click(asked.response, label=refuse)
        assert "@everyone" not in asked.response.content


async def test_an_accepted_offer_ends_the_game_as_a_rated_draw(venue: Any) -> None:
    """After an accepted offer of a draw both are rated, and the card counts a draw."""
    stage = Stage(venue, "gato", venue.channel)
    await stage.pair(4)
    asked = await stage.press(venue.bea, "Draw")
    assert not asked.ephemeral
    board = stage.board().id
    await venue.ana.click(asked.response, label="Accept draw")
    game = await venue.services.store.games.find(1)
    assert (game.end.ending, game.end.winner) == ("agreed", None)
    assert stage.board().id == board
    assert "by agreement" in stage.board().content
    assert shown_now(stage, asked).content == "**Draw** by agreement."
    assert not shown_now(stage, asked).components
    assert await venue.services.ratings.settled(venue.ana.id, 60)
    assert len((await venue.services.store.games.find(1)).changes) == 2
    if stage.has("stats"):
        card = await stage.slash(venue.ana, "stats")
        assert "1 draw" in card.response.attachments[0].description


async def test_two_offers_are_an_agreement(stage: Stage) -> None:
    """Offering a draw during the other's open offer accepts it, and its message says so."""
    await stage.pair(4)
    asked = await stage.slash(stage.venue.ana, "draw")
    answer = await stage.slash(stage.venue.bea, "draw")
    assert answer.ephemeral
    assert await stage.game() is None
    assert shown_now(stage, asked).content == "**Draw** by agreement."
    assert not shown_now(stage, asked).components


async def test_there_is_no_draw_offer_before_the_fourth_move(stage: Stage) -> None:
    """Before the fourth move a draw offer is refused privately; after it, it is sent."""
    await stage.pair(3)
    early = await stage.press(stage.venue.ana, "Draw")
    assert early.ephemeral
    assert "from move 4 on" in early.response.content
    await stage.play(stage.venue.bea)
    assert not (await stage.press(stage.venue.ana, "Draw")).ephemeral
