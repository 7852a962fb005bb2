"""The resources for a number of servers, and the limits of each part."""

from __future__ import annotations

import math
from dataclasses import dataclass

from benchmarks.capacity.figures import Figures
from benchmarks.capacity.tables import within_limit
from benchmarks.simulation.assumptions import Assumptions
from benchmarks.simulation.fleet import CORES, Fleet

MONTH = 730.0
"""Hours of a month."""
LARGE = 150_000
"""Servers from which on Discord allows more concurrent identifies and a higher limit."""
AT_ONCE = 16
"""Shards of a large bot that may identify in five seconds; one for smaller bots."""
MANDATORY = 2_500
"""Servers from which on Discord requires shards."""
LOCAL_CORES = 2
"""Cores for searches without a cluster."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Mean costs of a person's move in a deployment."""

    loop: float
    """CPU seconds of an event loop."""
    beside: float
    """CPU seconds of the process's other threads."""
    search: float
    """CPU seconds of searches, including hints."""
    writes: float
    """Synchronous writes to disk."""
    jobs: float
    """Jobs for a cluster; 0 without one."""
    scheduler: float
    """CPU seconds of the cluster's scheduler."""
    counted: float
    """Requests that count against Discord's global limit."""

    @classmethod
    def of(cls, figures: Figures, assumed: Assumptions, shape: str) -> Costs:
        """The costs by the measured figures."""
        measured, in_cluster = figures.shapes[shape], shape == "cluster"
        wire, ends = measured.wire, 1.0 / assumed.moves_a_game
        answers = wire.mean(lambda move: move.count("search"))
        levels = sum(share * figures.levels[name].mean for name, share in assumed.levels.items())
        hints, judged = assumed.hints_a_game * ends, ends * figures.levels["judge"].mean
        jobs = (answers + hints + ends) * in_cluster
        draws = wire.mean(lambda move: sum(step.thread for step in move.show))
        return cls(
            loop=measured.loop,
            beside=draws * (1.0 + ends) + judged * (not in_cluster),
            search=answers * levels
            + hints * figures.levels["hint"].mean
            + judged * in_cluster
            + jobs * figures.scheduling.worker,
            writes=measured.syncs,
            jobs=jobs,
            scheduler=jobs * figures.scheduling.alone,
            counted=within_limit(wire),
        )

    @property
    def cpu(self) -> float:
        """CPU seconds outside the database."""
        return self.loop + self.beside + self.search + self.scheduler


@dataclass(frozen=True, slots=True)
class Plan:
    """The resources for a number of servers at the day's peak, with one zone lost."""

    servers: int
    shape: str
    """One of `tests.bot.support.wire.shapes`."""
    moves: float
    """Per second, at the peak."""
    shards: int
    processes: int
    workers: int
    writes: float
    """Per second, at the peak."""
    databases: float
    """Required speed of the database, as a multiple of the measured one."""
    gigabytes: float
    """Size of the database after `moves_kept` days."""
    games: float
    """Running games, including abandoned ones."""
    each: float
    """Memory of a process with its servers and running games in MiB."""
    memory: float
    """Memory of all processes in GiB."""
    jobs: float
    """Jobs per second for the cluster at the peak; 0 without one."""
    schedulers: float
    """Required cores of the cluster's scheduler at the peak; it can use only one."""
    counted: float
    """Requests per second that count against Discord's global limit, at the peak."""
    held: float
    """Core-hours per month of all machines."""
    used: float
    """Core-hours per month of computation."""
    identify: float
    """Seconds until all shards are connected after a full outage."""

    def fleet(self, limit: float, *, by_token: bool = False) -> Fleet:
        """The deployment of this plan."""
        return Fleet(self.processes, self.workers, self.databases, limit, self.shape, by_token)


