"""The board's message and buttons through a whole game, and what its buttons answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.game.session import Session
from bot.i18n import say_in
from bot.store.records import GameSetup, agent, person
from bot.workers.workers import Workers
from engine.core.jobs import Job
from tests.bot.discord.stage import Stage
from tests.bot.engine_jobs import Slow, doing
from tests.bot.present import FEATURES, needs
from tests.builders import until

REVIEW = ["Review"] if "reviews" in FEATURES else []
ANYONE = ["Challenge anyone"] if "open_challenges" in FEATURES else []
FIND = ["Find an opponent"] if "queue" in FEATURES else []
MORE = [[*ANYONE, *FIND]] if ANYONE or FIND else []
PUZZLE = ["Puzzle"] if "puzzles" in FEATURES else []


def rows(message: Any) -> list[list[str]]:
    """The labels of a message's buttons, row by row."""
    return [[button.label for button in row.children] for row in message.components]


def all_buttons(message: Any) -> list[Any]:
    """All buttons of a message."""
    return [button for row in message.components for button in row.children]


async def lose(stage: Stage) -> None:
    """Play past the fourth move and resign."""
    for _ in range(2):
        await stage.play(stage.venue.ana)
    await stage.resign(stage.venue.ana)
    await stage.venue.services.ratings._queue.drained(60)
    await stage.venue.env.settle()


async def test_a_first_game_offers_the_rules(venue: Any) -> None:
    """Rules are offered in a person's first game of its kind only, throughout that game."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana, level="easy")
    assert stage.board().content == (
        "**Ana** vs **Cuatro** (easy) · Connect 4\nYour turn, Ana. Four in a row wins."
    )
    assert rows(stage.board()) == [
        ["1", "2", "3", "4"],
        ["5", "6", "7"],
        ["Hint", "Undo", "Rules", "Resign"],
    ]
    rules = await stage.press(venue.ana, "Rules")
    assert rules.ephemeral
    assert rules.response.content == say_in("en")("help.connect4")
    await stage.play(venue.ana, "4")
    assert "Rules" in stage.labels()
    await lose(stage)
    assert "Rules" not in stage.labels()
    await stage.begins(venue.ana, level="easy")
    assert stage.board().content.endswith("\nYour turn, Ana.")
    assert "Rules" not in stage.labels()
    other = Stage(venue, "gato", venue.other_channel)
    await other.begins(venue.ana)
    assert "Rules" in other.labels()


async def test_a_cancelled_game_is_not_a_first_one(venue: Any) -> None:
    """A game that was cancelled before it counted leaves the next one a person's first."""
    stage = Stage(venue, "boom", venue.channel)
    await stage.begins(venue.ana)
    await stage.resign(venue.ana)
    assert rows(stage.board()) == [["Rematch"]]
    assert stage.board().content == "**BOOM** · Game cancelled. It was too short to count."
    await stage.begins(venue.ana)
    assert rows(stage.board()) == [
        ["1", "2", "3", "4"],
        ["5", "6", "7", "💣 BOOM"],
        ["Hint", "Undo", "Rules", "Resign"],
    ]


async def test_an_explosion_flashes_on_the_board(venue: Any) -> None:
    """The move that sets off a bomb is shown by an animation, the next one by a picture again."""
    stage = Stage(venue, "boom", venue.channel)
    await stage.pair()
    await stage.make("536376766517")
    for move, ending in (("B", "gif"), ("1", "png")):
        await stage.play(await stage.mover(), move)
        (file,) = stage.board().attachments
        assert file.filename.rsplit(".", 1)[1] == ending
        assert "Last move by" in file.description


