"""The command that reviews a game: a line of JSON each move, and one with both accuracies."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from engine.game import Game, Player
from engine.games import FAMILIES
from engine.parts_cli import OK, add_seconds, print_json
from engine.review import Review, ReviewedMove
from engine.reviewing import SECONDS, review
from engine.values import Value

ABOUT = """
A line of JSON each move:
  move        as players write it
  player      1 or 2
  value       what the move is worth to the player who makes it, as `solve --all` counts: 0 for a
              draw, k for a win with that player's k-th last stone, -k for a loss to the opponent's
              k-th last (of a board that is filled; in BOOM of 200 movements); null if unproven
  best        what the best move is worth, in the same way; null if unproven
  best_moves  all moves that are worth most
  class       best, good, inaccuracy, mistake or blunder (docs/review.md)
  depth       plies that a search has seen where value or best is unproven, else null
and a last line: accuracy, of the first player and the second, from 0 to 100, null where no move of
the player says anything.
"""


def add_review_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    game: Callable[[str], Game],
    which: str,
) -> None:
    """Add `review` to a program, with its reader for games and what that reader understands."""
    parser = commands.add_parser(
        "review",
        help="what each move of a game did to its result, a line of JSON each, and the accuracies",
        epilog=ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", help=which, type=game)
    parser.add_argument("moves", help="as players write them; the game may be unfinished")
    add_seconds(parser, SECONDS)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    game: Game = options.game
    found = review(game, game.moves(options.moves), seconds=options.seconds)
    for one in found.moves:
        print_json(as_json(game, one))
    print_json(accuracies(found))
    return OK


def as_json(game: Game, one: ReviewedMove) -> dict[str, Any]:
    """A reviewed move as JSON can hold it; the command's help says what each part is."""
    longest = FAMILIES[game.key].longest(game)

    def score(value: Value | None) -> int | None:
        return None if value is None else value.score(one.player, longest)

    return {
        "move": game.label(one.move),
        "player": int(one.player),
        "value": score(one.value),
        "best": score(one.best),
        "best_moves": [game.label(move) for move in one.best_moves],
        "class": one.move_class.value,
        "depth": None if one.is_proven else one.analysis.depth,
    }


def accuracies(found: Review) -> dict[str, list[float | None]]:
    """Both accuracies, the first player's first, to a tenth."""
    both = [found.accuracy(player) for player in Player]
    return {"accuracy": [None if one is None else round(one, 1) for one in both]}
