"""Which silent players have been reminded of their move."""

from __future__ import annotations

from sqlalchemy import Select, func, or_, select, update

from bot.store.models import GameRow, MoveRow
from bot.store.records import GameRecord
from bot.store.store import Store, silent_query


async def games_to_remind(store: Store, until: float) -> list[GameRecord]:
    """The games that have been silent since `until` and whose mover nobody has reminded."""
    rows = await store.fetch(reminder_query(until))
    games = [await store.game(row.id) for row in rows]
    return [game for game in games if game is not None]


def reminder_query(until: float) -> Select[GameRow]:
    """The rows of these games."""
    last = select(func.max(MoveRow.at)).where(MoveRow.game_id == GameRow.id).scalar_subquery()
    return silent_query(until).where(
        or_(
            GameRow.reminded_at.is_(None),
            GameRow.reminded_at <= func.coalesce(last, GameRow.started_at),
            GameRow.reminded_at <= GameRow.undone_at,
        )
    )


async def note_reminder(store: Store, game_id: int, last_at: float, at: float) -> bool:
    """Note that a game's mover is reminded; False where that was done since `last_at`."""
    async with store.transaction() as connection:
        result = await connection.execute(
            update(GameRow)
            .where(
                GameRow.id == game_id,
                GameRow.finished_at.is_(None),
                or_(GameRow.reminded_at.is_(None), GameRow.reminded_at <= last_at),
            )
            .values(reminded_at=at)
        )
        return result.rowcount == 1
