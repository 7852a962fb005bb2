"""Alerts about several processes: what has vanished, shards that nobody serves, the cluster."""

from __future__ import annotations

import pytest
from prometheus_client import generate_latest

from bot.ops.metrics import Metrics
from bot.workers.remote import State
from tests.bot.ops.rules import Fleet, Scrape, is_raised, rules

ALERTS = {
    "CuatroIsDown", "CuatroIsMissing", "CuatroShardIsDown", "CuatroClusterIsSlow",
    "CuatroClusterLacksPlaces", "CuatroClusterLosesJobs", "CuatroWorkerIsDown",
    "CuatroClusterIsMissing", "CuatroSessionsExhausted",
}  # fmt: skip
DASK = [("up", {"job": "dask", "instance": name}, 1.0) for name in ("scheduler", "worker-0")]


class Process:
    """A process of the bot that serves some of four shards and uses a cluster."""

    def __init__(self, *shards: int) -> None:
        self.metrics = Metrics()
        self.metrics.shards.set(4)
        self.metrics.cluster_places_wanted(2)
        self.metrics.cluster_places(2)
        for shard in shards:
            self.connect(shard, is_up=True)

    def connect(self, shard: int, *, is_up: bool) -> None:
        """Say how a shard is."""
        self.metrics.shard_up.labels(str(shard)).set(is_up)

    def scrape(self) -> Scrape:
        """What it answers."""
        return Scrape(generate_latest(self.metrics.registry).decode())


class Bots:
    """Two processes of the bot, and their cluster."""

    def __init__(self) -> None:
        self.first, self.second = Process(0, 1), Process(2, 3)
        self.others = list(DASK)
        self.gone: set[str] = set()
        self.dead: set[str] = set()

    def seen(self) -> Fleet:
        """What Prometheus sees of them now."""
        bots = {"bot-0": self.first, "bot-1": self.second}
        scrapes = {
            name: Scrape(None) if name in self.dead else one.scrape()
            for name, one in bots.items()
            if name not in self.gone
        }
        return Fleet(scrapes, self.others)

    def raised(self, before: Fleet | None = None) -> set[str]:
        """The alerts that are raised now."""
        now = self.seen()
        return {name for name in ALERTS if is_raised(rules()[name]["expr"], before or now, now)}


@pytest.fixture
def bots() -> Bots:
    """Bots that are well."""
    return Bots()


def test_nothing_is_raised_where_all_is_well(bots: Bots) -> None:
    """Also during an update, when two processes serve the same shards."""
    assert bots.raised() == set()
    bots.first.connect(2, is_up=False)
    assert bots.raised() == set()


def test_a_process_that_vanished_is_missed_by_its_shards(bots: Bots) -> None:
    """It has no `up` any more that could be 0; a dead one that is still found is down as well."""
    bots.gone = {"bot-1"}
    assert bots.raised() == {"CuatroShardIsDown"}
    bots.gone, bots.dead = set(), {"bot-1"}
    assert bots.raised() == {"CuatroIsDown", "CuatroShardIsDown"}


def test_a_shard_that_is_not_connected_is_down(bots: Bots) -> None:
    """One is enough, and so are all of them, which leaves nothing to count."""
    bots.second.connect(3, is_up=False)
    assert bots.raised() == {"CuatroShardIsDown"}
    for shard in range(4):
        (bots.first if shard < 2 else bots.second).connect(shard, is_up=False)
    assert bots.raised() == {"CuatroShardIsDown"}


def test_a_shard_that_may_not_begin_a_session_is_noticed(bots: Bots) -> None:
    """Discord allows no more today; the other shards stay connected."""
    bots.second.metrics.sessions_exhausted.set(1)
    assert bots.raised() == {"CuatroSessionsExhausted"}


def test_a_bot_without_shards_has_none_that_is_down(bots: Bots) -> None:
    """It is one process with one connection."""
    bots.first = Process()
    bots.first.metrics.shards.set(0)
    bots.gone = {"bot-1"}
    assert bots.raised() == set()


def test_a_bot_that_vanished_is_missing(bots: Bots) -> None:
    """Whether its processes are not found any more, or do not answer."""
    bots.gone = {"bot-0", "bot-1"}
    assert bots.raised() == {"CuatroIsMissing"}
    bots.gone, bots.dead = set(), {"bot-0", "bot-1"}
    assert bots.raised() == {"CuatroIsMissing", "CuatroIsDown"}


def test_a_process_that_was_handed_over_raises_nothing(bots: Bots) -> None:
    """It answers Prometheus, and serves no shard that somebody would miss."""
    idle = Metrics()
    idle.handed_over.set(1)
    scrape = Scrape(generate_latest(idle.registry).decode())
    now = Fleet({**bots.seen().bots, "bot-9": scrape}, bots.others)
    assert not any(is_raised(rule["expr"], now, now) for rule in rules().values())


@pytest.mark.parametrize("places", [0, 1])
def test_a_cluster_that_lacks_places_is_told(bots: Bots, places: int) -> None:
    """None, or fewer than are configured."""
    bots.second.metrics.cluster_places(places)
    assert bots.raised() == {"CuatroClusterLacksPlaces"}


@pytest.mark.parametrize("state", [State.OPEN, State.HALF_OPEN])
def test_a_circuit_that_is_not_closed_is_told(bots: Bots, state: State) -> None:
    """Without a gap while open and half-open take turns."""
    bots.second.metrics.cluster_circuit(state.value)
    assert bots.raised() == {"CuatroClusterIsSlow"}
    bots.second.metrics.cluster_circuit(State.CLOSED.value)
    assert bots.raised() == set()


def test_jobs_that_are_lost_are_told(bots: Bots) -> None:
    """Many of them; one worker that dies is nothing."""
    before = bots.seen()
    for _ in range(5):
        bots.first.metrics.worked("lost")
    assert bots.raised(before) == set()
    bots.second.metrics.worked("lost")
    assert bots.raised(before) == {"CuatroClusterLosesJobs"}


def test_a_cluster_that_vanished_is_missing(bots: Bots) -> None:
    """If the bots should use one; a process of it that does not answer is down."""
    bots.others = [("up", {"job": "dask", "instance": "worker-0"}, 0.0), DASK[0]]
    assert bots.raised() == {"CuatroWorkerIsDown"}
    bots.others = []
    assert bots.raised() == {"CuatroClusterIsMissing"}
    for one in (bots.first, bots.second):
        one.metrics.cluster_places_wanted(0)
    assert bots.raised() == set()
