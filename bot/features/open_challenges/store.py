"""Open challenges in the database: games that people offer to anyone in a channel.

An answer is one conditional update of the row, and joining is part of the transaction that stores
the game, so of several people who press at once exactly one gets it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    Select,
    String,
    Text,
    and_,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, add, change
from bot.shards import Shards
from bot.store.owners import in_shards
from bot.store.people import RequestAnswered, add_people, lock_person
from bot.store.records import FORMER_PLAYER, GameSetup, SeatRecord, free, person
from bot.store.rows import Query, Step, Transaction, setup_of, setup_values
from bot.store.tables import AnnouncedGame

UNSENT = 60.0
"""Seconds after which a challenge without a message is given up: its process was killed."""

JOINED, WITHDRAWN, EXPIRED = "joined", "withdrawn", "expired"
"""The answers to a challenge."""


class OpenChallengeRow(AnnouncedGame, Base):
    """A game that a person offers to anyone in a channel."""

    __tablename__ = "open_challenges"
    __table_args__ = (
        # Those whose message still has to show how they end, by when that is.
        Index("ix_open_challenges_open", "is_open", "expires_at"),
        Index("ix_open_challenges_author", "author"),
        Index("ix_open_challenges_joiner", "joiner"),
        Index("ix_open_challenges_guild", "guild_id"),
        # Those that are to be deleted.
        Index("ix_open_challenges_ended", "ended_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    author: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("players.id"))
    """Who offers the game; empty after their data were deleted."""
    author_first: Mapped[bool]
    """Whether the author has the first move."""
    joiner: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("players.id"))
    """Who joined; empty until then, and after their data were deleted."""
    clock_seconds: Mapped[float | None]
    clock_per: Mapped[str | None] = mapped_column(String(8))
    """The time control of the offered game, as in `games`."""
    rules: Mapped[str] = mapped_column(Text)
    """The other rules of the offered game that are not the usual ones, as a JSON object."""
    within: Mapped[int | None]
    """The greatest difference of ratings with which people may join; empty for any."""
    posted_at: Mapped[float]
    expires_at: Mapped[float]
    ended_at: Mapped[float | None]
    answer: Mapped[str | None] = mapped_column(String(16))
    """`joined`, `withdrawn` or `expired`; empty while it is open."""
    is_open: Mapped[int] = mapped_column(server_default="1")
    """1 until the message shows the end, or cannot show it any more; then 0."""


@dataclass(frozen=True, slots=True)
class NewOpenChallenge:
    """A game with a free seat, as a person offers it."""

    setup: GameSetup
    within: int | None
    """The greatest difference of ratings with which people may join; None for any."""
    posted_at: float
    expires_at: float

    @property
    def author(self) -> int:
        """The person who offers the game."""
        return FORMER_PLAYER if self.setup.started_by is None else self.setup.started_by

    @property
    def author_first(self) -> bool:
        """Whether the author has the first move."""
        return self.setup.second == free()

    def seated(self, user_id: int) -> GameSetup:
        """The game with a person in the free seat."""
        if self.author_first:
            return replace(self.setup, second=person(user_id))
        return replace(self.setup, first=person(user_id))


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A stored open challenge."""

    id: int
    offer: NewOpenChallenge
    message_id: int | None
    joiner: int | None
    """Who joined; a former player if their data were deleted, None until then."""
    ended_at: float | None
    answer: str | None
    """`joined`, `withdrawn` or `expired`; None while it is open."""


class AlreadyOpen(Exception):
    """The person has another open challenge."""

    def __init__(self, present: OpenChallenge) -> None:
        super().__init__(present)
        self.present = present


