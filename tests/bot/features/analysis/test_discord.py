"""`analyze` on the offline Discord: values of a position, exploring and sharing it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.i18n import say_in
from engine.core.game import replay
from engine.core.position_code import code_of
from engine.core.registry import game_called
from tests.bot.discord.forging import forge
from tests.bot.discord.stage import Stage

THINKING = 5
"""The deferred answer to a command."""
ENDINGS = {"connect4": ("5x4", "1121"), "gato": ("gato", "a1b1a2b2a3b3"), "boom": ("boom", "17723")}
"""A game of each family that is decided in a few moves: what `game_called` reads, and the moves."""


def code_after(name: str, moves: str) -> str:
    """The code of a position."""
    game = game_called(name)
    return code_of(replay(game, game.moves(moves)))


def seen(venue: Any, viewer: Any) -> Any:
    """The analysis that a person sees now."""
    messages = [m for m in venue.channel.history(viewer=viewer) if m.flags.ephemeral]
    return messages[-1]


def answer_of(result: Any) -> Any:
    """The latest answer to a command or a press."""
    return [m for m in (result.response, *result.followups) if m is not None][-1]


def public(venue: Any) -> list[Any]:
    """The messages that are visible to the channel."""
    return [m for m in venue.channel.history() if not m.flags.ephemeral]


def labels(message: Any, *, disabled: bool = False) -> list[str]:
    """The labels of a message's buttons; only the enabled or the disabled ones if asked for."""
    rows = [row.to_dict()["components"] for row in message.components]
    return [b["label"] for row in rows for b in row if b.get("disabled", False) is disabled]


async def test_a_position_is_analysed_privately_and_shared_once(venue: Any) -> None:
    """An analysis is private, two lines and a picture; it can be shared once, with its code."""
    for family, language in (("connect4", "es"), ("gato", "en"), ("boom", "es")):
        stage, say = Stage(venue, family, venue.channel), say_in(language)
        name, moves = ENDINGS[family]
        code = code_after(name, moves)
        venue.speak(language)
        shown = await stage.slash(venue.ana, "analyze", code=code.upper())
        assert shown.ephemeral
        sent = venue.env.http_requests
        assert [r.json for r in sent if r.path.endswith("/callback")][-1]["type"] == THINKING
        mine = seen(venue, venue.ana)
        first, result = mine.content.splitlines()
        game = game_called(name)
        position = replay(game, game.moves(moves))
        player = say("name.player", number=int(position.to_move))
        assert say("analysis.turn", name=player) in first
        assert result.startswith("**")
        (picture,) = mine.attachments
        assert say("alt.worths", values="").split(":")[0] in picture.description
        before = len(public(venue))
        await venue.ana.click(shown.response.message, label=say("button.share"))
        assert len(public(venue)) == before + 1
        posted = public(venue)[-1]
        *same, code_line = posted.content.splitlines()
        assert (same, posted.components) == ([first, result], [])
        assert f"`{code}`" in code_line
        assert await posted.attachments[0].read() == await picture.read()
        assert posted.attachments[0].description == picture.description
        post = [r.json for r in sent if r.method == "POST" and "/webhooks/" in r.path][-1]
        assert post["allowed_mentions"]["parse"] == []
        assert say("button.shared") in labels(seen(venue, venue.ana), disabled=True)


async def test_details_have_the_line_and_the_code_until_the_next_step(venue: Any) -> None:
    """Details adds the values without a square, the best line and the code to the same message."""
    for family in ("connect4", "boom"):
        stage, say = Stage(venue, family, venue.channel), say_in("en")
        name, moves = ENDINGS[family]
        shown = await stage.slash(venue.ana, "analyze", code=code_after(name, moves))
        summary = seen(venue, venue.ana)
        await venue.ana.click(shown.response.message, label="Details")
        detailed = seen(venue, venue.ana)
        assert detailed.id == summary.id
        first, _result, best, *_, line, code_line = detailed.content.splitlines()
        assert summary.content.splitlines()[0] == first
        assert best in summary.content
        assert line.startswith(say("analysis.line", line="").strip())
        assert f"`{code_after(name, moves)}`" in code_line
        assert "Details" not in labels(detailed)
        await venue.ana.click(shown.response.message, label="Forward")
        assert len(seen(venue, venue.ana).content.splitlines()) == 2
        assert "Details" in labels(seen(venue, venue.ana))


