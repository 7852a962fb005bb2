"""Buttons that repeat a refused request, or offer what can be done instead."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.board.refusals import view_below
from bot.discord.retries import MAX_ID, Pressed, Repeatable, Used, request_in, retry_button
from bot.game.refusal import Refusal
from bot.i18n import say_in
from tests.bot.board.test_permissions import forbid
from tests.bot.discord.forging import forge
from tests.bot.discord.test_store_faults import drop, locked, moves, pair
from tests.bot.present import needs

TEXTS = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)


async def allow(venue: Any, *names: str) -> None:
    """Give permissions to the bot."""
    found = venue.env.bot.get_channel(venue.channel.id)
    await found.set_permissions(found.guild.me, **dict.fromkeys(names, True))


def labels(message: Any) -> list[str]:
    """The labels of a message's buttons."""
    return [one.label for row in message.components for one in row.children]


def private_ids(venue: Any) -> list[int]:
    """The ids of the private messages that Ana sees."""
    found = venue.channel.history(viewer=venue.ana)
    return [message.id for message in found if message.flags.ephemeral]


@given(
    st.one_of(
        st.builds(Pressed, st.just("cuatro:move:1:2:3"), st.none() | TEXTS),
        st.builds(
            Used,
            st.just("connect4 start"),
            st.lists(st.tuples(st.just("level"), TEXTS)).map(tuple),
        ),
    )
)
def test_an_id_holds_a_request_with_any_characters(request_: Repeatable) -> None:
    """A request is read from its button as it was written; one that is too long has no button."""
    written = request_.written()
    assert request_in(written) == request_
    button = retry_button(request_, "Try again")
    assert (button is None) == (len(written) > MAX_ID)
    assert button is None or button.custom_id == written


def test_searches_that_failed_can_be_asked_for_again() -> None:
    """A failed hint, analysis, review or explanation offers the same button again."""
    for name in ("hint", "analysis", "review", "why"):
        request_ = Pressed(f"cuatro:{name}:1")
        view = view_below(Refusal(f"{name}_failed"), "connect4", say_in("en"), request_)
        assert view is not None
        (button,) = view.children
        assert getattr(button, "label", None) == "Try again"
        assert request_in(str(getattr(button, "custom_id", None))) == request_


@pytest.mark.sqlite
@pytest.mark.parametrize("way", ["command", "button"])
async def test_a_move_that_was_not_saved_is_made_by_try_again(venue: Any, way: str) -> None:
    """The button fails again while the database is locked, and then makes the move only once."""
    await pair(venue)
    venue.services.store.database.patience = 0.2
    with locked(venue):
        refused = await drop(venue, way)
        assert labels(refused.response.message) == ["Try again"]
        again = await venue.ana.click(refused.response.message, label="Try again")
        assert again.response.content == refused.response.content
    refusal = again.response.message
    await venue.ana.click(refusal, label="Try again")
    assert await moves(venue) == ["4"]
    await venue.bea.click(venue.board(), label="4")
    if way == "command":
        await venue.ana.click(refusal, label="Try again")
    assert refusal.id not in private_ids(venue)
    assert await moves(venue) == ["4", "4"]


async def test_a_game_begins_by_try_again_once_it_is_allowed(venue: Any) -> None:
    """The button keeps the options of the command, also a person who is challenged."""
    await forbid(venue, "embed_links")
    options = {"size": "5x4", "level": "easy", "first": "bot"}
    refused = await venue.ana.slash(venue.channel, "connect4 start", **options)
    challenge = await venue.ana.slash(
        venue.channel, "connect4 start", opponent=venue.bea, rated=False
    )
    assert labels(refused.response.message) == ["Try again", "Play in DM"]
    assert labels(challenge.response.message) == ["Try again"]
    again = await venue.ana.click(refused.response.message, label="Try again")
    assert again.response.content == refused.response.content
    await allow(venue, "embed_links")
    sent = await venue.ana.click(challenge.response.message, label="Try again")
    assert "challenges you" in sent.response.content
    assert "not rated" in sent.response.content
    await venue.ana.click(sent.followups[0].message, label="Withdraw")
    await venue.ana.click(again.response.message, label="Try again")
    game = await venue.services.sessions.games.current(venue.channel.id)
    assert (game.game.variant, game.seats[0].agent) == ("5x4", "easy")


