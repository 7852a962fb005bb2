"""The command that analyses a position: the value of every move and the best line, as JSON."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from engine.analysing import SECONDS, Analysed, analysed
from engine.game import Game, Position, replay
from engine.games import FAMILIES
from engine.parts_cli import OK, add_seconds, print_json, refused
from engine.position_code import code_of

ABOUT = """
One line of JSON:
  code        the position's code, for /connect4 analyze
  to_move     1 or 2
  values      of the moves as the game's buttons stand, so by column from the left (in BOOM the bomb
              comes eighth), each for the player to move: 0 for a draw, k for a win with that
              player's k-th last stone, -k for a loss to the opponent's k-th last (of a board that
              is filled; in BOOM of 200 movements); null for a move that is not allowed or unproven
  best_moves  all moves that are worth most
  line        the best play from there
  line_proven whether all of it is proven, to the game's end
  depth       plies that a search has seen where nothing is proven, else null
"""


def add_analyze_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    game: Callable[[str], Game],
    which: str,
) -> None:
    """Add `analyze` to a program, with its reader for games and what that reader understands."""
    parser = commands.add_parser(
        "analyze",
        help="the value of every move of a position, and the best line, as a line of JSON",
        epilog=ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", help=which, type=game)
    parser.add_argument("moves", help="the game so far, as players write it", nargs="?", default="")
    add_seconds(parser, SECONDS)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    game: Game = options.game
    position = replay(game, game.moves(options.moves))
    if position.outcome is not None:
        return refused("the game is over, there is nothing to analyze")
    found = analysed(position, seconds=options.seconds)
    print_json(as_json(position, found))
    return OK


def as_json(position: Position, found: Analysed) -> dict[str, Any]:
    """An analysis as JSON can hold it; the command's help says what each part is."""
    game, mover, analysis = position.game, position.to_move, found.analysis
    longest = FAMILIES[game.key].longest(game)
    values = {move: analysis.value(move, mover) for move in analysis.scores}
    shown = (values.get(move) for row in game.buttons() for move in row)
    return {
        "code": code_of(position),
        "to_move": int(mover),
        "values": [None if value is None else value.score(mover, longest) for value in shown],
        "best_moves": [game.label(move) for move in sorted(analysis.best())],
        "line": [game.label(move) for move in found.line.moves],
        "line_proven": found.line.proven,
        "depth": None if analysis.proven else analysis.depth,
    }