async def test_the_best_line_is_walked_along_and_left(venue: Any) -> None:
    """Buttons walk along the best line and back, and columns leave it, also after a restart."""
    stage = Stage(venue, "connect4", venue.channel)
    shown = await stage.slash(venue.ana, "analyze", moves="4 1,4 1 4")
    start = seen(venue, venue.ana).content
    assert start.startswith("**Connect 4**, after 5 moves. Player 2 to move.")

    async def press(label: str) -> Any:
        await venue.ana.click(shown.response.message, label=label)
        return seen(venue, venue.ana)

    assert "after 6 moves. Player 1 to move." in (await press("Forward")).content
    assert (await press("Back")).content == start
    await venue.restart()
    missed = await press("1")
    assert "**Player 1 wins in 1 move.**" in missed.content
    assert "4: win in 1" in missed.attachments[0].description
    over = await press("4")
    assert "after 7 moves.\n**Player 1 wins**" in over.content
    assert set(labels(over)) == {"First", "Back", "Share", "Details"}
    assert "Winning line" in over.attachments[0].description
    first = await press("First")
    assert "after 0 moves" in first.content
    assert {"First", "Back"} == set(labels(first, disabled=True))
    assert "after 41 moves" in (await press("Last")).content
    assert "after 40 moves" in (await press("Back")).content


async def test_spectators_can_analyse_the_channels_game(venue: Any) -> None:
    """Spectators can analyse the channel's game; its players cannot analyse it in any way."""
    stage = Stage(venue, "connect4", venue.channel)
    offered = await stage.slash(venue.ana, "start", opponent=venue.bea, size="5x4")
    await venue.bea.click(offered.response, label="Accept")
    await stage.make("11223")
    await stage.play(await stage.mover(), "4")
    watching = await stage.slash(venue.mod, "analyze")
    assert watching.ephemeral
    assert "after 6 moves" in seen(venue, venue.mod).content
    await venue.mod.click(watching.response.message, label="Details")
    assert code_after("5x4", "112234") in seen(venue, venue.mod).content
    refused = await venue.mod.click(watching.response.message, label="Share")
    assert "This is being played here" in answer_of(refused).content
    for asked in (
        {},
        {"size": "5x4", "moves": "112234"},
        {"size": "5x4", "moves": "443321"},
        {"size": "5x4", "moves": "1122341"},
        {"moves": "..../..../..../22../1112"},
        {"code": code_after("5x4", "4433214")},
    ):
        refusal = answer_of(await stage.slash(venue.ana, "analyze", **asked)).content
        assert "You're playing this position right now" in refusal, asked
        assert str((await stage.game()).message_id) in refusal
    free = await stage.slash(venue.ana, "analyze", moves="11223", size="5x4")
    other = seen(venue, venue.ana)
    assert "after 5 moves" in other.content
    closed = await venue.ana.click(free.response.message, label="4")
    assert "You're playing this" in answer_of(closed).content
    await stage.resign(venue.ana)
    await venue.ana.click(free.response.message, label="4")
    texts = [m.content for m in venue.channel.history(viewer=venue.ana) if m.id == other.id]
    assert "after 6 moves" in texts[0]


async def test_a_watched_game_can_be_shared(venue: Any) -> None:
    """The starter of a watched game may share its analysis.

    Games of other channels do not matter.
    """
    stage = Stage(venue, "gato", venue.channel)
    await stage.slash(venue.ana, "watch")
    await venue.services.sessions.reply(venue.channel.id)
    shown = await stage.slash(venue.ana, "analyze")
    assert "after 1 move" in seen(venue, venue.ana).content
    before = len(public(venue))
    await venue.ana.click(shown.response.message, label="Share")
    assert len(public(venue)) == before + 1
    other = Stage(venue, "connect4", venue.channel)
    await other.slash(venue.ana, "analyze", size="4x4")
    assert "after 0 moves" in seen(venue, venue.ana).content


async def test_a_failed_post_can_be_repeated(venue: Any) -> None:
    """If Discord refuses the post, the person gets a message, and the button is enabled again."""
    stage = Stage(venue, "gato", venue.channel)
    shown = await stage.slash(venue.ana, "analyze", moves="a1")
    before = len(public(venue))
    broken = {"status": 403, "code": 50013, "message": "Missing Permissions"}
    venue.env.inject_error("POST", "/webhooks/*", **broken, times=1)
    refused = await venue.ana.click(shown.response.message, label="Share")
    venue.expected_errors = len(venue.env.errors)
    assert "went wrong" in refused.followups[-1].content
    assert len(public(venue)) == before
    await venue.ana.click(shown.response.message, label="Share")
    assert len(public(venue)) == before + 1


