"""A running game with damaged rows ends without a result and blocks nothing."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import text

from bot.i18n import LANGUAGES, say_in
from bot.store.records import Ending
from tests.bot.discord.stage import Stage
from tests.bot.present import FEATURES
from tests.bot.running import run_services
from tests.builders import until

pytestmark = pytest.mark.long

MONTH = 30 * 86_400.0
DAMAGE = {
    "an illegal move": "UPDATE moves SET move = '9' WHERE game_id = {id} AND number = 2",
    "a move that is not allowed": "UPDATE moves SET move = 'C3' WHERE game_id = {id}",
    "a move of the wrong side": "UPDATE moves SET player = 2 WHERE game_id = {id} AND number = 1",
    "a missing move": "DELETE FROM moves WHERE game_id = {id} AND number = 1",
    "an unknown game": "UPDATE games SET family = 'chess' WHERE id = {id}",
    "an unknown variant": "UPDATE games SET variant = '99x99' WHERE id = {id}",
    "an empty seat": "UPDATE games SET first_user = NULL WHERE id = {id}",
    "an impossible clock": "UPDATE games SET clock_per = 'week' WHERE id = {id}",
}
ILLEGAL = DAMAGE["an illegal move"]


@pytest.fixture(autouse=True)
def no_unretrieved_exceptions(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Require that no task is left with an unretrieved exception."""
    yield
    gc.collect()
    assert [r for r in caplog.records if r.name == "asyncio" and r.levelno >= logging.ERROR] == []


async def damage(venue: Any, statement: str, game_id: int) -> None:
    """Damage a game's rows before the bot has read them."""
    async with venue.services.store.database.writing() as connection:
        await connection.execute(text(statement.format(id=game_id)))
    venue.services.sessions.games.forget()


async def copies(venue: Any) -> dict[int, Any]:
    """The copies kept for the operator, by game."""
    query = text("SELECT game_id, reason, version, rows FROM damaged_games")
    async with venue.services.store.database.reading() as connection:
        return {row.game_id: row for row in (await connection.execute(query)).all()}


async def row_of(venue: Any, game_id: int) -> Any:
    """The row of a game, or None."""
    query = text("SELECT * FROM games WHERE id = :id")
    async with venue.services.store.database.reading() as connection:
        return (await connection.execute(query, {"id": game_id})).first()


async def begun(venue: Any, moves: int = 3) -> tuple[Stage, int]:
    """Begin a game between Ana and Bea with some moves; return its stage and id."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.pair(moves)
    return stage, (await stage.game()).id


def ending_notice(language: str, game_id: int) -> str:
    """The text that replaced the board for the players."""
    return say_in(language)("board.discontinued", id=game_id)


def refused(language: str) -> str:
    """The answer to a player who tries to continue the damaged game."""
    say = say_in(language)
    return say("refusal.discontinued", game=say("command.connect4.name"))


@pytest.mark.databases
async def test_each_kind_of_damage_ends_a_game(venue: Any) -> None:
    """Any damage ends the game on the next move, in the player's language, freeing the channel."""
    for turn, (kind, statement) in enumerate(DAMAGE.items()):
        stage, game_id = await begun(venue)
        await damage(venue, statement, game_id)
        language = LANGUAGES[turn % len(LANGUAGES)]
        venue.speak(language)
        answer = await stage.slash(venue.ana, "drop", column=2)
        assert answer.ephemeral, kind
        assert answer.response.content == refused(language), kind
        venue.speak("en-US")
        row = await row_of(venue, game_id)
        assert (row.ending, row.winner) == (Ending.UNREADABLE, None), kind
        assert game_id in await copies(venue), kind
        assert await stage.game() is None
    # Statistics leave damaged games out.
    assert await venue.services.store.ratings.all_of(venue.ana.id) == ()
    if stage.has("history"):
        history = await stage.slash(venue.ana, "history")
        assert "no finished games" in history.response.content.lower()


