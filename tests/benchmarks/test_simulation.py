"""The simulation's queues match queueing theory, and plans grow with the number of servers."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import simpy

from benchmarks.capacity.figures import (
    Figures,
    Spread,
)
from benchmarks.simulation.assumptions import Assumptions
from benchmarks.simulation.databases import TOGETHER, Sqlite
from benchmarks.simulation.discords import GlobalLimit
from benchmarks.simulation.fleet import Fleet, simulate
from benchmarks.simulation.machine import Machine, Steps, Threads
from benchmarks.simulation.plan import plan_for

MS = 0.001
FIGURES = Figures.load()
"""The committed figures."""


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
        simulate(FIGURES, Assumptions(), one, lambda _: 40.0, 15.0)
        for one in (fleet, replace(fleet, by_token=True))
    )
    assert held.tally.under(0.99) > 3.0 > freed.tally.under(0.99)
    assert freed.counted == 0.0


def test_plans_grow_with_the_number_of_servers() -> None:
    """Every resource grows with the number of servers, in proportion where it is divisible."""
    plans = [plan_for(n, FIGURES, Assumptions()) for n in (1_000, 10_000, 100_000, 1_000_000)]
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
    assert plans[3].gigabytes == pytest.approx(100 * plans[1].gigabytes, rel=0.01)


def test_saved_figures_are_read_back(tmp_path: Path) -> None:
    """A saved file is read back equal, with recorded moves to the microsecond."""
    file = tmp_path / "measured.json"
    FIGURES.save(file)
    assert Figures.load(file) == FIGURES


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
    assert {*Assumptions().levels, "hint", "judge"} <= {*FIGURES.levels}
    assert plan_for(1_000, FIGURES, Assumptions()).processes >= 1
