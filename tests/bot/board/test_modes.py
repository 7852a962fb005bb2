"""Every game in every mode: against an agent, against a person, and between two agents."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.core.registry import games
from tests.bot.discord.stage import move_by_command
from tests.bot.discord.words_of import words_of

pytestmark = pytest.mark.long


async def current(venue: Any) -> Any:
    """The channel's running game."""
    return await venue.services.sessions.games.current(venue.channel.id)


async def press(venue: Any, actor: Any, session: Any, move: str) -> Any:
    """Make a move by its button."""
    custom_id = f"cuatro:move:{session.id}:{session.number}:{move}"
    return await actor.click(venue.board(), custom_id=custom_id)


def actions(venue: Any) -> list[str]:
    """The actions of the newest board's buttons other than moves."""
    rows = [row.to_dict() for row in venue.board().components]
    ids = [button["custom_id"] for row in rows for button in row["components"]]
    return [id_.split(":")[1] for id_ in ids if ":move:" not in id_]


@pytest.mark.parametrize("family", games())
async def test_a_person_plays_an_agent(venue: Any, family: str) -> None:
    """A game against a level runs from start to final card, with commands and buttons."""
    started = await venue.ana.slash(venue.channel, f"{family} start", level="easy")
    assert not started.ephemeral
    rng, turn = Random(3), 0
    while (session := await current(venue)) is not None:
        assert session.mover.user_id == venue.ana.id
        move = session.game.label(rng.choice(session.position.legal_moves()))
        turn += 1
        if turn % 2:
            result = await move_by_command(venue.ana, venue.channel, family, move)
            said = "BOOM" if move == "B" else move if family == "gato" else f"column {move}"
            assert f"You played {said}." in result.response.content
        else:
            await press(venue, venue.ana, session, move)
    assert words_of(venue.board())
    assert actions(venue)[0] == "rematch"
    assert not {"resign", "stop"} & set(actions(venue))


@pytest.mark.parametrize("family", games())
async def test_a_person_plays_a_person(venue: Any, family: str) -> None:
    """An accepted challenge becomes a game in which each can move only on their own turn."""
    offered = await venue.ana.slash(venue.channel, f"{family} start", opponent=venue.bea)
    assert f"<@{venue.bea.id}>" in offered.response.content
    assert await current(venue) is None
    await venue.bea.click(offered.response, label="Accept")
    assert venue.board().id == offered.response.id
    people = {venue.ana.id: venue.ana, venue.bea.id: venue.bea}
    rng = Random(5)
    while (session := await current(venue)) is not None:
        move = session.game.label(rng.choice(session.position.legal_moves()))
        mover = session.mover.user_id
        waiting = next(actor for id_, actor in people.items() if id_ != mover)
        refused = await move_by_command(waiting, venue.channel, family, move)
        assert refused.ephemeral
        assert "turn. You're next." in refused.response.content
        assert await current(venue) == session
        await press(venue, people[mover], session, move)
    game = await venue.services.store.games.find(1)
    assert game.end.ending in ("line", "stuck", "draw")
    assert {game.setup.first.user_id, game.setup.second.user_id} == set(people)


@pytest.mark.parametrize("family", games())
async def test_two_agents_are_watched(venue: Any, family: str) -> None:
    """Two agents play by themselves, one move per tick, from start to final card."""
    await venue.ana.slash(venue.channel, "lab watch", game=family, first="easy", second="medium")
    first = await current(venue)
    assert (first.people, first.moves) == ((), ())
    assert actions(venue) == ["stop"]
    pace = venue.services.settings.watch_pace
    while (session := await current(venue)) is not None:
        await venue.env.advance_time(pace)
        following = await current(venue)
        assert following is None or len(following.moves) == len(session.moves) + 1
    final = await venue.services.store.games.find(first.id)
    assert final.end.ending in ("line", "stuck", "draw")
    assert actions(venue)[0] == "rematch"
    assert not {"resign", "stop"} & set(actions(venue))
    said = words_of(venue.board())
    assert said
    assert "ating" not in said, "it changes no ratings"
    assert final.changes == ()


