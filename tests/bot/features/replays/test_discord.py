"""Replays: a GIF of the game, its single positions, and sharing with the channel."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from bot.i18n import say_in
from tests.bot.discord.forging import forge, refused_stranger
from tests.bot.discord.stage import Stage

STEPS = ["first", "back", "forward", "last"]


@pytest.mark.parametrize(("family", "language"), [("gato", "en"), ("boom", "es")])
async def test_a_replay_is_a_gif_that_is_shared_once(
    venue: Any, family: str, language: str
) -> None:
    """A replay is private, with the result and all moves as text; sharing it does not ping."""
    stage, say = Stage(venue, family, venue.channel), say_in(language)
    await stage.pair(4)
    await stage.resign(venue.bea)
    venue.speak(language)
    replay = await stage.replay(venue.ana)
    mine = shown(venue, venue.ana)
    assert await gif_frames(mine) > 4
    assert mine.attachments[0].description.startswith(say("replay.told", moves="").strip())
    assert "**Ana**" in mine.content
    assert say("result.resigned", winner="Ana", loser="Bea") in mine.content
    before, requests = len(public(venue)), len(venue.env.http_requests)
    assert labels(mine) == [say(f"button.{word}") for word in (*STEPS, "share")]
    await venue.ana.click(replay.response.message, label=say("button.share"))
    assert len(public(venue)) == before + 1
    posted = public(venue)[-1]
    assert (posted.content, posted.components) == (mine.content, [])
    assert await posted.attachments[0].read() == await mine.attachments[0].read()
    assert posted.attachments[0].description == mine.attachments[0].description
    since = venue.env.http_requests[requests:]
    (sent,) = (r.json for r in since if wants(r, "POST", "/webhooks/"))
    assert sent["allowed_mentions"]["parse"] == []
    assert labels(shown(venue, venue.ana), disabled=True) == [
        say("button.back"), say("button.shared"),
    ]  # fmt: skip


async def test_a_replay_goes_where_its_buttons_say(venue: Any) -> None:
    """Buttons lead to the first, previous, next and last position and to the GIF.

    They do so after a restart, too.
    """
    stage = Stage(venue, "gato", venue.channel)
    await stage.pair(5)
    await stage.resign(venue.bea)
    replay = await stage.replay(venue.mod)
    assert labels(shown(venue), disabled=True) == ["Back"]
    for label, move in (
        ("Forward", 1), ("Forward", 2), ("Back", 1), ("Last", 5), ("Back", 4), ("First", 0),
    ):  # fmt: skip
        await venue.mod.click(replay.response.message, label=label)
        assert f"Move {move} of 5" in shown(venue).content
        assert len(shown(venue).attachments) == 1
        assert "Share" not in labels(shown(venue))
    assert labels(shown(venue), disabled=True) == ["First", "Back"]
    await venue.restart()
    await venue.mod.click(replay.response.message, label="Last")
    assert labels(shown(venue), disabled=True) == ["Forward", "Last"]
    assert "resigned" in shown(venue).attachments[0].description
    await venue.mod.click(replay.response.message, label="Play")
    assert await gif_frames(shown(venue)) > 5
    await venue.restart()
    before = len(public(venue))
    await venue.mod.click(replay.response.message, label="Share")
    assert len(public(venue)) == before + 1


async def test_a_failed_post_can_be_repeated(venue: Any) -> None:
    """If Discord refuses the post, the person gets a message, and the button is enabled again."""
    stage = Stage(venue, "gato", venue.channel)
    await stage.pair(4)
    await stage.resign(venue.bea)
    replay = await stage.replay(venue.ana)
    before = len(public(venue))
    broken = {"status": 403, "code": 50013, "message": "Missing Permissions"}
    venue.env.inject_error("POST", "/webhooks/*", **broken, times=1)
    refused = await venue.ana.click(replay.response.message, label="Share")
    venue.expected_errors = len(venue.env.errors)
    assert "went wrong" in refused.followups[-1].content
    assert len(public(venue)) == before
    await venue.ana.click(replay.response.message, label="Share")
    assert len(public(venue)) == before + 1


async def test_a_replay_shows_no_player_to_move(venue: Any) -> None:
    """Pictures of past positions show whose turn it was, and no thinking agent."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana)
    for _ in range(2):
        await stage.play(venue.ana)
    await stage.resign(venue.ana)
    replay = await stage.replay(venue.mod)
    await venue.mod.click(replay.response.message, label="First")
    for _ in range(4):
        said = shown(venue).attachments[0].description
        assert "to move" in said
        assert "thinking" not in said
        await venue.mod.click(replay.response.message, label="Forward")


def shown(venue: Any, viewer: Any = None) -> Any:
    """The replay as it is now."""
    history = venue.channel.history(viewer=viewer or venue.mod)
    return [m for m in history if m.flags.ephemeral and m.attachments][-1]


def public(venue: Any) -> list[Any]:
    """The messages that are visible to the channel."""
    return [m for m in venue.channel.history() if not m.flags.ephemeral]


def labels(message: Any, *, disabled: bool = False) -> list[str]:
    """The labels of a replay's buttons, or only of the disabled ones."""
    buttons = [b for row in message.components for b in row.children]
    return [b.label for b in buttons if b.disabled or not disabled]


def wants(request: Any, method: str, path: str) -> bool:
    """Whether a request is of this kind."""
    return bool(request.method == method and request.path.startswith(path))


async def gif_frames(message: Any) -> int:
    """The number of frames of the GIF in a message."""
    blob = await message.attachments[0].read()
    with Image.open(BytesIO(blob), formats=["GIF"]) as image:
        return int(getattr(image, "n_frames", 1))


async def test_a_game_of_others_is_not_replayed(venue: Any) -> None:
    """A game of another channel can be replayed only by its players."""
    game_id = await refused_stranger(venue, "replay")
    helped = await venue.ana.slash(venue.other_channel, "help")
    forge(venue, custom_id=f"cuatro:step:forward:{game_id}:9999", by=venue.bea)
    shown = await venue.ana.click(helped.response, label="Play")
    assert shown.acknowledged
