"""A person's view of their stored data: one page, and their games as files."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from babel.dates import format_skeleton

from bot.features.privacy.store import PersonRecord
from bot.i18n import Translator
from bot.show.texts import csv_text, csv_time, day
from bot.store.records import Ending, GameRecord, MoveRecord
from engine.core.game import Game, UnknownVariant
from engine.core.registry import game_of
from engine.strength.ladder import size_class

logger = logging.getLogger(__name__)


PUZZLES = "puzzles"
"""The name of the count of puzzles, which a feature contributes."""


def stored_text(found: PersonRecord, now: float, say: Translator) -> str:
    """What is stored about people, and how much of it about this one, in two lines."""
    counts = [say.count("games", found.games + found.running)]
    puzzles = found.counts.get(f"stored.{PUZZLES}")
    if puzzles is not None:
        counts.append(say.count("puzzles", puzzles))
    since = _day_and_month(found.joined_at, now, say)
    return say("stored.about", counts=", ".join(counts), since=since)


def details_text(found: PersonRecord, described: Iterable[str], say: Translator) -> str:
    """One page about a person's stored data, with a line for each count and each description."""
    head = say(
        "stored.head",
        since=day(found.joined_at, say),
        games=say.number(found.games),
        running=say.number(found.running),
        moves=say.number(found.moves),
    )
    lines = (say(key, count=say.number(n)) for key, n in found.counts.items())
    return "\n".join((head, *lines, *described, say("stored.end")))


def _day_and_month(time: float, now: float, say: Translator) -> str:
    """A date such as `March 3`, with the year if it is not this one."""
    date, today = (datetime.fromtimestamp(one, UTC).date() for one in (time, now))
    pattern = "MMMMd" if date.year == today.year else "yMMMMd"
    return format_skeleton(pattern, date, locale=say.locale)


FIELDS = (
    "game",
    "family",
    "variant",
    "size",
    "size_class",
    "clock_seconds",
    "clock_per",
    "started",
    "finished",
    "side",
    "opponent",
    "auto",
    "pie",
    "balanced",
    "match",
    "match_of",
    "friendly",
    "opening",
    "swapped",
    "ending",
    "result",
    "rated",
    "moves",
    "nodes",
    "depth",
    "score",
    "hints",
    "undos",
)

SEARCHED = ("nodes", "depth", "score")
"""The stored fields of the search for a move."""

NOTHING = "-"
"""The table's value for a move without a search, such as a person's."""


def as_csv(games: Sequence[GameRecord], user_id: int) -> str:
    """A header, then one line per game.

    Moves are separated by spaces, as are the figures of their searches, one word per move.
    """
    return csv_text(FIELDS, _each(games, lambda game: _line(game, user_id)))


def as_json_lines(games: Sequence[GameRecord], user_id: int) -> str:
    """One JSON object per game, with every move and the figures of its search."""
    facts = _each(games, lambda game: _facts(game, user_id))
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in facts)


def _each(
    games: Sequence[GameRecord], write: Callable[[GameRecord], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the result of `write` for each game; a game for which it fails is left out."""
    for game in games:
        try:
            yield write(game)
        except Exception:
            logger.exception("game %s cannot be exported: it is left out", game.id)


def _line(game: GameRecord, user_id: int) -> dict[str, Any]:
    """A game's facts, with the facts of its moves as lists of words."""
    facts = _facts(game, user_id)
    moves = facts["moves"]
    listed = {name: " ".join(_word(move[name]) for move in moves) for name in SEARCHED}
    facts |= {"moves": " ".join(move["move"] for move in moves), **listed}
    return {name: facts[name] for name in FIELDS}


def _word(value: int | None) -> str:
    return NOTHING if value is None else str(value)


def _facts(game: GameRecord, user_id: int) -> dict[str, Any]:
    """The facts of a game in a file, without the names of other people."""
    setup, end = game.setup, game.end
    side = 1 if setup.first.user_id == user_id else 2
    other = setup.second if side == 1 else setup.first
    board = _board(setup.family, setup.variant)
    clock = setup.clock
    return {
        "game": game.id,
        "family": setup.family,
        "variant": setup.variant,
        "size": None if board is None else _size(board),
        "size_class": None if board is None else size_class(board),
        "clock_seconds": clock.seconds if clock else None,
        "clock_per": clock.per if clock else None,
        "started": csv_time(game.started_at),
        "finished": csv_time(end.at) if end else None,
        "side": side,
        "opponent": other.agent or "person",
        "auto": setup.auto and other.agent is not None,
        "pie": setup.pie,
        "balanced": setup.balanced,
        "match": setup.match or None,
        "match_of": setup.match_of,
        "friendly": setup.friendly,
        "opening": setup.opening,
        "swapped": game.swapped_at is not None,
        "ending": end.ending if end else None,
        "result": _result(end.ending, end.winner, side) if end else None,
        "rated": any(change.user_id == user_id for change in game.changes),
        "hints": sum(hint.given for hint in game.hints if hint.user_id == user_id),
        "undos": game.undos,
        "moves": [_move(move) for move in game.moves],
    }


def _move(move: MoveRecord) -> dict[str, Any]:
    return {
        "player": move.player,
        "move": move.move,
        "at": csv_time(move.at),
        "seconds": round(move.seconds, 3),
        "hinted": move.hinted,
        "nodes": move.nodes,
        "depth": move.depth,
        "score": move.score,
        "proven": move.proven,
    }


def _board(family: str, variant: str) -> Game | None:
    """The game of a variant; None if the variant does not exist (any more)."""
    try:
        return game_of(family, variant)
    except (KeyError, UnknownVariant):
        return None


def _size(game: Game) -> str:
    """Rows x columns."""
    cells = game.start().cells()
    return f"{len(cells)}x{len(cells[0])}"


def _result(ending: Ending, winner: int | None, side: int) -> str:
    if not (isinstance(ending, Ending) and ending.has_result):
        return "none"
    return "draw" if winner is None else "win" if winner == side else "loss"