class OpenChallengeStore:
    """The repository of open challenges."""

    def __init__(self, database: Database) -> None:
        """Keep challenges in `database`."""
        self._database = database

    @retry_on_conflict
    async def add(self, new: NewOpenChallenge) -> OpenChallenge:
        """Store a challenge; raises AlreadyOpen if its author has another one."""
        row = OpenChallengeRow
        async with self._database.writing() as connection:
            await lock_person(connection, new.author, new.posted_at)
            theirs = and_(row.author == new.author, row.answer.is_(None))
            unsent = and_(row.message_id.is_(None), row.posted_at < new.posted_at - UNSENT)
            await connection.execute(delete(row).where(theirs, unsent))
            alive = select(row).where(theirs, row.expires_at > new.posted_at)
            for found in (await connection.execute(alive)).all():
                raise AlreadyOpen(_challenge(found))
            id = await add(connection, row, _values(new))
        return OpenChallenge(id, new, None, None, None, None)

    async def remove(self, id: int) -> None:
        """Delete a new challenge, whose message could not be sent."""
        await self._database.change(delete(OpenChallengeRow).where(_open(id)))

    async def set_message(self, id: int, message_id: int) -> None:
        """Record which message shows a challenge."""
        await self._change(OpenChallengeRow.id == id, message_id=message_id)

    async def find(self, id: int) -> OpenChallenge | None:
        """A challenge by its id, open or not."""
        found = await self._fetch(select(OpenChallengeRow).where(OpenChallengeRow.id == id))
        return found[0] if found else None

    def joining(self, id: int, user_id: int, at: float) -> Step:
        """The step that lets a person join; raises RequestAnswered if that is too late."""

        async def join(connection: Transaction) -> None:
            await add_people(connection, (user_id,), at)
            values = {"answer": JOINED, "joiner": user_id, "ended_at": at, "is_open": 0}
            free_now = and_(_open(id), OpenChallengeRow.expires_at > at)
            if not await change(
                connection, update(OpenChallengeRow).where(free_now).values(values)
            ):
                raise RequestAnswered

        return join

    async def end(self, id: int, answer: str, at: float) -> bool:
        """End an open challenge; False, and no change, if it is over."""
        return await self._change(_open(id), answer=answer, ended_at=at) == 1

    async def closed(self, id: int) -> None:
        """Note that the message of a challenge shows its end, or never will."""
        await self._change(OpenChallengeRow.id == id, is_open=0)

    async def due(self, now: float, shards: Shards | None) -> list[OpenChallenge]:
        """The challenges on these shards whose time is up, or whose messages lack their end."""
        return await self._fetch(due_query(now, shards))

    async def open_of(self, user_id: int) -> list[OpenChallenge]:
        """The challenges of a person that are still open."""
        mine = (OpenChallengeRow.author == user_id, OpenChallengeRow.answer.is_(None))
        return await self._fetch(select(OpenChallengeRow).where(*mine))

    async def all_of(self, user_id: int) -> list[OpenChallenge]:
        """The challenges that a person has posted or joined, oldest first."""
        theirs = select(OpenChallengeRow).where(_involves(user_id))
        return await self._fetch(theirs.order_by(OpenChallengeRow.id))

    async def clear(self, before: float) -> None:
        """Delete the challenges that ended before a time."""
        old = OpenChallengeRow.ended_at < before
        await self._database.change(delete(OpenChallengeRow).where(old))

    async def _fetch(self, query: Select[Any]) -> list[OpenChallenge]:
        return [_challenge(row) for row in await self._database.fetch(query)]

    async def _change(self, which: ColumnElement[bool], **values: Any) -> int:
        return await self._database.change(update(OpenChallengeRow).where(which).values(values))


def due_query(now: float, shards: Shards | None) -> Select[Any]:
    """The open challenges whose time is up, and those whose messages have to show their end."""
    row = OpenChallengeRow
    due = or_(row.answer.is_not(None), row.expires_at <= now)
    here = in_shards(row.guild_id, shards)
    return select(row).where(row.is_open == 1, due, here).order_by(row.id)


def _open(id: int) -> ColumnElement[bool]:
    return and_(OpenChallengeRow.id == id, OpenChallengeRow.answer.is_(None))


def _involves(user_id: int) -> ColumnElement[bool]:
    return or_(OpenChallengeRow.author == user_id, OpenChallengeRow.joiner == user_id)


RULES = {
    one.name: one.default
    for one in fields(GameSetup)
    if one.default is not MISSING
    and one.name not in {"started_by", "clock"} | set(OpenChallengeRow.__table__.columns.keys())
}
"""The rules of a game without a column of their own, and their usual values."""


def _values(new: NewOpenChallenge) -> dict[str, Any]:
    chosen = {name: getattr(new.setup, name) for name in RULES}
    unusual = {name: value for name, value in chosen.items() if value != RULES[name]}
    return {
        **setup_values(new.setup, OpenChallengeRow),
        "author": new.author,
        "author_first": new.author_first,
        "rules": json.dumps(unusual),
        "within": new.within,
        "posted_at": new.posted_at,
        "expires_at": new.expires_at,
    }


def _challenge(row: Any) -> OpenChallenge:
    author = SeatRecord(FORMER_PLAYER if row.author is None else row.author, None)
    first, second = (author, free()) if row.author_first else (free(), author)
    seats = {"first": first, "second": second, "started_by": row.author}
    setup = setup_of(row, OpenChallengeRow, **seats)
    # A rule of a newer version, which this one does not know, is left out.
    rules = {name: value for name, value in json.loads(row.rules).items() if name in RULES}
    offer = NewOpenChallenge(replace(setup, **rules), row.within, row.posted_at, row.expires_at)
    joiner = FORMER_PLAYER if row.joiner is None and row.answer == JOINED else row.joiner
    return OpenChallenge(row.id, offer, row.message_id, joiner, row.ended_at, row.answer)


async def count_challenges(connection: Transaction, user_id: int) -> Mapping[str, int]:
    """How many open challenges a person has posted or joined, by the key of the text about it."""
    counted = select(func.count()).select_from(OpenChallengeRow).where(_involves(user_id))
    return {"stored.open_challenges": int((await connection.execute(counted)).scalar_one())}


async def forget_person(connection: Transaction, user_id: int) -> None:
    """Delete a person's open challenges; of those with another person, that person's part stays."""
    row = OpenChallengeRow
    for mine, other in ((row.author, row.joiner), (row.joiner, row.author)):
        alone = and_(mine == user_id, other.is_(None))
        await connection.execute(delete(row).where(alone))
        await connection.execute(update(row).where(mine == user_id).values({mine.key: None}))


def guilds_query() -> Query:
    """The servers with open challenges."""
    known = select(OpenChallengeRow.guild_id).where(OpenChallengeRow.guild_id.is_not(None))
    return known.distinct().subquery().select()


async def forget_guild(connection: Transaction, guild_id: int) -> None:
    """Delete the open challenges of a server."""
    await connection.execute(delete(OpenChallengeRow).where(OpenChallengeRow.guild_id == guild_id))
