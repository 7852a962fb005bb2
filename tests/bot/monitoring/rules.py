"""The alert rules of docs/alerts.yml, read and evaluated against what a bot has answered."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from prometheus_client.parser import text_string_to_metric_families

FILE = Path(__file__).parents[3] / "docs" / "alerts.yml"
COMPARISONS = {"==": operator.eq, ">": operator.gt}
SELECTOR = re.compile(r"^(?P<name>[a-z_]+)(?:\{(?P<labels>[^}]*)\})?(?P<range>\[\d+m\])?$")
LABEL = re.compile(r'(?P<label>\w+)(?P<how>=~|!~|!=|=)"(?P<text>[^"]*)"')
Labels = dict[str, str]
Samples = list[tuple[str, Labels, float]]


def rules() -> dict[str, dict[str, Any]]:
    """All rules by the names of their alerts."""
    groups = yaml.safe_load(FILE.read_text("utf-8"))["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


@dataclass(frozen=True, slots=True)
class Scrape:
    """What a bot has answered at one time; None if it has not."""

    text: str | None

    @property
    def samples(self) -> Samples:
        """Its samples, and `up` as Prometheus adds it."""
        up = ("up", {"job": "cuatro"}, float(self.text is not None))
        families = text_string_to_metric_families(self.text or "")
        return [up, *((s.name, s.labels, s.value) for family in families for s in family.samples)]


def is_raised(expression: str, before: Scrape, now: Scrape) -> bool:
    """Whether an expression holds now; what it says of an increase is that since `before`.

    It knows as much of PromQL as the rules need: a selector, `sum`, `increase` and the difference
    of two of those, compared with a number.
    """
    said, compares, number = re.fullmatch(r"(.+) (==|>) ([\d.]+)", expression).groups()
    terms = [_values(term, before, now) for term in said.split(" - ")]
    if len(terms) == 2:
        (minuend,), (subtrahend,) = terms
        terms = [[minuend - subtrahend]]
    return any(COMPARISONS[compares](value, float(number)) for value in terms[0])


def names_in(expression: str) -> set[str]:
    """The metrics that an expression names."""
    bare = re.sub(r"\{[^}]*\}|\[\w+\]", "", expression)
    return set(re.findall(r"\b(?:cuatro_\w+|up)\b", bare))


def _values(term: str, before: Scrape, now: Scrape) -> list[float]:
    if term.startswith("sum("):
        return [sum(_values(term[4:-1], before, now))]
    if term.startswith("increase("):
        earlier = dict(_matching(term[9:-1], before))
        return [value - earlier[key] for key, value in _matching(term[9:-1], now) if key in earlier]
    return [value for _, value in _matching(term, now)]


def _matching(selector: str, scrape: Scrape) -> Iterator[tuple[tuple[Any, ...], float]]:
    """The samples that a selector selects, by their labels."""
    wanted = SELECTOR.match(selector)
    assert wanted is not None, selector
    tests = [test.groups() for test in LABEL.finditer(wanted["labels"] or "")]
    for name, labels, value in scrape.samples:
        if name == wanted["name"] and all(_fits(labels.get(la, ""), *rest) for la, *rest in tests):
            yield tuple(sorted(labels.items())), value


def _fits(found: str, how: str, text: str) -> bool:
    is_same = bool(re.fullmatch(text, found)) if "~" in how else found == text
    return is_same == how.startswith("=")
