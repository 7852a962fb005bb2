"""Matches on the offline Discord: the score, the seats, the next game, and every way to end."""

from __future__ import annotations

import asyncio
from copy import deepcopy
from typing import Any

import pytest

from bot.features.matches.rules import Matches
from bot.features.matches.store import WAIT, MatchStore
from bot.game.refusal import Refusal
from bot.i18n import say_in
from bot.store.records import FORMER_PLAYER, Ending
from tests.bot.features.matches.playing import (
    begin,
    concede,
    draw,
    labels,
    lines,
    press_next,
    running,
    shown,
    win,
)
from tests.bot.present import needs, require


def shown_again(venue: Any, message: Any) -> Any:
    """A message as it is now."""
    return next(one for one in venue.channel.history() if one.id == message.id)


@pytest.mark.databases
async def test_a_match_of_four(venue: Any) -> None:
    """The score is written at each board, seats alternate, and the last board names the winner."""
    first = await begin(venue, 4, clock="1h")
    assert first.people == (venue.ana.id, venue.bea.id)
    assert lines(venue)[1] == "Match · game 1 of 4"
    await win(venue, venue.ana)
    said = lines(venue)[-1]
    assert said.startswith("Match after 1 of 4 games: Ana 1, Bea 0. It goes on until <t:")
    assert labels(venue.board())[0] == "Next game"
    assert not {"Rematch", "Change…", "Challenge anyone"} & set(labels(venue.board()))
    before = venue.board()
    await press_next(venue.bea, before)
    second = await running(venue)
    assert second.people == (venue.bea.id, venue.ana.id)
    assert (second.setup.match, second.setup.match_of) == (4, first.id)
    assert second.setup.clock == first.setup.clock
    assert lines(venue)[1] == "Match · game 2 of 4 · Ana 1, Bea 0"
    assert "Next game" not in labels(shown_again(venue, before))
    assert "Game 1 of 4 in a match." in shown_again(venue, before).content
    await draw(venue)
    assert lines(venue)[-1].startswith("Match after 2 of 4 games: Ana 1½, Bea ½.")
    await press_next(venue.ana, venue.board())
    assert (await running(venue)).people == first.people
    await win(venue, venue.ana)
    # Ana leads by two and one game is left.
    assert lines(venue)[-1].startswith("**Ana wins the match**, 2½ to ½.")
    assert labels(venue.board())[0] == "Rematch"
    await venue.services.ratings._queue.drained(60)
    changed = [await venue.services.store.games.find(one) for one in (1, 2, 3)]
    assert all(len(game.changes) == 2 for game in changed)
    again = await venue.bea.click(venue.board(), label="Rematch")
    assert "match of 4 games" in again.response.content


async def test_an_even_match_is_a_draw(venue: Any) -> None:
    """A match in which both have as many points has no winner, also in Spanish."""
    venue.speak("es")
    say = say_in("es")
    await begin(venue, 2)
    await concede(venue, venue.ana)
    await press_next(venue.ana, venue.board())
    assert lines(venue)[1] == say("match.game", number=2, games=2, score="Ana 0, Bea 1")
    await concede(venue, venue.bea)
    assert lines(venue)[-1].startswith(say("match.drawn", most="1", least="1"))


async def test_leaving_loses_the_running_game_only(venue: Any) -> None:
    """Who leaves, even before the first move, loses that game; the match goes on."""
    await begin(venue, 2)
    asked = await venue.ana.click(venue.board(), label="Resign")
    assert asked.response.content == "Resign this game? **Bea** will win it."
    await venue.resign(venue.ana)
    ended = await venue.services.store.games.find(1)
    assert (ended.end.ending, ended.end.winner, ended.rating_due) == (Ending.RESIGNED, 2, False)
    assert lines(venue)[-1].startswith("Match after 1 of 2 games: Ana 0, Bea 1.")
    # There are no moves to review.
    assert "Review" not in labels(venue.board())
    await press_next(venue.ana, venue.board())
    assert (await running(venue)).people == (venue.bea.id, venue.ana.id)


