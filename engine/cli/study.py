"""The commands `analyze`, `explain` and `review`, which print lines of JSON."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from engine.cli.common import OK, add_seconds, print_json, refused
from engine.core.agent import Amount, Explanation
from engine.core.game import Game, IllegalMove, NotAMove, Player, Position, replay
from engine.core.position_code import code_of
from engine.core.registry import package_of
from engine.core.values import Value
from engine.strength.judging import JudgedMove
from engine.strength.ladder import is_rung, ladder_of
from engine.strength.roster import agent_of_depth, agents_for
from engine.study.analysis import SECONDS as ANALYSIS_SECONDS
from engine.study.analysis import PositionAnalysis, analyse_position
from engine.study.explaining import explanation_of
from engine.study.move_class import class_of
from engine.study.review import SECONDS as REVIEW_SECONDS
from engine.study.review import Review, review

ABOUT_ANALYZE = """
One line of JSON:
  code        the position's code, for /analyze
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
    """Add `analyze` to a program, with its parser for games and that parser's help text."""
    parser = commands.add_parser(
        "analyze",
        help="the value of every move of a position, and the best line, as a line of JSON",
        epilog=ABOUT_ANALYZE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", help=which, type=game)
    parser.add_argument("moves", help="the game so far, as players write it", nargs="?", default="")
    add_seconds(parser, ANALYSIS_SECONDS)
    parser.set_defaults(run=_run_analyze)


def _run_analyze(options: argparse.Namespace) -> int:
    game: Game = options.game
    position = replay(game, game.moves(options.moves))
    if position.outcome is not None:
        return refused("the game is over, there is nothing to analyze")
    found = analyse_position(position, seconds=options.seconds)
    print_json(analysis_json(position, found))
    return OK


def analysis_json(position: Position, found: PositionAnalysis) -> dict[str, Any]:
    """An analysis as a JSON object; the command's help describes the fields."""
    game, mover, analysis = position.game, position.to_move, found.analysis
    longest = package_of(game).longest(game)
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


EMPTY = "-"
"""The notation of a game without moves."""


def add_explain_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    game: Callable[[str], Game],
    which: str,
) -> None:
    """Add `explain` to a program, with its parser for games and that parser's help text."""
    parser = commands.add_parser(
        "explain",
        help="read games from standard input, one a line, and print what an agent sees, as JSON",
    )
    parser.add_argument("game", help=which, type=game)
    parser.add_argument(
        "--agent",
        required=True,
        metavar="NAME",
        help="an agent of the game; window, tuples, lines and tokens also with any depth: tuples-9",
    )
    parser.set_defaults(run=_run_explain)


def _run_explain(options: argparse.Namespace) -> int:
    game: Game = options.game
    try:
        agent = agent_of_depth(game.key, options.agent)
    except KeyError:
        agent = None
    if agent is None or (is_rung(agent.name) and ladder_of(game).find(agent.name) is None):
        known = ", ".join(
            (*agents_for(game.key), *(f"{kind}-DEPTH" for kind in package_of(game).agent_kinds))
        )
        message = f"{game.key} has no agent {options.agent!r}: {known}"
        return refused(message)
    status = OK
    for number, line in enumerate(sys.stdin, start=1):
        moves = line.strip()
        try:
            position = replay(game, game.moves("" if moves == EMPTY else moves))
        except (NotAMove, IllegalMove) as error:
            status = refused(f"line {number}: {error}")
            continue
        explained = explanation_json(game, moves, explanation_of(agent, position))
        print_json(explained)
    return status


def explanation_json(game: Game, moves: str, explanation: Explanation) -> dict[str, Any]:
    """An explanation of the position after `moves`, as a JSON object.

    Returns:
        `moves`: as they were given. `leaf`: the agent's evaluation of the position; a list of the
        first player's and the second's for an agent that evaluates both players, null for one that
        evaluates no positions. `values`: of the moves in the order of the game's buttons, so by
        column from the left (in Conecta-4 BOOM the bomb is the eighth), null for an illegal move.
        `choices`: the moves among which the agent chooses, as players write them. `chances`: the
        probability of each of its moves, null for an agent that makes deliberate errors.

        Values are in the agent's own unit: whole numbers, and exact decimals as text.
    """
    leaf = explanation.leaf
    every = [move for row in game.buttons() for move in row]
    values = [explanation.values.get(move) for move in every]
    chances = explanation.chances
    return {
        "moves": moves,
        "leaf": [_number(part) for part in leaf] if isinstance(leaf, tuple) else _number(leaf),
        "values": [_number(value) for value in values],
        "choices": [game.label(move) for move in explanation.choices],
        "chances": chances and {game.label(move): chance for move, chance in chances.items()},
    }


def _number(value: Amount | None) -> int | str | None:
    return str(value) if isinstance(value, Decimal) else value


ABOUT_REVIEW = """
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
    """Add `review` to a program, with its parser for games and that parser's help text."""
    parser = commands.add_parser(
        "review",
        help="what each move of a game did to its result, a line of JSON each, and the accuracies",
        epilog=ABOUT_REVIEW,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", help=which, type=game)
    parser.add_argument("moves", help="as players write them; the game may be unfinished")
    add_seconds(parser, REVIEW_SECONDS)
    parser.set_defaults(run=_run_review)


def _run_review(options: argparse.Namespace) -> int:
    game: Game = options.game
    found = review(game, game.moves(options.moves), seconds=options.seconds)
    for one in found.moves:
        print_json(review_json(game, one))
    print_json(accuracies(found))
    return OK


def review_json(game: Game, one: JudgedMove) -> dict[str, Any]:
    """A reviewed move as a JSON object; the command's help describes the fields."""
    longest = package_of(game).longest(game)

    def score(value: Value | None) -> int | None:
        return None if value is None else value.score(one.player, longest)

    return {
        "move": game.label(one.move),
        "player": int(one.player),
        "value": score(one.value),
        "best": score(one.best_value),
        "best_moves": [game.label(move) for move in one.best_moves],
        "class": class_of(one).value,
        "depth": None if one.is_proven else one.analysis.depth,
    }


def accuracies(found: Review) -> dict[str, list[float | None]]:
    """Both accuracies, the first player's first, to a tenth."""
    both = [found.accuracy(player) for player in Player]
    return {"accuracy": [None if one is None else round(one, 1) for one in both]}
