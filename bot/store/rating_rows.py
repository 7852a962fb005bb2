"""Reading and writing the rows of ratings, inside a caller's transaction."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import board_rows
from bot.store.database import lock, put
from bot.store.former import FORMER_PLAYER
from bot.store.models import GameRow, PlayerRow
from bot.store.prepared import Prepared
from bot.store.rating_models import RatingChangeRow, RatingRow
from bot.store.rating_records import RatedEnd, Rating, RatingChange, RatingRecord


async def apply(
    connection: AsyncConnection, game_id: int, rated: RatedEnd
) -> tuple[RatingChange, ...]:
    """Read the ratings that the end of a game needs, change them, and record the changes.

    The transaction must have begun as a writer: another process may be rating a game of the same
    person, and whichever comes second must read what the first has written.
    """
    # Players' rows exist before their first ratings do.
    await lock(connection, PlayerRow.id, rated.people)
    ((at, *seats),) = await _ENDED.rows(connection, {"game": game_id})
    assert at is not None, "only games that have ended are due"
    first, *second = rated.people
    whose = {"on_ladder": rated.ladder, "first": first, "second": second[0] if second else first}
    found = await _PRESENT.rows(connection, whose)
    # Whoever has been deleted meanwhile is not rated anew.
    present = {*seats} - {FORMER_PLAYER}
    known = {row.user_id: record(row) for row in found}
    rates = rated.rate(known)
    changes = tuple(change for change in rates if change.user_id in present)
    for change in changes:
        key = {"user_id": change.user_id, "ladder": rated.ladder}
        # Later games may have been rated already, if this one could not be in its turn.
        before = known.get(change.user_id)
        latest = at if before is None else max(at, before.updated_at)
        await put(connection, RatingRow, key, {**asdict(change.after), "updated_at": latest})
        await _CHANGED.change(connection, _values(change, game_id, rated.ladder, at))
    if changes:
        await _SHOWS.change(connection, {"game": game_id})
    return changes


async def changes(connection: AsyncConnection, game_id: int) -> tuple[RatingChange, ...]:
    """What the end of a game changed; nothing if it has not been rated."""
    statement = select(RatingChangeRow).where(RatingChangeRow.game_id == game_id)
    return tuple(change_of(row) for row in await connection.execute(statement))


def record(row: Any) -> RatingRecord:
    """A player's rating from its row."""
    rating = Rating(row.value, row.deviation, row.volatility, row.games, row.surprise, row.shown)
    return RatingRecord(row.user_id, row.ladder, rating, row.updated_at)


def change_of(row: Any) -> RatingChange:
    """What a game changed, from its row."""
    return RatingChange(
        user_id=row.user_id,
        before=_rating(row, "before", row.games_after - 1),
        after=_rating(row, "after", row.games_after),
        opponent=row.opponent,
    )


def _rating(row: Any, when: str, games: int) -> Rating:
    """The rating before or after a game."""
    columns = ("value", "deviation", "volatility", "shown")
    return Rating(**{name: getattr(row, f"{name}_{when}") for name in columns}, games=games)


_ENDED = Prepared(
    select(GameRow.finished_at, GameRow.first_user, GameRow.second_user).where(
        GameRow.id == bindparam("game")
    )
)
_PRESENT = Prepared(
    select(RatingRow).where(
        RatingRow.ladder == bindparam("on_ladder"),
        RatingRow.user_id.in_((bindparam("first"), bindparam("second"))),
    )
)
_CHANGED = Prepared(insert(RatingChangeRow.__table__))  # type: ignore[arg-type]  # it is a table
_SHOWS = Prepared(update(GameRow).where(GameRow.id == bindparam("game")).values(board_rows.rated()))


def _values(change: RatingChange, game_id: int, ladder: str, at: float) -> dict[str, Any]:
    """The columns of a change."""
    before, after = change.before, change.after
    return {
        "game_id": game_id,
        "user_id": change.user_id,
        "ladder": ladder,
        "value_before": before.value,
        "deviation_before": before.deviation,
        "volatility_before": before.volatility,
        "value_after": after.value,
        "deviation_after": after.deviation,
        "volatility_after": after.volatility,
        "shown_before": before.shown,
        "shown_after": after.shown,
        "games_after": after.games,
        "opponent": change.opponent,
        "at": at,
    }
