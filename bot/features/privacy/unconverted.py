"""Personal data of features that do not contribute them yet; each part goes when its owner's lands.

Tables and functions that are no longer where they were are skipped: their feature has them now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from sqlalchemy import Select, delete, false, func, select, union, update

from bot.feature import Core, PersonalData
from bot.store.rows import Query, Transaction
from bot.store.tables import GameRow, VoteRow


def unconverted(core: Core) -> PersonalData:
    """What is missing in the contributions of features."""

    async def leave(user_id: int) -> None:
        client: Any = core.client
        app = client.app
        if (voting := getattr(app._services, "voting", None)) is not None:
            await voting.withdraw_all(user_id)

    async def files(user_id: int) -> Mapping[str, str]:
        texts: dict[str, str] = {}
        store: Any = core.store
        if (puzzles := getattr(store, "puzzles", None)) is not None:
            tries, days = await puzzles.all_of(user_id)
            if tries:
                texts["puzzles.csv"] = _rules("puzzles").puzzles_as_csv(tries)
                texts["days.csv"] = _rules("daily").days_as_csv(days)
        for feature, repository, read in (
            ("lessons", "lessons", "all_of"),
            ("voting", "votes", "of"),
        ):
            kept = getattr(store, repository, None)
            found = [] if kept is None else await getattr(kept, read)(user_id)
            if found:
                texts[f"{repository}.csv"] = getattr(_rules(feature), f"{repository}_as_csv")(found)
        return texts

    return PersonalData(
        order=-1,
        count=_count,
        files=files,
        leave=leave,
        delete=_delete,
        guilds=_guilds,
        forget_guild=_forget,
    )


async def _count(connection: Transaction, user_id: int) -> Mapping[str, int]:
    counts = {}
    for name, tables in (
        ("puzzles", _tables("puzzles", "PuzzleTryRow")),
        ("lessons", _tables("lessons", "LessonPartRow")),
        ("votes", (VoteRow,)),
    ):
        for table in tables:
            counted: Select[int] = select(func.count()).select_from(table)
            found = await connection.execute(counted.where(table.user_id == user_id))
            counts[name] = int(found.scalar_one())
    return counts


async def _delete(connection: Transaction, user_id: int) -> None:
    for daily in _tables("puzzles", "DailyTryRow"):
        outdate: Any = import_module("bot.features.puzzles.store").outdate
        await outdate(connection, daily.user_id == user_id)
    for own in (
        *_tables("puzzles", "DailyTryRow", "PuzzleTryRow", "PuzzleRatingRow"),
        *_tables("lessons", "LessonPartRow"),
    ):
        await connection.execute(delete(own).where(own.user_id == user_id))


def _guilds() -> Query:
    found = [
        select(table.guild_id).where(table.guild_id.is_not(None))
        for table in _tables("puzzles", "DailyTryRow", "DailyChannelRow")
    ]
    return union(select(GameRow.guild_id).where(false()), *found).subquery("daily").select()


async def _forget(connection: Transaction, guild_id: int) -> None:
    for table in _tables("puzzles", "DailyChannelRow", "DailyPostRow"):
        await connection.execute(delete(table).where(table.guild_id == guild_id))
    for table in _tables("puzzles", "DailyTryRow"):
        tried = update(table).where(table.guild_id == guild_id)
        await connection.execute(tried.values(guild_id=None))


def _rules(feature: str) -> Any:
    return import_module(f"bot.features.{feature}.rules")


def _tables(feature: str, *names: str) -> Iterator[Any]:
    module = import_module(f"bot.features.{feature}.store")
    return (getattr(module, name) for name in names if hasattr(module, name))
