"""The rows of challenges, within a transaction that somebody else holds."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import insert, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.models import ChallengeRow
from bot.store.records import ChallengeRecord, NewChallengeRecord


async def add(connection: AsyncConnection, offer: NewChallengeRecord) -> int:
    """Insert a challenge and return its id."""
    result = await connection.execute(insert(ChallengeRow).values(**asdict(offer)))
    assert result.inserted_primary_key is not None
    return int(result.inserted_primary_key[0])


async def answer(connection: AsyncConnection, challenge_id: int, word: str) -> bool:
    """Answer a challenge; False, and no change, where it is no longer open."""
    result = await connection.execute(
        update(ChallengeRow)
        .where(ChallengeRow.id == challenge_id, ChallengeRow.answer.is_(None))
        .values(answer=word)
    )
    return result.rowcount == 1


def record(row: Any) -> ChallengeRecord:
    """A row as a record."""
    fields = NewChallengeRecord.__dataclass_fields__
    offer = NewChallengeRecord(**{name: getattr(row, name) for name in fields})
    return ChallengeRecord(row.id, offer, row.message_id, row.answer)
