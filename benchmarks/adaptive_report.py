"""The tables of the adaptive benchmark, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.adaptive_draws import Drawn
from benchmarks.adaptive_glicko import Numbers
from benchmarks.adaptive_types import IMPROVES_AFTER, PlayerType

SETTLED = slice(10, 30)
"""The games that are judged: 11 to 30."""
EVEN, FAIR = 0.5, 0.1
"""The score of an even game, and how far a type's mean may be from it to count as fair."""
CLOSE = 100.0
"""An opponent within this many Elo points of a player fits."""
THROWS, AT_ONCE = "throws games", "improves at once"


@dataclass(frozen=True, slots=True)
class Line:
    """How one type fared under one rule."""

    player: PlayerType
    elo: float
    score: float
    """Mean score over games 11 to 30."""

    @property
    def distance(self) -> float:
        """How far the score is from that of an even game."""
        return abs(self.score - EVEN)


def lines_of(
    players: Sequence[PlayerType], strengths: Mapping[str, float], scores: Numbers
) -> list[Line]:
    """A line for each type; `scores` are indexed by type, career and game.

    A player who improves counts as strong as the better style, which plays most of these games.
    """
    means = scores[:, :, SETTLED].mean(axis=(1, 2))
    return [
        Line(player, strengths[player.styles[player.kind.startswith("improves")]], float(mean))
        for player, mean in zip(players, means, strict=True)
    ]


def counted(lines: Sequence[Line]) -> list[Line]:
    """All but those who lose on purpose, for whom an even game means nothing."""
    return [line for line in lines if line.player.kind != THROWS]


def summary(lines: Mapping[str, Sequence[Line]], elos: Sequence[float]) -> str:
    """A row for each rule, then the types beyond the ladder."""
    rows = [
        "| rule | mean distance from 0.5 | within 0.40..0.60 | the same on the ladder "
        "| mean score | who loses on purpose: distance |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for rule, every in lines.items():
        found = counted(every)
        inside = [line for line in found if elos[0] <= line.elo <= elos[-1]]
        losing = [line.distance for line in every if line.player.kind == THROWS]
        cells = (
            f"{np.mean([line.distance for line in found]):.3f}",
            f"{100 * np.mean([line.distance <= FAIR for line in found]):.0f} %",
            f"{100 * np.mean([line.distance <= FAIR for line in inside]):.0f} %",
            f"{np.mean([line.score for line in found]):.3f}",
            f"{np.mean(losing):.3f}",
        )
        rows.append(f"| {rule} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def outside(lines: Sequence[Line], elos: Sequence[float]) -> str:
    """The types beyond the ends of the ladder, and those on it whose games were not fair."""
    found = counted(lines)

    def listed(chosen: Sequence[Line]) -> str:
        parts = [f"{x.player.name} ({x.elo:.0f} Elo: {x.score:.2f})" for x in chosen]
        return ", ".join(parts) or "nobody"

    weak = [line for line in found if line.elo < elos[0]]
    strong = [line for line in found if line.elo > elos[-1]]
    inside = [line for line in found if elos[0] <= line.elo <= elos[-1] and line.distance > FAIR]
    return (
        f"Weaker than the lowest rung: {listed(weak)}. "
        f"Stronger than the highest: {listed(strong)}. "
        f"On the ladder, but not within 0.40..0.60: {listed(inside)}.\n"
    )


def by_kind(lines: Mapping[str, Sequence[Line]], of: str) -> str:
    """The mean distance of each kind of player under each rule."""
    kinds = dict.fromkeys(line.player.kind for line in lines[of])
    rows = [
        f"| kind | types | Elo | {' | '.join(lines)} |",
        "| --- | ---: | ---: |" + " ---: |" * len(lines),
    ]
    for kind in kinds:
        chosen = [[line for line in found if line.player.kind == kind] for found in lines.values()]
        elos = [line.elo for line in chosen[0]]
        means = " | ".join(f"{np.mean([x.distance for x in own]):.3f}" for own in chosen)
        rows.append(f"| {kind} | {len(elos)} | {min(elos):.0f}..{max(elos):.0f} | {means} |")
    return "\n".join(rows) + "\n"


def games_until_met(drawn: Drawn, at: int, elo: float) -> tuple[int | None, int | None]:
    """How many games it takes until a player who improved at once gets even games again.

    First by the mean score being fair again, then by the mean opponent being within CLOSE of the
    new strength; None for never. 1 is the first game in the better style.
    """
    later = slice(IMPROVES_AFTER, None)
    even = np.abs(drawn.scores[at, :, later].mean(axis=0) - EVEN) <= FAIR
    near = np.abs(drawn.elos[at, :, later].mean(axis=0) - elo) <= CLOSE
    return _first(even.tolist()), _first(near.tolist())


def _first(true: Sequence[bool]) -> int | None:
    return next((number for number, one in enumerate(true, 1) if one), None)


def improving(players: Sequence[PlayerType], strengths: Mapping[str, float], drawn: Drawn) -> str:
    """Scores of players who improve at once, by fives, and when their games are even again."""
    rows = [
        "| who improves after game 15 | Elo | 11-15 | 16-20 | 21-25 | 26-30 | met again, score "
        "| met again, rung |",
        "| --- |" + " ---: |" * 7,
    ]
    for at, player in enumerate(players):
        if player.kind != AT_ONCE:
            continue
        weak, strong = (strengths[style] for style in player.styles)
        means = [f"{drawn.scores[at, :, n : n + 5].mean():.2f}" for n in (10, 15, 20, 25)]
        met = [str(number or "never") for number in games_until_met(drawn, at, strong)]
        cells = " | ".join([f"{weak:.0f} → {strong:.0f}", *means, *met])
        rows.append(f"| {player.name} | {cells} |")
    return "\n".join(rows) + "\n"
