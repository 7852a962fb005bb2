"""Does `auto` give people even games? `python -m benchmarks.adaptive --out FOLDER`.

Simulated players, which are not rungs, play real games against every rung on five boards. Careers
of thirty games are then drawn from those games, with opponents chosen by the bot's rule. FOLDER
keeps the games, so that an interrupted run can continue. With `--characters` they are players with
whom nothing was tuned, and others who improve with each game.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from statistics import fmean, stdev

from rich.console import Console
from rich.progress import track

from benchmarks.adaptive.calibration import calibrate
from benchmarks.adaptive.careers import Climber, climbers, draw_careers, table_of
from benchmarks.adaptive.characters import CHARACTERS, EXPERT
from benchmarks.adaptive.games import BOARDS, Outcome, Strength, collect, plan, strengths
from benchmarks.adaptive.measures import figures
from benchmarks.adaptive.people import STYLES, Kind, improving, kinds_of, steady_kinds
from benchmarks.adaptive.real import real_careers
from benchmarks.adaptive.report import by_board, by_kind
from engine.core.package import Population
from engine.core.registry import game_called
from engine.strength.ladder import ladder_of

IMPROVEMENT, TOLERANCE = 400.0, 60.0
"""Elo points by which an improving player improves, and the tolerance for its two styles."""


def main() -> None:
    """Play the games, draw careers from them, and print the tables."""
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    found: dict[str, dict[str, float]] = {}
    for board in options.boards:
        outcomes = _games(board, options)
        game = game_called(board)
        if options.calibrate:
            print(f"{board}: {calibrate(outcomes, ladder_of(game))}")
            continue
        ladder = ladder_of(game)
        known = strengths(outcomes, ladder)
        print(f"{board}: {population(known)}", flush=True)
        if options.characters:
            expert = Kind(EXPERT, (EXPERT, EXPERT), lambda _game: 0.0, is_human=False)
            kinds = (*kinds_of(CHARACTERS), *climbers(known), expert)
            known = {**known, EXPERT: Strength(ladder.rungs[-1].elo, 0.0)}
        else:
            kinds = (*steady_kinds(), *_improving(known))
        outcomes_by_seat, seed = table_of(outcomes), options.seed
        careers = draw_careers(kinds, game, outcomes_by_seat, options.careers, seed)
        found[board] = figures(careers, kinds, known)
        print(f"### {board}\n\n{len(outcomes)} real games.\n")
        print(by_kind(kinds, known, careers), flush=True)
        if options.real:
            names = [kind.name for kind in kinds if kind.is_human and not isinstance(kind, Climber)]
            chosen = [names[n % len(names)] for n in range(options.real)]
            real = real_careers(board, chosen, seed, options.processes)
            real_kinds = [kind for kind in kinds if kind.name in real]
            print(by_board({"whole careers": figures(real, real_kinds, known)}), flush=True)
    if found:
        print(by_board(found))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adaptive", description=__doc__)
    parser.add_argument("boards", nargs="*", default=BOARDS, help="such as boom:7x7")
    parser.add_argument("--out", type=Path, required=True, help="where games are kept")
    parser.add_argument("--games", type=int, default=24, help="of a style against a near rung")
    parser.add_argument("--probes", type=int, default=4, help="of a style against any rung")
    parser.add_argument("--careers", type=int, default=100, help="of each kind")
    parser.add_argument("--real", type=int, default=0, help="whole careers with real games")
    parser.add_argument("--characters", action="store_true", help="players of another kind")
    parser.add_argument("--calibrate", action="store_true", help="print the calibration only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def _games(board: str, options: argparse.Namespace) -> list[Outcome]:
    """Play a few games of every style and rung, then more against rungs near the style's rating."""
    kind = "-characters" if options.characters else ""
    styles = tuple(CHARACTERS if options.characters else STYLES)
    file: Path = options.out / f"{board.replace(':', '-')}{kind}.jsonl"
    known: dict[str, float] = {}
    found: list[Outcome] = []
    for _ in range(2):
        wanted = plan(board, styles, options.seed, options.games, options.probes, known)
        done = collect(wanted, file, options.processes)
        found = list(track(done, board, total=len(wanted), console=Console(stderr=True)))
        known = {
            style: own.elo for style, own in strengths(found, ladder_of(game_called(board))).items()
        }
    return sorted(found, key=lambda one: (one.style, one.rung, one.number))


def population(known: dict[str, Strength]) -> Population:
    """The mean and the deviation of the ratings of these players."""
    ratings = [one.elo for one in known.values()]
    return Population(round(fmean(ratings), -1), round(stdev(ratings), -1))


def _improving(known: dict[str, Strength]) -> list[Kind]:
    """Players who improve by about BETTER points, one for each style that has such a partner."""
    people = [kind.name for kind in steady_kinds() if kind.is_human and kind.name in STYLES]
    found = []
    for weak in people:
        strong = min(known, key=lambda s: abs(known[s].elo - known[weak].elo - IMPROVEMENT))
        if abs(known[strong].elo - known[weak].elo - IMPROVEMENT) <= TOLERANCE:
            found.append(improving(weak, strong))
    return found


if __name__ == "__main__":
    main()
