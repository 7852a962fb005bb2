"""Messages ping only the person who is asked or whose turn it is."""

from __future__ import annotations

from typing import Any

from bot.game.clocks import SILENCE
from tests.bot.discord.stage import Stage
from tests.bot.present import FEATURES

HARMFUL_NAME = "<@1>@everyone **\u202eb\u202c** `"
HARMFUL = ("<@1>", "@everyone", "\u202e", "**b**")


def messages(venue: Any) -> list[dict[str, Any]]:
    """The bodies of all requests that create a message or edit its text."""
    bodies = []
    for request in venue.env.http_requests:
        body = request.json if isinstance(request.json, dict) else {}
        body = body.get("data", body) if "/callback" in request.path else body
        if request.method in ("POST", "PATCH") and isinstance(body, dict) and body.get("content"):
            bodies.append(body)
    return bodies


async def send_messages_with_names(venue: Any) -> None:
    """Make the bot send nearly every message that contains a name."""
    stage = Stage(venue, "connect4", venue.channel)
    ana, bea = venue.ana, venue.bea
    await stage.pair(4)
    await venue.let_pass(SILENCE)
    for command in ("games", "stats", "history", "leaderboard", "report", "help"):
        if stage.has(command):
            await stage.slash(ana, command)
    if stage.has("stats"):
        await stage.slash(ana, "stats", player=bea)
    await stage.slash(ana, "board")
    await stage.resign(bea)
    for label in {"Review"} & stage.labels():
        await stage.press(ana, label)
    await stage.press(ana, "Rematch")
    await venue.let_pass(700)
    if "privacy" in FEATURES:
        await ana.slash(venue.channel, "privacy", action="show")
    watched = await stage.in_another_channel()
    await watched.slash(ana, "watch")
    await watched.resign(ana)
    await ana.slash(watched.channel, "lab play", agent="<@1> @everyone")


async def test_every_message_limits_its_pings(venue: Any) -> None:
    """Every message allows at most one ping, of a person it mentions.

    Other names are plain text.
    """
    troll = venue.env.create_user("troll", global_name=HARMFUL_NAME)
    venue.ana = venue.env.guild.add_member(troll)
    await send_messages_with_names(venue)
    found = messages(venue)
    assert len(found) > 12
    require_named(found)
    pinged = [body for body in found if body["allowed_mentions"].get("users")]
    assert {str(user) for body in pinged for user in body["allowed_mentions"]["users"]} == {
        str(venue.ana.id), str(venue.bea.id)
    }  # fmt: skip


def require_named(found: list[dict[str, Any]]) -> None:
    """Require that each message pings at most one person, and mentions that person."""
    for body in found:
        allowed = body.get("allowed_mentions")
        assert allowed is not None, body["content"]
        assert allowed.get("parse", []) == [], body["content"]
        assert not any(harm in body["content"] for harm in HARMFUL), body["content"]
        users = [str(user) for user in allowed.get("users", [])]
        assert len(users) <= 1
        assert all(f"<@{user}>" in body["content"] for user in users)
