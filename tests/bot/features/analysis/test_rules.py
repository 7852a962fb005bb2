"""Rules of analyses: who may see them, who shares one search, and how failures are answered."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import insert

from bot.feature import Services
from bot.features.analysis.rules import TIMES, Analyses
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.store.people import add_people
from bot.store.records import GameSetup, agent, channel, person
from bot.store.tables import VoteRow
from bot.workers.pool import Claim, Kind
from bot.workers.remote import RemoteEngine
from bot.workers.workers import Workers
from engine.core.jobs import Job
from engine.core.registry import game_called, game_of
from engine.study.analysis import AnalysePosition
from tests.bot.engine_jobs import RUN, Calling, InAnotherProcess, doing
from tests.builders import after, until

ANA, BEA, CAL, HERE = 1, 2, 3, 100


@pytest.fixture
def analyst(services: Services) -> Analyses:
    """The analysis service with these services."""
    return Analyses(services.sessions.games, services.store.games, services.workers)


async def started(services: Services, family: str, variant: str, moves: str) -> Session:
    """A game between Ana and Bea after these moves."""
    game = game_of(family, variant)
    order = GameSetup(game.key, game.variant, HERE, 9, "en", person(ANA), person(BEA), ANA)
    session = await services.sessions.start(order)
    for move in game.moves(moves):
        mover = (ANA, BEA)[session.position.to_move - 1]
        session = await services.sessions.play(HERE, mover, game.label(move))
    return session


async def refusal_of(work: Any) -> str | None:
    """The key of the refusal that `work` raises, or None."""
    try:
        await work
    except Refusal as refusal:
        return refusal.key.removeprefix("refusal.")
    return None


@pytest.mark.parametrize(
    ("family", "variant", "moves", "closed", "free"),
    [
        ("connect4", "5x4", "112", ["112", "443"], ["113", "31", "1123", "4"]),
        ("connect4", "5x4", "112234", ["112234", "443321", "1122341"], ["11223", "112233"]),
        ("gato", "4x4", "a1b2", ["a1b2", "d1c2"], ["b1", "a1b1", "d4", "a1b2c3d4"]),
        ("boom", "7x7", "445", ["445", "443"], ["1", "7766"]),
    ],
)
async def test_players_get_no_explanations_of_their_game(
    services: Services, analyst: Analyses, family: str, variant: str, moves: str, closed: list[str],
    free: list[str],
) -> None:  # fmt: skip
    """Players cannot analyse past or possible positions of their running game, or mirror images."""
    name = f"{family}:{variant}"
    await started(services, family, variant, moves)
    for text in closed:
        position = after(name, text)
        for player in (ANA, BEA):
            assert (
                await refusal_of(analyst.require_free(position, player, HERE)) == "analysis_yours"
            )
        assert await refusal_of(analyst.require_free(position, CAL, HERE)) is None
        assert await refusal_of(analyst.require_shareable(position, HERE)) == "analysis_running"
        assert await refusal_of(analyst.require_shareable(position, HERE + 1)) is None
    for text in free:
        assert await refusal_of(analyst.require_free(after(name, text), ANA, HERE)) is None, text
    for other in {"6x7", "gato", "boom"} - {family}:
        assert await refusal_of(analyst.require_free(game_called(other).start(), ANA, HERE)) is None
    await services.sessions.resign(HERE, ANA)
    for text in closed:
        assert await refusal_of(analyst.require_free(after(name, text), ANA, HERE)) is None


async def test_variants_of_boom_count_as_one_game(services: Services, analyst: Analyses) -> None:
    """Players of BOOM cannot ask about its other variant either."""
    await started(services, "boom", "7x7", "445")
    other = after("boom:7x7-draw", "445")
    assert await refusal_of(analyst.require_free(other, ANA, HERE)) == "analysis_yours"


async def test_a_channels_game_is_played_by_all_who_vote(
    services: Services, analyst: Analyses
) -> None:
    """In a channel's game all its voters are players; guessing a winner is no part in a game."""
    game = game_of("connect4", "5x4")
    order = GameSetup(game.key, game.variant, HERE, 9, "en", agent("easy"), channel(), ANA)
    session = await services.sessions.start(replace(order, vote_seconds=60.0))
    await services.sessions.reply(HERE)
    trail = await analyst.running(HERE, game.key)
    assert trail is not None
    async with services.store.database.writing() as connection:
        vote = {"game_id": session.id, "number": 1, "user_id": BEA, "choice": "1", "at": 1.0}
        await add_people(connection, (BEA,), 1.0)
        await connection.execute(insert(VoteRow), vote)
    position, other_channel = trail.position, HERE + 1
    for user_id, channel_id in ((CAL, HERE), (BEA, HERE), (BEA, other_channel)):
        asked = analyst.require_free(position, user_id, channel_id)
        assert await refusal_of(asked) == "analysis_yours"
    assert await refusal_of(analyst.require_free(position, CAL, other_channel)) is None
    assert await refusal_of(analyst.require_shareable(position, HERE)) == "analysis_running"
    await services.sessions.resign(HERE, ANA)
    assert await refusal_of(analyst.require_free(position, BEA, HERE)) is None


