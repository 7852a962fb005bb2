"""Open challenges on the offline Discord: posting, joining, withdrawing, expiring."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.open_challenges.discord import EVERY, JOIN
from bot.features.open_challenges.rules import OpenChallenges
from bot.features.open_challenges.store import OpenChallengeStore
from bot.i18n import say_in
from bot.store.records import person
from tests.bot.builders import new_game
from tests.bot.discord.forging import forge
from tests.bot.discord.stage import Stage
from tests.bot.features.open_challenges.posting import (
    SECONDS,
    control,
    controls,
    labels,
    press,
    rate,
    stored,
)
from tests.bot.present import needs
from tests.builders import until


async def post(venue: Any, **options: Any) -> Any:
    """Let Ana post a challenge by command; return the result."""
    return await venue.ana.slash(venue.channel, "connect4 start", open=True, **options)


def now(venue: Any, message: Any) -> Any:
    """A message as it is now."""
    return next(one for one in venue.channel.history() if one.id == message.id)


async def game_here(venue: Any) -> Any:
    """The channel's running game."""
    return await venue.services.sessions.games.current(venue.channel.id)


async def test_a_post_states_its_terms_and_pings_nobody(venue: Any) -> None:
    """The post names the author, the game, the time, who starts and its end; no one is notified."""
    result = await post(venue, clock="5m", size="5x4")
    first, second = result.response.content.splitlines()
    assert first == "**Ana** wants to play **Connect 4** · 5x4 · 5 min per move · rated."
    assert second.startswith("**Ana** starts. The challenge ends <t:")
    assert labels(result.response) == ["Join"]
    posted = [r.json for r in venue.env.http_requests if r.path.endswith("/callback")][-1]
    assert posted["data"]["allowed_mentions"] == {"parse": []}
    (private,) = result.followups
    assert private.ephemeral
    assert private.content == "Posted. You can withdraw it until somebody joins."


@pytest.mark.databases
async def test_whoever_joins_plays_in_the_post_itself(venue: Any) -> None:
    """The post becomes the board of a game with the chosen options, also after a restart."""
    message = (await post(venue, first="bot", rated=False)).response
    assert "2 days per move · not rated.\nWhoever joins starts." in message.content
    await venue.restart()
    await venue.bea.click(message, label="Join")
    session = await game_here(venue)
    assert (session.people, session.setup.friendly) == ((venue.bea.id, venue.ana.id), True)
    assert session.message_id == message.id == venue.board().id
    assert "**Bea** vs **Ana**" in venue.board().content


async def test_a_later_press_is_told_who_was_faster(venue: Any) -> None:
    """A person who presses Join too late reads who was faster, and can post another challenge.

    Challenge anyone under the refusal opens the form for its game, also after a restart.
    """
    message = (await post(venue)).response
    join = control(message, "join")
    await venue.bea.click(message, label="Join")
    helped = await venue.mod.slash(venue.channel, "help")
    forge(venue, custom_id=join)
    refused = await venue.mod.click(helped.response, label="Play")
    assert refused.ephemeral
    assert refused.response.content == "**Bea** was faster. Want to post your own?"
    assert labels(refused.response) == ["Challenge anyone"]
    # Who has joined already is not faster than themselves.
    helped = await venue.bea.slash(venue.channel, "help")
    again = await venue.bea.click(helped.response, label="Play")
    assert again.response.content.startswith("This challenge is over.")
    forge(venue, custom_id=JOIN(999))
    helped = await venue.mod.slash(venue.channel, "help")
    unknown = await venue.mod.click(helped.response, label="Play")
    assert unknown.response.content.startswith("This challenge is over.")
    await venue.restart()
    form = await press(venue.mod, unknown.response, "form")
    sent = await press(venue.mod, form.response, "send")
    assert "**Mod** wants to play **Connect 4**" in sent.followups[0].content


async def test_strangers_meet_by_buttons_only(venue: Any) -> None:
    """From help, a form and its button post a challenge, which another person joins."""
    venue.speak("es")
    say = say_in("es")
    helped = await venue.ana.slash(venue.channel, "help")
    await venue.ana.select(helped.response, ["friends"], custom_id="cuatro:help:topic")
    form = await venue.ana.click(helped.response, label=say("button.anyone"))
    assert form.ephemeral
    assert form.response.content == say("open.what")
    await venue.ana.select(form.response, ["gato"], custom_id=control(form.response, "game"))
    await venue.ana.select(form.response, ["5m"], custom_id=control(form.response, "time"))
    await press(venue.ana, form.response, "rated")
    assert say("friend.friendly") in form.response.content
    sent = await press(venue.ana, form.response, "send")
    assert form.response.content == say("open.sent")
    await press(venue.bea, sent.followups[0], "join")
    setup = (await game_here(venue)).setup
    assert (setup.family, setup.clock.seconds, setup.friendly) == ("gato", 300.0, True)
    assert setup.people == (venue.ana.id, venue.bea.id)


