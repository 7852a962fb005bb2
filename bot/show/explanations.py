"""What an agent saw on a move, beside the truth, as a small table of text in one language."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from bot.words import Say
from engine.core.agent import Amount, Explanation
from engine.core.analysis import Analysis
from engine.core.game import Move, Position
from engine.core.values import is_decided, moves_to_end
from engine.strength.ladder import is_rung
from engine.strength.perfect import Perfect
from engine.strength.roster import LEVELS
from engine.study.explaining import Explained

UNKNOWN = "–"
CHOSEN = ">"
"""The mark of the move that was made: a sign that every typeface and screen reader has."""


def why_text(name: str, position: Position, chosen: Move, found: Explained, say: Say) -> str:
    """Why an agent moved as it did, in Markdown: its choice, a table by move, and what to know.

    Args:
        name: What the agent is called.
        position: The position before its move.
        chosen: The move that it made.
        found: What it saw, and the exact values.
        say: The texts.
    """
    game, seen = position.game, found.explanation
    move = say.move(game.key, game.label(chosen))
    lines = [
        say("why.title", name=name, number=position.ply + 1, move=move),
        "```",
        *_table(position, chosen, found, say),
        "```",
    ]
    if chosen not in seen.choices and _errs(seen):
        best = ", ".join(say.move(game.key, game.label(m)) for m in seen.choices)
        lines.append(say("why.erred", moves=best))
    if found.exact is None:
        lines.append(say("why.unproven"))
    nodes = say.count("nodes", seen.nodes)
    lines.append(say("why.looked", depth=seen.depth, nodes=nodes))
    return "\n".join(lines)


def _errs(seen: Explanation) -> bool:
    """Whether an agent makes mistakes on purpose: rungs and levels do, except perfect play."""
    return seen.chances is None and seen.agent != Perfect().name


def _table(position: Position, chosen: Move, found: Explained, say: Say) -> list[str]:
    """The lines of the table: a heading, then the legal moves as the buttons stand."""
    game = position.game
    heading = ("", say("why.move"), say("why.saw"), say("why.exact"))
    rows = [
        (
            CHOSEN if move == chosen else "",
            say.move(game.key, game.label(move)),
            _seen(found.explanation, move, say),
            _exact(found.exact, move, position.ply, say),
        )
        for row in game.buttons()
        for move in row
        if move in found.explanation.values
    ]
    return _in_columns([heading, *rows])


def _in_columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows of texts in columns: numbers to the right, the last column to the left."""
    mark, move, saw = (max(len(row[i]) for row in rows) for i in range(3))
    return [f"{a:<{mark}} {b:<{move}}  {c:>{saw}}  {d}".rstrip() for a, b, c, d in rows]


def _seen(explanation: Explanation, move: Move, say: Say) -> str:
    """What the agent took a move to be worth, in its own unit."""
    value = explanation.values[move]
    if _is_of_engine(explanation.agent) and isinstance(value, int) and is_decided(value):
        return say("why.win" if value > 0 else "why.loss")
    return _amount(value, say)


def _exact(exact: Analysis | None, move: Move, ply: int, say: Say) -> str:
    """What a move is really worth."""
    if exact is None:
        return UNKNOWN
    score = exact.scores[move]
    if score == 0:
        return say("why.draw")
    key = "why.wins_in" if score > 0 else "why.loses_in"
    return say(key, moves=moves_to_end(score, ply))


def _is_of_engine(agent: str) -> bool:
    """Whether an agent's values are on the engine's scale, on which wins have a number."""
    return agent in LEVELS or is_rung(agent)


def _amount(value: Amount, say: Say) -> str:
    if isinstance(value, Decimal):
        places = -int(value.normalize().as_tuple().exponent)
        return say.number(float(value), max(places, 0))
    return say.number(value)
