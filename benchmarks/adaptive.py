"""Does `auto` give players even games? `python -m benchmarks.adaptive --out FOLDER`.

Simulated players, none of them a rung, play real games against every rung of 6x7. Careers of thirty
games are then drawn from those games, under the first seed's rule and under the bot's. FOLDER keeps
the games, so that an interrupted run can go on.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from random import Random
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.adaptive_careers import (
    FiveGames,
    Outcomes,
    draw_career,
    draw_together,
)
from benchmarks.adaptive_draws import draw, table_of
from benchmarks.adaptive_games import GAME, Outcome, by_pair, collect, plan, strength
from benchmarks.adaptive_glicko import Numbers, Tuning
from benchmarks.adaptive_plot import plot
from benchmarks.adaptive_real import real_careers
from benchmarks.adaptive_report import (
    EVEN,
    SETTLED,
    by_kind,
    improving,
    lines_of,
    outside,
    summary,
)
from benchmarks.adaptive_types import player_types, styles
from engine.ladder import ladder_of

TOGETHER, ALONE = "seed, all together", "seed, each alone"
RULES: Mapping[str, Tuning | None] = {
    TOGETHER: None,
    ALONE: None,
    "auto, results only": Tuning(evidence=False),
    "auto": Tuning(),
}
"""The rules compared, with the settings of the bot's own ones."""


def main() -> None:
    """Play, draw, print and plot."""
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    began = perf_counter()
    outcomes = _games(options)
    played = perf_counter()
    ladder, players = ladder_of(GAME), player_types()
    elos = [rung.elo for rung in ladder.rungs]
    strengths = _strengths(outcomes)
    table = table_of(ladder, outcomes)
    drawn = {
        rule: draw(players, ladder, table, options.careers, options.seed, tuning)
        for rule, tuning in RULES.items()
        if tuning is not None
    }
    scores = {
        rule: drawn[rule].scores if rule in drawn else _under_the_seed(rule, outcomes, options)
        for rule in RULES
    }
    lines = {rule: lines_of(players, strengths, scores[rule]) for rule in RULES}
    games = sum(map(len, outcomes.values()))
    print(f"{len(players)} types, {games} real games in {played - began:.0f} s (some may be")
    print(f"from an earlier run), careers drawn in {perf_counter() - played:.0f} s\n")
    print(summary(lines, elos))
    print(outside(lines["auto"], elos))
    print(by_kind(lines, "auto"))
    print(improving(players, strengths, drawn["auto"]))
    if options.real:
        print(_confirm(drawn["auto"].scores, options))
    plot(options.out / "adaptive.png", lines, scores, elos)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adaptive", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where games and plot are kept")
    parser.add_argument("--games", type=int, default=16, help="of a style against a near rung")
    parser.add_argument("--probes", type=int, default=4, help="of a style against any rung")
    parser.add_argument("--careers", type=int, default=200, help="of each type under each rule")
    parser.add_argument("--real", type=int, default=0, help="whole careers with real games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def _games(options: argparse.Namespace) -> Outcomes:
    """Probe everybody against every rung, then play more games where the result is open."""
    file: Path = options.out / "games.jsonl"
    known: Mapping[str, float] = {}
    found: list[Outcome] = []
    for _ in range(2):
        wanted = plan(options.seed, options.games, options.probes, known)
        done = collect(wanted, file, options.processes)
        found = list(track(done, "games", total=len(wanted), console=Console(stderr=True)))
        known = _strengths(by_pair(found))
    return by_pair(found)


def _strengths(outcomes: Outcomes) -> dict[str, float]:
    rungs = ladder_of(GAME).rungs
    elos, first = [rung.elo for rung in rungs], rungs[0].number
    own: dict[str, list[Outcome]] = {style: [] for style in styles()}
    for (style, _), ones in outcomes.items():
        own[style] += ones
    return {style: strength(ones, elos, first) for style, ones in own.items()}


def _under_the_seed(rule: str, outcomes: Outcomes, options: argparse.Namespace) -> Numbers:
    """The scores of careers under one of the seed's rules, by type, career and game."""
    ladder, rng, players = ladder_of(GAME), Random(f"{options.seed} {rule}"), player_types()
    found = []
    for _ in track(range(options.careers), rule, console=Console(stderr=True)):
        if rule == TOGETHER:
            careers = draw_together(players, ladder, outcomes, rng)
        else:
            careers = [draw_career(p, FiveGames(ladder), outcomes, rng) for p in players]
        found.append([career.scores for career in careers])
    return np.array(found).swapaxes(0, 1)


def _confirm(drawn: Numbers, options: argparse.Namespace) -> str:
    """Compare whole careers of real games with drawn ones of the same types.

    The mean of a single career varies by chance, so single real careers are compared with single
    drawn ones.
    """
    at, real = real_careers(options.real, options.seed, options.processes)
    own, single = real[:, SETTLED].mean(axis=1), drawn[at][:, :, SETTLED].mean(axis=2)
    return (
        f"{len(at)} whole careers with real games: mean score {own.mean():.3f} over games 11 to "
        f"30 (drawn careers of the same types: {single.mean():.3f}); mean distance of a single "
        f"career from 0.5 {np.abs(own - EVEN).mean():.3f} (drawn: "
        f"{np.abs(single - EVEN).mean():.3f}).\n"
    )


if __name__ == "__main__":
    main()