async def test_the_notice_offers_a_new_game(venue: Any) -> None:
    """The notice that replaces the board has a button that begins a game of the same kind."""
    stage, game_id = await begun(venue)
    await damage(venue, ILLEGAL, game_id)
    await stage.slash(venue.ana, "drop", column=2)
    await venue.let_pass(10)
    notice = next(m for m in venue.channel.history() if m.content == ending_notice("en", game_id))
    await venue.ana.click(notice, label="New game")
    assert (await stage.game()).game.key == "connect4"


async def test_every_command_gets_an_answer(venue: Any) -> None:
    """Any first command in a damaged game is answered, and a new game can begin."""
    ana, mod = venue.ana, venue.mod
    commands: dict[str, Callable[[Stage], Awaitable[Any]]] = {
        "board": lambda stage: stage.slash(ana, "board"),
        "resign": lambda stage: stage.slash(ana, "resign"),
        "stop": lambda stage: stage.slash(mod, "resign"),
        "a button": lambda stage: stage.press(ana, "3"),
        "the stop button": lambda stage: stage.press(mod, "Resign"),
    }
    for name, use in commands.items():
        stage, game_id = await begun(venue, 2)
        await damage(venue, ILLEGAL, game_id)
        answer = await use(stage)
        messages = [m for m in (answer.response, *answer.followups) if m is not None]
        assert refused("en") in [m.content for m in messages], name
        assert (await row_of(venue, game_id)).ending == Ending.UNREADABLE, name
    stage, game_id = await begun(venue, 2)
    await damage(venue, ILLEGAL, game_id)
    listed = await stage.slash(ana, "games")
    assert "You have no running games" in listed.response.content
    stage, game_id = await begun(venue, 2)
    await damage(venue, ILLEGAL, game_id)
    await stage.begins(ana)
    assert (await row_of(venue, game_id)).ending == Ending.UNREADABLE


async def test_the_players_are_informed_once(venue: Any) -> None:
    """The message replaces the board once, in the channel's language, also across restarts."""
    for language in LANGUAGES:
        venue.speak(language)
        stage = Stage(venue, "connect4", venue.channel)
        offered = await stage.slash(venue.ana, "start", opponent=venue.bea)
        await venue.bea.click(offered.response, label=say_in(language)("button.accept"))
        session = await stage.game()
        await stage.play(venue.ana, "1")
        await damage(venue, "UPDATE moves SET move = '9' WHERE game_id = {id}", session.id)
        await venue.restart()
        await venue.let_pass(10)
        (board,) = [m for m in venue.channel.history() if m.id == session.message_id]
        assert board.content == ending_notice(language, session.id)
        assert not board.attachments
        (button,) = [one for row in board.components for one in row.children]
        assert button.label == say_in(language)("button.new_game")
        edits, messages = len(venue.edits()), len(venue.channel.history())
        await venue.restart()
        await venue.let_pass(10)
        assert (len(venue.edits()), len(venue.channel.history())) == (edits, messages)


async def test_without_a_board_a_new_message_informs_the_players(venue: Any) -> None:
    """If the board's message is missing, a new message says that the game has ended."""
    stage, game_id = await begun(venue)
    await damage(venue, ILLEGAL, game_id)
    await damage(venue, "UPDATE games SET message_id = NULL WHERE id = {id}", game_id)
    await stage.slash(venue.ana, "drop", column=1)
    await venue.let_pass(10)
    assert venue.channel.history()[-1].content == ending_notice("en", game_id)
    await venue.let_pass(10)
    said = [m.content for m in venue.channel.history()]
    assert said.count(ending_notice("en", game_id)) == 1
    assert (await row_of(venue, game_id)).shown == (await row_of(venue, game_id)).state


async def test_a_channel_that_is_gone_is_tried_no_more(venue: Any) -> None:
    """In a deleted channel the damaged game ends without further attempts to send its message."""
    stage, game_id = await begun(venue)
    await damage(venue, ILLEGAL, game_id)
    gone = {"status": 404, "code": 10003, "message": "Unknown Channel"}
    venue.env.inject_error("PATCH", "/channels/*", **gone)
    await stage.slash(venue.ana, "drop", column=1)
    await venue.let_pass(10)
    row = await row_of(venue, game_id)
    assert (row.ending, row.shown) == (Ending.UNREADABLE, row.state)


