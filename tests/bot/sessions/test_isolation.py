"""Every loop over many items skips a damaged item and processes the others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random

import pytest

from bot.feature import Services
from bot.ops.health import answers_due
from bot.settings import Settings
from bot.store.records import TimeControl, agent, person
from tests.bot.clock import StepClock
from tests.bot.running import run_services
from tests.bot.sessions.spoiling import ANA, BEA, GOOD, begin, damage

pytestmark = pytest.mark.databases

FIRST_AGENT = agent("easy")

Scene = Callable[[Services], Awaitable[None]]
SCENES: dict[str, Scene] = {}
"""By loop: damages one item of it, and proves that another one is dealt with."""


def scene(play: Scene) -> Scene:
    """Register a check that a loop continues past a damaged item."""
    SCENES[play.__name__] = play
    return play


async def play(services: Services, channel: int, moves: str) -> None:
    """Make these moves for the people whose turn it is."""
    session = await services.sessions.games.require_current(channel)
    for move in moves:
        assert session.mover.user_id is not None
        session = await services.sessions.play(channel, session.mover.user_id, move)


@scene
async def turns_that_take_too_long(services: Services) -> None:
    """The intact game is lost on time; the damaged one is not due again at once."""
    bad, good = await begin(services, person(ANA), person(BEA), clock=TimeControl(60.0))
    await damage(services, bad.id)
    assert isinstance(services.clock, StepClock)
    services.clock.forward(61.0)
    looked = await services.timer.check_due()
    assert good.id in [session.id for session in looked.ended]
    due = await services.store.games.due(services.clock())
    assert bad.id not in [one.id for one in due]


@scene
async def answers_that_are_resumed(services: Services) -> None:
    """The agent of the intact game is asked again at startup."""
    bad, good = await begin(services, FIRST_AGENT, person(ANA))
    await damage(services, bad.id)
    assert [one.id for one in await services.sessions.games.unanswered()] == [good.id]


@scene
async def answers_that_are_due(services: Services) -> None:
    """Health and metrics report how long the intact game has waited for its agent."""
    bad, _ = await begin(services, FIRST_AGENT, person(ANA))
    await damage(services, bad.id)
    assert len(await answers_due(services, services.clock())) == 1


@scene
async def games_of_a_person(services: Services) -> None:
    """A player's list contains the intact game."""
    bad, good = await begin(services, person(ANA), person(BEA))
    await damage(services, bad.id)
    assert [one.id for one in await services.sessions.games.running_of(ANA)] == [good.id]


@pytest.mark.parametrize("loop", SCENES)
async def test_a_damaged_item_does_not_end_a_loop(services: Services, loop: str) -> None:
    """A damaged item is skipped, and the others are processed as if it were absent."""
    await SCENES[loop](services)


async def test_a_damaged_game_does_not_keep_others_from_being_taken_over(
    settings: Settings, clock: StepClock
) -> None:
    """A starting process adopts the intact games of one that is gone and extends their time."""
    async with run_services(settings, Random(7), clock) as services:
        control = TimeControl(600.0)
        bad, good = await begin(services, person(ANA), person(BEA), clock=control)
        await damage(services, bad.id, "variant = '0x0'")
    clock.forward(300.0)
    async with run_services(settings, Random(7), clock) as services:
        taken = await services.store.games.running(services.ownership.id)
        assert good.id in [record.id for record in taken]
        session = await services.sessions.games.require_current(GOOD)
        assert session.paused >= 299.0
