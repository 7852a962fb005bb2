"""The bot's figures as Prometheus metrics; each request to Discord counts, retries as well."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import aiohttp
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from bot.database.errors import REASONS
from bot.telemetry import Meter
from bot.workers.remote import State

SEARCH_BUCKETS = (0.005, 0.02, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0)

WRITE_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0)

USUAL_RESULTS = ("200", "400", "403", "404", "429", "500", "502", "503", "unreachable")
"""Results of edits that are there from the start, with 0."""

QUEUES = ("ratings", "judgements")
"""The queues of finished games (`bot.sessions.settling`)."""

LAG_BUCKETS = (0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0)


class Metrics(Meter):
    """All metrics of one bot, in a registry of its own: a process may run several bots."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._count_games(registry)
        self._count_searches(registry)
        self._count_requests(registry)
        self._write_seconds = Histogram(
            "cuatro_write_seconds",
            "Time of a change of the database, from when it is wanted until it is on disk.",
            buckets=WRITE_BUCKETS,
            registry=registry,
        )
        self._lag_seconds = Histogram(
            "cuatro_loop_lag_seconds",
            "How late the event loop is.",
            buckets=LAG_BUCKETS,
            registry=registry,
        )
        self._define_states(registry)

    def _count_games(self, registry: CollectorRegistry) -> None:
        self._started = Counter(
            "cuatro_games_started", "Games begun.", ["family"], registry=registry
        )
        self._ended = Counter(
            "cuatro_games_ended", "Games ended.", ["family", "reason"], registry=registry
        )
        self._discontinued = Counter(
            "cuatro_unreadable_games",
            "Running games that could not be read and were ended.",
            registry=registry,
        )
        self._moves = Counter("cuatro_moves", "Moves stored.", ["family", "by"], registry=registry)
        self._settle_failures = Counter(
            "cuatro_settle_failures",
            "Attempts to rate or judge a finished game that failed.",
            ["queue"],
            registry=registry,
        )
        self.unsettled_games = Gauge(
            "cuatro_unsettled_games",
            "Finished games that could not be rated or judged.",
            ["queue", "state"],
            registry=registry,
        )
        for queue in QUEUES:
            self._settle_failures.labels(queue)
            for state in ("failing", "parked"):
                self.unsettled_games.labels(queue, state)

    def _count_searches(self, registry: CollectorRegistry) -> None:
        self._searches = Counter(
            "cuatro_searches", "Searches that are over.", ["level", "outcome"], registry=registry
        )
        # Without labels, so that it is there from the start: what `increase` sees first is not
        # counted by it.
        self._search_failures = Counter(
            "cuatro_search_failures", "Searches that failed, of any level.", registry=registry
        )
        self._nodes = Counter(
            "cuatro_search_nodes", "Positions visited.", ["level"], registry=registry
        )
        self._search_seconds = Histogram(
            "cuatro_search_seconds",
            "How long searches run.",
            ["level"],
            buckets=SEARCH_BUCKETS,
            registry=registry,
        )
        self._wait_seconds = Histogram(
            "cuatro_search_wait_seconds",
            "How long searches wait for a thread.",
            ["level"],
            buckets=SEARCH_BUCKETS,
            registry=registry,
        )
        self._jobs = Counter(
            "cuatro_engine_jobs",
            "Jobs that the cluster has done or lost, and those done by local threads.",
            ["where"],
            registry=registry,
        )
        for where in ("cluster", "lost", "local"):
            self._jobs.labels(where)
        self._places = Gauge(
            "cuatro_cluster_places", "Jobs that the cluster does at a time.", registry=registry
        )
        self._places_wanted = Gauge(
            "cuatro_cluster_places_wanted",
            "Jobs that the cluster should do at a time, by the settings; 0 without a cluster.",
            registry=registry,
        )
        self._circuit = Gauge(
            "cuatro_cluster_circuit",
            "1 for the present state of the cluster's circuit breaker, 0 for the others.",
            ["state"],
            registry=registry,
        )
        self.cluster_circuit(State.CLOSED.value)
        self._waiting = Gauge(
            "cuatro_searches_waiting", "Searches that wait for a thread.", registry=registry
        )

    def _count_requests(self, registry: CollectorRegistry) -> None:
        labels = ["route", "result"]
        self._edits = Counter(
            "cuatro_edits", "Edits of messages, each attempt.", labels, registry=registry
        )
        self._posts = Counter(
            "cuatro_posts", "New messages, each attempt.", labels, registry=registry
        )
        for result in USUAL_RESULTS:
            for route in ("channel", "token"):
                self._edits.labels(route, result)
        self._refusals = Counter("cuatro_refusals", "Refusals.", ["key"], registry=registry)
        for reason in REASONS:
            self._refusals.labels(f"store_{reason}")
        self._failures = Counter(
            "cuatro_failures", "Requests that failed unexpectedly.", registry=registry
        )

    def _define_states(self, registry: CollectorRegistry) -> None:
        self.vital = Gauge(
            "cuatro_vital", "1 where the bot is well, 0 where not.", ["vital"], registry=registry
        )
        self.shard_up = Gauge(
            "cuatro_shard_up",
            "1 where a shard of this process is connected, 0 where not.",
            ["shard"],
            registry=registry,
        )
        self.shards = Gauge(
            "cuatro_shards",
            "Shards of the bot, over all its processes; 0 for a bot without shards.",
            registry=registry,
        )
        self.handed_over = Gauge(
            "cuatro_handed_over",
            "1 for a process that has handed its shards over and waits to be stopped.",
            registry=registry,
        )
        self.sessions_exhausted = Gauge(
            "cuatro_sessions_exhausted",
            "1 while Discord allows no more sessions and a shard needs one, 0 otherwise.",
            registry=registry,
        )
        self.open_games = Gauge(
            "cuatro_open_games", "Running games.", ["family"], registry=registry
        )
        self.boards_differing = Gauge(
            "cuatro_boards_differing",
            "Boards that do not show what is stored.",
            registry=registry,
        )
        self.answers_due = Gauge(
            "cuatro_answers_due", "Agents' moves that are due.", registry=registry
        )
        self.answers_overdue = Gauge(
            "cuatro_answers_overdue",
            "Agents' moves that have been due for more than a minute.",
            registry=registry,
        )
        self.worst_lag = Gauge(
            "cuatro_loop_lag_worst_seconds",
            "The event loop's longest lag of the last minute.",
            registry=registry,
        )

    def started(self, family: str) -> None:
        """See `Meter`, as for all that follow."""
        self._started.labels(family).inc()

    def moved(self, family: str, by: str) -> None:
        """Count a move."""
        self._moves.labels(family, by).inc()

    def ended(self, family: str, reason: str) -> None:
        """Count an end."""
        self._ended.labels(family, reason).inc()

    def discontinued(self) -> None:
        """Count a game that could not be read."""
        self._discontinued.inc()

    def search_queued(self) -> None:
        """Count a search that waits."""
        self._waiting.inc()

    def search_unqueued(self) -> None:
        """Count one less."""
        self._waiting.dec()

    def searched(
        self, level: str, outcome: str, *, waited: float, seconds: float, nodes: int
    ) -> None:
        """Count a search, with what it took."""
        self._searches.labels(level, outcome).inc()
        if outcome == "failed":
            self._search_failures.inc()
        self._nodes.labels(level).inc(nodes)
        self._search_seconds.labels(level).observe(seconds)
        self._wait_seconds.labels(level).observe(waited)

    def worked(self, where: str) -> None:
        """Count a job of the engine."""
        self._jobs.labels(where).inc()

    def cluster_places(self, places: int) -> None:
        """Note how much the cluster does at a time."""
        self._places.set(places)

    def could_not_settle(self, queue: str) -> None:
        """Count an attempt that failed."""
        self._settle_failures.labels(queue).inc()

    def cluster_places_wanted(self, places: int) -> None:
        """Note how much it should do."""
        self._places_wanted.set(places)

    def cluster_circuit(self, state: str) -> None:
        """Note the state of its circuit breaker."""
        for one in State:
            self._circuit.labels(one.value).set(one.value == state)

    def wrote(self, seconds: float) -> None:
        """Note how long a change took."""
        self._write_seconds.observe(seconds)

    def refused(self, key: str) -> None:
        """Count a refusal."""
        self._refusals.labels(key).inc()

    def failed(self) -> None:
        """Count a failure."""
        self._failures.inc()

    def edited(self, route: str, result: str) -> None:
        """Count an edit."""
        self._edits.labels(route, result).inc()

    def posted(self, route: str, result: str) -> None:
        """Count a new message."""
        self._posts.labels(route, result).inc()

    def lagged(self, seconds: float) -> None:
        """Note how late the event loop was."""
        self._lag_seconds.observe(seconds)


