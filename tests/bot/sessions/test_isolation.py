"""In every loop over many items a damaged one is left out, and the others are dealt with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from bot.app import Services
from bot.features.league.discord import watched_text
from bot.features.league.store import LeagueScope
from bot.features.statistics.lists import Heading, PageOf, history_card, option_text, report_scene
from bot.features.statistics.rules import EVERYTHING
from bot.game.session import Session
from bot.game.setup import Order, agent, person
from bot.i18n import say_for
from bot.ops.health import answers_due
from bot.settings import Settings
from bot.store.records import TimeControl
from bot.store.results import Scope
from engine.core.registry import game_of
from tests.bot.clock import StepClock
from tests.bot.running import run_services

pytestmark = pytest.mark.databases

ANA, BEA, CLEO = 1, 2, 3
BAD, GOOD = 100, 200
"""The channel and server of the damaged game, and those of the one that is well."""
FIRST_AGENT = agent("easy")
SAY = say_for("en")
NAMES = {ANA: "Ana", BEA: "Bea", CLEO: "Cleo"}

Scene = Callable[[Services], Awaitable[None]]
SCENES: dict[str, Scene] = {}
"""By loop: damages one item of it, and proves that another one is dealt with."""


def scene(play: Scene) -> Scene:
    """A decorator: this proves that a loop goes on past a damaged item."""
    SCENES[play.__name__] = play
    return play


async def begin(services: Services, *seats: Any, clock: TimeControl | None = None) -> list[Session]:
    """Begin two games between the same, in two channels of two servers."""
    begun = []
    for channel in (BAD, GOOD):
        order = Order(channel, channel, ANA, "en", game_of("connect4", "5x4"), *seats, clock=clock)
        begun.append(await services.sessions.start(order))
    return begun


async def play(services: Services, channel: int, moves: str) -> None:
    """Make these moves for the people whose turn it is."""
    session = await services.sessions.games.present(channel)
    for move in moves:
        assert session.mover.user_id is not None
        session = await services.sessions.play(channel, session.mover.user_id, move)


async def damage(services: Services, game_id: int, change: str = "variant = '0x0'") -> None:
    """Spoil the row of a game; what is in memory is forgotten, as after a restart."""
    async with services.store.database.writing() as connection:
        await connection.execute(text(f"UPDATE games SET {change} WHERE id = {game_id}"))  # noqa: S608
    services.sessions.games.forget()


@scene
async def turns_that_take_too_long(services: Services) -> None:
    """The other game is lost on time; the damaged one does not come first again at once."""
    bad, good = await begin(services, person(ANA), person(BEA), clock=TimeControl(60.0))
    await damage(services, bad.id)
    assert isinstance(services.clock, StepClock)
    services.clock.forward(61.0)
    looked = await services.timer.look()
    assert good.id in [session.id for session in looked.ended]
    due = await services.store.games.to_look_at(services.clock())
    assert bad.id not in [one.id for one in due]


@scene
async def answers_that_are_resumed(services: Services) -> None:
    """The agent of the other game is asked again at a start."""
    bad, good = await begin(services, FIRST_AGENT, person(ANA))
    await damage(services, bad.id)
    assert [one.id for one in await services.sessions.games.unanswered()] == [good.id]


@scene
async def answers_that_are_due(services: Services) -> None:
    """Health and metrics know how long the other game waits for its agent."""
    bad, _ = await begin(services, FIRST_AGENT, person(ANA))
    await damage(services, bad.id)
    assert len(await answers_due(services, services.clock())) == 1


@scene
async def games_of_a_person(services: Services) -> None:
    """A player's list has the other game."""
    bad, good = await begin(services, person(ANA), person(BEA))
    await damage(services, bad.id)
    assert [one.id for one in await services.sessions.games.running_of(ANA)] == [good.id]


@scene
async def past_games(services: Services) -> None:
    """A page of the history lists both games, and so does its menu."""
    for session in await begin(services, person(ANA), FIRST_AGENT):
        for move in "12":
            await services.sessions.play(session.channel_id, ANA, move)
            await services.sessions.reply(session.channel_id)
        await services.sessions.resign(session.channel_id, ANA)
    await damage(services, session.id - 1, "variant = '0x0'")
    found = await services.statistics.history(ANA, "connect4", 0, 8)
    card = history_card("Ana", "connect4", found.games, NAMES, PageOf(0, 1), SAY)
    assert card.table is not None
    assert len(card.table.rows) == len(found.games) == 2
    assert all(option_text("connect4", game, NAMES, SAY) for game in found.games)
    assert (await services.statistics.of_player(ANA, "connect4")).history.games


@scene
async def watched_games(services: Services) -> None:
    """The league of a server counts the other game, and lists both."""
    for session in await begin(services, FIRST_AGENT, FIRST_AGENT):
        while await services.sessions.reply(session.channel_id) is not None:
            pass
    await damage(services, session.id - 1, f"variant = '0x0', guild_id = {GOOD}")
    table = await services.league.table(LeagueScope("connect4", GOOD, GOOD))
    assert table.games == len(table.latest) == 2
    assert all(watched_text("connect4", game, SAY) for game in table.latest)


@scene
async def reported_games(services: Services) -> None:
    """A server's report sums up the other game."""
    for session in await begin(services, person(ANA), FIRST_AGENT):
        for move in "12":
            await services.sessions.play(session.channel_id, ANA, move)
            await services.sessions.reply(session.channel_id)
        await services.sessions.resign(session.channel_id, ANA)
    await damage(services, session.id - 1, f"variant = '0x0', first_agent = '?', guild_id = {GOOD}")
    found = await services.statistics.report(Scope("connect4", guild_id=GOOD))
    heading = Heading("Here", "connect4", EVERYTHING)
    assert report_scene(heading, found.levels, found.games, SAY).table.rows


@pytest.mark.parametrize("loop", SCENES)
async def test_a_damaged_item_does_not_end_a_loop(services: Services, loop: str) -> None:
    """The other item is dealt with as if the damaged one were not there."""
    await SCENES[loop](services)


async def test_a_damaged_game_does_not_keep_others_from_being_taken_over(
    settings: Settings, clock: StepClock
) -> None:
    """A process that starts takes the games of one that is gone, and gives back their lost time."""
    async with run_services(settings, Random(7), clock) as services:
        control = TimeControl(600.0)
        bad, good = await begin(services, person(ANA), person(BEA), clock=control)
        await damage(services, bad.id, "variant = '0x0'")
    clock.forward(300.0)
    async with run_services(settings, Random(7), clock) as services:
        taken = await services.store.games.running(services.ownership.id)
        assert good.id in [record.id for record in taken]
        session = await services.sessions.games.present(GOOD)
        assert session.paused >= 299.0
