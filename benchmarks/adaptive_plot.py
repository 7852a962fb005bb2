"""The plot of the adaptive benchmark: how even the games of each type were, by its strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

MARKS = {
    "seed, all together": ("x", "#D55E00"),
    "seed, each alone": ("+", "#E69F00"),
    "auto": ("o", "#0072B2"),
}


class Point(Protocol):
    """One type under one rule."""

    @property
    def elo(self) -> float:
        """Its strength."""

    @property
    def score(self) -> float:
        """Its points a game."""


def plot(file: Path, lines: Mapping[str, Sequence[Point]], elos: Sequence[float]) -> None:
    """Save a plot: strength across, mean points of games 11 to 30 up, a mark a type and rule."""
    figure = Figure(figsize=(8, 4.5), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.axhspan(0.4, 0.6, color="#0072B2", alpha=0.08)
    axes.axhline(0.5, color="#888888", linewidth=0.8)
    axes.axvspan(elos[0], elos[-1], color="#888888", alpha=0.06)
    for rule, (marker, colour) in MARKS.items():
        points = lines[rule]
        axes.scatter(
            [p.elo for p in points],
            [p.score for p in points],
            marker=marker,
            color=colour,
            label=rule,
            s=28,
        )
    axes.set(xlabel="strength, Elo", ylabel="points a game, games 11 to 30", ylim=(0, 1))
    axes.legend(loc="upper left")
    figure.savefig(file)