Count = Callable[[str, str], None]


def trace_requests(meter: Meter) -> aiohttp.TraceConfig:
    """What tells a `meter` of the messages that a client edits and posts."""
    routes: tuple[tuple[str, re.Pattern[str], Count, str], ...] = (
        ("PATCH", re.compile(r"/channels/\d+/messages/\d+$"), meter.edited, "channel"),
        ("PATCH", re.compile(r"/webhooks/\d+/[^/]+/messages/[^/]+$"), meter.edited, "token"),
        ("POST", re.compile(r"/channels/\d+/messages$"), meter.posted, "channel"),
        ("POST", re.compile(r"/webhooks/\d+/[^/]+$"), meter.posted, "token"),
        ("POST", re.compile(r"/interactions/\d+/[^/]+/callback$"), meter.posted, "answer"),
    )

    def tell(method: str, path: str, result: str) -> None:
        for wanted, pattern, count, route in routes:
            if method == wanted and pattern.search(path):
                count(route, result)

    async def ended(_session: Any, _trace: Any, end: aiohttp.TraceRequestEndParams) -> None:
        tell(end.method, end.url.path, str(end.response.status))

    async def broke(_session: Any, _trace: Any, end: aiohttp.TraceRequestExceptionParams) -> None:
        tell(end.method, end.url.path, "unreachable")

    config = aiohttp.TraceConfig()
    config.on_request_end.append(ended)
    config.on_request_exception.append(broke)
    return config
