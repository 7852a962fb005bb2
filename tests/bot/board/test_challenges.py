"""Challenges on the offline Discord: the form, who may answer, and with what effect."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.sessions.people import OPEN_SECONDS
from tests.bot.discord.forging import forge
from tests.bot.present import FEATURES


async def offer(venue: Any, **options: Any) -> Any:
    """Let Ana challenge Bea; return the challenge's message."""
    return (await sent(venue, **options)).response


async def sent(venue: Any, **options: Any) -> Any:
    """Let Ana challenge Bea; return the result of the command."""
    return await venue.ana.slash(
        venue.channel, "connect4 start", opponent=venue.bea, size="5x4", **options
    )


async def thread_of(venue: Any) -> Any:
    """A new thread of the channel, in which no other one can be opened."""
    channel = venue.env.bot.get_channel(venue.channel.id)
    await channel.create_thread(name="ours", type=discord.ChannelType.public_thread)
    return venue.channel.threads[-1]


async def game_here(venue: Any) -> Any:
    """The channel's running game."""
    return await venue.services.sessions.games.current(venue.channel.id)


def controls(message: Any) -> list[Any]:
    """The buttons and menus of a message, as they are now."""
    present = getattr(message, "message", message)
    return [item for row in present.components for item in row.children]


def labels(message: Any) -> list[str]:
    """The labels of a message's buttons."""
    return [item.label for item in controls(message) if isinstance(item, discord.Button)]


def control(message: Any, start: str) -> str:
    """The custom id of a form's control."""
    ids = [str(item.custom_id) for item in controls(message)]
    return next(one for one in ids if one.startswith(f"cuatro:friend:{start}:"))


async def open_form(venue: Any) -> Any:
    """Ana opens a form with Bea filled in; return the private message."""
    opened = await venue.ana.context_menu(venue.channel, "Challenge to Connect 4", venue.bea)
    assert opened.ephemeral
    return opened.response


async def test_a_challenge_states_its_terms_and_pings_the_challenged_alone(venue: Any) -> None:
    """A challenge names the game, the time, who starts and its end, and notifies one person."""
    message = await offer(venue, clock="5m")
    first, second = message.content.splitlines()
    asked = f"<@{venue.bea.id}>, **Ana** challenges you to"
    assert first == f"{asked} **Connect 4** · 5x4 · 5 min per move · rated."
    assert second.startswith("**Ana** starts. The challenge ends <t:")
    request = [r.json for r in venue.env.http_requests if r.path.endswith("/callback")][-1]
    assert request["data"]["allowed_mentions"]["users"] == [venue.bea.id]


async def test_the_usual_time_is_stated(venue: Any) -> None:
    """A challenge without a chosen time states the usual one."""
    assert "2 days per move" in (await offer(venue)).content


async def test_a_friendly_game_is_not_rated(venue: Any) -> None:
    """A game that was offered as friendly changes no rating, and its board does not say rated."""
    challenge = await offer(venue, rated=False)
    assert "· not rated." in challenge.content
    await venue.bea.click(challenge, label="Accept")
    assert "rated" not in venue.board().content
    for actor, column in ((venue.ana, 1), (venue.bea, 2)) * 3:
        await actor.click(venue.board(), label=str(column))
    await venue.ana.click(venue.board(), label="1")
    game = await venue.services.store.games.find(1)
    assert (game.end.ending, game.rating_due, game.changes) == ("line", False, ())
    assert "friendly" in (await venue.bea.click(venue.board(), label="Details")).response.content


async def test_only_the_challenged_accepts(venue: Any) -> None:
    """Only the challenged player can accept; others read for whom it is."""
    message = await offer(venue)
    refused = await venue.mod.click(message, label="Accept")
    assert refused.ephemeral
    assert refused.response.content == "This challenge is for **Bea**. You can send your own."
    assert labels(refused.response.message) == ["Challenge a friend"]
    assert (await venue.ana.click(message, label="Accept")).ephemeral
    assert await game_here(venue) is None
    await venue.bea.click(message, label="Accept")
    assert (await game_here(venue)).people == (venue.ana.id, venue.bea.id)


async def test_a_declined_challenge_offers_a_game_against_the_bot(venue: Any) -> None:
    """The challenged declines; under the answer anyone can play the same game against Cuatro."""
    message = await offer(venue)
    await venue.bea.click(message, label="Decline")
    shown = venue.channel.history()[-1]
    assert shown.content == "**Bea** declined. Another time, **Ana**."
    assert labels(shown) == ["Play me instead"]
    assert await game_here(venue) is None
    await venue.ana.click(shown, label="Play me instead")
    session = await game_here(venue)
    assert (session.people, session.game.variant) == ((venue.ana.id,), "5x4")


async def test_the_challenger_withdraws_privately(venue: Any) -> None:
    """The challenger gets a private button that withdraws the challenge, also after a restart."""
    result = await sent(venue)
    (private,) = result.followups
    assert private.ephemeral
    assert private.content == "Sent. You can withdraw it until **Bea** answers."
    await venue.restart()
    answer = await venue.ana.click(private.message, label="Withdraw")
    assert answer.response.content == "You withdrew your challenge to **Bea**."
    shown = next(m for m in venue.channel.history() if m.id == result.response.id)
    assert shown.content == "**Ana** withdrew the challenge."
    assert not shown.components


