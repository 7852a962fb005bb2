"""Watched games are judged after their end, for each agent and side."""

from __future__ import annotations

import threading
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.feature import Services
from bot.features.league.rules import side_figures
from bot.features.league.store import Entry, LeagueScope
from bot.game.session import Session
from bot.settings import Settings
from bot.store.records import GameSetup, agent, person
from engine.core.game import Player
from engine.core.jobs import Job
from engine.core.registry import games
from engine.strength.judging import JudgeGame, summed
from tests.bot.builders import ANA, HERE
from tests.bot.engine_jobs import RUN, doing
from tests.bot.features.league.judging import Judging, judging
from tests.bot.running import run_services


async def watch(services: Services, family: str, variant: str, *agents: str) -> Session:
    """Let two agents play a game to its end."""
    seats = (agent(name) for name in agents)
    order = GameSetup(family, variant, HERE, 9, "en", *seats, ANA)
    session = await services.sessions.start(order)
    while not session.is_over:
        answered = await services.sessions.reply(HERE)
        assert answered is not None
        session = answered
    return session


@pytest.mark.parametrize("family", games())
async def test_each_side_has_its_figures(services: Services, judged: Judging, family: str) -> None:
    """Moves, nodes and seconds come from the moves, and the error from the judgement."""
    variant = "5x4" if family == "connect4" else games()[family].usual
    session = await watch(services, family, variant, "easy", "medium")
    scope = LeagueScope(family, 9, HERE)
    table = await judged.league.table(scope)
    for _ in range(30):
        table = await judged.league.table(scope)
        if table.figures:
            break
    moves = tuple(made.move for made in session.moves)
    judgement = Job(family, variant, moves, JudgeGame()).run()
    for side, name in ((Player.FIRST, "easy"), (Player.SECOND, "medium")):
        made = [move for move in session.moves if move.player == side]
        errors = [
            error
            for error, move in zip(judgement.errors, session.moves, strict=True)
            if error is not None and move.player == side
        ]
        found = table.figures[Entry(name)]
        assert found.moves == len(made)
        assert found.nodes == sum(move.nodes or 0 for move in made)
        assert found.seconds == pytest.approx(sum(move.seconds for move in made))
        sums = (found.judged, found.loss, found.proven, found.proven_loss)
        assert sums == pytest.approx(summed(errors))
    assert await judged.games.due(5) == []


async def test_moves_without_a_search_are_not_counted(services: Services) -> None:
    """A move that the engine did not search is not counted for the agent."""
    session = await watch(services, "connect4", "5x4", "easy", "easy")
    whole = side_figures(session, Player.FIRST, None)
    first, *others = session.moves
    failed = replace(first, nodes=None, depth=None, score=None)
    assert failed.is_unsearched
    less = side_figures(replace(session, moves=(failed, *others)), Player.FIRST, None)
    assert (less.moves, less.judged) == (whole.moves - 1, 0)
    assert less.nodes == whole.nodes - (first.nodes or 0)


@pytest.mark.databases
async def test_unjudged_games_are_judged_by_the_next_process(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing finishes the current game, and the next process judges the remaining ones."""
    asked, free = threading.Event(), threading.Event()

    def judge(job: Any, stop: Any) -> Any:
        asked.set()
        assert free.wait(60)
        return RUN(job, stop)

    monkeypatch.setattr(Job, "run", doing(judge, JudgeGame))
    async with run_services(settings, Random(7)) as services:
        judged = judging(services)
        for _ in range(3):
            await watch(services, "gato", "4x4", "easy", "easy")
        assert not await judged.league.count(LeagueScope("connect4", 9, HERE))
        free.set()
    async with run_services(settings, Random(7)) as services:
        judged = judging(services)
        services.ratings.wake()
        assert await judged.queue.settled(60)
        figures = await judged.games.agents(LeagueScope("gato", 9, HERE))
        assert [found.agent for found in figures] == ["easy"]
        assert await judged.league.count(LeagueScope("gato", 9, HERE)) == 3


async def test_a_game_that_cannot_be_judged_has_no_error(
    services: Services, judged: Judging, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that cannot be judged has no error, but its nodes and seconds count."""

    def fail(job: Any, stop: Any) -> Any:
        raise RuntimeError("no judgement")

    monkeypatch.setattr(Job, "run", doing(fail, JudgeGame))
    await watch(services, "connect4", "5x4", "easy", "medium")
    table = await judged.league.table(LeagueScope("connect4", 9, HERE))
    assert {f.judged for f in table.figures.values()} == {0}
    assert all(f.nodes and f.seconds > 0 for f in table.figures.values())


async def test_games_of_people_are_in_no_league(services: Services, judged: Judging) -> None:
    """Only games between two agents are judged here."""
    order = GameSetup("connect4", "5x4", HERE, 9, "en", person(ANA), person(2), ANA)
    await services.sessions.start(order)
    for column in "1212121":
        session = await services.sessions.games.require_current(HERE)
        assert session.mover.user_id is not None
        session = await services.sessions.play(HERE, session.mover.user_id, column)
    assert session.is_over
    assert await judged.games.due(5) == []
    assert (await judged.league.table(LeagueScope("connect4", 9, HERE))).games == 0
