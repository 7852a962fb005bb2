"""Markdown tables and quantiles, as all measurements print them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

MEDIAN, P99, MAXIMUM = 0.5, 0.99, 1.0


def row(cells: Iterable[object]) -> str:
    """A row of a Markdown table."""
    return "| " + " | ".join(map(str, cells)) + " |"


def head(names: Iterable[object]) -> str:
    """The head of a Markdown table whose first column is text and whose others are numbers."""
    first, *rest = names
    return f"{row((first, *rest))}\n{row(('---', *['---:'] * len(rest)))}"


def table(names: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table whose first column is text and whose others are numbers."""
    return "\n".join((head(names), *map(row, rows)))


def figures(title: str, rows: Mapping[str, object]) -> str:
    """A Markdown table of two columns: what was measured, and the result."""
    return table((title, ""), rows.items())


def quantile(values: Iterable[float], share: float) -> float:
    """The value below which this share of the values lies; NaN if there are none."""
    ordered = sorted(values) or [float("nan")]
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def spread(values: Sequence[float], digits: int = 2) -> str:
    """The median, the 99th percentile and the maximum as text."""
    return ", ".join(f"{quantile(values, share):.{digits}f}" for share in (MEDIAN, P99, MAXIMUM))
