"""The rows of games, within a transaction that somebody else holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Select, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import change
from bot.store.models import GameRow, HintRow, MoveRow, RatingChangeRow
from bot.store.rating_records import RatingChange
from bot.store.rating_rows import change_of
from bot.store.records import EndRecord, GameRecord, MoveRecord, NewGameRecord, SeatRecord
from bot.store.tally_rows import add_tally


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


async def end(connection: AsyncConnection, game_id: int, end: EndRecord) -> bool:
    """End a running game and tally it; False, and no change, if it has ended already."""
    is_running = (GameRow.id == game_id) & GameRow.finished_at.is_(None)
    values = {"finished_at": end.at, "ending": end.ending, "winner": end.winner}
    if not await change(connection, update(GameRow).where(is_running).values(values)):
        return False
    await add_tally(connection, game_id)
    return True


async def records(connection: AsyncConnection, statement: Select[GameRow]) -> list[GameRecord]:
    """Read games with all that belongs to them: three more queries for however many."""
    games = (await connection.execute(statement.order_by(GameRow.id))).all()
    ids = [game.id for game in games]
    moves = await connection.execute(
        select(MoveRow).where(MoveRow.game_id.in_(ids)).order_by(MoveRow.number)
    )
    hints = await connection.execute(
        select(HintRow.game_id, HintRow.number).where(HintRow.game_id.in_(ids))
    )
    changes = await connection.execute(
        select(RatingChangeRow).where(RatingChangeRow.game_id.in_(ids))
    )
    return _records(games, moves.all(), hints.all(), changes.all())


def _records(
    games: Sequence[Any], moves: Iterable[Any], hints: Iterable[Any], changes: Iterable[Any]
) -> list[GameRecord]:
    """Games with their moves, which must come in order, hints and rating changes."""
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
