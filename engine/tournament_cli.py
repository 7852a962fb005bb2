"""The command that lets agents play each other, with its table."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine.game import Game
from engine.roster import agents_for
from engine.tournament import Played, Standing, pairings, play_all, standings

OK, BAD_INPUT = 0, 2


def add_tournament_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    game: Callable[[str], Game],
    whole_number: Callable[[str], int],
) -> None:
    """Add `tournament` to a program, with its readers for arguments."""
    parser = commands.add_parser("tournament", help="let agents play each other; prints Markdown")
    parser.add_argument("agents", help="their names, with commas between them")
    parser.add_argument("--game", help="which game (default: 6x7)", type=game, default=game("6x7"))
    parser.add_argument(
        "--games", help="games of each pair, an even number", type=whole_number, default=200
    )
    parser.add_argument("--seed", help="of openings and agents", type=whole_number, default=1)
    parser.add_argument(
        "--against", help="only the games of this agent against each other one", metavar="AGENT"
    )
    parser.add_argument("--processes", type=whole_number, default=os.cpu_count() or 1)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    game: Game = options.game
    names = [name for name in options.agents.split(",") if name]
    known = agents_for(game.key)
    unknown = [name for name in (*names, options.against or names[0]) if name not in known]
    if unknown or len(set(names)) < 2 or options.games < 2 or options.games % 2:
        print(
            f"python -m engine: tournament needs two or more of {', '.join(known)} and an even "
            f"number of games",
            file=sys.stderr,
        )
        return BAD_INPUT
    wanted = [
        pairing
        for pairing in pairings(game, names, options.games, options.seed)
        if options.against in (None, pairing.first, pairing.second)
    ]
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    played: list[Played] = []
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=len(wanted))
        for done in play_all(wanted, max(options.processes, 1)):
            played.append(done)
            progress.advance(task)
    print(markdown(standings(played, names)))
    return OK


def markdown(table: Sequence[Standing]) -> str:
    """A cross table: ratings, the score against each in per cent, and the effort a move."""
    heads = ["agent", "Elo", "±", "score", *(line.name for line in table), "nodes", "ms"]
    lines = [heads, ["---", *(["---:"] * (len(heads) - 1))]]
    for line in table:
        against = ["" if s is None or s != s else f"{100 * s:.1f}" for s in line.against]
        lines.append(
            [
                line.name,
                f"{line.elo:+.0f}",
                f"{line.error:.0f}",
                f"{100 * line.score:.1f} %",
                *against,
                f"{line.nodes:,.0f}",
                f"{1000 * line.seconds:.2f}",
            ]
        )
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
