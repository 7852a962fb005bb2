"""The claims of five documents, with the figures that they print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from engine.strength.elo import Z_95


@dataclass(frozen=True, slots=True)
class Line:
    """A measured figure of a claim."""

    what: str
    measured: str
    interval: str = ""
    """The 95 % interval, or half of it after `±`; empty for counts, which have none."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of a document."""

    row: int
    document: str
    claim: str
    printed: str
    """The figures of the document; empty if it has none."""


CLAIMS = tuple(
    Claim(*fields)
    for fields in (
        (1, "adaptive", "the program wins most games at each level", "80, 85, 95 %"),
        (2, "adaptive", "people ask for more help at higher levels", "20, 35, 50 % of moves"),
        (
            3,
            "adaptive",
            "nodes and time grow with the level",
            "224, 17,292, 63,743 nodes per game; 0.09, 3.7, 16.1 s per move",
        ),
        (4, "adaptive", "games at level 1 are shorter", "6 to 15 moves; 28, 88, 205 s"),
        (5, "adaptive", "the rule of five games adapts to the player", "wins: 4 up, 1 down"),
        (6, "tuples", "the agent with the deeper search wins more", ""),
        (7, "tuples", "response time grows with depth", ""),
        (
            8,
            "tuples",
            "equal columns, from 7 to 1",
            "50, 25, 12.5, 6.25, 3.125, 1.5625, 1.5625 %",
        ),
        (9, "tuples", "the agent gives up when every move loses", ""),
        (10, "Gato", "it blocks, wins if it can, and never loses", ""),
        (11, "Gato", "five plies are fast enough to play", ""),
        (12, "Gato", "two programs can be watched at half a second a move", "0.5 s"),
        (13, "greedy", "nodes of a full tree of height 4", "2,402"),
        (14, "greedy", "column 3 after 4 4 5, and its value", "-96000002.80000001"),
        (15, "greedy", "it can compete with people", ""),
        (16, "BOOM", "alpha-beta prunes what minimax visits", ""),
        (17, "BOOM", "each term of the evaluation guides play", "1 2 3 4 3 2 1, 10, 100, 9999"),
    )
)


def of_scores(what: str, scores: Sequence[float]) -> Line:
    """A mean of scores in per cent; for a share (no draws), the interval of Wilson 1927."""
    interval = _half(scores, 100) if 0.5 in scores else _wilson(sum(scores), len(scores))
    return Line(f"{what}, {len(scores):,}", f"{100 * fmean(scores):.1f} %", interval)


def of_mean(what: str, values: Iterable[float], digits: int = 1) -> Line:
    """A mean of any values; their number is said in the line."""
    known = list(values)
    if not known:
        return Line(f"{what}, 0", "none")
    return Line(f"{what}, {len(known):,}", f"{fmean(known):,.{digits}f}", _half(known, 1, digits))


def _half(values: Sequence[float], unit: float, digits: int = 1) -> str:
    if len(values) < 2:
        return ""
    return f"± {unit * Z_95 * stdev(values) / len(values) ** 0.5:,.{digits}f}"


def _wilson(count: float, of: int) -> str:
    share, z2 = count / of, Z_95**2
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = Z_95 * (share * (1 - share) / of + z2 / (4 * of * of)) ** 0.5 / (1 + z2 / of)
    return f"{100 * (middle - half):.1f} to {100 * (middle + half):.1f} %"


def even(number: float) -> int:
    """A number of games as an even whole number, at least two."""
    return max(2, 2 * round(number / 2))