@pytest.mark.databases
async def test_two_processes_end_a_damaged_game_once(venue: Any) -> None:
    """Two processes that read a damaged game at once make one copy and send one message."""
    stage, game_id = await begun(venue)
    await damage(venue, ILLEGAL, game_id)
    async with run_services(venue.services.settings, clock=venue.services.clock) as other:
        both = (venue.services.sessions.games, other.sessions.games)
        found = await asyncio.gather(*(one.current(venue.channel.id) for one in both))
        assert found == [None, None]
        assert list(await copies(venue)) == [game_id]
    await venue.let_pass(10)
    assert [m.content for m in venue.channel.history()].count(ending_notice("en", game_id)) == 1
    await stage.pair()


async def has_moves(venue: Any, game_id: int, number: int) -> bool:
    """Whether this many moves of a game are stored."""
    return len((await venue.services.store.games.find(game_id)).moves) == number


async def test_a_damaged_game_delays_no_other_game(venue: Any) -> None:
    """A damaged game ended at startup does not delay the other games' agents."""
    stage = Stage(venue, "connect4", venue.channel)
    other = await stage.in_another_channel()
    for one in (stage, other):
        await one.begins(venue.ana)
        await venue.services.sessions.play(one.channel.id, venue.ana.id, "2")
    first = (await stage.game()).id
    second = (await other.game()).id
    await damage(venue, "UPDATE moves SET move = '9' WHERE game_id = {id}", first)
    await venue.restart()
    await venue.let_pass(1)

    async def has_ended() -> bool:
        return bool((await row_of(venue, first)).ending == Ending.UNREADABLE)

    await until(has_ended)
    await until(lambda: has_moves(venue, second, 2))


async def test_an_agent_that_is_unknown_is_no_damage(venue: Any) -> None:
    """A game with an unknown agent is not damaged: another agent takes over."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana, size="5x4")
    game_id = (await stage.game()).id
    await damage(venue, "UPDATE games SET second_agent = 'nobody' WHERE id = {id}", game_id)
    assert "You played" in (await stage.play(venue.ana)).response.content
    await venue.let_pass(1)
    await until(lambda: has_moves(venue, game_id, 2))


async def test_a_damaged_finished_game_is_left_out(venue: Any) -> None:
    """Lists, statistics and exports skip a damaged finished game; opening it explains why."""
    stage, game_id = await begun(venue, 5)
    await stage.resign(venue.bea)
    await venue.services.ratings.settled(venue.ana.id, 60)
    board = stage.board()
    opening = {"details"} | ({"review"} & {name.removesuffix("s") for name in FEATURES})
    ending = "UPDATE games SET ending = 'eaten', variant = '6x7' WHERE id = {id}"
    asked = {
        ILLEGAL: ("export", "games"),
        DAMAGE["an unknown variant"]: ("history", "stats", "report", "export"),
        DAMAGE["an empty seat"]: ("export",),
        ending: ("history", "stats"),
    }
    for turn, (statement, commands) in enumerate(asked.items()):
        await damage(venue, statement, game_id)
        language = LANGUAGES[turn % len(LANGUAGES)]
        venue.speak(language)
        say = say_in(language)
        failed = say("refusal.unexpected", game=say("command.connect4.name"))
        for command in filter(stage.has, commands):
            answer = await stage.slash(venue.ana, command)
            assert answer.response.content != failed, (command, statement)
        said = say("refusal.damaged_game", game=say("command.connect4.name"))
        for label in {say_in("en")(f"button.{name}") for name in opening}:
            opened = await venue.ana.click(board, label=label)
            messages = [m for m in (opened.response, *opened.followups) if m is not None]
            assert said in [m.content for m in messages], statement
        venue.speak("en-US")
    await stage.begins(venue.ana)