async def test_a_press_that_leads_nowhere_is_answered(venue: Any) -> None:
    """A press with an invalid code or an illegal move is answered and changes nothing."""
    stage = Stage(venue, "gato", venue.channel)
    shown = await stage.slash(venue.ana, "analyze", moves="a1")
    before = seen(venue, venue.ana).content
    for custom_id in (
        "cuatro:explore:move:zzzz:",
        "cuatro:explore:last:1111:00",
        "cuatro:explore:share:1111:z",
        f"cuatro:explore:move:1111:{'0' * 45}",
    ):
        forge(venue, custom_id=custom_id)
        answer = await venue.ana.click(shown.response.message, label="Forward")
        assert "position code isn't valid" in answer_of(answer).content
    assert before in [m.content for m in venue.channel.history(viewer=venue.ana)]


async def test_an_unproven_analysis_goes_on_when_asked_again(venue: Any, brief: Any) -> None:
    """A button, or the same command again, goes on with an analysis that is not certain."""
    stage, say = Stage(venue, "connect4", venue.channel), say_in("es")
    venue.speak("es")
    shown = await stage.slash(venue.ana, "analyze", size="7x7")
    first = seen(venue, venue.ana).content
    outcomes = [say(f"analysis.{key}") for key in ("further", "no_further")]
    assert not any(one in first for one in outcomes)
    await venue.ana.click(shown.response.message, label=say("button.further"))
    pressed = seen(venue, venue.ana)
    assert any(pressed.content.endswith(one) for one in outcomes)
    assert len(pressed.content.splitlines()) == 2
    await stage.slash(venue.ana, "analyze", size="7x7")
    assert [job.task.goes_on for job in brief] == [False, True, True]
    assert any(seen(venue, venue.ana).content.endswith(one) for one in outcomes)
    await venue.ana.click(shown.response.message, label=say("button.details"))
    await stage.slash(venue.ana, "analyze", size="5x4")
    assert say("button.further") not in labels(seen(venue, venue.ana))


@pytest.mark.parametrize(("language", "family"), [("en", "connect4"), ("es", "gato")])
async def test_threats_are_shown_and_hidden(venue: Any, language: str, family: str) -> None:
    """A button marks the threats and names them; they stay while people explore, until hidden."""
    stage, say = Stage(venue, family, venue.channel), say_in(language)
    venue.speak(language)
    first, second = (say("name.player", number=number) for number in (1, 2))
    if family == "gato":
        moves, own, other = "a1b1a2b2a3b3", "a4", "b4"
    else:
        now = say("threats.square", column="1", row="4")
        moves, own, other = "1213142", say("threats.now", place=now), ""
    shown = await stage.slash(venue.ana, "analyze", moves=moves)
    plain = seen(venue, venue.ana)

    async def press(label: str) -> Any:
        await venue.ana.click(shown.response.message, label=say(f"button.{label}"))
        return seen(venue, venue.ana)

    mapped = await press("threats")
    *same, line = mapped.content.splitlines()
    assert same == plain.content.splitlines()
    assert say("threats.of.other", name=first, places=own) in line
    assert not other or say("threats.of.other", name=second, places=other) in line
    alt = mapped.attachments[0].description
    assert say("alt.threats", name=first, squares=own) in alt
    assert await mapped.attachments[0].read() != await plain.attachments[0].read()
    explored = await press("back")
    assert len(explored.content.splitlines()) == 3
    await venue.restart()
    venue.speak(language)
    latest = moves[-2:] if family == "gato" else moves[-1]
    await venue.ana.click(shown.response.message, label=latest)
    detailed = await press("details")
    assert detailed.content.splitlines()[-1] == line
    before = len(public(venue))
    await press("share")
    assert len(public(venue)) == before + 1
    assert line in public(venue)[-1].content
    hidden = await press("no_threats")
    assert hidden.content == plain.content
    assert say("button.threats") in labels(hidden)


async def test_a_turn_of_two_moves_and_a_finished_game_have_no_threats(venue: Any) -> None:
    """BOOM has no button for threats, nor has a game's end, and a forged one adds nothing."""
    boom = Stage(venue, "boom", venue.channel)
    shown = await boom.slash(venue.ana, "analyze", moves="4")
    assert "Threats" not in labels(seen(venue, venue.ana))
    plain = seen(venue, venue.ana).content
    forge(venue, custom_id=f"cuatro:threats:move:{code_after('boom', '4')}:")
    await venue.ana.click(shown.response.message, label="Details")
    assert seen(venue, venue.ana).content == plain
    await Stage(venue, "connect4", venue.channel).slash(venue.ana, "analyze", moves="1212121")
    assert "Threats" not in labels(seen(venue, venue.ana))
