"""Where people play each other now, in the database that all processes share."""

from __future__ import annotations

from sqlalchemy import BigInteger, String, bindparam, or_, select

from bot.database.database import Database
from bot.database.statements import Prepared
from bot.store.tables import GameRow

_USER = bindparam("user", type_=BigInteger)

_CONTESTS = Prepared(
    select(GameRow.channel_id)
    .where(
        or_(GameRow.first_user == _USER, GameRow.second_user == _USER),
        GameRow.first_user != GameRow.second_user,
        GameRow.family == bindparam("family", type_=String),
        GameRow.finished_at.is_(None),
        ~GameRow.friendly,
    )
    .order_by(GameRow.id)
)


class FairPlayStore:
    """Finds games between two people that may be rated."""

    def __init__(self, database: Database) -> None:
        """Search in `database`."""
        self._database = database

    async def contests_of(self, user_id: int, family: str) -> list[int]:
        """The channels of a person's running games against people, the oldest first."""
        values = {"user": user_id, "family": family}
        return [row.channel_id for row in await self._database.fetch(_CONTESTS, values)]
