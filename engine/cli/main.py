"""The engine's command line: its parser, and the commands too short for a module of their own.

These count move sequences, print positions as JSON, solve, and run the benchmark.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from engine.cli.bench import run_bench
from engine.cli.books import add_book_commands
from engine.cli.common import OK, Clusters, print_json, refused
from engine.cli.puzzles import add_puzzle_commands
from engine.cli.study import add_analyze_command, add_explain_command, add_review_command
from engine.cli.terminal import play_in_terminal
from engine.cli.tournament import add_tournament_command
from engine.core.game import Game, IllegalMove, Move, NotAMove, Position, UnknownVariant, replay
from engine.core.registry import game_called, game_of, games, package_of
from engine.strength.roster import LEVELS

MOST_THREADS = 64
"""That may share a position."""


def main(arguments: Sequence[str], clusters: Clusters | None = None) -> int:
    """Run one command and return the exit status: 0, or 2 for unusable input.

    `clusters` opens the cluster that a command's options name.
    """
    options = _parser().parse_args(arguments, argparse.Namespace(clusters=clusters))
    try:
        status: int = options.run(options)
    except (UnknownVariant, NotAMove, IllegalMove) as error:
        return refused(error)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine", description="Rules and search of Cuatro's games."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    size = "a board, ROWSxCOLUMNS, each 4-8: 6x7 is the classic one"

    which = f"{size}; or another game: {', '.join(games())}, also as GAME:VARIANT"

    perft = commands.add_parser("perft", help="count move sequences, one line a depth")
    perft.add_argument("game", help=which, type=_any_game)
    perft.add_argument("depth", type=_whole_number)
    perft.add_argument("moves", help="from the position after these", nargs="?", default="")
    perft.set_defaults(run=_perft)

    states = commands.add_parser("replay", help="a game's states, a line of JSON each")
    states.add_argument("game", help=which, type=_any_game)
    states.add_argument("moves", help="as players write them, without anything between them")
    states.set_defaults(run=_replay)

    move = commands.add_parser("move", help="choose a move and say why, as JSON")
    move.add_argument("size", help=which, type=_any_game, metavar="game")
    move.add_argument("moves", help="the game so far, such as 4453")
    move.add_argument("--level", choices=LEVELS, default="hard")
    move.add_argument("--seed", type=int, help="choose among equal moves repeatably")
    move.set_defaults(run=_move)

    solve = commands.add_parser(
        "solve", help="read games from standard input, one a line, and print their exact scores"
    )
    solve.add_argument("size", help=size, type=_game)
    solve.add_argument("--all", action="store_true", help="the scores of all columns instead")
    solve.add_argument("--no-book", action="store_true", help="search even what books know")
    solve.add_argument("--threads", type=_threads, default=1, help="that share a position")
    solve.set_defaults(run=_solve)

    add_explain_command(commands, _any_game, which)
    add_review_command(commands, _any_game, which)
    add_puzzle_commands(commands, _any_game, which, _whole_number)
    add_analyze_command(commands, _any_game, which)

    bench = commands.add_parser("bench", help="search fixed positions: nodes and nodes a second")
    bench.set_defaults(run=_bench)

    play = commands.add_parser("play", help="play a game in the terminal")
    play.add_argument("size", help=which, type=_any_game, metavar="game")
    play.add_argument("--level", choices=LEVELS, default="medium")
    play.add_argument("--second", action="store_true", help="let the engine begin")
    play.set_defaults(run=_play)

    add_book_commands(commands, _game, _whole_number)
    add_tournament_command(commands, _any_game, _whole_number)
    return parser


def _game(text: str) -> Game:
    try:
        return game_of("connect4", text)
    except UnknownVariant as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _any_game(text: str) -> Game:
    try:
        return game_called(text)
    except UnknownVariant as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _whole_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 on")
    return int(text)


def _threads(text: str) -> int:
    threads = _whole_number(text)
    if not 1 <= threads <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f"threads must be 1 to {MOST_THREADS}, not {threads}")
    return threads


def _perft(options: argparse.Namespace) -> int:
    game: Game = options.game
    position = replay(game, game.moves(options.moves))
    for depth, sequences in count_by_depth(position, options.depth):
        print(depth, sequences)
    return OK


def _replay(options: argparse.Namespace) -> int:
    game: Game = options.game
    for state in states_of(game, game.moves(options.moves)):
        print_json(state)
    return OK


def _move(options: argparse.Namespace) -> int:
    game: Game = options.size
    position = replay(game, game.moves(options.moves))
    if position.outcome is not None:
        return refused("the game is over, there is no move to choose")
    result = LEVELS[options.level].choose(position, rng=Random(options.seed))
    answer = {
        "move": game.label(result.move),
        "score": result.score.points,
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
        "line": [game.label(move) for move in result.line],
        "proven": result.proven,
    }
    print(json.dumps(answer))
    return OK


def _solve(options: argparse.Namespace) -> int:
    from engine.games.connect4.solver.text import solve_lines  # loads compiled code

    status = OK
    answers = solve_lines(
        options.size,
        sys.stdin,
        every_column=options.all,
        books=not options.no_book,
        threads=options.threads,
    )
    for number, answer in answers:
        if isinstance(answer, str):
            print(answer, flush=True)
        else:
            status = refused(f"line {number}: {answer}")
    return status


def _bench(_options: argparse.Namespace) -> int:
    totals: dict[str, int] = {}
    seconds = 0.0
    for package, entry, found in run_bench():
        totals[package.key] = totals.get(package.key, 0) + found.nodes
        seconds += found.seconds
        rate = found.nodes / found.seconds
        name = f"{package.key} {entry.variant} {entry.moves or '-'}"
        print(f"{name:<28} depth {found.depth:>2} {found.nodes:>12,} nodes {rate:>13,.0f} nodes/s")
    for key, nodes in totals.items():
        print(f"signature {key} {nodes}")
    print(f"nodes/s {sum(totals.values()) / seconds:,.0f}")
    return OK


def _play(options: argparse.Namespace) -> int:
    play_in_terminal(options.size, LEVELS[options.level], engine_first=options.second)
    return OK


def count_by_depth(position: Position, deepest: int) -> Iterator[tuple[int, int]]:
    """For each depth from 0, the number of sequences of exactly that many moves (perft).

    A sequence that ends the game is counted only at its own length.
    """
    for depth in range(deepest + 1):
        yield depth, package_of(position).count_sequences(position, depth)


def state_of(position: Position) -> dict[str, Any]:
    """A position as a JSON object.

    Returns:
        `ply`: moves made; `board`: the rows from the top joined by `/`, cells as `Cell` writes
        them; `to_move`: 1 or 2; `legal`: the moves allowed, as players write them; `outcome`: None
        while the game goes on, else `"1"`, `"2"` or `"draw"`.
    """
    ended = position.outcome
    outcome = None if ended is None else str(int(ended.winner)) if ended.winner else "draw"
    return {
        "ply": position.ply,
        "board": "/".join("".join(row) for row in position.cells()),
        "to_move": int(position.to_move),
        "legal": [position.game.label(move) for move in position.legal_moves()],
        "outcome": outcome,
    }


def states_of(game: Game, moves: Sequence[Move]) -> Iterator[dict[str, Any]]:
    """The states at the start and after each move; raises IllegalMove at the first illegal one."""
    position = game.start()
    yield state_of(position)
    for move in moves:
        position = position.play(move)
        yield state_of(position)
