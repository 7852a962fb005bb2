"""Ratings on the offline Discord: which games count, and which level `auto` picks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.ratings.glicko import newcomer
from bot.ratings.levels import fitting_rung
from bot.store.records import Rating
from engine.core.game import Player
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of, size_class
from tests.bot.discord.words_of import words_of
from tests.bot.hinting import note_hint

SMALL = game_of("connect4", "5x4")
NEW = newcomer(ladder_of(SMALL))


async def rating(venue: Any, actor: Any, game: Any = SMALL) -> Rating | None:
    """A player's rating."""
    found = await venue.services.store.ratings.of(actor.id, size_class(game))
    return found.rating if found else None


async def start(venue: Any, size: str = "5x4", **options: Any) -> None:
    """Let Ana start a game."""
    await venue.ana.slash(venue.channel, "connect4 start", size=size, **options)


async def drop(venue: Any, actor: Any, columns: str) -> None:
    """Drop stones into these columns by turns."""
    for column in columns:
        await actor.slash(venue.channel, "connect4 drop", column=int(column))


async def challenge(venue: Any) -> None:
    """Begin a game between Ana and Bea."""
    offered = await venue.ana.slash(venue.channel, "connect4 start", size="5x4", opponent=venue.bea)
    await venue.bea.click(offered.response, label="Accept")


async def on_plates(venue: Any) -> dict[int, float]:
    """The ratings on the picture of the channel's game."""
    session = await venue.services.sessions.games.current(venue.channel.id)
    return dict(await venue.app.core.messages.ratings_in(session))


def final(venue: Any) -> str:
    """The text of the final message."""
    return words_of(venue.board())


async def play_out(venue: Any) -> Any:
    """Play the game well against the agent to its end; return the stored game."""
    while (session := await venue.services.sessions.games.current(venue.channel.id)) is not None:
        game_id = session.id
        await drop(venue, venue.ana, await venue.best_move())
    return await venue.services.store.games.find(game_id)


async def test_results_on_the_board_are_rated(venue: Any) -> None:
    """A win or loss changes the rating by the ladder's rules, and the picture shows the change."""
    await start(venue, level="easy")
    game = await play_out(venue)
    after = await rating(venue, venue.ana)
    assert after is not None
    (change,) = game.changes
    assert replace(change.after, surprise=0.0) == replace(after, surprise=0.0)
    assert (change.before, after.games) == (NEW, 1)
    easy = ladder_of(SMALL).elo_of("easy")
    assert change.opponent == easy
    if game.end.winner is not None:
        assert (after.value > NEW.value) == (game.end.winner == 1)
    assert "4 more games and you get a rating." in final(venue)


async def test_a_draw_is_rated(venue: Any) -> None:
    """A draw between new players is rated: weak moves lower both, and both get more certain."""
    await challenge(venue)
    people = {venue.ana.id: venue.ana, venue.bea.id: venue.bea}
    # A full board without four in line.
    for column in "22341143224443113132":
        session = await venue.services.sessions.games.current(venue.channel.id)
        await drop(venue, people[session.mover.user_id], column)
    game = await venue.services.store.games.find(1)
    assert game.end.ending == "draw"
    for actor in (venue.ana, venue.bea):
        after = await rating(venue, actor)
        assert after.value == pytest.approx(NEW.value, abs=250)
        assert after.deviation < NEW.deviation
    for name in ("Ana", "Bea"):
        assert f"**{name}**: 4 more games and there is a rating." in venue.board().content


async def test_a_lost_game_with_a_hint_counts(venue: Any) -> None:
    """A hint does not save its player from a loss."""
    await start(venue, level="medium")
    await note_hint(venue.services, venue.channel.id, venue.ana.id)
    await drop(venue, venue.ana, "23")
    await venue.resign(venue.ana)
    after = await rating(venue, venue.ana)
    assert after is not None
    assert after.value < NEW.value
    assert "You had help" not in final(venue)


async def test_a_hint_to_one_of_two_people_counts_for_both(venue: Any) -> None:
    """A hint to one of two people makes the game unrated for both."""
    await challenge(venue)
    await note_hint(venue.services, venue.channel.id, venue.ana.id)
    for actor, column in ((venue.ana, "1"), (venue.bea, "2")) * 3:
        await drop(venue, actor, column)
    await drop(venue, venue.ana, "1")
    assert (await venue.services.store.games.find(1)).end.ending == "line"
    assert await rating(venue, venue.ana) is None
    assert await rating(venue, venue.bea) is None


@pytest.mark.parametrize(("columns", "is_rated"), [("", False), ("2", False), ("23", True)])
async def test_resigning_counts_from_the_fourth_move(
    venue: Any, columns: str, is_rated: bool
) -> None:
    """Resigning before the fourth move changes no rating; after it, it is a loss."""
    await start(venue, level="easy")
    await drop(venue, venue.ana, columns)
    await venue.resign(venue.ana)
    after = await rating(venue, venue.ana)
    assert (after is not None) == is_rated
    if after is None:
        assert "Game cancelled. It was too short to count." in final(venue)
    else:
        assert after.value < NEW.value
        assert "4 more games and you get a rating." in final(venue)


