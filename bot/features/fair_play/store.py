"""Where people play each other now, and which of their games against agents may have to wait.

All of it is in the database, which all processes share.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import BigInteger, Select, String, bindparam, or_, select
from sqlalchemy.orm import aliased

from bot.database.database import Database
from bot.database.statements import Prepared
from bot.store.owners import Owner, may_own
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

_GAME = (GameRow.id, GameRow.channel_id, GameRow.state)


def held_query() -> Select[int, int, int]:
    """The running games that wait."""
    return select(*_GAME).where(GameRow.held_at.is_not(None), GameRow.finished_at.is_(None))


def beside_queries() -> Iterator[Select[int, int, int, int]]:
    """Queries for running games against agents of people who also play people at the same game.

    One for each pair of seats, so that each is a plain join; with the state of the other game.
    """
    contest = aliased(GameRow)
    for mine, other in (
        (GameRow.first_user, GameRow.second_user),
        (GameRow.second_user, GameRow.first_user),
    ):
        for theirs in (contest.first_user, contest.second_user):
            beside = (theirs == mine) & (contest.family == GameRow.family)
            rated = (contest.first_user != contest.second_user) & ~contest.friendly
            both_run = contest.finished_at.is_(None) & GameRow.finished_at.is_(None)
            joined = select(*_GAME, contest.state.label("beside")).join(contest, beside)
            yield joined.where(both_run, rated, other.is_(None))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game that waits, or that may have to wait because of others."""

    id: int
    channel_id: int
    states: tuple[int, ...]
    """The states of this game and of the others: it has to be looked at again once they change."""
    is_held: bool


class FairPlayStore:
    """Finds games between two people that may be rated."""

    def __init__(self, database: Database) -> None:
        """Search in `database`."""
        self._database = database

    async def contests_of(self, user_id: int, family: str) -> list[int]:
        """The channels of a person's running games against people, the oldest first."""
        values = {"user": user_id, "family": family}
        return [row.channel_id for row in await self._database.fetch(_CONTESTS, values)]

    async def candidates(self, owner: Owner) -> list[Waiting]:
        """The games of a process that wait or may have to."""
        mine = may_own(owner, self._database)
        waiting = await self._database.fetch(held_query().where(mine))
        held = {row.id for row in waiting}
        games = {row.id: (row.channel_id, [row.state]) for row in waiting}
        for query in beside_queries():
            for row in await self._database.fetch(query.where(mine)):
                games.setdefault(row.id, (row.channel_id, [row.state]))[1].append(row.beside)
        return [
            Waiting(game_id, channel_id, (states[0], *sorted(states[1:])), game_id in held)
            for game_id, (channel_id, states) in games.items()
        ]
