"""The content of cards, as plain values: statistics, lists, reports and small boards.

Every word is already in the reader's language; drawings add none of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from engine.core.game import Cell, Drawing, Square


class Result(StrEnum):
    """How a game ended for the person a picture is about."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Figure:
    """A labelled number, such as `Moves` and `23`."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Face:
    """A member's initial on a calm colour."""

    name: str
    key: int
    """A number of the member, such as their id; it chooses the colour."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Won, drawn and lost games, with a text for each.

    Raises:
        ValueError: when a number is below 0.
    """

    counts: tuple[int, int, int]
    texts: tuple[str, str, str]
    """Such as `34 wins`, in the order of the counts."""

    def __post_init__(self) -> None:
        if min(self.counts) < 0:
            raise ValueError(f"{self.counts} are no numbers of games")


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a rating from game to game.

    Raises:
        ValueError: when there is no value, when one is not finite, or when there are more
            placement games than values.
    """

    values: tuple[float, ...]
    """The value after every game, from the oldest to the newest."""
    placement: int
    """How many of the first values are those of placement games."""
    labels: tuple[str, str]
    """The names of the placement games and of those after them."""
    summary: str
    """The course in a sentence, for the alternative text."""

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("a course needs a value")
        if not all(isfinite(value) for value in self.values):
            raise ValueError("the values of a course must be finite")
        if not 0 <= self.placement <= len(self.values):
            raise ValueError(f"{self.placement} of {len(self.values)} games cannot be placement")


@dataclass(frozen=True, slots=True)
class StatisticsScene:
    """A player's statistics: a face, one large number, one chart, and the results as one bar."""

    face: Face
    title: str
    subtitle: str
    number: Figure
    """The large number, such as the rating."""
    tally: Tally
    footer: str
    rank: Figure | None = None
    change: int | None = None
    """The latest change of the large number; None for no change to show."""
    change_text: str = ""
    """The change in words, without its sign, such as `27 this week`."""
    course: Course | None = None
    progress: tuple[int, int] | None = None
    """Before there is a rating: placement games that were played, and how many there are."""
    note: str = ""
    """A sentence in place of the chart; may be empty."""


@dataclass(frozen=True, slots=True)
class Leader:
    """A row of a leaderboard."""

    rank: int
    face: Face
    name: str
    number: str
    change: int | None = None
    """The latest change of the number; None for no change to show."""
    is_reader: bool = False
    """Whether this is the row of the person who asked."""


@dataclass(frozen=True, slots=True)
class LeadersScene:
    """A leaderboard: rows of players, and below them that of the person who asked.

    Raises:
        ValueError: when there are no rows.
    """

    title: str
    subtitle: str
    rows: tuple[Leader, ...]
    own: Leader | None = None
    """The row of the person who asked, if it is not among the others."""

    def __post_init__(self) -> None:
        if not self.rows:
            raise ValueError("a leaderboard needs a player")


@dataclass(frozen=True, slots=True)
class SmallBoard:
    """A position in a small picture, without names and labels.

    Raises:
        ValueError: when the rows differ in length.
    """

    drawing: Drawing
    cells: tuple[tuple[Cell, ...], ...]
    """The rows from top to bottom, each from left to right."""
    line: frozenset[Square] = frozenset()
    """The squares of a winning line."""
    last: frozenset[Square] = frozenset()
    """The squares of the last turn."""
    hint: frozenset[Square] = frozenset()
    """The squares of a suggested move."""
    at_risk: frozenset[Square] = frozenset()
    """The squares that a bomb would empty."""
    removed: frozenset[Square] = frozenset()
    """The squares that an explosion is emptying."""

    def __post_init__(self) -> None:
        if len({len(row) for row in self.cells}) != 1:
            raise ValueError("every row of a board must have the same number of cells")


@dataclass(frozen=True, slots=True)
class PastGameRow:
    """A row of a history."""

    result: Result | None
    """None for a game without a result of the person."""
    title: str
    """Such as `You beat Bea`."""
    details: str
    board: SmallBoard | None = None
    """The last position, if it can be shown."""
    change: int | None = None
    """The change of the rating; None for none."""
    remark: str = ""
    """Shown instead of a change, such as `not rated`."""
    number: str = ""
    """The game's number in the list; may be empty."""


@dataclass(frozen=True, slots=True)
class HistoryScene:
    """A page of a person's past games.

    Raises:
        ValueError: when there are no rows.
    """

    title: str
    subtitle: str
    rows: tuple[PastGameRow, ...]

    def __post_init__(self) -> None:
        if not self.rows:
            raise ValueError("a page of a history needs a game")


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """An agent of a league.

    Raises:
        ValueError: when a share is not from 0 to 1, or not within its bounds.
    """

    name: str
    results: str
    """Wins, draws and losses, such as `38-3-1`."""
    share: float
    """The share of games won, from 0 to 1."""
    bounds: tuple[float, float]
    """Between which the true share probably lies."""
    text: str
    """The share in words, such as `94 %`."""

    def __post_init__(self) -> None:
        low, high = self.bounds
        if not 0 <= low <= self.share <= high <= 1:
            raise ValueError(f"{self.share} is no share between {low} and {high}")


@dataclass(frozen=True, slots=True)
class LeagueScene:
    """A page of the league of agents.

    Raises:
        ValueError: when there are no rows.
    """

    title: str
    subtitle: str
    headers: tuple[str, str, str]
    """The names of the columns: the agent, its results, and the share of games won."""
    rows: tuple[LeagueRow, ...]
    legend: str
    """What the line at the end of a bar means."""
    first: int = 1
    """The place of the first row."""

    def __post_init__(self) -> None:
        if not self.rows:
            raise ValueError("a league needs an agent")


@dataclass(frozen=True, slots=True)
class LevelResults:
    """The results against one level.

    Raises:
        ValueError: when a number is below 0, or when there is no game.
    """

    name: str
    counts: tuple[int, int, int]
    """Games won, drawn and lost; one game at least."""
    text: str
    """The share of games won in words, such as `57 %`."""

    def __post_init__(self) -> None:
        if min(self.counts) < 0 or not sum(self.counts):
            raise ValueError(f"{self.counts} are no results")


@dataclass(frozen=True, slots=True)
class ReportScene:
    """A report of many games: one large number, and the results against each level as a bar.

    Raises:
        ValueError: when there are no levels.
    """

    title: str
    subtitle: str
    number: Figure
    """The share of all games that was won."""
    levels: tuple[LevelResults, ...]
    """From the weakest level to the strongest."""
    tally: Tally
    footer: str
    face: Face | None = None
    """The person whose games they are; None for a server."""

    def __post_init__(self) -> None:
        if not self.levels:
            raise ValueError("a report needs a level")


@dataclass(frozen=True, slots=True)
class PairScene:
    """Two boards side by side with what could have been and what was played."""

    title: str
    boards: tuple[SmallBoard, SmallBoard]
    captions: tuple[str, str]
    """Such as `You could` and `You played`."""
    details: tuple[str, str]
    """Below each board, such as `column 1`."""


@dataclass(frozen=True, slots=True)
class PanelsScene:
    """Three small boards without words: steps of an example, or one example of each kind."""

    boards: tuple[SmallBoard, SmallBoard, SmallBoard]
    numbered: bool = False
    """Whether they are steps, which are numbered."""
    alt_text: str = ""
    """The alternative text."""


CardScene = (
    StatisticsScene
    | LeadersScene
    | HistoryScene
    | LeagueScene
    | ReportScene
    | PairScene
    | PanelsScene
)
"""The content of any card."""
