"""The button Review under the board of a finished game."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.i18n import say_in
from bot.ratings.rated import MIN_MOVES
from tests.bot.discord.forging import forge, refused_stranger
from tests.bot.discord.stage import Stage
from tests.bot.drills.drilling import Driller
from tests.bot.present import needs

THINKING = 5
"""The deferred answer to a press."""


@pytest.mark.parametrize(("family", "language"), [("gato", "en"), ("boom", "es")])
async def test_a_game_is_reviewed_privately(venue: Any, family: str, language: str) -> None:
    """A review has the result, both sides and an alternative text, and does not ping."""
    stage, say = Stage(venue, family, venue.channel), say_in(language)
    await stage.pair(5)
    await stage.resign(venue.bea)
    venue.speak(language)
    before = len(public(venue))
    review = await stage.press(venue.ana, "Review")
    assert review.ephemeral
    assert answers(venue)[-1]["type"] == THINKING
    assert len(public(venue)) == before
    shown = review.response
    head = say("review.head.person", name="Bea", own="", other="").partition(" · ")[0]
    assert shown.content.startswith(head)
    assert len(shown.content.splitlines()) == 2
    await venue.ana.click(shown, label=say("button.details"))
    reader = Driller(venue, venue.ana)
    assert say("review.scale") in reader.content.splitlines()
    assert all(f"**{name}** " in reader.content for name in ("Ana", "Bea"))
    await reader.press(say("button.review_back"))
    assert reader.content == shown.content
    (picture,) = shown.attachments
    assert picture.filename.endswith("-review.png")
    title = say("review.title", game=say(f"game.{family}"))
    assert picture.description.startswith(title)


@needs("replays")
async def test_the_turning_point_is_described(venue: Any) -> None:
    """The turning point has its reason a button further, and every marked move its board."""
    stage = Stage(venue, "gato", venue.channel)
    await stage.pair()
    await stage.make(["a1", "b2", "a2", "b3", "a3", "b1", "c2", "a4"])
    await stage.resign(venue.bea)
    await stage.press(venue.mod, "Review")
    reader = Driller(venue, venue.mod)
    said = "**Bea**'s move 4 turned the game: square b4 was four in a row."
    assert reader.content.splitlines()[1] == f"**??** {said}"
    assert reader.labels() == ["Why?", "Replay", "All moves", "Details"]
    await reader.press("All moves")
    assert reader.content.startswith("**Bea**'s move 3 **??** allowed four")
    await venue.mod.select(reader.message, ["7"], custom_id="cuatro:review:pick:1")
    assert reader.content == ("**Bea**'s move 4 **??** was square a4: square b4 was four in a row.")
    await reader.press("Back")
    await reader.press("Why?")
    why = Driller(venue, venue.mod)
    assert why.content.splitlines()[0] == said
    assert "Bea could: b4. Bea played: a4." in why.alt_text
    await why.press("Show the line")
    assert why.content.splitlines()[1] == "Better: `b4`"
    # A move without a mark has no board with threats.
    await stage.press(venue.mod, "Review")
    forge(venue, custom_id="cuatro:review:board:1:0:threats")
    answer = await reader.press("Details")
    assert say_in("en")("refusal.unknown_button") in answer.followups[-1].content


async def test_the_board_before_a_move_shows_its_threats(venue: Any) -> None:
    """A button marks and names the threats before a marked move, and another hides them."""
    stage, say = Stage(venue, "connect4", venue.channel), say_in("es")
    await stage.pair()
    await stage.make(["4", "1", "4", "1", "4", "2", "3", "7"])
    await stage.resign(venue.bea)
    venue.speak("es")
    await stage.press(venue.ana, "Review")
    reader = Driller(venue, venue.ana)
    await reader.press(say("button.review_moves"))
    await venue.ana.select(reader.message, ["6"], custom_id="cuatro:review:pick:1")
    plain, alt = reader.content, reader.alt_text
    await reader.press(say("button.threats"))
    place = say("threats.now", place=say("threats.square", column="4", row="4"))
    assert reader.content == f"{plain}\n{say('threats.of.you', places=place)}"
    told = say("alt.threats", name="Ana", squares=place)
    assert told in reader.alt_text
    assert told not in alt
    await venue.restart()
    venue.speak("es")
    await reader.press(say("button.no_threats"))
    assert (reader.content, reader.alt_text) == (plain, alt)
    await reader.press(say("button.threats"))


@needs("statistics")
async def test_a_review_can_be_had_long_after(venue: Any) -> None:
    """A review works long after the game, and is the same from the history."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.pair(6)
    await stage.resign(venue.bea)
    board = venue.board()
    await venue.restart()
    first = (await venue.bea.click(board, label="Review")).response
    history = await stage.slash(venue.bea, "history")
    (own,) = [o["value"] for o in history.response.components[0]["components"][0]["options"]]
    opened = await venue.bea.select(history.response, [own], custom_id="cuatro:open:connect4")
    second = (await venue.bea.click(opened.response, label="Review")).response
    assert first.content == second.content
    assert await first.attachments[0].read() == await second.attachments[0].read()


async def test_a_watched_game_is_reviewed(venue: Any) -> None:
    """A watched game can be reviewed by all people in the channel once it is over."""
    stage = Stage(venue, "gato", venue.channel)
    await stage.slash(venue.ana, "watch")
    while len((await stage.game()).moves) < MIN_MOVES:
        await venue.services.sessions.reply(venue.channel.id)
    assert "review" not in actions(venue)
    await stage.press(venue.ana, "Stop")
    assert actions(venue)[:2] == ["rematch", "review"]
    review = await stage.press(venue.bea, "Review")
    assert review.ephemeral
    assert "medium" in review.response.content.splitlines()[0]


async def test_a_game_that_was_called_off_has_no_review(venue: Any) -> None:
    """A game that was called off has no review or replay, but a rematch."""
    stage = Stage(venue, "gato", venue.channel)
    await stage.pair(MIN_MOVES - 1)
    await stage.resign(venue.bea)
    assert "Game cancelled" in stage.board().content
    assert actions(venue) == ["rematch"]


def answers(venue: Any) -> list[Any]:
    """The first answers to interactions."""
    sent = venue.env.http_requests
    return [r.json for r in sent if r.method == "POST" and r.path.endswith("/callback")]


def actions(venue: Any) -> list[str]:
    """The actions of the board's buttons."""
    rows = str([row.to_dict() for row in venue.board().components])
    return re.findall(r"cuatro:([a-z]+):", rows)


def public(venue: Any) -> list[Any]:
    """The messages that are visible to the channel."""
    return [m for m in venue.channel.history() if not m.flags.ephemeral]


async def test_a_game_of_others_is_not_reviewed(venue: Any) -> None:
    """A game of another channel can be reviewed only by its players."""
    await refused_stranger(venue, "review")