async def test_the_form_for_a_friend_leads_to_anyone(venue: Any) -> None:
    """Challenge anyone in the form for a friend keeps what has been chosen there."""
    opened = await venue.ana.context_menu(venue.channel, "Challenge to Connect 4", venue.bea)
    await venue.ana.click(opened.response, label="Friendly")
    await venue.ana.click(opened.response, label="Challenge anyone")
    assert labels(opened.response)[:3] == ["Post", "Friendly: on", "Similar rating"]
    sent = await press(venue.ana, opened.response, "send")
    assert "not rated" in sent.followups[0].content


async def test_a_rated_challenge_proposes_a_balanced_opening(venue: Any) -> None:
    """The form proposes it where the game has some, unless another opening has been chosen."""
    opened = await venue.ana.context_menu(venue.channel, "Challenge to Connect 4", venue.bea)
    await venue.ana.click(opened.response, label="Challenge anyone")
    form = opened.response

    def chosen() -> list[str]:
        (menu,) = (one for one in controls(form) if one.custom_id == control(form, "opening"))
        return [option.value for option in menu.options if option.default]

    assert chosen() == ["balanced"]
    await venue.ana.select(form, ["gato"], custom_id=control(form, "game"))
    assert chosen() == []
    await venue.ana.select(form, ["connect4"], custom_id=control(form, "game"))
    assert chosen() == ["balanced"]
    await venue.ana.select(form, ["empty"], custom_id=control(form, "opening"))
    await venue.ana.select(form, ["boom"], custom_id=control(form, "game"))
    await venue.ana.select(form, ["connect4"], custom_id=control(form, "game"))
    assert chosen() == ["empty"]
    await venue.ana.select(form, ["balanced"], custom_id=control(form, "opening"))
    sent = await press(venue.ana, form, "send")
    assert "Balanced start" in sent.followups[0].content
    await press(venue.bea, sent.followups[0], "join")
    assert (await game_here(venue)).setup.balanced


async def test_the_command_proposes_it_like_the_form(venue: Any) -> None:
    """A rated challenge begins balanced where the board allows it, unless an opening is given."""
    repository = OpenChallengeStore(venue.services.store.database)
    cases: tuple[tuple[dict[str, Any], bool], ...] = (
        ({}, True),
        ({"size": "5x4"}, True),
        ({"size": "7x8"}, False),
        ({"rated": False}, False),
        ({"opening": "empty"}, False),
        ({"opening": "swap"}, False),
    )
    for options, is_balanced in cases:
        posted = await post(venue, **options)
        assert ("Balanced start" in posted.response.content) == is_balanced, options
        (found,) = await repository.open_of(venue.ana.id)
        assert found.offer.setup.balanced == is_balanced, options
        await venue.ana.click(posted.followups[0], label="Withdraw")


async def test_the_greeting_and_the_end_of_a_game_lead_to_anyone(venue: Any) -> None:
    """The second row of the greeting and of a finished game between people has the button."""
    guild = venue.env.bot.get_guild(venue.env.guild.id)
    venue.env.bot.dispatch("guild_join", guild)
    await until(venue.channel.history)
    (greeting,) = venue.channel.history()
    assert "Challenge anyone" in [one.label for one in greeting.components[1].children]
    await venue.bea.click((await post(venue, clock="30s")).response, label="Join")
    await Stage(venue, "connect4", venue.channel).make("12121")
    await venue.resign(venue.bea)
    assert "Challenge anyone" in [one.label for one in venue.board().components[1].children]
    form = await venue.mod.click(venue.board(), label="Challenge anyone")
    sent = await press(venue.mod, form.response, "send")
    assert "30 s per move" in sent.followups[0].content


async def test_the_author_withdraws_in_three_places(venue: Any) -> None:
    """Authors withdraw by a private button, also after a restart, by Join, and in `/games`.

    Others do not see the challenge in `/games`.
    """
    message = (await post(venue)).response
    own = await venue.ana.click(message, label="Join")
    assert own.ephemeral
    assert own.response.content.startswith("This one is yours")
    await venue.ana.click(own.response, label="Withdraw")
    assert now(venue, message).content == "**Ana** withdrew the challenge."
    assert await game_here(venue) is None
    message = (await post(venue)).response
    seen = await venue.bea.slash(venue.channel, "games")
    assert "open challenge" not in seen.response.content
    listed = await venue.ana.slash(venue.channel, "games")
    assert now(venue, message).jump_url in listed.response.content
    await venue.ana.click(listed.response, label="Withdraw")
    assert now(venue, message).content == "**Ana** withdrew the challenge."
    assert listed.response.content == "You withdrew the challenge."
    result = await post(venue)
    (private,) = result.followups
    await venue.restart()
    answer = await venue.ana.click(private, label="Withdraw")
    assert answer.response.content == "You withdrew the challenge."
    shown = now(venue, result.response)
    assert shown.content == "**Ana** withdrew the challenge."
    assert not shown.components
    stored_ones = await OpenChallengeStore(venue.services.store.database).all_of(venue.ana.id)
    assert [one.answer for one in stored_ones] == ["withdrawn"] * 3


