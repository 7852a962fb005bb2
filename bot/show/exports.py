"""A person's own games as files that other programs read."""

from __future__ import annotations

import csv
import io
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from bot.store import NO_RESULTS, DailyTry, GameRecord, GivenVote, MoveRecord, PuzzleTry, SolvedPart
from engine.core.game import Game, UnknownVariant
from engine.core.registry import game_of
from engine.strength.ladder import size_class

logger = logging.getLogger(__name__)

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
    "swapped",
    "ending",
    "result",
    "moves",
    "nodes",
    "depth",
    "score",
    "hints",
)
PUZZLE_FIELDS = (
    "puzzle",
    "size_class",
    "begun",
    "settled",
    "seconds",
    "solved",
    "rating_before",
    "rating_after",
)
DAILY_FIELDS = ("date", "family", "puzzle", "begun", "settled", "solved")
VOTE_FIELDS = ("game", "family", "number", "choice", "at")
LESSON_FIELDS = ("family", "lesson", "part", "solved")
SEARCHED = ("nodes", "depth", "score")
"""What is kept of the search for a move."""
NOTHING = "-"
"""Stands in the table for a move that was found without a search, such as any person's."""


def as_csv(games: Sequence[GameRecord], user_id: int) -> str:
    """One line a game, after a line with the names of the fields.

    Moves have spaces between them, and so has what their searches took and found, a word a move.
    """
    return _table(FIELDS, _each(games, lambda game: _line(game, user_id)))


def as_json_lines(games: Sequence[GameRecord], user_id: int) -> str:
    """One JSON object a game, with every move and what it took."""
    facts = _each(games, lambda game: _facts(game, user_id))
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in facts)


def _each(
    games: Sequence[GameRecord], write: Callable[[GameRecord], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """What is written of each game; one whose values cannot be written is left out."""
    for game in games:
        try:
            yield write(game)
        except Exception:
            logger.exception("game %s cannot be exported: it is left out", game.id)


def puzzles_as_csv(tries: Sequence[PuzzleTry]) -> str:
    """One line for a person's first try at each puzzle."""
    return _table(
        PUZZLE_FIELDS,
        (
            {
                "puzzle": one.puzzle,
                "size_class": one.ladder,
                **_tried(one),
                "seconds": None if one.seconds is None else round(one.seconds, 3),
                "rating_before": _rounded(one.value_before),
                "rating_after": _rounded(one.value_after),
            }
            for one in tries
        ),
    )


def days_as_csv(days: Sequence[DailyTry]) -> str:
    """One line for a person's first try at each puzzle of a day."""
    return _table(
        DAILY_FIELDS,
        (
            {
                "date": _time(one.key.day * 86_400.0)[:10],
                "family": one.key.family,
                "puzzle": one.puzzle,
                **_tried(one),
            }
            for one in days
        ),
    )


def _table(fields: Sequence[str], rows: Iterable[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fields, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _tried(one: PuzzleTry | DailyTry) -> dict[str, Any]:
    settled = None if one.settled_at is None else _time(one.settled_at)
    return {"begun": _time(one.begun_at), "settled": settled, "solved": one.solved}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def votes_as_csv(votes: Sequence[GivenVote]) -> str:
    """One line a vote, after a line with the names of the fields; 0 is the number of a result."""
    return _table(
        VOTE_FIELDS,
        (
            {
                "game": given.game_id,
                "family": given.family,
                "number": given.vote.number,
                "choice": given.vote.choice,
                "at": _time(given.vote.at),
            }
            for given in votes
        ),
    )


def lessons_as_csv(parts: Sequence[SolvedPart]) -> str:
    """One line for each part of a lesson that a person has solved."""
    return _table(
        LESSON_FIELDS,
        ({"family": one.family, **one.solved._asdict(), "solved": _time(one.at)} for one in parts),
    )


def _line(game: GameRecord, user_id: int) -> dict[str, Any]:
    """A game's facts, with those of its moves one after the other."""
    facts = _facts(game, user_id)
    moves = facts["moves"]
    listed = {name: " ".join(_word(move[name]) for move in moves) for name in SEARCHED}
    facts |= {"moves": " ".join(move["move"] for move in moves), **listed}
    return {name: facts[name] for name in FIELDS}


def _word(value: int | None) -> str:
    return NOTHING if value is None else str(value)


def _facts(game: GameRecord, user_id: int) -> dict[str, Any]:
    """What a file says of a game; other people stay nameless."""
    opening, end = game.opening, game.end
    side = 1 if opening.first.user_id == user_id else 2
    other = opening.second if side == 1 else opening.first
    board = _board(opening.family, opening.variant)
    clock = opening.clock
    return {
        "game": game.id,
        "family": opening.family,
        "variant": opening.variant,
        "size": None if board is None else _size(board),
        "size_class": None if board is None else size_class(board),
        "clock_seconds": clock.seconds if clock else None,
        "clock_per": clock.per if clock else None,
        "started": _time(opening.started_at),
        "finished": _time(end.at) if end else None,
        "side": side,
        "opponent": other.agent or "person",
        "auto": opening.auto and other.agent is not None,
        "pie": opening.pie,
        "swapped": game.swapped_at is not None,
        "ending": end.ending if end else None,
        "result": _result(end.ending, end.winner, side) if end else None,
        "hints": sum(hint.given for hint in game.hints if hint.user_id == user_id),
        "moves": [_move(move) for move in game.moves],
    }


def _move(move: MoveRecord) -> dict[str, Any]:
    return {
        "player": move.player,
        "move": move.move,
        "at": _time(move.at),
        "seconds": round(move.seconds, 3),
        "hinted": move.hinted,
        "nodes": move.nodes,
        "depth": move.depth,
        "score": move.score,
        "proven": move.proven,
    }


def _board(family: str, variant: str) -> Game | None:
    """The game of a variant; None if there is none (any more)."""
    try:
        return game_of(family, variant)
    except (KeyError, UnknownVariant):
        return None


def _size(game: Game) -> str:
    """Rows x columns."""
    cells = game.start().cells()
    return f"{len(cells)}x{len(cells[0])}"


def _result(ending: str, winner: int | None, side: int) -> str:
    if ending in NO_RESULTS:
        return "none"
    return "draw" if winner is None else "win" if winner == side else "loss"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