async def test_an_open_challenge_is_withdrawn_under_the_list_of_games(venue: Any) -> None:
    """The list of a person's games names their open challenge, with the button to withdraw it."""
    await offer(venue)
    assert "challenge" not in (await venue.bea.slash(venue.channel, "games")).response.content
    listed = await venue.ana.slash(venue.channel, "games")
    assert "Your challenge to **Bea** waits for an answer" in listed.response.content
    await venue.ana.click(listed.response, label="Withdraw")
    assert await venue.services.store.challenges.open() == []


async def test_the_challenger_cannot_decline(venue: Any) -> None:
    """The challenger who presses a button for the other person gets the one to withdraw."""
    refused = await venue.ana.click(await offer(venue), label="Decline")
    assert refused.ephemeral
    assert labels(refused.response.message) == ["Withdraw"]
    assert [m for m in venue.channel.history() if "challenges you" in m.content]
    await venue.ana.click(refused.response.message, label="Withdraw")
    assert not [m for m in venue.channel.history() if "challenges you" in m.content]


async def test_a_stranger_cannot_decline(venue: Any) -> None:
    """A bystander cannot decline a challenge."""
    message = await offer(venue)
    refused = await venue.mod.click(message, label="Decline")
    assert refused.ephemeral
    await venue.bea.click(message, label="Accept")
    assert await game_here(venue) is not None


@pytest.mark.databases
async def test_an_expired_challenge_can_be_sent_again(venue: Any) -> None:
    """A challenge whose time is up says so; only its challenger can send it again, once."""
    message = await offer(venue, clock="5m")
    await venue.let_pass(OPEN_SECONDS + 30)
    shown = next(m for m in venue.channel.history() if m.id == message.id)
    assert shown.content == "The challenge expired. **Bea** didn't answer in time."
    assert labels(shown) == ["Send again"]
    refused = await venue.bea.click(shown, label="Send again")
    assert refused.ephemeral
    again = await venue.ana.click(shown, label="Send again")
    assert "5 min per move" in again.response.content
    assert f"<@{venue.bea.id}>" in again.response.content
    shown = next(m for m in venue.channel.history() if m.id == message.id)
    assert not shown.components
    await venue.bea.click(again.response, label="Accept")
    assert (await game_here(venue)).setup.clock.seconds == 300.0
    assert OPEN_SECONDS == 600


async def test_an_expired_challenge_is_refused_before_it_is_cleared_away(venue: Any) -> None:
    """Pressing Accept too late starts nothing, even before the message says so."""
    message = await offer(venue)
    venue.services.clock.forward(OPEN_SECONDS)
    refused = await venue.bea.click(message, label="Accept")
    assert refused.ephemeral
    assert "This challenge is over" in refused.response.content
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
    """Players cannot challenge themselves or two people at once, or in a thread with a game."""
    thread = await thread_of(venue)
    refused = await venue.ana.slash(venue.channel, "gato start", opponent=venue.ana)
    assert "That's you" in refused.response.content
    message = (await venue.ana.slash(thread, "gato start", opponent=venue.bea)).response
    refused = await venue.ana.slash(venue.other_channel, "gato start", opponent=venue.bea)
    assert "a challenge waiting" in refused.response.content
    await venue.mod.slash(thread, "gato start", level="easy")
    refused = await venue.bea.slash(thread, "gato start", opponent=venue.mod)
    assert "This channel has a game" in refused.response.content
    refused = await venue.bea.click(message, label="Accept")
    assert "has a game now" in refused.response.content


async def test_a_rematch_between_people_asks_again(venue: Any) -> None:
    """Rematch sends the other player a challenge, with the sides swapped."""
    await venue.bea.click(await offer(venue), label="Accept")
    await venue.resign(venue.ana)
    again = await venue.bea.click(venue.board(), label="Rematch")
    assert f"<@{venue.ana.id}>" in again.response.content
    await venue.ana.click(again.response, label="Accept")
    assert (await game_here(venue)).people == (venue.bea.id, venue.ana.id)


async def after_a_game(venue: Any) -> Any:
    """Ana and Bea have finished a game; return the message with its board."""
    await venue.bea.click(await offer(venue), label="Accept")
    for number, column in enumerate("1212"):
        await (venue.ana, venue.bea)[number % 2].click(venue.board(), label=column)
    await venue.resign(venue.ana)
    return venue.board()


async def test_a_declined_rematch_is_not_offered_again(venue: Any) -> None:
    """A rematch that was declined is not offered again, also after a restart, and is refused."""
    board = await after_a_game(venue)
    rematch = next(one.custom_id for one in controls(board) if one.label == "Rematch")
    again = await venue.bea.click(board, label="Rematch")
    await venue.ana.click(again.response, label="Decline")
    await venue.restart()
    session = await venue.services.sessions.games.require(1)
    await venue.client.app.core.boards.show(session)
    assert "Rematch" not in labels(venue.board())
    if "open_challenges" in FEATURES:
        assert "Challenge anyone" in labels(venue.board())
    helped = await venue.ana.slash(venue.channel, "help")
    forge(venue, custom_id=rematch)
    refused = await venue.ana.click(helped.response, label="Play")
    assert refused.response.content == "This rematch was declined. Want a game with me?"
    assert labels(refused.response) == ["Play"]