async def test_an_expired_challenge_can_be_posted_again(venue: Any) -> None:
    """After its time the post says so, and its button opens the form with the same game."""
    message = (await post(venue, clock="5m")).response
    venue.services.clock.forward(SECONDS)
    late = await venue.bea.click(message, label="Join")
    assert late.response.content.startswith("This challenge is over.")
    await venue.let_pass(EVERY)
    shown = now(venue, message)
    assert shown.content == "The challenge expired. Nobody joined in time."
    form = await venue.bea.click(shown, label="Challenge anyone")
    sent = await press(venue.bea, form.response, "send")
    assert "**Bea** wants to play" in sent.followups[0].content
    assert "5 min per move" in sent.followups[0].content


async def test_an_end_that_could_not_be_shown_is_shown_later(venue: Any) -> None:
    """An edit of the post of an expired challenge that fails is tried again."""
    message = (await post(venue)).response
    venue.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50035, times=1)
    venue.services.clock.forward(SECONDS)
    for _ in range(2):
        assert now(venue, message).content.startswith("**Ana** wants to play")
        await venue.let_pass(EVERY)
    assert now(venue, message).content.startswith("The challenge expired.")


@pytest.mark.databases
async def test_a_crash_before_the_board_is_repaired_in_place(venue: Any) -> None:
    """A game whose board was never shown is shown after a restart, in the post itself."""
    message = (await post(venue)).response
    services = venue.services
    repository = OpenChallengeStore(services.store.database)
    rules = OpenChallenges(
        services.store, repository, services.sessions, services.clock, seconds=SECONDS
    )
    # A process that is killed now has stored the game, and shown nothing.
    await rules.join(await stored(services.store, venue.ana.id), venue.bea.id, message.id)
    assert labels(now(venue, message)) == ["Join"]
    await venue.restart()
    await venue.let_pass(10.0)
    assert venue.board().id == message.id
    assert "**Ana** vs **Bea**" in venue.board().content


async def fill(venue: Any, actor: Any, channel: int) -> None:
    """Begin as many games for a person as one may have, in channels from this one."""
    for number in range(venue.services.settings.games_per_player):
        setup = new_game(channel + number, first=person(actor.id), started_by=actor.id)
        await venue.services.sessions.start(setup)


async def test_people_with_too_many_games_cannot_join(venue: Any) -> None:
    """Neither a person with too many games nor a challenge of such a person begins another."""
    message = (await post(venue)).response
    await fill(venue, venue.bea, 1000)
    refused = await venue.bea.click(message, label="Join")
    assert refused.response.content.startswith("You have 5 games going.")
    await fill(venue, venue.ana, 2000)
    refused = await venue.mod.click(message, label="Join")
    assert refused.response.content.startswith("The other person already has 5 games going.")
    assert await game_here(venue) is None
    await venue.services.sessions.resign(2000, venue.ana.id)
    await venue.mod.click(message, label="Join")
    assert (await game_here(venue)).people == (venue.ana.id, venue.mod.id)


async def test_only_similar_ratings_may_join(venue: Any) -> None:
    """With Similar rating only people within 200 points may join; the post says so."""
    store = venue.services.store
    for actor, number in ((venue.ana, 1000.0), (venue.bea, 1200.0), (venue.mod, 1201.0)):
        await rate(store, actor.id, number)
    opened = await venue.ana.context_menu(venue.channel, "Challenge to Connect 4", venue.bea)
    await venue.ana.click(opened.response, label="Challenge anyone")
    await venue.ana.click(opened.response, label="Similar rating")
    assert "Only ratings within 200 points of yours." in opened.response.content
    message = (await press(venue.ana, opened.response, "send")).followups[0]
    assert "· rated · within 200 points." in message.content
    refused = await venue.mod.click(message, label="Join")
    said = "**Ana** wants a rating within 200 points; yours is 1201. Want to post your own?"
    assert refused.response.content == said
    await venue.bea.click(message, label="Join")
    assert (await game_here(venue)).people == (venue.ana.id, venue.bea.id)


@needs("privacy")
async def test_deleting_ones_data_withdraws_the_challenge(venue: Any) -> None:
    """The privacy page counts open challenges; deleting everything withdraws the present one."""
    message = (await post(venue)).response
    page = await venue.ana.slash(venue.channel, "privacy")
    details = await venue.ana.click(page.response, label="Details")
    assert "in the last 30 days: 1" in details.response.content
    asked = await venue.ana.click(page.response, label="Delete everything")
    await venue.ana.click(asked.response, label="Yes, delete")
    assert "withdrew the challenge." in now(venue, message).content
    repository = OpenChallengeStore(venue.services.store.database)
    assert await repository.all_of(venue.ana.id) == []
