"""How far apart neighbouring rungs are: `python -m benchmarks.ladder_pairs --out FOLDER`.

Each rung plays the next one. The ratings that follow are written to the ladder's file, and the gap
of each pair with its 95 % interval to `docs/ladders/LADDER-pairs.csv`. FOLDER keeps the games, so
that an interrupted run can continue and only pairs whose settings changed are played again. After
a change of `perfect`, `--perfect-again` repeats its games. With `--since RUNG` only the pairs from
this rung on play: it keeps its rating, and what is known of the others is kept.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import pvariance
from typing import Any

from rich.console import Console
from rich.progress import track

from benchmarks.kept_games import lines_in, played
from engine.core.game import Game
from engine.core.registry import game_called, package_of
from engine.strength.elo import SCALE, Z_95, difference
from engine.strength.ladder import (
    MEDIUM,
    Ladder,
    Rung,
    ladder_file,
    ladder_lines,
    ladder_of,
    size_class,
)
from engine.strength.ladder_file import csv_lines
from engine.strength.perfect import Perfect
from engine.strength.tournament import Pairing, Played, pairings, play, standings

GAMES = ("connect4:6x7", "connect4:5x4", "connect4:8x8", "gato:4x4", "boom:7x7")
PAGES = Path(__file__).parents[1] / "docs" / "ladders"
OTHER_COMMANDS = (
    "# Agents that are not rungs",
    "# python -m benchmarks.seeds",
    "# python -m benchmarks.head_start",
)
"""The beginnings of the lines in a ladder's file that this measurement leaves unchanged."""
EARLIER_COMMANDS = ("# Rungs above", "# python -m engine tournament")
"""The beginnings of those about rungs that were measured before, and do not play now."""
SINCE = " --since "
PERFECT = "perfect"
SLACK = 30.0
"""Elo points by which a gap may differ from the ladder's mean gap, apart from its uncertainty."""


@dataclass(frozen=True, slots=True)
class Gap:
    """How much stronger a rung is than the one below it."""

    lower: str
    upper: str
    games: int
    score: float
    """Points per game of the upper one."""
    elo: float
    error: float
    """Half the width of the 95 % interval of `elo`."""

    def is_even(self, mean: float) -> bool:
        """Whether the gap differs from the ladder's mean gap by no more than is allowed."""
        return abs(self.elo - mean) <= SLACK + self.error


def gap_between(lower: str, upper: str, points: Sequence[float]) -> Gap:
    """The gap of a pair by the upper one's points in each game.

    Half a point is added for each side, so that the gap is finite. The interval is that of a mean
    of independent games, whose results vary less where many are drawn.
    """
    games = len(points)
    score = (sum(points) + 0.5) / (games + 1)
    slope = SCALE / (score * (1 - score))
    error = Z_95 * slope * math.sqrt(pvariance(points, score) / games)
    return Gap(lower, upper, games, score, difference(score), error)


def settings_of(pair: Sequence[Rung]) -> str:
    """The settings of a pair of rungs, by which games against earlier rungs are recognised."""
    return " ".join(repr(replace(rung.agent, name="")) for rung in pair)  # type: ignore[type-var]


def plan(game: Game, options: argparse.Namespace) -> Iterator[tuple[Pairing, str]]:
    """The games of every pair of neighbours, with the settings of the two."""
    ladder = ladder_of(game)
    last = ladder.rungs.index(ladder.named(options.upto))
    first = ladder.rungs.index(ladder.named(options.since)) if options.since else 0
    for pair in pairwise(ladder.rungs[first : last + 1]):
        number = options.perfect if isinstance(pair[1].agent, Perfect) else options.games
        names = [rung.name for rung in pair]
        for pairing in pairings(game, names, number, options.seed, judged=True):
            yield pairing, settings_of(pair)


def known_games(file: Path) -> dict[tuple[str, str], Played]:
    """The games in a file, by the seed and the settings of the two rungs."""
    found: dict[tuple[str, str], Played] = {}
    for cells in lines_in(file):
        pairing = Pairing(**cells["played"]["pairing"])
        pairs = {name: tuple(cells["played"][name]) for name in ("moves", "nodes", "seconds")}
        first, second = cells["played"]["losses"]
        pairs["losses"] = (tuple(first), tuple(second))
        one = Played(pairing, cells["played"]["winner"], **pairs)
        found[pairing.seed, cells["settings"]] = one
    return found


def collect(game: Game, options: argparse.Namespace) -> list[Played]:
    """All games of a ladder: those in its file, and the others, which are played and appended."""
    options.out.mkdir(parents=True, exist_ok=True)
    file: Path = options.out / f"{size_class(game)}.jsonl"
    known, wanted = known_games(file), list(plan(game, options))
    if options.so_far:
        return [
            known[key] for pairing, settings in wanted if (key := (pairing.seed, settings)) in known
        ]
    missing = [
        (pairing, settings)
        for pairing, settings in wanted
        if (pairing.seed, settings) not in known
        or (options.perfect_again and "Perfect" in settings)
    ]
    # All pairs progress alike, so that an interrupted run has games of each.
    missing.sort(key=lambda one: _number(one[0]))
    results = played(_play, missing, file, options.processes, _cells)
    console, name = Console(stderr=True), size_class(game)
    for (pairing, settings), one in track(results, name, total=len(missing), console=console):
        known[pairing.seed, settings] = one
    return [known[pairing.seed, settings] for pairing, settings in wanted]


