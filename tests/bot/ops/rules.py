"""The alert rules of docs/alerts.yml, evaluated against a bot's real metrics."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import promql_parser
import yaml
from prometheus_client.parser import text_string_to_metric_families

FILE = Path(__file__).parents[3] / "docs" / "alerts.yml"
Labels = dict[str, str]
Samples = list[tuple[str, Labels, float]]
Key = tuple[tuple[str, str], ...]
Vector = dict[Key, float]
"""The values of an expression, by their labels without the metric's name."""
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq, "!=": operator.ne, ">": operator.gt, "<": operator.lt,
    ">=": operator.ge, "<=": operator.le,
}  # fmt: skip
SUMS: dict[str, Callable[[float, float], float]] = {"-": operator.sub, "+": operator.add}
AGGREGATES: dict[str, Callable[[list[float]], float]] = {
    "sum": sum, "max": max, "min": min, "count": len,
}  # fmt: skip


def rules() -> dict[str, dict[str, Any]]:
    """All rules by the names of their alerts."""
    groups = yaml.safe_load(FILE.read_text("utf-8"))["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


class Scraped(Protocol):
    """The samples that Prometheus has at one time."""

    @property
    def samples(self) -> Samples:
        """Names, labels and values."""


@dataclass(frozen=True)
class Scrape:
    """The answers of one bot at one time; None if it did not answer."""

    text: str | None

    @cached_property
    def samples(self) -> Samples:
        """Its samples, and `up` as Prometheus adds it."""
        up = ("up", {"job": "cuatro"}, float(self.text is not None))
        families = text_string_to_metric_families(self.text or "")
        return [up, *((s.name, s.labels, s.value) for family in families for s in family.samples)]

    @property
    def families(self) -> set[str]:
        """The names of its metrics, also of those without samples so far."""
        return {family.name for family in text_string_to_metric_families(self.text or "")}


@dataclass(frozen=True)
class Fleet:
    """The samples of several processes, each with its name as `instance`."""

    bots: dict[str, Scrape]
    others: Samples
    """Beside them, such as what a Dask cluster answers."""

    @cached_property
    def samples(self) -> Samples:
        """All samples."""
        return self.others + [
            (name, {**labels, "instance": instance}, value)
            for instance, bot in self.bots.items()
            for name, labels, value in bot.samples
        ]


def is_raised(expression: str, before: Scraped, now: Scraped) -> bool:
    """Whether an expression holds now; its increases are those since `before`.

    It supports as much of PromQL as the rules need, and fails on everything else.
    """
    found = _Evaluation(before.samples, now.samples).of(promql_parser.parse(expression))
    assert isinstance(found, dict), "an alert is a vector"
    return bool(found)


def names_in(expression: str) -> set[str]:
    """The metrics in an expression."""
    bare = re.sub(r"\{[^}]*\}|\[\w+\]", "", expression)
    return set(re.findall(r"\b(?:cuatro_\w+|up)\b", bare))


class _Evaluation:
    """Evaluate what `promql_parser` has parsed."""

    def __init__(self, before: Samples, now: Samples) -> None:
        self._before = before
        self._now = now

    def of(self, expression: Any) -> Vector | float:
        """The value of an expression."""
        kind = type(expression).__name__
        return getattr(self, f"_{kind.removesuffix('Expr').lower()}")(expression)  # type: ignore[no-any-return]

    def vector(self, expression: Any) -> Vector:
        """The value of an expression that is a vector."""
        found = self.of(expression)
        assert isinstance(found, dict), expression
        return found

    def _numberliteral(self, expression: Any) -> float:
        return float(expression.val)

    def _paren(self, expression: Any) -> Vector | float:
        return self.of(expression.expr)

    def _vectorselector(self, expression: Any) -> Vector:
        return _selected(expression, self._now)

    def _aggregate(self, expression: Any) -> Vector:
        by = expression.modifier.labels if expression.modifier is not None else []
        is_without = expression.modifier is not None and "Without" in str(expression.modifier.type)
        assert not is_without, "not known here"
        groups: dict[Key, list[float]] = {}
        for key, value in self.vector(expression.expr).items():
            groups.setdefault(_only(key, by), []).append(value)
        reduce = AGGREGATES[str(expression.op)]
        return {key: float(reduce(values)) for key, values in groups.items()}

    def _call(self, expression: Any) -> Vector:
        (argument,) = expression.args
        name = expression.func.name
        if name == "vector":
            value = self.of(argument)
            assert isinstance(value, float)
            return {(): value}
        if name == "absent":
            return {} if self.vector(argument) else {(): 1.0}
        assert name == "increase", name
        earlier = _selected(argument.vector_selector, self._before)
        now = _selected(argument.vector_selector, self._now)
        return {key: value - earlier[key] for key, value in now.items() if key in earlier}

    def _binary(self, expression: Any) -> Vector | float:
        op, matching = str(expression.op), None
        if expression.modifier is not None and expression.modifier.matching is not None:
            matching = expression.modifier.matching.labels
        left, right = self.of(expression.lhs), self.of(expression.rhs)
        assert isinstance(left, dict), "the scalar comes last in all rules"
        if op in ("and", "or"):
            assert isinstance(right, dict)
            theirs = {_matched(key, matching) for key in right}
            if op == "and":
                return {k: v for k, v in left.items() if _matched(k, matching) in theirs}
            mine = {_matched(key, matching) for key in left}
            more = {k: v for k, v in right.items() if _matched(k, matching) not in mine}
            return {**left, **more}
        others = None
        if isinstance(right, dict):
            others = {_matched(key, matching): value for key, value in right.items()}
            assert len(others) == len(right), "many match one"
        found: Vector = {}
        for key, value in left.items():
            other = right if others is None else others.get(_matched(key, matching))
            if other is None:
                continue
            assert isinstance(other, float)
            if op in SUMS:
                found[_matched(key, matching)] = SUMS[op](value, other)
            elif COMPARISONS[op](value, other):
                found[key] = value
        return found


def _selected(selector: Any, samples: Samples) -> Vector:
    assert selector.offset is None
    assert selector.at is None
    return {
        tuple(sorted(labels.items())): value
        for name, labels, value in samples
        if name == selector.name and all(_fits(labels, one) for one in selector.matchers.matchers)
    }


def _fits(labels: Labels, matcher: Any) -> bool:
    found, how = labels.get(matcher.name, ""), str(matcher.op)
    is_pattern = how.removeprefix("MatchOp.") in ("Re", "NotRe")
    is_same = bool(re.fullmatch(matcher.value, found)) if is_pattern else found == matcher.value
    return is_same == (how.removeprefix("MatchOp.") in ("Re", "Equal"))


def _only(key: Key, names: Iterable[str]) -> Key:
    return tuple((name, value) for name, value in key if name in names)


def _matched(key: Key, matching: Iterable[str] | None) -> Key:
    """The labels by which two operands are matched: all, or those after `on`."""
    return key if matching is None else _only(key, matching)
