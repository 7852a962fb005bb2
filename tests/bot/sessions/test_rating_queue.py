"""Ratings become due when a game ends, are computed later, and do not depend on timing."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.feature import Services
from bot.game.session import Session
from bot.ratings.glicko import newcomer
from bot.sessions.settling import RatingQueue
from bot.settings import Settings
from bot.store.boards import ShownBoard
from bot.store.records import AUTO, Rating, agent, person
from bot.workers import pool
from engine.core.game import Player
from engine.core.jobs import Job
from engine.core.registry import game_of
from engine.strength.judging import JudgeGame
from engine.strength.ladder import ladder_of
from tests.bot.builders import ANA, BEA, HERE, THERE, new_game
from tests.bot.clock import StepClock
from tests.bot.engine_jobs import RUN, doing
from tests.bot.hinting import note_hint
from tests.bot.running import run_services

LADDER = "connect4-small"


async def play_on(services: Services, channel_id: int, moves: str) -> Session:
    """Make these moves for the people to move; agents choose their own."""
    session = await services.sessions.games.require_current(channel_id)
    for move in moves:
        assert session.mover.user_id is not None
        session = await services.sessions.play(channel_id, session.mover.user_id, move)
        session = await services.sessions.reply(channel_id) or session
    return session


async def rating_of(services: Services, user_id: int) -> Rating | None:
    """A player's rating on small boards, once all their games are rated."""
    assert await services.ratings.settled(user_id, 60)
    found = await services.store.ratings.of(user_id, LADDER)
    return found.rating if found else None


class BlockingJudge:
    """A judge of games that blocks until it is released."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open = threading.Event()
        self.asked = threading.Event()
        monkeypatch.setattr(Job, "run", doing(self._judge, JudgeGame))

    def _judge(self, job: Any, stop: Any) -> Any:
        self.asked.set()
        assert self.open.wait(60)
        return RUN(job, stop)


async def test_the_end_is_stored_and_returned_before_it_is_judged(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deciding move does not wait for a judgement; the channel is free for another game."""
    gate = BlockingJudge(monkeypatch)
    await services.sessions.start(new_game(second=person(BEA)))
    session = await play_on(services, HERE, "1212121")
    assert session.winner is Player.FIRST
    assert (session.changes, session.rating_due) == ((), True)
    stored = await services.store.games.find(session.id)
    assert stored is not None
    assert (stored.end, stored.rating_due) == (session.end, True)
    await services.sessions.start(new_game(second=person(BEA)))
    await services.sessions.play(HERE, ANA, "1")
    assert not await services.ratings.settled(ANA, 0.05)
    gate.open.set()
    ana, bea = await rating_of(services, ANA), await rating_of(services, BEA)
    assert ana is not None
    assert bea is not None
    assert ana.value > newcomer(ladder_of(game_of("connect4", "5x4"))).value > bea.value
    rated = await services.sessions.games.find(session.id)
    assert rated is not None
    assert not rated.rating_due
    assert [change.after.value for change in rated.changes] == [ana.value, bea.value]
    assert rated.until(3).changes == ()


