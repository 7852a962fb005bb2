"""The plot of the adaptive benchmark: how even the games of each kind are, on every board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks.adaptive.careers import GAMES, Career
from benchmarks.adaptive.measures import EVEN, FAIR, SETTLED, Strengths, mean_score
from benchmarks.adaptive.people import Kind

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
Drawn = tuple[Sequence[Kind], Strengths, Mapping[str, Sequence[Career]]]
"""The people of a board, how strong they are on it, and their careers."""


def plot(file: Path, boards: Mapping[str, Drawn]) -> None:
    """Save a plot in two halves.

    Left, a mark for each kind and board: strength across, the mean score of games 11 to 30 up.
    Right, a line for each board: the distance from an even game, by the number of the game.
    """
    figure = Figure(figsize=(11, 4.5), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    left.axhspan(EVEN - FAIR, EVEN + FAIR, color="#0072B2", alpha=0.08)
    left.axhline(EVEN, color="#888888", linewidth=0.8)
    for (board, (kinds, strengths, careers)), colour in zip(boards.items(), COLOURS, strict=False):
        people = [kind for kind in kinds if kind.is_human and not kind.improves]
        across = [strengths[kind.styles[1]].elo for kind in people]
        up = [mean_score(careers[kind.name], SETTLED) for kind in people]
        left.scatter(across, up, color=colour, label=board, s=24)
        far = [_distance(careers, people, number) for number in range(GAMES)]
        right.plot(range(1, GAMES + 1), far, color=colour, label=board)
    left.set(xlabel="strength, Elo", ylabel="points a game, games 11 to 30", ylim=(0, 1))
    left.legend(loc="upper left")
    right.set(xlabel="game", ylabel="distance from an even game", ylim=(0, 0.5))
    right.legend(loc="upper right")
    figure.savefig(file)


def _distance(careers: Mapping[str, Sequence[Career]], kinds: Sequence[Kind], number: int) -> float:
    """How uneven the game of a number is: the mean over kinds."""
    games = slice(number, number + 1)
    return fmean(abs(mean_score(careers[kind.name], games) - EVEN) for kind in kinds)
