"""Games that people have offered each other."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.shards import Shards
from bot.store.clock_rows import clock_of, clock_values
from bot.store.collisions import again
from bot.store.database import Database, add, change
from bot.store.models import ChallengeRow
from bot.store.owner_rows import in_shards
from bot.store.rate_limits import Quota, take
from bot.store.records import ChallengeRecord, NewChallengeRecord


class ChallengeAnswered(Exception):
    """The challenge is no longer open."""


class Challenges:
    """Challenges, each answered once; `Games.add` accepts them."""

    def __init__(self, database: Database) -> None:
        """Keep challenges in `database`."""
        self._database = database

    @again
    async def add(self, offer: NewChallengeRecord, quota: Quota | None = None) -> ChallengeRecord:
        """Store a challenge, which may count towards a limit; raises LimitReached."""
        async with self._database.writing() as connection:
            if quota is not None:
                await take(connection, quota)
            challenge_id = await add(connection, ChallengeRow, _values(offer))
        return ChallengeRecord(challenge_id, offer, None, None)

    async def find(self, challenge_id: int) -> ChallengeRecord | None:
        """A challenge by its id."""
        statement = select(ChallengeRow).where(ChallengeRow.id == challenge_id)
        found = await self._database.fetch(statement)
        return _record(found[0]) if found else None

    async def open(
        self, *, until: float | None = None, shards: Shards | None = None
    ) -> list[ChallengeRecord]:
        """The unanswered challenges; with `until`, those that expire by then.

        With `shards` those of their servers.
        """
        here = in_shards(ChallengeRow.guild_id, shards)
        statement = select(ChallengeRow).where(ChallengeRow.answer.is_(None), here)
        if until is not None:
            statement = statement.where(ChallengeRow.expires_at <= until)
        return [_record(row) for row in await self._database.fetch(statement)]

    @again
    async def answer(self, challenge_id: int, word: str) -> bool:
        """Answer a challenge; False, and no change, if it is no longer open."""
        async with self._database.writing() as connection:
            return await answer(connection, challenge_id, word)

    async def set_message(self, challenge_id: int, message_id: int) -> None:
        """Note which message shows a challenge."""
        await self._database.change(
            update(ChallengeRow)
            .where(ChallengeRow.id == challenge_id)
            .values(message_id=message_id)
        )


async def accept(connection: AsyncConnection, challenge_id: int) -> None:
    """Accept a challenge; raises ChallengeAnswered if it is no longer open."""
    if not await answer(connection, challenge_id, "accepted"):
        raise ChallengeAnswered


async def answer(connection: AsyncConnection, challenge_id: int, word: str) -> bool:
    """Answer a challenge; False, and no change, if it is no longer open."""
    is_open = (ChallengeRow.id == challenge_id) & ChallengeRow.answer.is_(None)
    return await change(connection, update(ChallengeRow).where(is_open).values(answer=word)) == 1


def _values(offer: NewChallengeRecord) -> dict[str, Any]:
    values = asdict(offer)
    del values["clock"]
    return values | clock_values(offer.clock)


def _record(row: Any) -> ChallengeRecord:
    names = NewChallengeRecord.__dataclass_fields__.keys() - {"clock"}
    offer = NewChallengeRecord(**{n: getattr(row, n) for n in names}, clock=clock_of(row))
    return ChallengeRecord(row.id, offer, row.message_id, row.answer)
