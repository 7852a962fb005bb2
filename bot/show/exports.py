"""A person's own games as files that other programs read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from bot.store import GameRecord

FIELDS = (
    "game",
    "family",
    "variant",
    "started",
    "finished",
    "side",
    "opponent",
    "ending",
    "result",
    "moves",
    "hints",
)


def as_csv(games: Sequence[GameRecord], user_id: int) -> str:
    """One line a game, after a line with the names of the fields; moves with spaces between."""
    text = io.StringIO()
    writer = csv.DictWriter(text, FIELDS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for game in games:
        facts = _facts(game, user_id)
        writer.writerow({**facts, "moves": " ".join(move["move"] for move in facts["moves"])})
    return text.getvalue()


def as_json_lines(games: Sequence[GameRecord], user_id: int) -> str:
    """One JSON object a game, with every move and what it took."""
    return "".join(json.dumps(_facts(game, user_id), ensure_ascii=False) + "\n" for game in games)


def _facts(game: GameRecord, user_id: int) -> dict[str, Any]:
    """What a file says of a game; other people stay nameless."""
    opening, end = game.opening, game.end
    side = 1 if opening.first.user_id == user_id else 2
    other = opening.second if side == 1 else opening.first
    return {
        "game": game.id,
        "family": opening.family,
        "variant": opening.variant,
        "started": _time(opening.started_at),
        "finished": _time(end.at) if end else None,
        "side": side,
        "opponent": other.agent or "person",
        "ending": end.ending if end else None,
        "result": _result(end.ending, end.winner, side) if end else None,
        "hints": sum(move.hinted and move.user_id == user_id for move in game.moves),
        "moves": [
            {
                "player": move.player,
                "move": move.move,
                "at": _time(move.at),
                "seconds": round(move.seconds, 3),
                "hinted": move.hinted,
            }
            for move in game.moves
        ],
    }


def _result(ending: str, winner: int | None, side: int) -> str:
    if ending in ("stopped", "aborted"):
        return "none"
    return "draw" if winner is None else "win" if winner == side else "loss"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
