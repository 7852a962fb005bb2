"""What a report of many games shows, as plain values.

Every word is already in the reader's language. Charts write whole numbers only, which look the
same in every language; a title says what they count, such as `Games won by level (%)`.
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
    """Percentages from 0 to 100; None where there is nothing to take a share of."""


@dataclass(frozen=True, slots=True)
class BarsScene:
    """Percentages by group, side by side.

    Raises:
        ValueError: when there are more than two series, when one has not a value for every group,
            or when a value is no percentage.
    """

    title: str
    groups: tuple[str, ...]
    """The names of the groups, in order."""
    series: tuple[Series, ...]
    """What is compared; the person's quantity first, then the engine's."""

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
        """Whether there is no value at all."""
        return all(value is None for series in self.series for value in series.values)


@dataclass(frozen=True, slots=True)
class Points:
    """The games that ended in one way, each as a place in a chart."""

    label: str
    result: Result
    """How these games ended; decides their mark and colour."""
    places: tuple[tuple[int, float], ...]
    """Across and up; what the two mean is the chart's to say."""


@dataclass(frozen=True, slots=True)
class LinesScene:
    """Percentages over the games in the order in which they were played.

    Raises:
        ValueError: when two lines stand for the same result, when the numbers of a line's games do
            not rise from 1 on, or when a value is no percentage.
    """

    title: str
    axis: str
    """What the numbers along the bottom count, such as `game`; may be empty."""
    lines: tuple[Points, ...]
    """A place is the number of a game, from 1, and its percentage."""

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
        """Whether there is no game at all."""
        return not any(line.places for line in self.lines)


@dataclass(frozen=True, slots=True)
class ScatterScene:
    """A quantity of every game, such as its moves, by group.

    Raises:
        ValueError: when two clouds stand for the same result, or when a place names no group or
            holds a quantity below 0.
    """

    title: str
    groups: tuple[str, ...]
    """The names of the groups, from the left."""
    clouds: tuple[Points, ...]
    """A place is the index of a group, from 0, and the quantity."""

    def __post_init__(self) -> None:
        _check_results(self.clouds)
        for cloud in self.clouds:
            for group, value in cloud.places:
                if not 0 <= group < len(self.groups):
                    raise ValueError(f"there is no group {group}")
                if not 0 <= value < float("inf"):
                    raise ValueError(f"{value} is no quantity")

    @property
    def empty(self) -> bool:
        """Whether there is no game at all."""
        return not any(cloud.places for cloud in self.clouds)


@dataclass(frozen=True, slots=True)
class ReportScene:
    """A report of many games: a table and three charts.

    What has no data is left out of the picture, with its title; `note` can say why.
    """

    title: str
    subtitle: str
    table: Table
    """A row for every level, with its name first; it is drawn with the levels side by side."""
    bars: BarsScene
    lines: LinesScene
    scatter: ScatterScene
    footer: str = ""
    note: str = ""
    """A sentence or two that stands out below the title, such as `no games yet`; may be empty."""


def _check_percentage(value: float) -> None:
    if not 0 <= value <= 100:
        raise ValueError(f"{value} is no percentage")


def _check_results(points: tuple[Points, ...]) -> None:
    if len({group.result for group in points}) != len(points):
        raise ValueError("every result may be told by one group of points only")
