"""Many processes with one database, one pool of search workers and Discord."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import simpy

from benchmarks.capacity.figures import Figures
from benchmarks.simulation.assumptions import Assumptions
from benchmarks.simulation.bots import Bot, Tally
from benchmarks.simulation.databases import Server, Sqlite
from benchmarks.simulation.discords import Discord, GlobalLimit
from benchmarks.simulation.machine import Machine, Steps, Threads

CORES = 2
"""Cores per process: one for its event loop, one for pictures and evaluations."""
WARM = 5.0
"""Seconds at the beginning that are not counted, since queues are empty."""
LATE = 3.0
"""Seconds after which an unacknowledged click has failed."""


@dataclass(frozen=True, slots=True)
class Fleet:
    """A deployment."""

    processes: int
    workers: int
    """Cores for searches, shared by all processes."""
    databases: float
    """Speed of the database as a multiple of the measured one."""
    limit: float
    """Discord's global limit in requests per second."""
    shape: str = "shards"
    """One of `tests.bot.support.wire.shapes`."""
    by_token: bool = False
    """Whether boards are edited through the click's interaction, which does not count."""

    def times(self, factor: float) -> Fleet:
        """This deployment scaled by a factor."""
        return replace(
            self,
            processes=max(1, round(self.processes * factor)),
            workers=max(1, round(self.workers * factor)),
            databases=self.databases * factor,
        )

    def without(self, zones: float) -> Fleet:
        """This deployment without a share of its zones; the database fails over at full speed."""
        left = 1.0 - zones
        return replace(
            self,
            processes=max(1, math.floor(self.processes * left)),
            workers=max(1, math.floor(self.workers * left)),
        )


@dataclass(frozen=True, slots=True)
class Ran:
    """The results of a simulation."""

    tally: Tally
    loop: float
    """Utilisation of the event loops, from 0 to 1."""
    searching: float
    """Utilisation of the search workers."""
    storing: float
    """Utilisation of the database."""
    counted: float
    """Requests per second that counted against Discord's global limit."""

    @property
    def waits(self) -> tuple[float, float]:
        """The median and the p99 of click to board."""
        return self.tally.under(0.5), self.tally.under(0.99)


Rate = Callable[[float], float]
"""Total moves per second as a function of time."""
Event = Callable[[simpy.Environment, list[Bot], Discord], Steps]
"""A change during the simulation."""


def simulate(
    figures: Figures,
    assumed: Assumptions,
    fleet: Fleet,
    rate: Rate,
    seconds: float,
    *,
    seed: int = 1,
    meanwhile: Event | None = None,
) -> Ran:
    """Simulate random clicks at `rate` for `seconds`."""
    env, rng, tally = simpy.Environment(), Random(seed), Tally()
    limit = GlobalLimit(env, fleet.limit)
    discord = Discord(env, rng, limit, assumed.discord_median, assumed.discord_tail)
    machines = [Machine(env, CORES) for _ in range(fleet.processes)]
    pool = Machine(env, fleet.workers)
    searches = Threads(pool, fleet.workers)
    shape, in_cluster = figures.shapes[fleet.shape], fleet.shape == "cluster"
    database: Sqlite | Server = Server(env, figures.postgres, machines=fleet.databases)
    if fleet.shape == "sqlite":
        database = Sqlite(env, figures.sqlite.alone)
    overhead = figures.scheduling.worker if in_cluster else 0.0
    search = _searching(figures, assumed, overhead)
    if fleet.by_token:
        discord.edit = discord.answer  # type: ignore[method-assign]
    wire = replace(shape.wire, judge=figures.levels["judge"])
    bots = [
        Bot(
            *(one, wire, database, discord, searches, rng, tally, search),
            ends=1.0 / assumed.moves_a_game,
            spare_writes=max(0.0, shape.syncs - wire.mean(lambda move: move.count("write"))),
            judges=searches if in_cluster else None,
        )
        for one in machines
    ]
    _players(env, bots, figures, assumed, rate, rng, tally, wire.others_a_move)
    if meanwhile is not None:
        env.process(meanwhile(env, bots, discord))
    env.run(until=seconds)
    # Long waits that have not ended count as if they ended now.
    tally.waits += [seconds - began for began in tally.open if seconds - began > LATE]
    return Ran(
        tally,
        loop=sum(bot.loop.busy for bot in bots) / len(bots) / seconds,
        searching=searches.busy / fleet.workers / seconds,
        storing=database.busy / seconds,
        counted=limit.counted / seconds,
    )


def _players(
    env: simpy.Environment,
    bots: list[Bot],
    figures: Figures,
    assumed: Assumptions,
    rate: Rate,
    rng: Random,
    tally: Tally,
    others: float,
) -> None:
    """Create random clicks, each in a channel of its own."""
    hint, hints = figures.levels["hint"], assumed.hints_a_game / assumed.moves_a_game

    def come() -> Steps:
        while True:
            yield env.timeout(rng.expovariate(max(rate(env.now), 1e-9)))
            bot = bots[rng.randrange(len(bots))]
            env.process(bot.click(simpy.Resource(env, 1), counts=env.now > WARM))
            if rng.random() < others:
                env.process(bot.other())
            if rng.random() < hints:
                env.process(bot.hint(hint.draw(rng)))

    env.process(come())


def _searching(
    figures: Figures, assumed: Assumptions, overhead: float
) -> Callable[[Random], float]:
    """Draws the CPU time of a search by the shares of levels, plus the overhead of a worker."""
    names = list(assumed.levels)
    shares = [assumed.levels[name] for name in names]

    def seconds(rng: Random) -> float:
        return overhead + figures.levels[rng.choices(names, shares)[0]].draw(rng)

    return seconds
