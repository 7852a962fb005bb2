"""The dashboard and the alert rules: valid queries of existing metrics."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import promql_parser
import pytest
from prometheus_client.metrics import MetricWrapperBase

from bot.ops.metrics import Metrics
from tests.bot.ops.rules import rules
from tests.deploy.files import ROOT, Json, compose, dashboard, documents

ADDED = {"instance", "job", "le", "alertname", "alertstate"}
"""Labels that Prometheus adds."""
OTHERS = {
    "up": set(),
    "ALERTS": set(),
    "process_cpu_seconds_total": set(),
    "process_resident_memory_bytes": set(),
    "dask_scheduler_workers": {"state"},
    "dask_scheduler_tasks": {"state"},
}
"""Metrics of Prometheus, of the process and of Dask, with their labels."""
PANELS: list[Json] = dashboard()["panels"]
GRAPHS = [panel for panel in PANELS if panel["type"] != "row"]
QUERIES = [target["expr"] for panel in GRAPHS for target in panel["targets"]]
QUERIES += [note["expr"] for note in dashboard()["annotations"]["list"]]
QUERIES += [rule["expr"] for rule in rules().values()]


def known() -> dict[str, set[str]]:
    """All metrics as Prometheus names them, with their labels."""
    found = dict(OTHERS)
    for metric in vars(Metrics()).values():
        if isinstance(metric, MetricWrapperBase):
            (described,) = metric.describe()
            endings = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}
            for ending in endings.get(described.type, [""]):
                found[described.name + ending] = set(metric._labelnames)
    return found


def parts(query: Any) -> Iterator[Any]:
    """A query and all its parts."""
    yield query
    inner = [getattr(query, name, None) for name in ("expr", "lhs", "rhs", "vector_selector")]
    for part in (*inner, *getattr(query, "args", [])):
        if part is not None:
            yield from parts(part)


def parsed(query: str) -> Any:
    """A query with values for Grafana's variables."""
    return promql_parser.parse(query.replace("$__rate_interval", "5m"))


@pytest.mark.parametrize("query", sorted(set(QUERIES)))
def test_queries_use_existing_metrics(query: str) -> None:
    """A query can be parsed, and all its metrics and labels are ones that the bot has."""
    metrics, named = known(), set()
    labels: set[str] = set()
    for part in parts(parsed(query)):
        if isinstance(part, promql_parser.VectorSelector):
            named.add(part.name)
            labels |= {matcher.name for matcher in part.matchers.matchers}
        elif isinstance(part, promql_parser.AggregateExpr) and part.modifier is not None:
            labels |= set(part.modifier.labels)
    assert named
    assert named <= metrics.keys()
    assert labels <= ADDED.union(*(metrics[name] for name in named))


def test_every_metric_is_on_the_dashboard() -> None:
    """Every metric of the bot is on the dashboard; of a histogram its buckets or its count."""
    text = " ".join(target["expr"] for panel in GRAPHS for target in panel["targets"])
    own = known().keys() - OTHERS.keys()
    shown = {name for name in own if not name.endswith(("_sum", "_count"))}
    assert len(shown) > 10
    assert [name for name in sorted(shown) if name not in text] == []


def test_panels_do_not_overlap() -> None:
    """Each panel has a unique id and lies within the page without covering another one."""
    ids = [panel["id"] for panel in PANELS]
    assert len(set(ids)) == len(ids)
    places = [panel["gridPos"] for panel in PANELS]
    assert all(place["x"] + place["w"] <= 24 for place in places)
    for one, other in combinations(places, 2):
        beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        below = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert beside or below


@pytest.mark.parametrize("panel", GRAPHS, ids=[panel["title"] for panel in GRAPHS])
def test_panels_have_descriptions_and_units(panel: Json) -> None:
    """A panel has a sentence, a unit, and the data source that is chosen at the top."""
    assert panel["description"].endswith(".")
    assert panel["fieldConfig"]["defaults"]["unit"]
    source = {"type": "prometheus", "uid": "${datasource}"}
    assert panel["datasource"] == source
    assert all(target["datasource"] == source for target in panel["targets"])


def test_grafana_is_given_the_dashboard() -> None:
    """Grafana reads dashboards from the mounted folder, and queries compose.yaml's Prometheus."""
    folder = ROOT / "deploy" / "grafana" / "provisioning"
    (providers,) = documents(folder / "dashboards" / "cuatro.yml")
    (sources,) = documents(folder / "datasources" / "prometheus.yml")
    service = compose()["services"]["grafana"]
    at = service["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert at.startswith(providers["providers"][0]["options"]["path"])
    assert f"./deploy/grafana/cuatro.json:{at}:ro" in service["volumes"]
    assert sources["datasources"][0]["url"] == "http://prometheus:9090"
    assert dashboard()["uid"] == "cuatro"