STUDENTS = {"window-4": "connect4", "tuples-3": "connect4", "greedy": "connect4", "lines": "gato"}


async def test_a_student_agent_is_an_opponent(venue: Any) -> None:
    """The agents of earlier programs can be chosen by name, as any other opponent."""
    for agent, family in STUDENTS.items():
        await venue.ana.slash(venue.channel, "lab play", game=family, agent=agent, first="bot")
        session = await current(venue)
        assert session.seats[0].agent == agent
        assert len(session.moves) == 1
        choices = await venue.ana.autocomplete(
            venue.channel, "lab play", "agent", agent[:3], game=family
        )
        assert agent in {choice["value"] for choice in choices}
        move = session.game.label(session.position.legal_moves()[0])
        await move_by_command(venue.ana, venue.channel, family, move)
        assert len((await current(venue)).moves) == 3
        await venue.resign(venue.ana, family=family)


async def test_an_unknown_agent_starts_nothing(venue: Any) -> None:
    """An agent that cannot play this game is refused privately, with a list of those that can."""
    refused = await venue.ana.slash(venue.channel, "lab play", game="gato", agent="greedy")
    assert refused.ephemeral
    assert "Pick one from the list" in refused.response.content
    assert await current(venue) is None


async def test_a_command_of_another_game_is_refused(venue: Any) -> None:
    """Commands of another game than the channel's are refused and name the channel's game."""
    await venue.ana.slash(venue.channel, "gato start", level="easy")
    for command, options in (("connect4 drop", {"column": 1}), ("connect4 resign", {})):
        refused = await venue.ana.slash(venue.channel, command, **options)
        assert refused.ephemeral
        assert "Gato" in refused.response.content
    assert (await current(venue)).moves == ()


async def test_a_watched_game_is_stopped_only_by_its_starter_or_a_moderator(venue: Any) -> None:
    """A game between agents can be stopped by the person who started it, and by moderators."""
    await venue.ana.slash(venue.channel, "lab watch", game="gato", first="medium", second="hard")
    refused = await venue.bea.click(venue.board(), label="Stop")
    assert refused.ephemeral
    assert await current(venue) is not None
    await venue.ana.click(venue.board(), label="Stop")
    assert await current(venue) is None
    assert "Game cancelled" in venue.board().content
    await venue.ana.click(venue.board(), label="Watch again")
    assert (await current(venue)).seats[0].agent == "hard"
    await venue.mod.click(venue.board(), label="Stop")
    assert await current(venue) is None


async def test_a_watched_game_goes_on_after_a_restart(venue: Any) -> None:
    """After a restart the two agents play on."""
    await venue.ana.slash(venue.channel, "lab watch", game="gato", first="easy", second="easy")
    pace = venue.services.settings.watch_pace
    await venue.env.advance_time(pace)
    before = len((await current(venue)).moves)
    await venue.restart()
    await venue.env.advance_time(2 * pace)
    assert len((await current(venue)).moves) > before


async def test_posting_the_board_again_does_not_speed_up_a_watched_game(venue: Any) -> None:
    """After `board` a watched game still makes one move per tick."""
    await venue.ana.slash(venue.channel, "lab watch", game="gato", first="easy", second="easy")
    await venue.bea.slash(venue.channel, "gato board")
    before = len((await current(venue)).moves)
    await venue.env.advance_time(venue.services.settings.watch_pace)
    assert len((await current(venue)).moves) == before + 1


async def test_boom_says_what_the_board_does_not_show(venue: Any) -> None:
    """The picture shows which move of the turn it is and when the next bomb comes."""
    await venue.ana.slash(venue.channel, "boom start", level="easy")
    assert "move 1 of 1" in venue.board().attachments[0].description
    await venue.ana.slash(venue.channel, "boom drop", column=4)
    assert "move 1 of 2" in venue.board().attachments[0].description
    assert "ext bomb in" in venue.board().attachments[0].description
    refused = await venue.ana.slash(venue.channel, "boom explode")
    assert refused.ephemeral
    assert "no bomb" in refused.response.content
