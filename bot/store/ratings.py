"""Players' ratings: present ratings, their history, leaderboards, and games due to be rated.

Stored ratings are as of a player's last rated game; `bot.ratings` brings them forward.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased

from bot.database.errors import retry_on_conflict
from bot.database.statements import Prepared, lock, put
from bot.store.owners import (
    DueGames,
    Owner,
    bound_owner,
    claim_query,
    is_first_of_its_people,
    is_ready,
)
from bot.store.records import (
    FORMER_PLAYER,
    Background,
    Experience,
    RatedEnd,
    Rating,
    RatingChange,
    RatingPoint,
    RatingRecord,
    UnaidedMoves,
)
from bot.store.results import has_result
from bot.store.rows import change_of, rated
from bot.store.tables import (
    MAX_ATTEMPTS,
    GameRow,
    PlayerRow,
    RatingChangeRow,
    RatingDueRow,
    RatingRow,
    UnaidedRow,
)


async def apply(
    connection: AsyncConnection, game_id: int, rated: RatedEnd
) -> tuple[RatingChange, ...]:
    """Read the ratings that the end of a game needs, change them, and record public changes.

    The transaction must have begun as a writer: if another process is rating a game of the same
    person, the second transaction must read what the first has written.
    """
    # Players' rows exist before their first ratings do.
    await lock(connection, PlayerRow.id, rated.people)
    ((at, *seats),) = await _ENDED.rows(connection, {"game": game_id})
    assert at is not None, "only games that have ended are due"
    first, *second = rated.people
    whose = {"on_ladder": rated.ladder, "first": first, "second": second[0] if second else first}
    found = await _PRESENT.rows(connection, whose)
    # People whose data have been deleted in the meantime get no new rating.
    present = {*seats} - {FORMER_PLAYER}
    known = {row.user_id: record(row) for row in found}
    begun = await _begun(connection, rated, present - {*known}, at)
    rates = rated.rate(known | begun)
    changes = tuple(change for change in rates if change.user_id in present)
    for change in changes:
        key = {"user_id": change.user_id, "ladder": rated.ladder}
        # Later games may have been rated before, if rating this one failed at first.
        before = known.get(change.user_id)
        latest = at if before is None else max(at, before.updated_at)
        await put(connection, RatingRow, key, {**asdict(change.after), "updated_at": latest})
        if change.is_public:
            await _CHANGED.change(connection, _values(change, game_id, rated.ladder, at))
    public = tuple(change for change in changes if change.is_public)
    if public:
        await _SHOW_AGAIN.change(connection, {"game": game_id})
    return public


async def _begun(
    connection: AsyncConnection, rated: RatedEnd, new: Collection[int | None], at: float
) -> dict[int, RatingRecord]:
    """The ratings with which people begin who have none on the ladder."""
    if rated.start is None:
        return {}
    found = {}
    for user_id in rated.people:
        if user_id in new:
            values = {"user": user_id}
            rows = [await one.rows(connection, values) for one in (_ALL_OF, _EXPERIENCE)]
            start = rated.start(background(*rows))
            found[user_id] = RatingRecord(user_id, rated.ladder, start, at)
    return found


async def changes(connection: AsyncConnection, game_id: int) -> tuple[RatingChange, ...]:
    """The changes of ratings by a game; empty if it has not been rated."""
    statement = select(RatingChangeRow).where(RatingChangeRow.game_id == game_id)
    return tuple(change_of(row) for row in await connection.execute(statement))


def record(row: Any) -> RatingRecord:
    """A player's rating from its row."""
    rating = Rating(row.value, row.deviation, row.volatility, row.games, row.surprise, row.shown)
    return RatingRecord(row.user_id, row.ladder, rating, row.updated_at)


def background(ratings: Sequence[Any], answers: Sequence[Any]) -> Background:
    """What is known about a person's strength, from the rows of their ratings and their answer."""
    said = answers[0].experience if answers else None
    known = {row.ladder: record(row) for row in ratings}
    return Background(known, None if said is None else Experience(said))


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

_SHOW_AGAIN = Prepared(update(GameRow).where(GameRow.id == bindparam("game")).values(rated()))


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


LOWEST = -1e6
"""A value below every number."""


