"""Personal data of voting, which does not contribute them yet."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from sqlalchemy import Select, func, select

from bot.feature import Core, PersonalData
from bot.store.rows import Transaction
from bot.store.tables import VoteRow


def unconverted(core: Core) -> PersonalData:
    """What is missing in the contributions of features."""

    async def leave(user_id: int) -> None:
        client: Any = core.client
        app = client.app
        if (voting := getattr(app._services, "voting", None)) is not None:
            await voting.withdraw_all(user_id)

    async def files(user_id: int) -> Mapping[str, str]:
        rules: Any = import_module("bot.features.voting.rules")

        store: Any = core.store
        kept = getattr(store, "votes", None)
        found = [] if kept is None else await kept.of(user_id)
        return {"votes.csv": rules.votes_as_csv(found)} if found else {}

    return PersonalData(order=30, count=_count, files=files, leave=leave)


async def _count(connection: Transaction, user_id: int) -> Mapping[str, int]:
    counted: Select[int] = select(func.count()).select_from(VoteRow)
    found = await connection.execute(counted.where(VoteRow.user_id == user_id))
    return {"votes": int(found.scalar_one())}
