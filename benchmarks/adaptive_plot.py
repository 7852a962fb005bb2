"""The plot of the adaptive benchmark: how even the games of each type were, by its strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks.adaptive_glicko import Numbers

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
        """Its mean score per game."""


def plot(
    file: Path,
    lines: Mapping[str, Sequence[Point]],
    scores: Mapping[str, Numbers],
    elos: Sequence[float],
) -> None:
    """Save a plot in two halves: scores by strength, and distances by the number of the game.

    Left, a mark for each type and rule: strength on the x axis, the mean score of games 11 to 30 on
    the y axis. Right, the distance from an even game, averaged over types; the band holds the
    middle half of them.
    """
    figure = Figure(figsize=(11, 4.5), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    left.axhspan(0.4, 0.6, color="#0072B2", alpha=0.08)
    left.axhline(0.5, color="#888888", linewidth=0.8)
    left.axvspan(elos[0], elos[-1], color="#888888", alpha=0.06)
    for rule, (marker, colour) in MARKS.items():
        points = lines[rule]
        across, up = [p.elo for p in points], [p.score for p in points]
        left.scatter(across, up, marker=marker, color=colour, label=rule, s=28)
        # The mean over careers, then over types: how uneven the n-th game is.
        far = np.abs(scores[rule].mean(axis=1) - 0.5)
        games = np.arange(1, far.shape[1] + 1)
        right.plot(games, far.mean(axis=0), color=colour, label=rule)
        low, high = np.quantile(far, (0.25, 0.75), axis=0)
        right.fill_between(games, low, high, color=colour, alpha=0.15, linewidth=0)
    left.set(xlabel="strength, Elo", ylabel="points a game, games 11 to 30", ylim=(0, 1))
    left.legend(loc="upper left")
    right.set(xlabel="game", ylabel="distance from an even game", ylim=(0, 0.5))
    right.legend(loc="upper right")
    figure.savefig(file)
