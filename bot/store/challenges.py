"""Challenges that people have sent each other: stored, answered, expired."""

from __future__ import annotations

from sqlalchemy import select, update

from bot.store import challenge_rows
from bot.store.models import ChallengeRow
from bot.store.records import ChallengeRecord, NewChallengeRecord
from bot.store.store import Store


async def add_challenge(store: Store, offer: NewChallengeRecord) -> ChallengeRecord:
    """Store a challenge."""
    async with store.transaction() as connection:
        return ChallengeRecord(await challenge_rows.add(connection, offer), offer, None, None)


async def find_challenge(store: Store, challenge_id: int) -> ChallengeRecord | None:
    """A challenge by its id."""
    found = await store.fetch(select(ChallengeRow).where(ChallengeRow.id == challenge_id))
    return challenge_rows.record(found[0]) if found else None


async def open_challenges(store: Store, *, until: float | None = None) -> list[ChallengeRecord]:
    """The challenges that nobody has answered; with `until`, those that expire by then."""
    statement = select(ChallengeRow).where(ChallengeRow.answer.is_(None))
    if until is not None:
        statement = statement.where(ChallengeRow.expires_at <= until)
    return [challenge_rows.record(row) for row in await store.fetch(statement)]


async def answer_challenge(store: Store, challenge_id: int, word: str) -> bool:
    """Answer a challenge; False, and no change, where it is no longer open."""
    async with store.transaction() as connection:
        return await challenge_rows.answer(connection, challenge_id, word)


async def set_challenge_message(store: Store, challenge_id: int, message_id: int) -> None:
    """Note which message shows a challenge."""
    async with store.transaction() as connection:
        await connection.execute(
            update(ChallengeRow)
            .where(ChallengeRow.id == challenge_id)
            .values(message_id=message_id)
        )