async def test_the_lock_is_free_while_a_game_is_judged(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other changes in the channel do not wait for the judgement."""
    gate = BlockingJudge(monkeypatch)
    await services.sessions.start(new_game(second=person(BEA)))
    await play_on(services, HERE, "1212121")
    await asyncio.to_thread(gate.asked.wait, 60)
    assert not services.sessions.games.lock(HERE).locked()
    gate.open.set()
    await rating_of(services, ANA)


async def test_subscribers_get_each_rated_game(settings: Settings) -> None:
    """Subscribers get each rated game together with the changes in ratings."""
    shown: list[Session] = []
    async with run_services(settings, Random(7), on_rated=shown.append) as services:
        await services.sessions.start(new_game(second=person(BEA)))
        session = await play_on(services, HERE, "1212121")
        await rating_of(services, ANA)
    assert [(s.id, len(s.changes), s.rating_due) for s in shown] == [(session.id, 2, False)]


async def test_a_run_that_ends_leaves_ratings_due(settings: Settings) -> None:
    """The next run rates what the last one left unrated, each game once."""
    async with run_services(settings, Random(7)) as services:
        await services.ratings.close()
        await services.sessions.start(new_game(second=person(BEA)))
        session = await play_on(services, HERE, "1212121")
        assert session.rating_due
        assert await services.store.ratings.is_due(ANA)
    async with run_services(settings, Random(7)) as services:
        before = await rating_of(services, ANA)
        assert before is not None
        assert before.games == 1
        services.ratings.wake()
        assert await rating_of(services, ANA) == before


async def test_rating_a_game_twice_changes_nothing(services: Services) -> None:
    """If two processes rate the same game, only the first change is stored."""
    await services.sessions.start(new_game(second=person(BEA)))
    session = await play_on(services, HERE, "1212121")
    before = await rating_of(services, ANA)
    await services.ratings._rate(session.id)
    assert await rating_of(services, ANA) == before


async def test_games_that_end_at_once_both_count(services: Services) -> None:
    """Two games resigned by one person at the same time are two losses, rated in turn."""
    for channel_id in (HERE, THERE):
        await services.sessions.start(new_game(channel_id))
        await play_on(services, channel_id, "23")
    await asyncio.gather(*(services.sessions.resign(c, ANA) for c in (HERE, THERE)))
    after = await rating_of(services, ANA)
    assert after is not None
    assert after.games == 2
    points = await services.store.ratings.course(ANA, LADDER)
    assert [point.rating.games for point in points] == [1, 2]


async def test_a_judgement_that_fails_or_hangs_leaves_the_result(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game whose judgement fails or hangs is rated by its result alone.

    Later games are rated as usual.
    """
    release = threading.Event()
    failures = iter([lambda: 1 // 0, partial(release.wait, 60)])

    def judge(job: Any, stop: Any) -> Any:
        failure = next(failures, None)
        if failure is not None:
            failure()
        return RUN(job, stop)

    monkeypatch.setattr(Job, "run", doing(judge, JudgeGame))
    monkeypatch.setattr(pool, "GRACE", 0.05)
    queue = RatingQueue(services.store, services.ownership, services.workers, patience=0.2)
    services.ratings.wake = lambda: None  # type: ignore[method-assign]  # this queue, not that one
    for _ in range(3):
        await services.sessions.start(new_game(second=person(BEA)))
        await play_on(services, HERE, "1212121")
    queue.start()
    assert await queue.settled(ANA, 60)
    release.set()
    found = await services.store.ratings.of(ANA, LADDER)
    assert found is not None
    assert found.rating.games == 3
    await queue.close()


async def test_a_friendly_game_with_a_hint_is_unrated(services: Services) -> None:
    """A friendly game, in which hints are given, changes no rating, however it ends."""
    await services.sessions.start(new_game(second=person(BEA), friendly=True))
    await note_hint(services, HERE, ANA)
    session = await play_on(services, HERE, "1212121")
    assert (session.is_over, session.rating_due) == (True, False)
    assert await rating_of(services, ANA) is await rating_of(services, BEA) is None


async def test_the_next_opponent_knows_the_last_result(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new game against `auto` waits a moment for the previous one to be rated."""
    gate = BlockingJudge(monkeypatch)
    await services.sessions.start(new_game(second=agent("medium")))
    await play_on(services, HERE, "123")
    await services.sessions.resign(HERE, ANA)
    asyncio.get_running_loop().call_later(0.1, gate.open.set)
    await services.sessions.start(new_game(second=agent(AUTO)))
    assert not await services.store.ratings.is_due(ANA)


async def ratings_of_a_crowd(folder: Path, busy: bool) -> list[Rating]:
    """The ratings after many newcomers' games that end at once, on an idle or a busy machine."""
    settings = Settings(database_url=f"sqlite+aiosqlite:///{folder.as_posix()}/crowd.db", workers=2)
    async with run_services(settings, Random(7), StepClock(5_000.0)) as services:
        pairs = [(1000 + 2 * n, 1001 + 2 * n) for n in range(12)]
        games = ("1212121", "12341", "2132434", "11223341", "4433221", "123412")
        for n, (one, other) in enumerate(pairs):
            await services.sessions.start(
                new_game(n, person(other), first=person(one), started_by=one)
            )
            for move in games[n % len(games)]:
                session = await services.sessions.games.current(n)
                if session is None:
                    break
                assert session.mover.user_id is not None
                await services.sessions.play(n, session.mover.user_id, move)
        stop = threading.Event()
        hogs = [threading.Thread(target=_burn, args=(stop,)) for _ in range(3 if busy else 0)]
        for hog in hogs:
            hog.start()
        for n, (one, _) in enumerate(pairs):
            if await services.sessions.games.current(n) is not None:
                await services.sessions.resign(n, one)
        found = []
        for user_id in (user for pair in pairs for user in pair):
            rating = await rating_of(services, user_id)
            if rating is not None:
                found.append(rating)
        stop.set()
        return found


def _burn(stop: threading.Event) -> None:
    while not stop.is_set():
        hashlib.sha256(bytes(10_000_000))


async def test_a_busy_machine_rates_like_an_idle_one(tmp_path: Path) -> None:
    """A busy machine computes exactly the ratings of an idle one, including evidence from moves."""
    ratings = []
    for name, busy in (("idle", False), ("busy", True)):
        (tmp_path / name).mkdir()
        ratings.append(await ratings_of_a_crowd(tmp_path / name, busy))
    assert ratings[0] == ratings[1]
    assert len(ratings[0]) >= 12
    # Moves did count, because the winners' ratings differ.
    assert len({rating.value for rating in ratings[0]}) > 2


async def test_a_rating_makes_the_final_board_due_again(services: Services) -> None:
    """A final board is shown at once, and is due again when the rating of its game is known."""
    await services.sessions.start(new_game(second=person(BEA)))
    session = await play_on(services, HERE, "1212121")
    boards, soon = services.store.boards, services.clock() + 60
    await services.sessions.games.show_in(session, 10, shown=session.state)
    assert await rating_of(services, ANA) is not None
    (rated,) = await boards.due(soon, 5)
    assert Session.from_record(rated).state > session.state
    await boards.note({session.id: ShownBoard(10, Session.from_record(rated).state)})
    assert await boards.due(soon, 5) == []


async def test_a_game_whose_channel_is_gone_ends(services: Services) -> None:
    """A game whose channel is gone ends.

    Its players may begin another game, and its board is no longer due.
    """
    session = await services.sessions.start(new_game())
    await services.sessions.leave(session)
    assert await services.store.games.count_running(ANA) == 0
    assert await services.store.boards.count_due() == 0
    await services.sessions.leave(session)