async def test_buttons_keep_their_places_while_the_bot_thinks(
    venue: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the bot thinks the same buttons are there, disabled, and it says that it thinks."""
    monkeypatch.setattr("bot.board.runner.SKIP_WITHIN", 0.0)
    stage = Stage(venue, "gato", venue.channel)
    await stage.begins(venue.ana, level="easy")
    before = rows(stage.board())
    assert before[0] == ["a1", "b1", "c1", "d1"]
    assert len(before) == 5
    at_first = len(venue.edits())
    await stage.press(venue.ana, "b2")
    thinking, answered = venue.edits()[at_first:][0], venue.edits()[-1]
    assert thinking["content"].endswith("\nI'm thinking…")
    shown = [[one["label"] for one in row["components"]] for row in thinking["components"]]
    assert shown == before == rows(stage.board())
    assert all(one["disabled"] for row in thinking["components"] for one in row["components"])
    assert "\nI took " in answered["content"]
    assert answered["content"].endswith(". Your turn, Ana.")
    assert not any(b.disabled for b in all_buttons(stage.board()) if b.label in ("Hint", "Undo"))


@pytest.mark.parametrize("first", ["me", "bot"])
async def test_the_board_says_that_the_engine_is_prepared(
    venue: Any, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    """While the engine is prepared, the board says so, and there is no other message about it."""
    monkeypatch.setattr(Workers, "is_prepared", property(lambda self: False))
    monkeypatch.setattr(Workers, "seconds_until_prepared", lambda self, job: 20)
    slow = Slow()
    monkeypatch.setattr(Job, "run", doing(slow))
    stage = Stage(venue, "connect4", venue.channel)

    async def play() -> None:
        await stage.begins(venue.ana, level="easy", first=first)
        if first == "me":
            await stage.press(venue.ana, "4")

    playing = asyncio.create_task(play())
    told = "I'm warming up, about 20 s. My move comes by itself."
    await until(lambda: venue.channel.history() and told in stage.board().content)
    slow.may.set()
    await playing
    assert ". Your turn, Ana." in stage.board().content
    assert len(venue.channel.history()) == 1
    assert not venue.app.core.messages.delays


async def test_the_end_has_one_row_of_buttons(venue: Any) -> None:
    """After a defeat: rematch, easier, review, puzzle and details; details are private."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana, level="medium")
    await lose(stage)
    assert stage.board().content == (
        "**Cuatro wins**: Ana resigned.\n4 more games and you get a rating."
    )
    assert rows(stage.board()) == [
        ["Rematch", "Easier", *REVIEW, *PUZZLE, "Details"],
    ]
    details = await stage.press(venue.bea, "Details")
    assert details.ephemeral
    assert details.response.content.startswith("Moves 2 + 2 · time ")
    assert "My search: " in details.response.content


async def test_easier_begins_a_game_at_the_level_below(venue: Any) -> None:
    """Easier starts a new board on the same sides; the old one keeps what is about its game."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana, level="medium")
    await lose(stage)
    old = stage.board()
    refused = await venue.bea.click(old, label="Easier")
    assert refused.ephemeral
    await venue.ana.click(old, label="Easier")
    assert stage.board().id != old.id
    assert stage.board().content == "**Ana** vs **Cuatro** (easy) · Connect 4\nYour turn, Ana."
    (kept,) = (m for m in venue.channel.history() if m.id == old.id)
    assert rows(kept) == [[*REVIEW, *PUZZLE, "Details"]]
    await lose(stage)
    assert "Easier" not in stage.labels(), "there is no level below"


async def test_a_rematch_leaves_the_old_board_what_is_about_its_game(venue: Any) -> None:
    """Rematch takes away the buttons that begin a game, against the bot and between people."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana, level="medium")
    await lose(stage)
    old = stage.board()
    await venue.ana.click(old, label="Rematch")
    assert stage.board().id != old.id
    (kept,) = (m for m in venue.channel.history() if m.id == old.id)
    assert rows(kept) == [[*REVIEW, *PUZZLE, "Details"]]
    await lose(stage)
    await stage.pair(4)
    await stage.resign(venue.bea)
    old = stage.board()
    await venue.bea.click(old, label="Rematch")
    (kept,) = (m for m in venue.channel.history() if m.id == old.id)
    assert rows(kept) == [[*REVIEW, *PUZZLE, "Details"]]


async def test_between_people_there_is_no_level(venue: Any) -> None:
    """Between people the end offers a rematch, the review, a puzzle and details."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.pair(4)
    await stage.resign(venue.bea)
    assert stage.board().content.startswith("**Ana wins**: Bea resigned.")
    assert not {"Easier", "Harder", "Rules"} & stage.labels()
    assert {"Rematch", "Details"} <= stage.labels()


@needs("puzzles")
async def test_the_end_leads_to_a_puzzle(venue: Any) -> None:
    """The puzzle button under a finished board gives a puzzle of that game privately."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana, level="easy")
    await lose(stage)
    puzzle = await stage.press(venue.ana, "Puzzle")
    assert puzzle.ephemeral
    assert puzzle.response.attachments


async def test_a_friend_is_challenged_from_the_first_message(venue: Any) -> None:
    """The greeting offers each game, a challenge to a friend and help, and below it to anyone."""
    guild = venue.env.bot.get_guild(venue.env.guild.id)
    venue.env.bot.dispatch("guild_join", guild)
    await until(venue.channel.history)
    (greeting,) = venue.channel.history()
    assert greeting.content == (
        "**Hi, I'm Cuatro.** I play Connect 4 and two games like it, right here in the channel.\n"
        "Press **Play**: you start, and I adjust to your level."
    )
    assert rows(greeting) == [
        ["Play", "Gato 4x4", "BOOM", "Challenge a friend", "More"],
        *MORE,
    ]
    form = await venue.ana.click(greeting, label="Challenge a friend")
    assert form.ephemeral
    assert "Who do you want to play?" in form.response.content


async def opened_late(venue: Any) -> tuple[Any, Session]:
    """A person's interaction, and a new game of theirs that a sweep has shown before its answer."""
    place, ana = venue.other_channel, venue.ana
    arrives = asyncio.ensure_future(venue.client.wait_for("interaction"))
    await ana.slash(place, "connect4 stats")
    interaction = await arrives
    seats = person(ana.id), agent("easy")
    setup = GameSetup("connect4", "6x7", place.id, venue.env.guild.id, "en", *seats, ana.id)
    began = await venue.services.sessions.start(setup)
    (late,) = await venue.services.store.games.running()
    await venue.app.core.boards.show(await venue.services.sessions.games.readable(late))
    return interaction, began


async def test_a_game_that_is_shown_already_outlives_a_failed_answer(venue: Any) -> None:
    """If its start is answered so late that the board is shown already, the game goes on."""
    interaction, began = await opened_late(venue)
    archived = {"status": 400, "code": 50083, "message": "Thread is archived", "times": None}
    for method, path in (("POST", "/webhooks/*"), ("*", "/channels/*/messages*")):
        venue.env.inject_error(method, path, **archived)
    assert await venue.app.core.boards.open(interaction, began) == began
    (running,) = await venue.services.store.games.running()
    assert (running.id, running.end) == (began.id, None)
    assert running.message_id == venue.board(venue.other_channel).id


async def test_a_late_answer_replaces_the_board_that_stands_already(venue: Any) -> None:
    """If a game is shown before its start is answered, only the answer's board can be played on."""
    interaction, began = await opened_late(venue)
    await venue.app.core.boards.open(interaction, began)
    await venue.env.settle()
    (running,) = await venue.services.store.games.running()
    first, latest = (one for one in venue.other_channel.history() if one.attachments)
    assert running.message_id == latest.id
    assert all_buttons(latest)
    assert not all_buttons(first)


async def test_an_answer_replaces_a_board_that_its_press_did_not_know(venue: Any) -> None:
    """If a game was read before its first board was recorded, a later board replaces that one."""
    interaction, began = await opened_late(venue)
    assert began.message_id is None
    for method in ("PATCH", "POST"):
        venue.env.inject_error(method, "/channels/*/messages*", status=400, code=50083, times=1)
    await venue.app.core.boards.show(began)
    await venue.app.core.boards.answer_if_unshown(interaction, began)
    await venue.env.settle()
    first, latest = (one for one in venue.other_channel.history() if one.attachments)
    assert all_buttons(latest)
    assert not all_buttons(first)
