"""Alerts about several processes: missing processes, unserved shards, the cluster."""

from __future__ import annotations

import pytest
from prometheus_client import generate_latest

from bot.ops.metrics import Metrics
from bot.workers.remote import State
from tests.bot.ops.rules import Fleet, Scrape, is_raised, rules

RULES = rules()
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
        """Set the state of a shard."""
        self.metrics.shard_up.labels(str(shard)).set(is_up)

    def scrape(self) -> Scrape:
        """The metrics that the process exposes."""
        return Scrape(generate_latest(self.metrics.registry).decode())


class Bots:
    """Two processes of the bot, and their cluster."""

    def __init__(self) -> None:
        self.first, self.second = Process(0, 1), Process(2, 3)
        self.others = list(DASK)
        self.gone: set[str] = set()
        self.dead: set[str] = set()

    def seen(self) -> Fleet:
        """The metrics that Prometheus has of them now."""
        bots = {"bot-0": self.first, "bot-1": self.second}
        scrapes = {
            name: Scrape(None) if name in self.dead else one.scrape()
            for name, one in bots.items()
            if name not in self.gone
        }
        return Fleet(scrapes, self.others)

    def raised(self, before: Fleet | None = None) -> set[str]:
        """The alerts that fire now."""
        now = self.seen()
        return {name for name in ALERTS if is_raised(RULES[name]["expr"], before or now, now)}


@pytest.fixture
def bots() -> Bots:
    """Healthy bots."""
    return Bots()


def test_healthy_bots_fire_no_alert(bots: Bots) -> None:
    """No alert fires while all is well, or when two processes serve a shard in an update."""
    assert bots.raised() == set()
    bots.first.connect(2, is_up=False)
    assert bots.raised() == set()


def test_a_missing_process_is_noticed_by_its_shards(bots: Bots) -> None:
    """A vanished process fires its shards' alert; one that does not answer also fires its own."""
    bots.gone = {"bot-1"}
    assert bots.raised() == {"CuatroShardIsDown"}
    bots.gone, bots.dead = set(), {"bot-1"}
    assert bots.raised() == {"CuatroIsDown", "CuatroShardIsDown"}


def test_a_disconnected_shard_fires_an_alert(bots: Bots) -> None:
    """One shard that is not connected fires the alert, and so do all of them."""
    bots.second.connect(3, is_up=False)
    assert bots.raised() == {"CuatroShardIsDown"}
    for shard in range(4):
        (bots.first if shard < 2 else bots.second).connect(shard, is_up=False)
    assert bots.raised() == {"CuatroShardIsDown"}


def test_a_shard_without_session_starts_fires_an_alert(bots: Bots) -> None:
    """A shard without session starts left today fires an alert while the others stay connected."""
    bots.second.metrics.sessions_exhausted.set(1)
    assert bots.raised() == {"CuatroSessionsExhausted"}


def test_a_bot_without_sharding_has_no_shard_alerts(bots: Bots) -> None:
    """A bot without sharding has one connection and fires no alert about shards."""
    bots.first = Process()
    bots.first.metrics.shards.set(0)
    bots.gone = {"bot-1"}
    assert bots.raised() == set()


def test_a_missing_bot_fires_an_alert(bots: Bots) -> None:
    """A bot whose processes are not discovered, or do not answer, fires an alert."""
    bots.gone = {"bot-0", "bot-1"}
    assert bots.raised() == {"CuatroIsMissing"}
    bots.gone, bots.dead = set(), {"bot-0", "bot-1"}
    assert bots.raised() == {"CuatroIsMissing", "CuatroIsDown"}


def test_a_handed_over_process_fires_no_alert(bots: Bots) -> None:
    """A process that has handed its shards over answers Prometheus and fires no alert."""
    idle = Metrics()
    idle.handed_over.set(1)
    scrape = Scrape(generate_latest(idle.registry).decode())
    now = Fleet({**bots.seen().bots, "bot-9": scrape}, bots.others)
    assert not any(is_raised(rule["expr"], now, now) for rule in RULES.values())


@pytest.mark.parametrize("places", [0, 1])
def test_missing_places_of_a_cluster_fire_an_alert(bots: Bots, places: int) -> None:
    """A cluster with no places, or fewer than configured, fires an alert."""
    bots.second.metrics.cluster_places(places)
    assert bots.raised() == {"CuatroClusterLacksPlaces"}


@pytest.mark.parametrize("state", [State.OPEN, State.HALF_OPEN])
def test_an_open_circuit_breaker_fires_an_alert(bots: Bots, state: State) -> None:
    """A circuit breaker that alternates between open and half-open fires without a gap."""
    bots.second.metrics.cluster_circuit(state.value)
    assert bots.raised() == {"CuatroClusterIsSlow"}
    bots.second.metrics.cluster_circuit(State.CLOSED.value)
    assert bots.raised() == set()


def test_many_lost_jobs_fire_an_alert(bots: Bots) -> None:
    """Many lost jobs fire an alert; those of a single worker that dies do not."""
    before = bots.seen()
    for _ in range(5):
        bots.first.metrics.worked("lost")
    assert bots.raised(before) == set()
    bots.second.metrics.worked("lost")
    assert bots.raised(before) == {"CuatroClusterLosesJobs"}


def test_a_missing_cluster_fires_an_alert(bots: Bots) -> None:
    """The absence of a required cluster fires an alert; so does one of its processes."""
    bots.others = [("up", {"job": "dask", "instance": "worker-0"}, 0.0), DASK[0]]
    assert bots.raised() == {"CuatroWorkerIsDown"}
    bots.others = []
    assert bots.raised() == {"CuatroClusterIsMissing"}
    for one in (bots.first, bots.second):
        one.metrics.cluster_places_wanted(0)
    assert bots.raised() == set()
