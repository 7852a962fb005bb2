"""The content of a report of many games, as plain values.

Every word is already in the reader's language. Charts write only whole numbers, which look the same
in every language; a title describes them, such as `Games won by level (%)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from renderers.scene import Result, Table


@dataclass(frozen=True, slots=True)
class Series:
    """One quantity with a value for every group of a bar chart."""

    label: str
    values: tuple[float | None, ...]
    """Percentages from 0 to 100; None for a group without data."""


@dataclass(frozen=True, slots=True)
class BarsScene:
    """Percentages by group, side by side.

    Raises:
        ValueError: when there are more than two series, when one does not have a value for every
            group, or when a value is not a percentage.
    """

    title: str
    groups: tuple[str, ...]
    """The names of the groups, in order."""
    series: tuple[Series, ...]
    """The quantities compared: the people's first, then the engine's."""

    def __post_init__(self) -> None:
        if len(self.series) > 2:
            raise ValueError(f"a bar chart compares at most 2 series, not {len(self.series)}")
        for series in self.series:
            if len(series.values) != len(self.groups):
                raise ValueError(f"{series.label!r} needs a value for every group")
            for value in series.values:
                if value is not None:
                    _check_percentage(value)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return all(value is None for series in self.series for value in series.values)


@dataclass(frozen=True, slots=True)
class Points:
    """The games with one result, each as a point in a chart."""

    label: str
    result: Result
    """The result of these games; determines the shape and colour of their marks."""
    places: tuple[tuple[int, float], ...]
    """Coordinates across and up, whose meaning depends on the chart."""


@dataclass(frozen=True, slots=True)
class LinesScene:
    """Percentages of games in the order in which they were played.

    Raises:
        ValueError: when two lines have the same result, when the numbers of a line's games do not
            rise from 1 or more, or when a value is not a percentage.
    """

    title: str
    axis: str
    """The unit of the numbers along the bottom, such as `game`; may be empty."""
    lines: tuple[Points, ...]
    """A place is the number of a game, counted from 1, and its percentage."""

    def __post_init__(self) -> None:
        _check_results(self.lines)
        for line in self.lines:
            numbers = [0, *(number for number, _ in line.places)]
            if any(later <= earlier for earlier, later in pairwise(numbers)):
                raise ValueError(f"the games of {line.label!r} must be in order, from 1 on")
            for _, value in line.places:
                _check_percentage(value)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(line.places for line in self.lines)


@dataclass(frozen=True, slots=True)
class ScatterScene:
    """A quantity of every game, such as its moves, by group.

    Raises:
        ValueError: when two clouds have the same result, or when a place has an index that is no
            group's or a quantity that is below 0 or not finite.
    """

    title: str
    groups: tuple[str, ...]
    """The names of the groups, from left to right."""
    clouds: tuple[Points, ...]
    """A place is the index of a group, counted from 0, and the quantity."""

    def __post_init__(self) -> None:
        _check_results(self.clouds)
        for cloud in self.clouds:
            for group, value in cloud.places:
                if not 0 <= group < len(self.groups):
                    raise ValueError(f"there is no group {group}")
                if not 0 <= value < float("inf"):
                    raise ValueError(f"{value} is not a quantity")

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(cloud.places for cloud in self.clouds)


@dataclass(frozen=True, slots=True)
class ReportScene:
    """A report of many games: a table and three charts.

    A table or chart without data is left out, along with its title; `note` can say why.
    """

    title: str
    subtitle: str
    table: Table
    """A row for every level, starting with its name; drawn with the levels side by side."""
    bars: BarsScene
    lines: LinesScene
    scatter: ScatterScene
    footer: str = ""
    note: str = ""
    """A sentence or two that stand out below the title, such as `no games yet`; may be empty."""


def _check_percentage(value: float) -> None:
    if not 0 <= value <= 100:
        raise ValueError(f"{value} is not a percentage")


def _check_results(points: tuple[Points, ...]) -> None:
    if len({group.result for group in points}) != len(points):
        raise ValueError("every result may have only one group of points")
