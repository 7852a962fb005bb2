"""Votes in two processes on one database: each vote counts, and each round is decided once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random

import pytest

from bot.feature import Services
from bot.features.voting.rules import Voting
from bot.features.voting.store import Votes
from bot.game.refusal import Refusal, TooLate
from bot.settings import Settings
from bot.store.records import THE_CHANNEL, GameSetup, agent, channel
from engine.core.registry import game_of
from tests.bot.builders import ANA, BEA, HERE
from tests.bot.clock import StepClock
from tests.bot.running import run_services


def voting_of(services: Services) -> Voting:
    """The voting service, as the feature builds it."""
    votes = Votes(services.store.database)
    return Voting(votes, services.sessions.games, services.ownership.id, services.clock)


@pytest.fixture
def clock() -> StepClock:
    """A time that is fixed between steps."""
    return StepClock(1_000_000.0)


@pytest.fixture
async def one(settings: Settings, clock: StepClock) -> AsyncIterator[Services]:
    """A process in which Ana has begun a channel's game."""
    async with run_services(settings, Random(7), clock) as services:
        seats = channel(), agent("easy")
        game = game_of("connect4", "5x4")
        await services.sessions.start(
            replace(
                GameSetup(game.key, game.variant, HERE, 9, "en", *seats, ANA), vote_seconds=60.0
            )
        )
        services.timer.contribute((voting_of(services).settle,))
        yield services


@pytest.fixture
async def two(settings: Settings, clock: StepClock, one: Services) -> AsyncIterator[Services]:
    """A second process on the same database."""
    if not one.store.database.is_shared:
        pytest.skip("a file is one process's at a time")
    async with run_services(settings, Random(7), clock) as services:
        services.timer.contribute((voting_of(services).settle,))
        yield services


@pytest.mark.databases
async def test_votes_given_anywhere_count_and_are_decided_once(
    one: Services, two: Services, clock: StepClock
) -> None:
    """Votes in either process count, and only one of two simultaneous decisions is made."""
    await voting_of(one).vote(HERE, ANA, "3")
    await voting_of(two).vote(HERE, BEA, "2")
    session = await voting_of(one).vote(HERE, ANA, "2")
    assert session.ballot is not None
    assert session.ballot.tally(1) == {"2": 2}
    clock.forward(60)
    looked = await asyncio.gather(one.timer.check_due(), two.timer.check_due())
    assert sum(len(each.decided) for each in looked) == 1
    (record,) = await two.store.games.running()
    assert [(move.user_id, move.move) for move in record.moves] == [(THE_CHANNEL, "2")]


async def test_a_check_before_the_time_is_up_changes_nothing(
    one: Services, clock: StepClock
) -> None:
    """A check before a vote's end changes nothing, and another is made at its end."""
    session = await voting_of(one).vote(HERE, ANA, "3")
    assert await one.timer.next_due() == clock() + 60.0
    await one.store.games.set_due(session.id, clock(), expecting_moves=0)
    clock.forward(10)
    assert (await one.timer.check_due()).decided == []
    assert await one.timer.next_due() == clock() + 50.0


async def test_an_invalid_vote_changes_nothing(one: Services) -> None:
    """A vote for an unknown move, or one that comes too late, changes nothing."""
    with pytest.raises(Refusal, match="not_a_move"):
        await voting_of(one).vote(HERE, ANA, "9")
    with pytest.raises(TooLate):
        await voting_of(one).vote(HERE, ANA, "3", is_late=lambda: True)
    (record,) = await one.store.games.running()
    assert (record.votes, record.vote_until, record.asides) == ((), None, 0)


async def test_the_same_vote_again_is_no_change(one: Services, clock: StepClock) -> None:
    """Repeating a vote keeps its first time, which decides ties."""
    first = await voting_of(one).vote(HERE, ANA, "3")
    clock.forward(5)
    assert await voting_of(one).vote(HERE, ANA, "3") == first