async def test_a_pair_has_at_most_one_open_rematch(venue: Any) -> None:
    """While a rematch waits for an answer, the other person's is refused with a link to it."""
    board = await after_a_game(venue)
    rematch = next(one.custom_id for one in controls(board) if one.label == "Rematch")
    first = await venue.bea.click(board, label="Rematch")
    helped = await venue.ana.slash(venue.channel, "help")
    forge(venue, custom_id=rematch)
    refused = await venue.ana.click(helped.response, label="Play")
    assert "You two have a rematch waiting for an answer" in refused.response.content
    assert str(first.response.id) in refused.response.content
    await venue.ana.click(first.response, label="Decline")


async def test_a_form_is_filled_in_and_sent(venue: Any) -> None:
    """The form keeps what is chosen, over a restart, and becomes a challenge when it is sent."""
    form = await open_form(venue)
    assert form.content == "Who do you want to play?"
    await venue.ana.select(form, ["gato"], custom_id=control(form, "game"))
    await venue.ana.select(form, ["30s"], custom_id=control(form, "time"))
    await venue.restart()
    await venue.ana.click(form, label="Friendly")
    assert "not rated" in form.content
    done = await venue.ana.click(form, label="Send")
    assert form.content == "Sent. You can withdraw it until **Bea** answers."
    assert labels(form) == ["Withdraw"]
    (challenge,) = done.followups
    assert not challenge.ephemeral
    assert "**Gato 4x4** · 30 s per move · not rated." in challenge.content
    await venue.bea.click(challenge.message, label="Accept")
    session = await game_here(venue)
    assert (session.game.key, session.setup.friendly) == ("gato", True)
    assert session.people == (venue.ana.id, venue.bea.id)


async def test_a_form_offers_no_match_of_another_length(venue: Any) -> None:
    """A form with a length that matches do not have is refused, and nothing is sent."""
    form = await open_form(venue)
    forge(venue, custom_id=f"{control(form, 'send').removesuffix('-')}3")
    refused = await venue.ana.click(form, label="Send")
    assert refused.ephemeral
    assert await venue.services.store.challenges.open() == []


async def test_a_form_asks_how_the_game_begins(venue: Any) -> None:
    """The form offers the openings that its board has; the challenge states the chosen one."""
    form = await open_form(venue)
    menu = control(form, "opening")

    def offered() -> list[tuple[str, bool]]:
        (found,) = (one for one in controls(form) if one.custom_id == control(form, "opening"))
        return [(option.value, option.default) for option in found.options]

    assert offered() == [("empty", False), ("balanced", False), ("swap", False)]
    await venue.ana.select(form, ["balanced"], custom_id=menu)
    assert offered() == [("empty", False), ("balanced", True), ("swap", False)]
    await venue.ana.select(form, ["gato"], custom_id=control(form, "game"))
    assert offered() == [("empty", False), ("swap", False)]
    await venue.ana.select(form, ["swap"], custom_id=control(form, "opening"))
    done = await venue.ana.click(form, label="Send")
    await venue.bea.click(done.followups[0].message, label="Accept")
    setup = (await game_here(venue)).setup
    assert (setup.family, setup.pie, setup.balanced) == ("gato", True, False)


async def test_a_form_needs_another_person(venue: Any) -> None:
    """Without a person a form cannot be sent; bots and oneself are not accepted."""
    refused = await venue.mod.click(await offer(venue), label="Accept")
    opened = await venue.mod.click(refused.response.message, label="Challenge a friend")
    form = opened.response
    (send,) = (one for one in controls(form) if one.custom_id == control(form, "send"))
    assert send.disabled
    robot = venue.env.guild.add_member(venue.env.create_user("robot", bot=True))
    await venue.mod.select(form, [robot], custom_id=control(form, "who"))
    assert "only bot" in form.content
    await venue.mod.select(form, [venue.mod], custom_id=control(form, "who"))
    assert "That's you" in form.content
    assert control(form, "send").startswith("cuatro:friend:send:0:")
    await venue.mod.select(form, [venue.bea], custom_id=control(form, "who"))
    done = await venue.mod.click(form, label="Send")
    assert f"<@{venue.bea.id}>, **Mod** challenges you" in done.followups[0].content


async def test_a_refused_form_stays(venue: Any) -> None:
    """A form whose challenge is refused says why and can be sent later."""
    form = await open_form(venue)
    first = await sent(venue)
    refused = await venue.ana.click(form, label="Send")
    assert "a challenge waiting" in refused.followups[0].content
    await venue.bea.click(first.response, label="Decline")
    done = await venue.ana.click(form, label="Send")
    assert "challenges you to **Connect 4**" in done.followups[0].content