async def test_a_game_is_played_in_a_direct_message_instead(venue: Any) -> None:
    """Play in DM sends the person a button for the same game, and says where it is."""
    await forbid(venue, "embed_links")
    refused = await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    private = venue.ana.user
    closed = {"status": 403, "code": 50007, "message": "Cannot send messages to this user"}
    venue.env.inject_error("POST", "/channels/*/messages", **closed, times=1)
    told = await venue.ana.click(refused.response.message, label="Play in DM")
    assert told.followups[0].content == say_in("en")("direct.closed")
    await venue.ana.click(refused.response.message, label="Play in DM")
    (offered,) = private.dm_channel.history()
    told = next(m for m in venue.channel.history(viewer=venue.ana) if m.id == refused.response.id)
    assert told.content.endswith(f"/{private.dm_channel.id}/{offered.id}")
    assert labels(told) == []
    assert "Connect 4" in offered.content
    await private.click(offered, label="Play")
    game = await venue.services.sessions.games.current(private.dm_channel.id)
    assert (game.game.variant, game.seats[1].agent, game.guild_id) == ("5x4", "easy", None)


async def test_a_wrong_size_offers_other_sizes(venue: Any) -> None:
    """The sizes under the refusal begin the game with the command's other options."""
    options = {"size": "3x99", "level": "easy", "first": "bot"}
    refused = await venue.ana.slash(venue.channel, "connect4 start", **options)
    assert labels(refused.response.message) == ["5x4", "6x7", "8x8"]
    await venue.ana.click(refused.response.message, label="8x8")
    game = await venue.services.sessions.games.current(venue.channel.id)
    assert (game.game.variant, game.seats[0].agent) == ("8x8", "easy")


async def test_a_board_catches_up_by_try_again(venue: Any) -> None:
    """A player who learns that the board cannot be shown can have it shown once that is allowed."""
    await venue.ana.slash(venue.channel, "connect4 start", level="easy")
    await forbid(venue, "send_messages")
    board = venue.board()
    await board.delete()
    shown = await venue.ana.slash(venue.channel, "connect4 drop", column=4)
    told = shown.followups[-1].message
    assert labels(told) == ["Try again"]
    again = await venue.ana.click(told, label="Try again")
    assert again.followups[0].content == told.content
    await allow(venue, "send_messages")
    caught_up = again.followups[0].message
    await venue.ana.click(caught_up, label="Try again")
    found = next(m for m in venue.channel.history(viewer=venue.ana) if m.id == caught_up.id)
    assert found.content.startswith("The board is up to date: https://")
    assert labels(found) == []


@needs("voting")
async def test_a_choice_in_a_menu_is_repeated(venue: Any) -> None:
    """A button that repeats a choice gives the menu's handler the chosen value."""
    helped = await venue.ana.slash(venue.channel, "help")
    overview = str(helped.response.content)
    forge(venue, custom_id="cuatro:retry:choose:friends:help:topic")
    await venue.ana.click(helped.response, label="Play")
    shown = venue.channel.history(viewer=venue.ana)[-1]
    assert shown.id == helped.response.message.id
    assert shown.content != overview
    assert "together" in shown.content


async def test_what_changes_a_message_of_others_is_pressed_there_again(venue: Any) -> None:
    """A challenge is accepted only by its own button: a refusal of that cannot be repeated."""
    offered = await venue.ana.slash(venue.channel, "connect4 start", opponent=venue.bea)
    await forbid(venue, "embed_links")
    refused = await venue.bea.click(offered.response, label="Accept")
    assert refused.ephemeral
    assert labels(refused.response.message) == []