class Ratings(DueGames):
    """The ratings of all players on all ladders, and the games that are to be rated."""

    table = RatingDueRow

    async def of(self, user_id: int, ladder: str) -> RatingRecord | None:
        """A player's rating on a ladder; None before their first rated game there."""
        found = await self._records(rating_query(user_id).where(RatingRow.ladder == ladder))
        return found[0] if found else None

    async def all_of(self, user_id: int) -> tuple[RatingRecord, ...]:
        """All of a player's ratings, by the name of the ladder."""
        return await self._records(rating_query(user_id))

    async def background(self, user_id: int) -> Background:
        """What is known about a person's strength on any ladder."""
        values = {"user": user_id}
        ratings = await self._database.fetch(_ALL_OF, values)
        return background(ratings, await self._database.fetch(_EXPERIENCE, values))

    async def course(self, user_id: int, ladder: str) -> tuple[RatingPoint, ...]:
        """A player's rating on a ladder after each of their games, in order."""
        rows = await self._database.fetch(course_query(user_id, ladder))
        return tuple(RatingPoint(row.at, change_of(row).after) for row in rows)

    async def leaderboard(
        self,
        *ladders: str,
        user_ids: Collection[int] | None = None,
        guild_id: int | None = None,
        limit: int = 10,
        offset: int = 0,
    ) -> tuple[RatingRecord, ...]:
        """The best players by their public number; players without a number are left out.

        Players who hide their statistics are left out too.

        Args:
            ladders: Which game and size class; if several, each player is listed once, with the
                best of their numbers.
            user_ids: If given, these players only.
            guild_id: If given, only players who have finished a game of any kind on that server.
            limit: How many at most.
            offset: How many of the best to skip.
        """
        statement = board_query(ladders, user_ids, guild_id).limit(limit).offset(offset)
        return await self._records(statement)

    async def count(self, *ladders: str, guild_id: int | None = None) -> int:
        """The number of players on a leaderboard."""
        found = await self._database.fetch(count_query(ladders, guild_id))
        return int(found[0].count)

    async def place(self, user_id: int, *ladders: str, guild_id: int | None = None) -> int | None:
        """A player's place on a leaderboard, counted from 1; None if they are not on it."""
        own = await self.leaderboard(*ladders, user_ids=(user_id,), guild_id=guild_id, limit=1)
        if not own:
            return None
        found = await self._database.fetch(ahead_query(ladders, own[0], guild_id))
        return int(found[0].count) + 1

    async def due(self, limit: int) -> list[int]:
        """The games that are to be rated now, in the order in which their ends were stored.

        Games that wait for a retry are left out, as are later games of their players.
        """
        most, ready = bindparam("most", type_=Integer), is_ready(self._database, RatingDueRow)
        statement = self._statements.get("due", lambda: due_query(most, ready))
        return [row.game_id for row in await self._database.fetch(statement, {"most": limit})]

    def _ready(self) -> tuple[ColumnElement[bool], ...]:
        """A game is ready if it is the first unrated game of each of its people."""
        return (is_first_of_its_people(),)

    async def has_games_left(self, owner: Owner) -> bool:
        """Whether a process has games to rate, now or after games of other processes.

        Games that wait for a retry are left out.
        """

        def left() -> Select[int, str | None]:
            ready = is_ready(self._database, RatingDueRow)
            return claim_query(self._database, RatingDueRow, bound_owner(owner), ready).limit(1)

        statement = self._statements.get(("left", owner.takes), left)
        return bool(await self._database.fetch(statement, {"process": owner.id}))

    async def is_due(self, user_id: int) -> bool:
        """Whether any game of this person has yet to be rated; parked ones do not count."""
        return bool(await self._database.fetch(DUE_TO, {"user": user_id}))

    @retry_on_conflict
    async def rate(self, game_id: int, rated: RatedEnd | None) -> tuple[RatingChange, ...]:
        """Rate a game that is due, once; None settles it without rating it.

        Returns the changes; those of the first time if the game was rated before.
        """
        async with self._database.writing() as connection:
            if not await _SETTLED.change(connection, {"game": game_id}):
                return await changes(connection, game_id)
            if rated is None:
                return ()
            await add_unaided(connection, game_id, rated.unaided)
            return await apply(connection, game_id, rated)

    async def _records(self, statement: Select[Any]) -> tuple[RatingRecord, ...]:
        return tuple(record(row) for row in await self._database.fetch(statement))


def due_query(limit: int | ColumnElement[int], ready: ColumnElement[bool]) -> Select[int]:
    """The games that are `ready` to be rated, by when their ends were stored."""
    due = select(RatingDueRow.game_id).join(GameRow, GameRow.id == RatingDueRow.game_id)
    waits_for_none = is_first_of_its_people(failed=True)
    return due.where(ready, waits_for_none).order_by(RatingDueRow.id).limit(limit)


