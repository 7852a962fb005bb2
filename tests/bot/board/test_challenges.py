"""Challenges on the offline Discord: who may answer them, and with what effect."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sessions.people import OPEN_SECONDS

pytestmark = pytest.mark.databases


async def offer(venue: Any, **options: Any) -> Any:
    """Let Ana challenge Bea; return the challenge's message."""
    offered = await venue.ana.slash(
        venue.channel, "connect4 start", opponent=venue.bea, size="5x4", **options
    )
    return offered.response


async def game_here(venue: Any) -> Any:
    """The channel's running game."""
    return await venue.services.sessions.games.current(venue.channel.id)


async def test_a_challenge_pings_the_challenged_alone(venue: Any) -> None:
    """A challenge names both players and its time limit, and notifies only the challenged one."""
    message = await offer(venue)
    assert "Ana" in message.content
    assert "Connect 4 5x4" in message.content
    assert "<t:" in message.content
    sent = [r.json for r in venue.env.http_requests if r.path.endswith("/callback")][-1]
    assert sent["data"]["allowed_mentions"]["users"] == [venue.bea.id]


async def test_only_the_challenged_accepts(venue: Any) -> None:
    """Only the challenged player can accept."""
    message = await offer(venue)
    for actor in (venue.ana, venue.mod):
        refused = await actor.click(message, label="Accept")
        assert refused.ephemeral
        assert await game_here(venue) is None
    await venue.bea.click(message, label="Accept")
    assert (await game_here(venue)).people == (venue.ana.id, venue.bea.id)


@pytest.mark.parametrize(("who", "word"), [("bea", "declined"), ("ana", "back")])
async def test_a_challenge_is_declined_or_taken_back(venue: Any, who: str, word: str) -> None:
    """The challenged player can decline and the challenger can withdraw.

    Both close the challenge.
    """
    message = await offer(venue)
    await getattr(venue, who).click(message, label="Decline")
    shown = venue.channel.history()[-1]
    assert word in shown.content
    assert not shown.components
    assert await game_here(venue) is None


async def test_a_stranger_cannot_decline(venue: Any) -> None:
    """A bystander cannot decline a challenge."""
    message = await offer(venue)
    refused = await venue.mod.click(message, label="Decline")
    assert refused.ephemeral
    await venue.bea.click(message, label="Accept")
    assert await game_here(venue) is not None


async def test_a_challenge_expires(venue: Any) -> None:
    """A challenge whose time is up says so and loses its buttons."""
    await offer(venue)
    await venue.let_pass(OPEN_SECONDS + 30)
    shown = venue.channel.history()[-1]
    assert "no answer in time" in shown.content
    assert not shown.components
    assert OPEN_SECONDS == 600


async def test_an_expired_challenge_is_refused_before_it_is_cleared_away(venue: Any) -> None:
    """Pressing Accept too late starts nothing, even before the message says so."""
    message = await offer(venue)
    venue.services.clock.forward(OPEN_SECONDS)
    refused = await venue.bea.click(message, label="Accept")
    assert refused.ephemeral
    assert "challenge is over" in refused.response.content
    assert await game_here(venue) is None


async def test_a_challenge_survives_a_restart(venue: Any) -> None:
    """After a restart the buttons still work."""
    message = await offer(venue)
    await venue.restart()
    await venue.bea.click(message, label="Accept")
    assert (await game_here(venue)).people == (venue.ana.id, venue.bea.id)


@pytest.mark.parametrize(("first", "begins"), [("me", "ana"), ("bot", "bea")])
async def test_the_challengers_choice_of_first_player_is_kept(
    venue: Any, first: str, begins: str
) -> None:
    """The challenger decides who moves first."""
    await venue.bea.click(await offer(venue, first=first), label="Accept")
    assert (await game_here(venue)).mover.user_id == getattr(venue, begins).id


async def test_impossible_challenges_are_refused(venue: Any) -> None:
    """Players cannot challenge themselves or two people at once, or in a channel with a game."""
    refused = await venue.ana.slash(venue.channel, "gato start", opponent=venue.ana)
    assert "That's you" in refused.response.content
    await offer(venue)
    refused = await venue.ana.slash(venue.other_channel, "gato start", opponent=venue.bea)
    assert "challenge waiting" in refused.response.content
    await venue.mod.slash(venue.channel, "gato start", level="easy")
    refused = await venue.bea.slash(venue.channel, "gato start", opponent=venue.mod)
    assert "This channel has a game" in refused.response.content
    message = next(m for m in venue.channel.history() if "challenges you" in m.content)
    refused = await venue.bea.click(message, label="Accept")
    assert "has a game now" in refused.response.content


async def test_a_rematch_between_people_asks_again(venue: Any) -> None:
    """Rematch sends the other player a challenge, with the sides swapped."""
    await venue.bea.click(await offer(venue), label="Accept")
    await venue.ana.slash(venue.channel, "connect4 resign")
    again = await venue.bea.click(venue.board(), label="Rematch")
    assert f"<@{venue.ana.id}>" in again.response.content
    await venue.ana.click(again.response, label="Accept")
    assert (await game_here(venue)).people == (venue.bea.id, venue.ana.id)


async def test_a_persons_menu_challenges_them(venue: Any) -> None:
    """The entry in a person's menu sends them a challenge to Connect 4."""
    await venue.ana.context_menu(venue.channel, "Challenge to Connect 4", venue.bea)
    shown = venue.channel.history()[-1]
    assert f"<@{venue.bea.id}>" in shown.content
