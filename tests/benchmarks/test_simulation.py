"""The simulation's queues do what theory says, lose nothing, and depend on their seed alone."""

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
from benchmarks.simulation.bots import Tally
from benchmarks.simulation.databases import TOGETHER, Server, Sqlite
from benchmarks.simulation.discords import GlobalLimit
from benchmarks.simulation.fleet import Fleet, simulate
from benchmarks.simulation.machine import Machine, Steps, Threads
from benchmarks.simulation.plan import breaks, plan_for
from benchmarks.simulation.small_scale import simulate as simulate_small
from benchmarks.wire.shapes import SHAPES
from bot.board.runner import APART

MS = 0.001
always = Spread.always


def move(*, ends: bool = False, search: float = 1 * MS) -> Move:
    """A move of 20 ms, of which the event loop computes nine, and two later."""
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
    """What moves take; one in ten ends a game."""
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
    """Figures as round as they can be; each shape costs more than the one before."""
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
    """With arrivals and services by chance, customers stay as long as Erlang's formula says."""
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


def test_threads_share_the_cores_evenly() -> None:
    """Three threads on one core, each with as much to do, end together after three times that."""
    env, ends = simpy.Environment(), list[float]()
    machine = Machine(env, 1)

    def compute() -> Steps:
        yield from Threads(machine, 1).do(60 * MS)
        ends.append(env.now)

    for _ in range(3):
        env.process(compute())
    env.run()
    assert max(ends) == pytest.approx(180 * MS)
    assert min(ends) > 170 * MS
    assert machine.busy == pytest.approx(180 * MS)


def test_changes_that_wait_share_a_commit() -> None:
    """All are stored, once, and those that came together by few commits."""
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


def test_a_server_takes_no_more_than_it_can() -> None:
    """So many changes a second at most, however many come."""
    env = simpy.Environment()
    database, loop, stored = Server(env, Writes(5 * MS, 2 * MS)), Threads(Machine(env, 1), 1), []

    def write() -> Steps:
        yield from database.write(loop, 0.0, 30 * MS)
        stored.append(env.now)

    for _ in range(1000):
        env.process(write())
    env.run()
    assert len(stored) == 1000
    assert max(stored) == pytest.approx(1000 * 2 * MS + 3 * MS)


def test_no_second_holds_more_requests_than_allowed() -> None:
    """Beyond a first second's worth, requests wait for their turn and none is lost."""
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


@pytest.fixture(scope="module")
def small() -> Tally:
    """Games at small scale, until all is done."""
    return simulate_small(wire(), games=40, rate=8.0, seconds=30.0)


def test_every_click_is_answered_once(small: Tally) -> None:
    """What is begun ends, with as many changes, answers and boards as there must be."""
    assert small.begun == len(small.waits) == 240
    assert small.answers == small.begun
    assert small.writes == 2 * small.begun
    assert small.edits == small.begun
    assert small.ends == pytest.approx(0.1 * small.begun, rel=0.5)


def test_an_idle_bot_takes_what_its_stages_take(small: Tally) -> None:
    """Nothing waits for anything at a low rate: the median is the sum of the parts."""
    assert small.under(0.5) == pytest.approx(20 * MS, abs=0.1 * MS)


def test_more_moves_take_longer(small: Tally) -> None:
    """They wait for each other."""
    faster = simulate_small(wire(), games=200, rate=40.0, seconds=10.0)
    assert faster.under(0.99) > small.under(0.99)


def test_a_board_before_a_slow_answer_is_shown_apart_from_it() -> None:
    """A search longer than a blink shows two boards, half a second apart at least."""
    slow = wire(moves=(move(search=0.3),))
    seen = simulate_small(slow, games=20, rate=2.0, seconds=20.0)
    assert seen.edits == 2 * seen.begun
    assert min(seen.waits) > APART


def test_what_happens_beside_moves_makes_them_wait() -> None:
    """Starts of games, and what their ends bring, keep the event loop from some moves."""
    alone, beside = (
        simulate_small(wire(others_a_move=others, others=(0.1,)), games=100, rate=20.0, seconds=20)
        for others in (0.0, 0.3)
    )
    assert beside.under(0.95) > alone.under(0.95) + 2 * MS


