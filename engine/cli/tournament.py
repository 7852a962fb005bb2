"""The command that runs a tournament of agents and prints its table."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine.cli.common import (
    OK,
    add_cluster_options,
    interruptible,
    parallel_map_of,
    refused,
)
from engine.core.game import Game
from engine.core.parallel import ParallelMap, in_processes
from engine.strength.ladder import ladder_lines, ladder_of, rung_name
from engine.strength.ladder_file import csv_lines, lines_with_losses
from engine.strength.roster import agents_for
from engine.strength.tournament import Pairing, Played, Standing, pairings, play_all, standings


def add_tournament_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    game: Callable[[str], Game],
    whole_number: Callable[[str], int],
) -> None:
    """Add `tournament` to a program, with its parsers for arguments."""
    parser = commands.add_parser("tournament", help="let agents play each other; prints Markdown")
    parser.add_argument(
        "agents", help="their names, with commas between them; `ladder` for all rungs of the game"
    )
    parser.add_argument("--game", help="which game (default: 6x7)", type=game, default=game("6x7"))
    parser.add_argument(
        "--games", help="games of each pair, an even number", type=whole_number, default=200
    )
    parser.add_argument(
        "--seed", help="of random first moves and agents", type=whole_number, default=1
    )
    parser.add_argument(
        "--against", help="only the games of this agent against each other one", metavar="AGENT"
    )
    parser.add_argument(
        "--near",
        help="only games between agents at most this many places apart in the list",
        type=whole_number,
        metavar="PLACES",
    )
    parser.add_argument(
        "--csv",
        help="judge moves as well, and print the file of the game's ladder with the new figures",
        action="store_true",
    )
    parser.add_argument(
        "--losses",
        help="judge moves, and print the file of the game's ladder with what they lose",
        action="store_true",
    )
    parser.add_argument("--processes", type=whole_number, default=os.cpu_count() or 1)
    add_cluster_options(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    game: Game = options.game
    names = _names(game, options.agents)
    asked = [*names, *([options.against] if options.against else [])]
    unknown = [name for name in asked if not _is_known(game, name)]
    if unknown or len(set(names)) < 2 or options.games < 2 or options.games % 2:
        known = ", ".join((*agents_for(game.key), rung_name(1), f"{rung_name(2)}..."))
        return refused(f"tournament needs two or more of {known} and an even number of games")
    judged = options.csv or options.losses
    wanted = [
        pairing
        for pairing in pairings(
            game, names, options.games, options.seed, near=options.near, judged=judged
        )
        if options.against in (None, pairing.first, pairing.second)
    ]
    try:
        with (
            interruptible(),
            parallel_map_of(options, in_processes(max(options.processes, 1))) as parallel,
        ):
            played = _with_progress(wanted, parallel)
    except OSError as error:
        return refused(error)
    table = standings(played, names)
    print(markdown(table))
    ladder, command = ladder_of(game), _command(options)
    if options.csv:
        print("\n".join(csv_lines(ladder, table, played, f"python -m engine {command} --csv")))
    if options.losses:
        lines = lines_with_losses(ladder_lines(game), ladder, played, f"{command} --losses")
        print("\n".join(lines))
    return OK


def _command(options: argparse.Namespace) -> str:
    """The given command line, quoted so that it can be repeated."""
    game = options.game
    command = f"tournament {options.agents} --game {game.key}:{game.variant}"
    command += f" --games {options.games} --seed {options.seed}"
    command += f" --against {options.against}" if options.against else ""
    return command + (f" --near {options.near}" if options.near else "")


def _names(game: Game, text: str) -> list[str]:
    """The names in a comma-separated list; `ladder` expands to every rung."""
    found: list[str] = []
    for name in text.split(","):
        if name == "ladder":
            found += [rung.name for rung in ladder_of(game).rungs]
        elif name:
            found.append(name)
    return found


def _is_known(game: Game, name: str) -> bool:
    return ladder_of(game).find(name) is not None or name in agents_for(game.key)


def _with_progress(wanted: Sequence[Pairing], parallel: ParallelMap) -> list[Played]:
    """Play all games, with a progress bar on standard error."""
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    played: list[Played] = []
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=len(wanted))
        for done in play_all(wanted, parallel):
            played.append(done)
            progress.advance(task)
    return played


def markdown(table: Sequence[Standing]) -> str:
    """A cross table in Markdown: ratings, scores against each agent in per cent, effort a move."""
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
