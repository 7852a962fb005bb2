"""The question before a person's first game, on an offline Discord."""

from __future__ import annotations

import json
from typing import Any

from bot.ratings.levels import fitting_rung
from bot.ratings.start import starting_rating
from bot.store.records import Background, Experience
from engine.core.game import Player
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of
from tests.bot.present import needs

ANSWERS = {
    "First time": Experience.FIRST,
    "Sometimes": Experience.SOMETIMES,
    "Often": Experience.OFTEN,
    "In a club": Experience.CLUB,
    "Just play": Experience.UNKNOWN,
}


async def press_play(venue: Any, person: Any) -> Any:
    """Press Play in the help."""
    helped = await person.slash(venue.channel, "help")
    return await person.click(helped.response, label="Play")


async def running(venue: Any) -> Any:
    """The game in the channel; None without one."""
    return await venue.services.sessions.games.current(venue.channel.id)


async def test_every_answer_begins_a_game_at_its_level(venue: Any) -> None:
    """The first press of Play asks privately; any button begins the game, at the level it means."""
    ladder = ladder_of(game_of("connect4", "6x7"))
    for number, (label, meant) in enumerate(ANSWERS.items()):
        person = venue.env.guild.add_member(venue.env.create_user(f"person{number}"))
        asked = await press_play(venue, person)
        assert asked.ephemeral
        assert asked.response.content == "How much do you play? I'll pick a fair level."
        assert await running(venue) is None
        await person.click(asked.response, label=label)
        session = await running(venue)
        said = await venue.services.store.players.experience(person.id)
        assert said is meant
        start = starting_rating(ladder, Background(experience=said))
        assert session.seats[1].agent == fitting_rung(ladder, start, seat=Player.FIRST).name
        assert asked.response.content.startswith("Here we go: https://")
        assert asked.response.components == []
        assert f"/{session.message_id}" in asked.response.content
        await venue.services.sessions.resign(venue.channel.id, person.id)


async def test_typed_commands_and_named_levels_begin_at_once(venue: Any) -> None:
    """`start` and a named level need no answer; `/play` without a level asks new people."""
    for command, options in (
        ("connect4 start", {"size": "5x4", "level": "medium"}),
        ("connect4 start", {}),
        ("play", {"level": "easy"}),
    ):
        await venue.bea.slash(venue.channel, command, **options)
        assert await running(venue) is not None
        await venue.resign(venue.bea)
    await press_play(venue, venue.bea)
    assert await running(venue) is not None
    assert await venue.services.store.players.experience(venue.bea.id) is None
    await venue.resign(venue.bea)
    asked = await venue.ana.slash(venue.channel, "play", game="gato")
    assert asked.response.content == "How much do you play? I'll pick a fair level."
    await venue.ana.click(asked.response, label="Often")
    assert (await running(venue)).game.key == "gato"


async def test_where_no_game_can_begin_nothing_is_asked(venue: Any) -> None:
    """In a channel with a game the press is refused, and the question comes later, but once."""
    await venue.bea.slash(venue.channel, "connect4 start", level="easy")
    refused = await press_play(venue, venue.ana)
    assert "How much" not in refused.response.content
    assert await venue.services.store.players.experience(venue.ana.id) is None
    await venue.resign(venue.bea)
    asked = await press_play(venue, venue.ana)
    assert "How much" in asked.response.content
    assert await running(venue) is None
    await press_play(venue, venue.ana)
    assert await running(venue) is not None


@needs("privacy")
async def test_the_answer_belongs_to_the_person(venue: Any) -> None:
    """The answer is shown, exported and deleted with everything else about a person."""
    asked = await press_play(venue, venue.ana)
    await venue.ana.click(asked.response, label="Sometimes")
    shown = await venue.ana.slash(venue.channel, "privacy")
    details = await venue.ana.click(shown.response, label="Details")
    assert "How much you play: Sometimes" in details.response.content
    exported = await venue.ana.slash(venue.channel, "privacy", action="export")
    files = {one.filename: one for one in exported.response.attachments}
    assert json.loads(await files["cuatro-experience.json"].read()) == {"plays": "sometimes"}