async def test_a_match_that_nobody_continues_ends_as_it_stands(venue: Any) -> None:
    """After half an hour the board names the winner and offers a rematch, also after a restart."""
    await begin(venue, 4)
    await concede(venue, venue.ana)
    assert "Next game" in labels(venue.board())
    await venue.restart(WAIT + 1.0)
    await shown(venue, "Rematch")
    assert lines(venue)[-1].startswith(
        "The match ended after 1 of 4 games. **Bea wins the match**, 1 to 0."
    )
    assert "Next game" not in labels(venue.board())
    assert "Rematch" in labels(venue.board())
    assert await running(venue) is None


@needs("blocks")
async def test_after_a_block_no_game_follows(venue: Any) -> None:
    """A block refuses the next game like a challenge; the match ends with the present score."""
    await begin(venue, 4)
    await concede(venue, venue.bea)
    await venue.ana.context_menu(venue.channel, "Block challenges", venue.bea)
    told = await press_next(venue.bea, venue.board())
    assert (told.ephemeral, told.response.content) == (True, "**Ana** is not taking challenges.")
    own = await press_next(venue.ana, venue.board())
    assert labels(own.response.message) == ["Unblock"]
    assert await running(venue) is None
    venue.services.clock.forward(WAIT)
    await shown(venue, "Rematch")
    said = "The match ended after 1 of 4 games. **Ana wins the match**, 1 to 0."
    assert lines(venue)[-1].startswith(said)


def matches_of(venue: Any) -> Matches:
    """The matches of the running bot."""
    core = venue.client.app.core
    stored, objection = MatchStore(core.store.database), core.challenges.objection
    return Matches(stored, core.sessions, core.clock, None, objection)


async def test_one_of_two_presses_begins_the_game(venue: Any) -> None:
    """If both press at once, one game begins, and the other person reads where it is."""
    await begin(venue, 4)
    await concede(venue, venue.bea)
    board = venue.board()
    stored = venue.env.backend.messages[venue.channel.id][board.id]
    buttons = deepcopy(stored.components)
    await press_next(venue.ana, board)
    # A client that has not yet received the edit still shows the button.
    stored.components = buttons
    told = await press_next(venue.bea, board)
    assert told.ephemeral
    assert told.response.content == f"The next game has begun: {venue.board().jump_url}."
    await concede(venue, venue.ana)
    old = await venue.services.sessions.games.require(2)
    people, matches = (venue.ana, venue.bea), matches_of(venue)
    both = (matches.go_on(old, venue.channel.id, one.id, "en") for one in people)
    done = await asyncio.gather(*both, return_exceptions=True)
    (refusal,) = [one for one in done if isinstance(one, Refusal)]
    assert refusal.key == "refusal.match_begun"
    assert (await running(venue)).id == 3


@pytest.mark.databases
async def test_a_game_that_was_not_shown_is_posted(venue: Any) -> None:
    """After a crash between the press and the board, the board of the next game is posted."""
    await begin(venue, 2)
    await concede(venue, venue.bea)
    old = await venue.services.sessions.games.require(1)
    await matches_of(venue).go_on(old, venue.channel.id, venue.bea.id, "en")
    await venue.restart()
    await shown(venue, "Resign")
    assert lines(venue)[1] == "Match · game 2 of 2 · Ana 1, Bea 0"
    assert (await running(venue)).people == (venue.bea.id, venue.ana.id)


async def test_a_pair_of_games_shares_its_balanced_opening(venue: Any) -> None:
    """The second game begins from the opening of the first, with the seats exchanged."""
    first = await begin(venue, 4, opening="balanced")
    opening = [one.move for one in first.moves]
    assert opening
    await venue.resign(venue.bea)
    ended = await venue.services.store.games.find(1)
    assert not ended.rating_due
    await press_next(venue.bea, venue.board())
    second = await running(venue)
    assert [one.move for one in second.moves] == opening
    assert second.people == first.people[::-1]
    assert second.setup.opening == len(opening)