def plan_for(servers: int, figures: Figures, assumed: Assumptions) -> Plan:
    """The resources for `servers` servers in the simplest sufficient deployment."""
    moves, shards = assumed.moves_a_second(servers), shards_for(servers, assumed)
    shape = "sqlite" if shards == 1 else "shards"
    costs = Costs.of(figures, assumed, shape)
    if moves * costs.search > LOCAL_CORES * assumed.busy:
        shape = "cluster"
        costs = Costs.of(figures, assumed, shape)
    measured = figures.shapes[shape]
    needed = moves * costs.loop / (assumed.busy - measured.background)
    # A single process cannot lose a zone; several continue without one zone.
    spare = assumed.zones / (assumed.zones - 1) if needed > 1.0 else 1.0
    processes = math.ceil(needed * spare)
    # With one core a search of two seconds would block all others.
    workers = max(LOCAL_CORES, math.ceil(moves * costs.search * spare / assumed.busy))
    writes = moves * costs.writes
    databases = max(1.0, writes / figures.postgres.per_second / assumed.busy)
    games_a_day = servers * assumed.playing_servers * assumed.games_a_day
    lasting = assumed.moves_a_game * assumed.seconds_a_move / 86_400.0
    games = games_a_day * (lasting * assumed.peak + assumed.kept_open * 2.0)
    of_them = (servers * figures.memory.server + games * figures.memory.game) / processes
    each = measured.memory + of_them
    answers = measured.wire.mean(lambda move: move.count("search"))
    scaled = assumed.moves_a_game * (1.0 + answers) / figures.size.moves
    left = figures.size.sqlite_bytes if shape == "sqlite" else figures.size.postgres_bytes
    kept = games_a_day * assumed.moves_kept * left * scaled
    month = servers * assumed.moves_a_day * MONTH / 24.0
    # A single process has its database and its searches on the same machine.
    cores = CORES if processes == 1 else CORES * (processes + databases) + workers
    return Plan(
        servers=servers,
        shape=shape,
        moves=moves,
        shards=shards,
        processes=processes,
        workers=workers,
        writes=writes,
        databases=databases,
        gigabytes=kept / 1e9,
        games=games,
        each=each / 2**20,
        memory=processes * each / 2**30,
        jobs=moves * costs.jobs,
        schedulers=moves * costs.scheduler,
        counted=moves * costs.counted,
        held=MONTH * (cores + (shape == "cluster")),
        used=month * (costs.cpu + costs.writes * CORES / figures.postgres.per_second) / 3600.0,
        identify=5.0 * math.ceil(shards / (AT_ONCE if servers >= LARGE else 1)),
    )


def shards_for(servers: int, assumed: Assumptions) -> int:
    """The number of shards: one per thousand servers; a multiple of sixteen for large bots."""
    if servers < MANDATORY:
        return 1
    shards = math.ceil(servers / assumed.servers_a_shard)
    return math.ceil(shards / AT_ONCE) * AT_ONCE if servers >= LARGE else shards


@dataclass(frozen=True, slots=True)
class Break:
    """The limit of a part."""

    part: str
    moves: float
    """Moves of people per second at the limit."""
    servers: float
    """Number of servers that reach it at the peak of a day."""
    then: str
    """The remedy."""


def breaks(figures: Figures, assumed: Assumptions) -> list[Break]:
    """The limits of all parts, lowest first."""
    costs, alone, far = (Costs.of(figures, assumed, one) for one in ("shards", "sqlite", "cluster"))
    each, background = assumed.moves_a_second(1), figures.shapes["shards"].background
    limit = assumed.global_limit / costs.counted
    parts = {
        "one shard (Discord's rule, not load)": (
            MANDATORY * each,
            "run with shards; one process may hold all of them",
        ),
        f"one process's event loop, at the target of {assumed.busy:.0%}": (
            (assumed.busy - background) / costs.loop,
            "more processes, each with some shards",
        ),
        "one process's event loop, full": ((1.0 - background) / costs.loop, "more processes"),
        f"Discord's global limit of {assumed.global_limit:g} requests a second": (
            limit,
            "edit boards through the click's token, which is not counted; ask Discord to raise it "
            f"(from {LARGE:,} servers on)",
        ),
        "two cores for searches": (2.0 / costs.search, "more workers in the cluster"),
        "the cluster's scheduler, which has one core": (
            1.0 / far.scheduler,
            "one cluster for each group of processes",
        ),
        "one SQLite file": (
            figures.sqlite.per_second / alone.writes,
            "PostgreSQL, which several processes can share",
        ),
        "one PostgreSQL on two cores, which its clients share": (
            figures.postgres.per_second / costs.writes,
            "a larger machine for it alone; then one database for each group of shards",
        ),
    }
    found = [Break(part, moves, moves / each, then) for part, (moves, then) in parts.items()]
    return sorted(found, key=lambda one: one.moves)