async def test_watching_a_game_is_not_playing_it(services: Services, analyst: Analyses) -> None:
    """The starter of a watched game is not its player and may share an analysis of it."""
    order = GameSetup("gato", "4x4", HERE, 9, "en", agent("easy"), agent("easy"), ANA)
    await services.sessions.start(order)
    await services.sessions.reply(HERE)
    trail = await analyst.running(HERE, "gato")
    assert trail is not None
    assert trail.position.ply == 1
    assert await analyst.running(HERE, "boom") is None
    assert await analyst.running(HERE + 1, "gato") is None
    assert await refusal_of(analyst.require_free(trail.position, ANA, HERE)) is None
    assert await refusal_of(analyst.require_shareable(trail.position, HERE)) is None


async def test_requests_share_one_analysis(
    services: Services, analyst: Analyses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal positions share one analysis; a person has one at a time, and a finished game none."""
    counted, release = list[Job](), threading.Event()

    def counting(job: Job, stop: Any) -> Any:
        counted.append(job)
        return RUN(job, stop)

    monkeypatch.setattr(Job, "run", doing(counting))
    busy = asyncio.create_task(services.workers.do(Calling(release.wait), Claim(Kind.EXPLANATION)))
    ways = "1324", "2314", "1432"
    asked = [
        asyncio.create_task(analyst.of(after("5x4", way), user, 9))
        for way, user in zip(ways, (ANA, BEA, CAL), strict=True)
    ]
    await until(lambda: services.workers._waiting >= {ANA, BEA, CAL})
    assert await refusal_of(analyst.of(after("5x4", "1"), ANA, 9)) == "one_at_a_time"
    release.set()
    await busy
    first, second, other = await asyncio.gather(*asked)
    assert first is second is not None
    assert other is not first
    assert len(counted) == 2
    assert await analyst.of(after("5x4", "1212121"), ANA, 9) is None


async def test_an_analysis_can_run_in_another_process(services: Services) -> None:
    """An analysis by an engine in another process equals a local one."""
    engine = InAnotherProcess()
    remote_engine = RemoteEngine(engine)
    remote_engine.changed(engine.places)
    workers = Workers(1, remote=remote_engine)
    position = after("5x4", "12")
    found = await Analyses(services.sessions.games, services.store.games, workers).of(
        position, ANA, 9
    )
    workers.close()
    assert found is not None
    assert [type(job.task) for job in engine.done] == [AnalysePosition]
    assert found.analysis.scores == engine.done[0].run().analysis.scores


async def test_a_failure_is_refused_and_a_new_request_works(
    analyst: Analyses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception of the engine becomes a refusal, and a new request is possible."""
    position = after("5x4", "12")

    def fail(job: Any, stop: Any) -> Any:
        raise ArithmeticError("no analysis")

    with monkeypatch.context() as failing:
        failing.setattr(Job, "run", doing(fail))
        assert await refusal_of(analyst.of(position, ANA, 9)) == "analysis_failed"
    assert await analyst.of(position, ANA, 9)


async def test_an_analysis_goes_on_for_those_who_have_seen_it(
    analyst: Analyses, brief: list[Job]
) -> None:
    """Asking again right after an open analysis gives a deeper one; others get the deepest."""
    position = game_called("8x8").start()
    first = await analyst.again(position, ANA, 9)
    assert first is not None
    assert first.is_open
    assert first.earlier == 0
    assert await analyst.again(position, BEA, 9) is first
    assert len(brief) == 1
    deepest = first
    for times in range(1, TIMES + 1):
        further = await analyst.again(position, BEA, 9)
        assert further is not None
        assert further.earlier == deepest.analysis.depth
        assert further.analysis.depth >= deepest.analysis.depth
        assert [job.task.goes_on for job in brief] == [False, *[True] * times]
        deepest = further
    assert deepest.analysis.depth > first.analysis.depth
    last = await analyst.further(position, CAL, 9)
    assert last is not None
    assert len(brief) == TIMES + 1
    assert last.analysis == deepest.analysis
    elsewhere = await analyst.again(after("5x4", "12"), BEA, 9)
    assert elsewhere is not None
    back = await analyst.again(position, BEA, 9)
    assert back is not None
    assert (back.earlier, back.analysis) == (0, deepest.analysis)


async def test_a_known_result_does_not_go_on(analyst: Analyses, brief: list[Job]) -> None:
    """An analysis that has proven all moves, or knows the best one, is not repeated."""
    for position in (after("5x4", "12"), after("8x8", "2")):
        found = await analyst.again(position, ANA, 9)
        assert found is await analyst.again(position, ANA, 9)
    assert len(brief) == 2
    over = after("5x4", "1212121")
    assert await analyst.again(over, ANA, 9) is await analyst.further(over, ANA, 9) is None


async def test_an_analysis_goes_on_in_this_process(services: Services, brief: list[Job]) -> None:
    """With a cluster, an analysis goes on where its tables are kept."""
    engine = InAnotherProcess()
    remote_engine = RemoteEngine(engine)
    remote_engine.changed(engine.places)
    workers = Workers(1, remote=remote_engine)
    analyst = Analyses(services.sessions.games, services.store.games, workers)
    position = game_called("7x7").start()
    first = await analyst.of(position, ANA, 9)
    further = await analyst.further(position, ANA, 9)
    workers.close()
    assert first is not None
    assert further is not None
    assert [job.task.goes_on for job in engine.done] == [False]
    assert [job.task.goes_on for job in brief] == [False, True]
    assert further.earlier == first.analysis.depth <= further.analysis.depth