def due_to_query(user_id: int | ColumnElement[int]) -> Select[int]:
    """A game of a person that has yet to be rated."""
    # Reads the few games that are due, not all that the person has played.
    theirs = exists().where(
        GameRow.id == RatingDueRow.game_id,
        or_(GameRow.first_user == user_id, GameRow.second_user == user_id),
    )
    due = select(RatingDueRow.game_id).where(theirs, RatingDueRow.attempts < MAX_ATTEMPTS)
    return due.limit(1)


DUE_TO = Prepared(due_to_query(bindparam("user", type_=BigInteger)))

_SETTLED = Prepared(
    delete(RatingDueRow).where(RatingDueRow.game_id == bindparam("game", type_=Integer))
)


def rating_query(user_id: int | ColumnElement[int]) -> Select[Any]:
    """The ratings of a player."""
    return select(RatingRow).where(RatingRow.user_id == user_id).order_by(RatingRow.ladder)


_USER = bindparam("user", type_=BigInteger)

_ALL_OF = Prepared(rating_query(_USER))

_EXPERIENCE = Prepared(select(PlayerRow.experience).where(PlayerRow.id == _USER))


def course_query(user_id: int, ladder: str) -> Select[Any]:
    """The changes by a player's games on a ladder, in order."""
    return (
        select(RatingChangeRow)
        .where(RatingChangeRow.user_id == user_id, RatingChangeRow.ladder == ladder)
        # Games that ended in the same instant come in the order in which they were rated.
        .order_by(RatingChangeRow.at, RatingChangeRow.games_after)
    )


def board_query(
    ladders: Collection[str], user_ids: Collection[int] | None, guild_id: int | None
) -> Select[Any]:
    """The ratings of a leaderboard, best first."""
    # Both descend, so the index of one ladder is read backwards and nothing needs sorting.
    order = (RatingRow.shown.desc(), RatingRow.user_id.desc())
    return select(RatingRow).where(_listed(ladders, user_ids, guild_id)).order_by(*order)


def count_query(ladders: Collection[str], guild_id: int | None) -> Select[Any]:
    """How many ratings a leaderboard has."""
    counted = select(func.count().label("count")).select_from(RatingRow)
    return counted.where(_listed(ladders, None, guild_id))


def ahead_query(
    ladders: Collection[str], record: RatingRecord, guild_id: int | None
) -> Select[Any]:
    """How many players of a leaderboard are ahead of one of them."""
    shown = record.rating.shown
    tied = and_(RatingRow.shown == shown, RatingRow.user_id > record.user_id)
    return count_query(ladders, guild_id).where(or_(RatingRow.shown > shown, tied))


def _listed(
    ladders: Collection[str], user_ids: Collection[int] | None, guild_id: int | None
) -> ColumnElement[bool]:
    visible = ~exists().where(PlayerRow.id == RatingRow.user_id, PlayerRow.private)
    wanted = and_(_on(RatingRow, ladders), visible)
    if len(ladders) > 1:
        better = aliased(RatingRow)
        tied = and_(better.shown == RatingRow.shown, better.ladder < RatingRow.ladder)
        ahead = or_(better.shown > RatingRow.shown, tied)
        of_theirs = and_(better.user_id == RatingRow.user_id, _on(better, ladders))
        wanted = and_(wanted, ~exists().where(of_theirs, ahead))
    if user_ids is not None:
        wanted = and_(wanted, RatingRow.user_id.in_(user_ids))
    if guild_id is not None:
        # Two conditions, so that an index of each seat can answer one.
        played = (
            exists().where(GameRow.guild_id == guild_id, seat == RatingRow.user_id, has_result())
            for seat in (GameRow.first_user, GameRow.second_user)
        )
        wanted = and_(wanted, or_(*played))
    return wanted


def _on(rows: Any, ladders: Collection[str]) -> ColumnElement[bool]:
    """Whether a rating is on one of these ladders, and has a number."""
    (first, *others) = ladders
    on = rows.ladder.in_(ladders) if others else rows.ladder == first
    # All rows with a number; unlike "is not null" it makes SQLite use the index even after ANALYZE.
    return and_(on, rows.shown >= LOWEST)


_SEATS = Prepared(
    select(GameRow.first_user, GameRow.second_user).where(GameRow.id == bindparam("game"))
)


async def add_unaided(
    connection: AsyncConnection, game_id: int, moves: Sequence[UnaidedMoves]
) -> None:
    """Add the results of a judgement, in the transaction that settles the game.

    People whose data have been deleted in the meantime are left out.
    """
    if not moves:
        return
    found = await _SEATS.rows(connection, {"game": game_id})
    present = found[0] if found else ()
    rows = [{"game_id": game_id, **asdict(one)} for one in moves if one.user_id in present]
    if rows:
        await connection.execute(insert(UnaidedRow), rows)