def _play(wanted: tuple[Pairing, str]) -> Played:
    return play(wanted[0])


def _cells(wanted: tuple[Pairing, str], one: Played) -> dict[str, Any]:
    return {"settings": wanted[1], "played": asdict(one)}


def _number(pairing: Pairing) -> int:
    """The number of a game among those of its pair with the same start."""
    return int(pairing.start.rpartition(" ")[2])


def gaps_of(ladder: Ladder, found: Sequence[Played]) -> list[Gap]:
    """The gap of every pair of neighbours."""
    points: dict[tuple[str, str], list[float]] = {}
    for one in found:
        for name, scored in zip((one.pairing.first, one.pairing.second), one.points(), strict=True):
            other = one.pairing.second if name == one.pairing.first else one.pairing.first
            points.setdefault((other, name), []).append(scored)
    pairs = pairwise(rung.name for rung in ladder.rungs)
    return [gap_between(*pair, points[pair]) for pair in pairs if pair in points]


def pages_lines(gaps: Sequence[Gap], mean: float, commands: Sequence[str]) -> Iterator[str]:
    """The lines of the file of gaps."""
    yield "# Neighbouring rungs"
    yield from (f"# {command}" for command in commands)
    yield f"# The mean gap is {mean:.0f} points; `even` says whether a gap is within {SLACK:.0f}"
    yield "# points of it, plus its own uncertainty."
    yield "lower,upper,games,upper scores,gap,±,even"
    for gap in gaps:
        even = "yes" if gap.is_even(mean) else "no"
        cells = (f"{100 * gap.score:.1f} %", f"{gap.elo:.0f}", f"{gap.error:.0f}", even)
        yield ",".join((gap.lower, gap.upper, str(gap.games), *cells))


def earlier(page: Path, since: str) -> tuple[list[str], list[Gap]]:
    """The commands of an earlier measurement of the rungs up to `since`, and their gaps."""
    lines = page.read_text("utf-8").splitlines()
    commands = [
        line[2:]
        for line in lines
        if line.startswith("# python") and not line.endswith(f"{SINCE}{since}")
    ]
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    gaps: list[Gap] = []
    for row in rows:
        if row["lower"] == since:
            break
        score = float(row["upper scores"].rstrip(" %")) / 100
        elo, error = float(row["gap"]), float(row["±"])
        gaps.append(Gap(row["lower"], row["upper"], int(row["games"]), score, elo, error))
    return commands, gaps


def measure(game: Game, options: argparse.Namespace) -> None:
    """Play the games of one ladder, and print or write both files."""
    found, ladder = collect(game, options), ladder_of(game)
    page, since = PAGES / f"{size_class(game)}-pairs.csv", options.since
    commands, before = earlier(page, since) if since else ([], [])
    gaps = [*before, *gaps_of(ladder, found)]
    mean = sum(gap.elo for gap in gaps) / len(gaps)
    command = f"python -m benchmarks.ladder_pairs {game.key}:{game.variant}"
    command += f" --out FOLDER --games {options.games} --perfect {options.perfect}"
    command += f" --seed {options.seed}"
    command += "" if options.upto == PERFECT else f" --upto {options.upto}"
    command += f"{SINCE}{since}" if since else ""
    named = {name for one in found for name in (one.pairing.first, one.pairing.second)}
    table = standings(found, [rung.name for rung in ladder.rungs if rung.name in named])
    head, number, *rungs = csv_lines(ladder, table, found, command, since or MEDIUM)
    # Agents that are not rungs, and the advantage of moving first, are measured by other commands.
    known = ladder_lines(game)
    agents = [line for line in known if line.startswith(",")]
    others = [line for line in known if line.startswith(OTHER_COMMANDS)]
    above = [line for line in known if line.startswith(EARLIER_COMMANDS) or SINCE in line]
    if since:
        head, number, above = known[0], known[1], [f"# Rungs above {since}:", head]
    elif options.upto == PERFECT:
        above = []
    lines = [head, number, *above, *others, *rungs, *agents]
    pages = list(pages_lines(gaps, mean, [*commands, command]))
    print("\n".join((*pages, "")), flush=True)
    if options.write:
        path = ladder_file(package_of(game), size_class(game))
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        page.write_text("\n".join(pages) + "\n", "utf-8")


def main() -> None:
    """Measure the named ladders."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder_pairs", description=__doc__)
    parser.add_argument("boards", nargs="*", default=GAMES, help="such as boom:7x7")
    parser.add_argument("--out", type=Path, required=True, help="where games are kept")
    parser.add_argument("--upto", default=PERFECT, help="the strongest rung that plays")
    parser.add_argument(
        "--since", default="", help="the weakest that plays, which keeps its rating"
    )
    parser.add_argument("--games", type=int, default=1500, help="of each pair, an even number")
    parser.add_argument("--perfect", type=int, default=400, help="the same against `perfect`")
    parser.add_argument("--so-far", action="store_true", help="play none, use those in FOLDER")
    parser.add_argument("--perfect-again", action="store_true", help="repeat games of `perfect`")
    parser.add_argument("--write", action="store_true", help="write the ladder's files")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    for board in options.boards:
        measure(game_called(board), options)


if __name__ == "__main__":
    main()
