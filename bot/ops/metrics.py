"""The bot's Prometheus metrics; each request to Discord counts, retries as well."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import aiohttp
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from bot.database.errors import REASONS
from bot.telemetry import Meter
from bot.workers.remote import State

SEARCH_BUCKETS = (0.005, 0.02, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0)
WRITE_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0)
LAG_BUCKETS = (0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0)

COMMON_RESULTS = ("200", "400", "403", "404", "429", "500", "502", "503", "unreachable")
"""Results of edits that are exported as 0 from the start."""

QUEUES = ("ratings", "judgements")
"""The queues of finished games (`bot.sessions.settling`)."""


class Metrics(Meter):
    """All metrics of one bot, in their own registry, since a process may run several bots."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        counter = partial(Counter, registry=self.registry)
        gauge = partial(Gauge, registry=self.registry)
        histogram = partial(Histogram, registry=self.registry)

        self._started = counter("cuatro_games_started", "Games begun.", ["family"])
        self._ended = counter("cuatro_games_ended", "Games ended.", ["family", "reason"])
        self._discontinued = counter(
            "cuatro_unreadable_games", "Running games that could not be read and were ended."
        )
        self._moves = counter("cuatro_moves", "Moves stored.", ["family", "by"])
        self._settle_failures = counter(
            "cuatro_settle_failures",
            "Attempts to rate or judge a finished game that failed.",
            ["queue"],
        )
        self.unsettled_games = gauge(
            "cuatro_unsettled_games",
            "Finished games that could not be rated or judged.",
            ["queue", "state"],
        )
        for queue in QUEUES:
            self._settle_failures.labels(queue)
            for state in ("failing", "parked"):
                self.unsettled_games.labels(queue, state)

        self._searches = counter("cuatro_searches", "Searches that are over.", ["level", "outcome"])
        # Without labels, so that it is exported from the start: `increase` does not count the first
        # value that Prometheus sees.
        self._search_failures = counter(
            "cuatro_search_failures", "Searches that failed, of any level."
        )
        self._nodes = counter("cuatro_search_nodes", "Positions visited.", ["level"])
        self._search_seconds = histogram(
            "cuatro_search_seconds", "How long searches run.", ["level"], buckets=SEARCH_BUCKETS
        )
        self._wait_seconds = histogram(
            "cuatro_search_wait_seconds",
            "How long searches wait for a thread.",
            ["level"],
            buckets=SEARCH_BUCKETS,
        )
        self._jobs = counter(
            "cuatro_engine_jobs",
            "Jobs that the cluster has done or lost, and those done by local threads.",
            ["where"],
        )
        for where in ("cluster", "lost", "local"):
            self._jobs.labels(where)
        self._ponder_seconds = counter(
            "cuatro_ponder_seconds", "Seconds of searches on opponents' time."
        )
        self._ponder_nodes = counter(
            "cuatro_ponder_nodes", "Positions visited by these, without proofs."
        )
        self._places = gauge("cuatro_cluster_places", "Jobs that the cluster does at a time.")
        self._places_wanted = gauge(
            "cuatro_cluster_places_wanted",
            "Jobs that the cluster should do at a time, by the settings; 0 without a cluster.",
        )
        self._circuit = gauge(
            "cuatro_cluster_circuit",
            "1 for the present state of the cluster's circuit breaker, 0 for the others.",
            ["state"],
        )
        self.cluster_circuit(State.CLOSED.value)
        self._waiting = gauge("cuatro_searches_waiting", "Searches that wait for a thread.")

        labels = ["route", "result"]
        self._edits = counter("cuatro_edits", "Edits of messages, each attempt.", labels)
        self._posts = counter("cuatro_posts", "New messages, each attempt.", labels)
        for result in COMMON_RESULTS:
            for route in ("channel", "token"):
                self._edits.labels(route, result)
        self._refusals = counter("cuatro_refusals", "Refusals.", ["key"])
        for reason in REASONS:
            self._refusals.labels(f"store_{reason}")
        self._failures = counter("cuatro_failures", "Requests that failed unexpectedly.")

        self._write_seconds = histogram(
            "cuatro_write_seconds",
            "Time of a change of the database, from when it is wanted until it is on disk.",
            buckets=WRITE_BUCKETS,
        )
        self._lag_seconds = histogram(
            "cuatro_loop_lag_seconds",
            "How late the event loop is.",
            buckets=LAG_BUCKETS,
        )
        self.vital = gauge("cuatro_vital", "1 where the bot is well, 0 where not.", ["vital"])
        self.shard_up = gauge(
            "cuatro_shard_up",
            "1 where a shard of this process is connected, 0 where not.",
            ["shard"],
        )
        self.shards = gauge(
            "cuatro_shards",
            "Shards of the bot, over all its processes; 0 for a bot without shards.",
        )
        self.handed_over = gauge(
            "cuatro_handed_over",
            "1 for a process that has handed its shards over and waits to be stopped.",
        )
        self.sessions_exhausted = gauge(
            "cuatro_sessions_exhausted",
            "1 while Discord allows no more sessions and a shard needs one, 0 otherwise.",
        )
        self.open_games = gauge("cuatro_open_games", "Running games.", ["family"])
        self.boards_differing = gauge(
            "cuatro_boards_differing", "Boards that do not show what is stored."
        )
        self.answers_due = gauge("cuatro_answers_due", "Agents' moves that are due.")
        self.answers_overdue = gauge(
            "cuatro_answers_overdue",
            "Agents' moves that have been due for more than a minute.",
        )
        self.worst_lag = gauge(
            "cuatro_loop_lag_worst_seconds",
            "The event loop's longest lag of the last minute.",
        )

    # The docstrings of `Meter` say what each of the following methods counts.
    # ruff: noqa: D102

    def started(self, family: str) -> None:
        self._started.labels(family).inc()

    def moved(self, family: str, by: str) -> None:
        self._moves.labels(family, by).inc()

    def ended(self, family: str, reason: str) -> None:
        self._ended.labels(family, reason).inc()

    def discontinued(self) -> None:
        self._discontinued.inc()

    def search_queued(self) -> None:
        self._waiting.inc()

    def search_unqueued(self) -> None:
        self._waiting.dec()

    def searched(
        self, level: str, outcome: str, *, waited: float, seconds: float, nodes: int
    ) -> None:
        self._searches.labels(level, outcome).inc()
        if outcome == "failed":
            self._search_failures.inc()
        self._nodes.labels(level).inc(nodes)
        self._search_seconds.labels(level).observe(seconds)
        self._wait_seconds.labels(level).observe(waited)

    def worked(self, where: str) -> None:
        self._jobs.labels(where).inc()

    def pondered(self, seconds: float, nodes: int) -> None:
        self._ponder_seconds.inc(seconds)
        self._ponder_nodes.inc(nodes)

    def cluster_places(self, places: int) -> None:
        self._places.set(places)

    def cluster_places_wanted(self, places: int) -> None:
        self._places_wanted.set(places)

    def cluster_circuit(self, state: str) -> None:
        for one in State:
            self._circuit.labels(one.value).set(one.value == state)

    def could_not_settle(self, queue: str) -> None:
        self._settle_failures.labels(queue).inc()

    def wrote(self, seconds: float) -> None:
        self._write_seconds.observe(seconds)

    def refused(self, key: str) -> None:
        self._refusals.labels(key).inc()

    def failed(self) -> None:
        self._failures.inc()

    def edited(self, route: str, result: str) -> None:
        self._edits.labels(route, result).inc()

    def posted(self, route: str, result: str) -> None:
        self._posts.labels(route, result).inc()

    def lagged(self, seconds: float) -> None:
        self._lag_seconds.observe(seconds)