async def test_seats_alternate_after_a_swap(venue: Any) -> None:
    """Who did not begin the last game begins the next one, whether or not sides were swapped."""
    await begin(venue, 2, opening="swap")
    await venue.ana.click(venue.board(), label="1")
    await venue.bea.click(venue.board(), label="Swap sides")
    await venue.resign(venue.ana)
    await press_next(venue.ana, venue.board())
    session = await running(venue)
    assert session.people == (venue.bea.id, venue.ana.id)
    assert session.setup.pie


@needs("open_challenges")
async def test_an_open_challenge_for_a_match(venue: Any) -> None:
    """An open challenge can be for a match, and says so."""
    posted = await venue.ana.slash(venue.channel, "connect4 start", open=True, match=6)
    assert "match of 6 games" in posted.response.content
    await venue.bea.click(posted.response, label="Join")
    assert lines(venue)[1] == "Match · game 1 of 6"


@pytest.mark.parametrize("opens", ["friend", "open"])
async def test_forms_offer_matches(venue: Any, opens: str) -> None:
    """A button of the forms counts through the lengths of matches; the challenge says which."""
    if opens == "open":
        require("open_challenges")
    opened = await venue.ana.context_menu(venue.channel, "Challenge to Connect 4", venue.bea)
    if opens == "open":
        await venue.ana.click(opened.response, label="Challenge anyone")
    for label in ("One game", "Match of 2", "Match of 4", "Match of 6", "One game", "Match of 2"):
        await venue.ana.click(opened.response, label=label)
    sent = await venue.ana.click(opened.response, label="Send" if opens == "friend" else "Post")
    assert "match of 4 games" in sent.followups[0].content
    await venue.bea.click(sent.followups[0], label="Accept" if opens == "friend" else "Join")
    assert lines(venue)[1] == "Match · game 1 of 4"


@needs("rematches")
async def test_a_rematch_can_become_a_match(venue: Any) -> None:
    """The form for a rematch with changes asks for the number of games."""
    asked = await venue.ana.slash(venue.channel, "connect4 start", opponent=venue.bea, size="5x4")
    await venue.bea.click(asked.response, label="Accept")
    await win(venue, venue.ana)
    shown = await venue.bea.click(venue.board(), label="Change…")
    fields = [part["component"] for part in shown.modal["components"]]
    chosen = [
        (field["custom_id"], one["value"])
        for field in fields
        for one in field["options"]
        if one.get("default")
    ]
    assert ("match", "0") in chosen
    entered = {name: [value] if name in ("size", "time") else value for name, value in chosen}
    sent = await venue.bea.submit_modal(shown, entered | {"match": "2"})
    assert "match of 2 games" in sent.response.content


@needs("threads")
async def test_the_next_game_moves_to_a_thread(venue: Any) -> None:
    """If the channel has another game by then, the next game begins in a thread beside it."""
    await begin(venue, 2)
    await concede(venue, venue.bea)
    board = venue.board()
    await venue.mod.slash(venue.channel, "gato start", level="easy")
    told = await press_next(venue.bea, board)
    (thread,) = venue.channel.threads
    assert told.followups[0].content.startswith("The next game is in ")
    assert str(thread.id) in told.followups[0].content
    session = await venue.services.sessions.games.current(thread.id)
    assert (session.people, session.setup.match_of) == ((venue.bea.id, venue.ana.id), 1)
    assert "Next game" not in labels(shown_again(venue, board))


@needs("privacy")
async def test_a_deleted_person_leaves_the_match_to_the_other(venue: Any) -> None:
    """Who deletes their data loses the running game, and the match ends with a former player."""
    await begin(venue, 4)
    await concede(venue, venue.ana)
    await press_next(venue.bea, venue.board())
    opened = await venue.ana.slash(venue.channel, "privacy")
    asked = await venue.ana.click(opened.response, label="Delete everything")
    await venue.ana.click(asked.response, label="Yes, delete")
    match = await MatchStore(venue.services.store.database).find(1)
    assert match.points == {FORMER_PLAYER: 0.0, venue.bea.id: 2.0}
    old = await venue.services.sessions.games.require(2)
    with pytest.raises(Refusal):
        await matches_of(venue).go_on(old, venue.channel.id, venue.bea.id, "en")
    await shown(venue, "Rematch")
    assert "**Bea wins the match**, 2 to 0." in lines(venue)[-1]
