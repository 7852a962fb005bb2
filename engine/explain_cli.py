"""The command that prints what an agent sees in positions, a line of JSON each."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from engine.explaining import explanation_of
from engine.explanation import Amount, Explanation
from engine.game import Game, IllegalMove, NotAMove, replay
from engine.ladder import is_rung, ladder_of
from engine.parts_cli import OK, print_json, refused
from engine.roster import KINDS, agent_of_depth, agents_for

EMPTY = "-"
"""How the game without a move is written."""


def add_explain_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    game: Callable[[str], Game],
    which: str,
) -> None:
    """Add `explain` to a program, with its reader for games and what that reader understands."""
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
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    game: Game = options.game
    try:
        agent = agent_of_depth(game.key, options.agent)
    except KeyError:
        agent = None
    if agent is None or (is_rung(agent.name) and ladder_of(game).find(agent.name) is None):
        known = ", ".join((*agents_for(game.key), *(f"{kind}-DEPTH" for kind in KINDS[game.key])))
        message = f"nobody plays {game.key} as {options.agent!r}: {known}"
        return refused(message)
    status = OK
    for number, line in enumerate(sys.stdin, start=1):
        moves = line.strip()
        try:
            position = replay(game, game.moves("" if moves == EMPTY else moves))
        except (NotAMove, IllegalMove) as error:
            status = refused(f"line {number}: {error}")
            continue
        told = as_json(game, moves, explanation_of(agent, position))
        print_json(told)
    return status


def as_json(game: Game, moves: str, explanation: Explanation) -> dict[str, Any]:
    """An explanation of the position after `moves`, as JSON can hold it.

    Returns:
        `moves`: as they were given. `leaf`: the agent's judgement of the position, for an agent
        that judges for both players a list of the first player's and the second's; null where it
        judges none. `values`: of the moves as the game's buttons stand, so by column from the left
        (in Conecta-4 BOOM the bomb comes eighth), null for a move that is not allowed. `choices`:
        the moves that these values leave, as players write them. `chances`: how likely the agent
        makes each of its moves, null for one that errs on purpose.

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
