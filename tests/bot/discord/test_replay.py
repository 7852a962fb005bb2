"""Replays: played by themselves, or step by step."""

from __future__ import annotations

from typing import Any

from tests.bot.discord.stage import Stage


async def test_a_replay_goes_where_its_buttons_say(venue: Any) -> None:
    """First, back, forward and last work, also after a restart, and stop the playing by itself."""
    stage = Stage(venue, "gato", venue.channel)
    await stage.pair(5)
    await stage.slash(venue.bea, "resign")
    replay = await stage.press(venue.mod, "Replay")
    assert "Move 0 of 5" in shown(venue).content
    assert disabled(venue) == ["First", "Back"]
    pace = venue.services.settings.watch_pace
    await venue.env.advance_time(pace)
    assert "Move 1 of 5" in shown(venue).content
    for label, move in (
        ("Forward", 2), ("Forward", 3), ("Back", 2), ("Last", 5), ("Back", 4), ("First", 0),
    ):  # fmt: skip
        await venue.mod.click(replay.response.message, label=label)
        assert f"Move {move} of 5" in shown(venue).content
        assert len(shown(venue).attachments) == 1
    await venue.env.advance_time(3 * pace)
    assert "Move 0 of 5" in shown(venue).content
    await venue.restart()
    await venue.mod.click(replay.response.message, label="Last")
    assert disabled(venue) == ["Forward", "Last"]
    assert "resigned" in shown(venue).attachments[0].description


async def test_nobody_thinks_in_a_replay(venue: Any) -> None:
    """Every picture of the past says whose turn it was."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana)
    for _ in range(2):
        await stage.play(venue.ana)
    await stage.slash(venue.ana, "resign")
    replay = await stage.press(venue.mod, "Replay")
    for _ in range(4):
        said = shown(venue).attachments[0].description
        assert "to move" in said
        assert "thinking" not in said
        await venue.mod.click(replay.response.message, label="Forward")


def shown(venue: Any) -> Any:
    """The replay as it is now."""
    return [m for m in venue.channel.history(viewer=venue.mod) if m.flags.ephemeral][-1]


def disabled(venue: Any) -> list[str]:
    """The labels of the replay's buttons that cannot be pressed."""
    return [b.label for row in shown(venue).components for b in row.children if b.disabled]