def trace_requests(meter: Meter) -> aiohttp.TraceConfig:
    """Return a trace by which an HTTP client reports the messages it edits and posts to `meter`."""
    routes: tuple[tuple[str, re.Pattern[str], Callable[[str, str], None], str], ...] = (
        ("PATCH", re.compile(r"/channels/\d+/messages/\d+$"), meter.edited, "channel"),
        ("PATCH", re.compile(r"/webhooks/\d+/[^/]+/messages/[^/]+$"), meter.edited, "token"),
        ("POST", re.compile(r"/channels/\d+/messages$"), meter.posted, "channel"),
        ("POST", re.compile(r"/webhooks/\d+/[^/]+$"), meter.posted, "token"),
        ("POST", re.compile(r"/interactions/\d+/[^/]+/callback$"), meter.posted, "answer"),
    )

    def report(method: str, path: str, result: str) -> None:
        for expected, pattern, count, route in routes:
            if method == expected and pattern.search(path):
                count(route, result)

    async def ended(_session: Any, _trace: Any, end: aiohttp.TraceRequestEndParams) -> None:
        report(end.method, end.url.path, str(end.response.status))

    async def failed(_session: Any, _trace: Any, end: aiohttp.TraceRequestExceptionParams) -> None:
        report(end.method, end.url.path, "unreachable")

    config = aiohttp.TraceConfig()
    config.on_request_end.append(ended)
    config.on_request_exception.append(failed)
    return config