def test_the_share_of_ends_can_be_given() -> None:
    """Whatever share was recorded, as many games end as are asked for."""
    seen = simulate_small(wire(), games=50, rate=10.0, seconds=50.0, ends=0.5)
    assert seen.ends == pytest.approx(0.5 * seen.begun, rel=0.15)


def test_the_seed_decides_everything() -> None:
    """The same seed gives the same waits, another one others."""
    by_chance = wire(moves=(move(), move(search=3 * MS)))
    runs = [
        simulate_small(by_chance, games=20, rate=5.0, seconds=8.0, seed=seed).waits
        for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_a_short_while_shows_what_a_longer_one_does() -> None:
    """As busy event loops, searches and database, and the same median."""
    fleet = Fleet(processes=2, workers=2, databases=1.0, limit=math.inf)
    short, longer = (
        simulate(figures(), Assumptions(), fleet, lambda _: 40.0, seconds)
        for seconds in (12.0, 24.0)
    )
    assert short.loop == pytest.approx(longer.loop, rel=0.1)
    assert short.searching == pytest.approx(longer.searching, rel=0.15)
    assert short.storing == pytest.approx(longer.storing, rel=0.1)
    assert short.tally.under(0.5) == pytest.approx(longer.tally.under(0.5), rel=0.1)


def test_the_limit_on_requests_holds_boards_up() -> None:
    """More edits than Discord allows wait; through the click's token they do not count."""
    fleet = Fleet(processes=4, workers=2, databases=2.0, limit=20.0)
    held, freed = (
        simulate(figures(), Assumptions(), one, lambda _: 40.0, 15.0)
        for one in (fleet, replace(fleet, by_token=True))
    )
    assert held.tally.under(0.99) > 3.0 > freed.tally.under(0.99)
    assert freed.counted == 0.0


def test_shards_are_as_discord_wants_them() -> None:
    """One below 2,500 servers, then one for a thousand, in multiples of sixteen for large bots."""
    counts = [plan_for(n, figures(), Assumptions()).shards for n in (1_000, 2_499, 10_000, 10**6)]
    assert counts == [1, 1, 10, 1008]


def test_more_servers_need_more() -> None:
    """Of everything, and in proportion where there is enough to divide."""
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


def test_each_plan_uses_the_plainest_shape_that_bears_it() -> None:
    """A file for one shard, then PostgreSQL with shards, and a cluster once searches need it."""
    plans = [plan_for(n, figures(), Assumptions()) for n in (1_000, 10_000, 1_000_000)]
    assert [plan.shape for plan in plans] == ["sqlite", "shards", "cluster"]
    assert [plan.jobs > 0 for plan in plans] == [False, False, True]
    assert [round(plan.writes / plan.moves, 2) for plan in plans] == [2.5, 3.5, 4.0]


def test_memory_of_a_process_is_that_of_its_servers_too() -> None:
    """The process, its servers and its running games."""
    plan = plan_for(1_000, figures(), Assumptions())
    assert plan.each * 2**20 == pytest.approx(2e8 + 1_000 * 1e4 + plan.games * 4e3)


def test_figures_are_read_as_they_were_written(tmp_path: Path) -> None:
    """All of them, and recorded moves to the microsecond."""
    file = tmp_path / "measured.json"
    figures().save(file)
    assert Figures.load(file) == figures()


def test_what_breaks_is_named_in_order() -> None:
    """The weakest part first, each with something to do."""
    found = breaks(figures(), Assumptions())
    assert [one.moves for one in found] == sorted(one.moves for one in found)
    assert all(one.then for one in found)


def test_a_spread_keeps_the_shape_of_what_was_measured() -> None:
    """Its quantiles, its mean, and both in what is drawn from it."""
    rng = Random(1)
    values = [rng.expovariate(1.0) for _ in range(20_000)]
    spread = Spread.of(values)
    drawn = [spread.draw(rng) for _ in range(20_000)]
    assert spread.at(0.5) == pytest.approx(math.log(2.0), rel=0.05)
    assert spread.mean == pytest.approx(1.0, rel=0.1)
    assert sum(drawn) / len(drawn) == pytest.approx(spread.mean, rel=0.05)


def test_the_measured_figures_are_complete() -> None:
    """The committed file has all that the simulation reads."""
    kept = Figures.load()
    assert {*Assumptions().levels, "hint", "judge"} <= {*kept.levels}
    assert plan_for(1_000, kept, Assumptions()).processes >= 1
