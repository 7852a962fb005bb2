"""Between rows of the tables and the records that the rest of the bot works with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from bot.store.rating_rows import change_of
from bot.store.records import (
    EndRecord,
    GameRecord,
    MoveRecord,
    NewGameRecord,
    RatingChange,
    SeatRecord,
)


def game_values(game: NewGameRecord) -> dict[str, Any]:
    """The columns of a game that begins."""
    return {
        "family": game.family,
        "variant": game.variant,
        "channel_id": game.channel_id,
        "guild_id": game.guild_id,
        "locale": game.locale,
        "first_user": game.first.user_id,
        "first_agent": game.first.agent,
        "second_user": game.second.user_id,
        "second_agent": game.second.agent,
        "auto": game.auto,
        "started_at": game.started_at,
        "started_by": game.started_by,
    }


def move_values(game_id: int, number: int, move: MoveRecord) -> dict[str, Any]:
    """The columns of a move."""
    return {"game_id": game_id, "number": number, **asdict(move)}


def game_records(
    games: Sequence[Any], moves: Iterable[Any], hints: Iterable[Any], changes: Iterable[Any]
) -> list[GameRecord]:
    """Games with the moves, hints and rating changes of theirs; the moves must come in order."""
    moves_of: dict[int, list[MoveRecord]] = defaultdict(list)
    for row in moves:
        moves_of[row.game_id].append(_move(row))
    hints_of: dict[int, set[int]] = defaultdict(set)
    for row in hints:
        hints_of[row.game_id].add(row.number)
    changes_of: dict[int, list[RatingChange]] = defaultdict(list)
    for row in changes:
        changes_of[row.game_id].append(change_of(row))
    return [
        GameRecord(
            id=row.id,
            opening=_opening(row),
            message_id=row.message_id,
            moves=tuple(moves_of[row.id]),
            hinted_numbers=frozenset(hints_of[row.id]),
            end=_end(row),
            changes=tuple(changes_of[row.id]),
            undos=row.undos,
            undone_at=row.undone_at,
        )
        for row in games
    ]


def _move(row: Any) -> MoveRecord:
    return MoveRecord(
        player=row.player,
        user_id=row.user_id,
        move=row.move,
        hinted=row.hinted,
        at=row.at,
        seconds=row.seconds,
        nodes=row.nodes,
        depth=row.depth,
        score=row.score,
        proven=row.proven,
    )


def _opening(row: Any) -> NewGameRecord:
    return NewGameRecord(
        family=row.family,
        variant=row.variant,
        channel_id=row.channel_id,
        guild_id=row.guild_id,
        locale=row.locale,
        first=SeatRecord(row.first_user, row.first_agent),
        second=SeatRecord(row.second_user, row.second_agent),
        auto=row.auto,
        started_at=row.started_at,
        started_by=row.started_by,
    )


def _end(row: Any) -> EndRecord | None:
    if row.finished_at is None:
        return None
    return EndRecord(row.ending, row.winner, row.finished_at)
