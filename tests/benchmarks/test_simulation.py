"""The simulation's queues match queueing theory, and plans grow with the number of servers."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import simpy

from benchmarks.capacity.figures import (
    Figures,
    Memory,
    Move,
    Scheduling,
    Shape,
    Size,
    Spread,
    Step,
    Wire,
    Writes,
)
from benchmarks.simulation.assumptions import Assumptions
from benchmarks.simulation.databases import TOGETHER, Sqlite
from benchmarks.simulation.discords import GlobalLimit
from benchmarks.simulation.fleet import Fleet, simulate
from benchmarks.simulation.machine import Machine, Steps, Threads
from benchmarks.simulation.plan import plan_for
from tests.bot.support.wire.shapes import SHAPES

MS = 0.001
always = Spread.always


def move(*, ends: bool = False, search: float = 1 * MS) -> Move:
    """A move of 20 ms: the event loop computes for nine, and for two more after the board."""
    return Move(
        weight=1.0,
        by_command=False,
        ends=ends,
        arrive=1 * MS,
        store=(Step("write", 3 * MS, 2 * MS), Step("acknowledge", 1 * MS, 1 * MS)),
        answer=(Step("search", 0.0, search, 1 * MS), Step("write", 3 * MS, 2 * MS)),
        show=(Step("draw", 1 * MS, 2 * MS, 2 * MS), Step("edit", 1 * MS, 1 * MS)),
        tail=2 * MS,
        seen=1 * MS,
    )


def wire(**changes: Any) -> Wire:
    """Recorded moves, of which one in ten ends a game."""
    usual = Wire(
        moves=(*(move(),) * 9, move(ends=True)),
        others=(5 * MS,),
        others_a_move=0.0,
        settle=10 * MS,
        judge=always(10 * MS),
        background=0.0,
        stand_in=4 * MS,
        ends=0.1,
        calls={"POST /interactions/{id}/{token}/callback": 1.0, "PATCH /channels/{id}": 1.0},
    )
    return replace(usual, **changes)


def figures() -> Figures:
    """Round figures in which each shape costs more than the previous one."""
    shapes = {
        name: Shape(
            wire=wire(),
            loop=(14 + n) * MS,
            cpu=20 * MS,
            background=0.01 * (n + 1),
            statements=15.0,
            transactions=5.0,
            syncs=2.5 + n / 2,
            memory=2e8,
        )
        for n, name in enumerate(SHAPES)
    }
    levels = dict.fromkeys((*Assumptions().levels, "hint", "judge"), always(5 * MS))
    writes = Writes(alone=5 * MS, together=2 * MS)
    return Figures(
        machine="any",
        date="any day",
        commit="any",
        others=0.0,
        levels=levels,
        boards=(),
        sqlite=writes,
        postgres=writes,
        size=Size(rows=20.0, sqlite_bytes=1000.0, postgres_bytes=2000.0, moves=28.0),
        memory=Memory(game=4e3, server=1e4, large_server=2e4),
        scheduling=Scheduling(alone=3 * MS, many=1 * MS, worker=4 * MS),
        shapes=shapes,
    )


def erlang_c(servers: int, load: float) -> float:
    """The share of customers that wait (Erlang, 1917)."""
    terms = [load**n / math.factorial(n) for n in range(servers + 1)]
    last = terms[-1] * servers / (servers - load)
    return last / (sum(terms[:-1]) + last)


@pytest.mark.parametrize(("threads", "load"), [(1, 0.7), (3, 2.4)])
def test_threads_are_an_m_m_c_queue(threads: int, load: float) -> None:
    """Mean stays of random arrivals match Erlang's C formula."""
    env, rng, stays = simpy.Environment(), Random(4), list[float]()
    queue = Threads(Machine(env, threads), threads)

    def customer() -> Steps:
        began = env.now
        yield from queue.do(rng.expovariate(1.0 / MS))
        stays.append(env.now - began)

    def arrive() -> Steps:
        for _ in range(8_000):
            yield env.timeout(rng.expovariate(load / MS))
            env.process(customer())

    env.process(arrive())
    env.run()
    expected = MS * (1.0 + erlang_c(threads, load) / (threads - load))
    assert sum(stays) / len(stays) == pytest.approx(expected, rel=0.1)
    assert queue.waiting == 0


def test_waiting_writes_share_a_commit() -> None:
    """Writes that arrive together are all stored, in at most two commits."""
    env = simpy.Environment()
    stored = list[float]()
    database, loop = Sqlite(env), Threads(Machine(env, 2), 1)

    def write() -> Steps:
        yield from database.write(loop, 1 * MS, 30 * MS)
        stored.append(env.now)

    for _ in range(TOGETHER):
        env.process(write())
    env.run()
    assert len(stored) == TOGETHER
    assert database.commits <= 2


def test_the_global_limit_allows_no_more_requests_per_second() -> None:
    """After a burst of one second, requests wait for the limit and none is lost."""
    env, sent = simpy.Environment(), list[float]()
    limit = GlobalLimit(env, 50.0)

    def request() -> Steps:
        yield from limit.take()
        sent.append(env.now)

    for _ in range(200):
        env.process(request())
    env.run()
    assert len(sent) == limit.counted == 200
    for second in (1.0, 2.0, 3.0):
        assert sum(second <= at < second + 1.0 for at in sent) <= 51


def test_the_global_limit_delays_boards() -> None:
    """Edits beyond Discord's limit wait; edits through interaction tokens do not count."""
    fleet = Fleet(processes=4, workers=2, databases=2.0, limit=20.0)
    held, freed = (
        simulate(figures(), Assumptions(), one, lambda _: 40.0, 15.0)
        for one in (fleet, replace(fleet, by_token=True))
    )
    assert held.tally.under(0.99) > 3.0 > freed.tally.under(0.99)
    assert freed.counted == 0.0


def test_plans_grow_with_the_number_of_servers() -> None:
    """Every resource grows with the number of servers, in proportion where it is divisible."""
    plans = [plan_for(n, figures(), Assumptions()) for n in (1_000, 10_000, 100_000, 1_000_000)]
    for name in (
        "moves",
        "processes",
        "workers",
        "writes",
        "gigabytes",
        "counted",
        "held",
        "used",
        "memory",
    ):
        values = [getattr(plan, name) for plan in plans]
        assert values == sorted(values), name
    assert plans[3].moves == pytest.approx(10 * plans[2].moves)
    assert plans[3].gigabytes == pytest.approx(100 * plans[1].gigabytes)


def test_saved_figures_are_read_back(tmp_path: Path) -> None:
    """A saved file is read back equal, with recorded moves to the microsecond."""
    file = tmp_path / "measured.json"
    figures().save(file)
    assert Figures.load(file) == figures()


def test_a_spread_keeps_quantiles_and_mean() -> None:
    """A spread keeps quantiles and mean of its values, and values drawn from it have that mean."""
    rng = Random(1)
    values = [rng.expovariate(1.0) for _ in range(20_000)]
    spread = Spread.of(values)
    draw_careers = [spread.draw(rng) for _ in range(20_000)]
    assert spread.at(0.5) == pytest.approx(math.log(2.0), rel=0.05)
    assert spread.mean == pytest.approx(1.0, rel=0.1)
    assert sum(draw_careers) / len(draw_careers) == pytest.approx(spread.mean, rel=0.05)


def test_the_measured_figures_are_complete() -> None:
    """The committed file has all figures that the simulation reads."""
    kept = Figures.load()
    assert {*Assumptions().levels, "hint", "judge"} <= {*kept.levels}
    assert plan_for(1_000, kept, Assumptions()).processes >= 1