async def test_two_people_are_rated_by_each_other(venue: Any) -> None:
    """Between people the winner gains rating and the loser loses it; the picture shows both."""
    await challenge(venue)
    for actor, column in ((venue.ana, "1"), (venue.bea, "2")) * 3:
        await drop(venue, actor, column)
    await drop(venue, venue.ana, "1")
    ana, bea = await rating(venue, venue.ana), await rating(venue, venue.bea)
    assert ana.value > NEW.value > bea.value
    for name in ("Ana", "Bea"):
        assert f"**{name}**: 4 more games and there is a rating." in venue.board().content


async def test_after_placement_a_number_follows_results(venue: Any) -> None:
    """Four games without a number, one that brings it, and then a loss that costs points.

    The plates of a running game show the number, unless the player hides it.
    """
    plates = dict[int, float]()
    for game in range(1, 7):
        await start(venue, size="6x7", level="medium" if game < 6 else "easy")
        assert await on_plates(venue) == plates
        await drop(venue, venue.ana, "23")
        await venue.resign(venue.ana)
        after = await rating(venue, venue.ana, game_of("connect4", "6x7"))
        if game < 5:
            assert f"{5 - game} more game" in final(venue)
            assert after.shown is None
        elif game == 5:
            number = after.shown
            plates = {venue.ana.id: number}
            assert f"Your first rating: **{round(number)}**." in venue.board().content
    assert number - 60 < after.shown < number
    change = round(number) - round(after.shown)
    assert f"Rating {round(after.shown)} (\u2212{change})." in final(venue)
    await venue.services.store.preferences.set_person(venue.ana.id, 0.0, private=True)
    await start(venue, size="6x7", level="easy")
    assert await on_plates(venue) == {}


async def test_a_moderators_stop_is_no_result(venue: Any) -> None:
    """A game stopped by a moderator changes no rating."""
    await start(venue, level="easy")
    await drop(venue, venue.ana, "23")
    await venue.resign(venue.mod)
    assert await rating(venue, venue.ana) is None
    assert "Game stopped by a moderator. It doesn't count." in final(venue)


async def test_an_agent_of_unknown_strength_is_unrated(venue: Any) -> None:
    """A game against an agent of unmeasured strength does not count."""
    name = "greedy"
    is_known = ladder_of(SMALL).elo_of(name) is not None
    await venue.ana.slash(venue.channel, "lab play", agent=name, size="5x4")
    await drop(venue, venue.ana, "23")
    await venue.resign(venue.ana)
    assert (await rating(venue, venue.ana) is not None) == is_known
    details = await venue.ana.click(venue.board(), label="Details")
    assert details.ephemeral
    assert ("this bot has no rating" in details.response.content) == (not is_known)


async def test_auto_fits_the_rating(venue: Any) -> None:
    """`auto`, the default level, picks the rung that fits the player's rating on that size."""
    ladder = ladder_of(SMALL)
    for game in range(3):
        await start(venue)
        session = await venue.services.sessions.games.current(venue.channel.id)
        assert session.setup.auto
        present = await rating(venue, venue.ana) or NEW
        fitting = fitting_rung(ladder, present, game, Player.FIRST)
        assert session.seats[1].agent == fitting.name
        await drop(venue, venue.ana, "23")
        await venue.resign(venue.ana)
    assert (await rating(venue, venue.ana)).games == 3
    await venue.bea.slash(venue.other_channel, "connect4 start", size="5x4")
    other = await venue.services.sessions.games.current(venue.other_channel.id)
    assert other.seats[1].agent == fitting_rung(ladder, NEW, seat=Player.FIRST).name


async def test_an_auto_opponent_is_found_again_after_a_restart(venue: Any) -> None:
    """After a restart a game against a rung goes on, under the same name."""
    await start(venue)
    before = venue.board().content
    await venue.restart()
    await drop(venue, venue.ana, "2")
    assert len((await venue.services.store.games.find(1)).moves) == 2
    assert venue.board().content.splitlines()[0] == before.splitlines()[0]


async def test_a_silent_player_loses_by_time(venue: Any) -> None:
    """When the time for a turn is up, the board says who won, and the loss is rated."""
    await start(venue, level="easy", clock="30s")
    await drop(venue, venue.ana, "23")
    board = venue.board().id
    await venue.let_pass(20)
    assert await venue.services.sessions.games.current(venue.channel.id) is not None
    await venue.let_pass(11)
    assert await venue.services.sessions.games.current(venue.channel.id) is None
    assert venue.board().id == board
    assert "Ana ran out of time" in venue.board().content
    assert (await rating(venue, venue.ana)).value < NEW.value
