"""Boards: what each game's message last showed, which are out of date, and the games' pings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    Select,
    String,
    and_,
    bindparam,
    case,
    func,
    select,
    update,
)

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Prepared, change, lock
from bot.store import rows
from bot.store.owners import Owner, may_own
from bot.store.records import GameRecord
from bot.store.rows import COUNTDOWN, GAMES, GRACE, NOTHING, lacks_countdown, readable_records
from bot.store.tables import GameRow

DAMAGED_PAUSE = 300.0
"""Seconds until the board of a game is due again whose rows could not be read."""


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A message, and what it shows."""

    message_id: int
    state: int
    """The shown state of the game, as a number (`bot.store.rows`)."""

    def lacks_countdown(self, state: int) -> bool:
        """Whether it shows a running game in this state, except for the present countdown."""
        return self.state == state - COUNTDOWN


class ShownBoards:
    """The messages of games, and what these show."""

    def __init__(self, database: Database) -> None:
        """Keep that in `database`."""
        self._database = database

    async def of(self, game_id: int) -> ShownBoard | None:
        """The message that shows a game, if there is one."""
        for row in await self._database.fetch(_BOARD, {"game": game_id}):
            if row.message_id is not None:
                return ShownBoard(row.message_id, row.shown)
        return None

    async def message_of(self, game_id: int) -> int | None:
        """Which message shows a game's board."""
        return await self._read(_MESSAGE, game_id)

    async def set_message(
        self, game_id: int, message_id: int | None, *, shown: int = -1, owner: str | None = None
    ) -> bool:
        """Note which message shows a game's board, and which state of the game it shows.

        False, and no change, if an `owner` is given and the game is over or another process's.
        """
        values = {"game": game_id, "process": owner, "message": message_id, "now_shown": shown}
        return await self._database.change(_message_statement(owned=owner is not None), values) == 1

    async def ping_of(self, game_id: int) -> int | None:
        """The message that last notified a player of a game, if it is still there."""
        return await self._read(_PING, game_id)

    async def set_ping(self, game_id: int, message_id: int | None) -> None:
        """Note which message last notified a player of a game; None once it is gone."""
        which = update(GameRow).where(GameRow.id == game_id)
        await self._database.change(which.values(ping_id=message_id))

    async def forget_messages(self) -> None:
        """Note that the messages of all running games are gone."""
        running = update(GameRow).where(GameRow.finished_at.is_(None))
        await self._database.change(running.values(message_id=None, ping_id=None))

    @retry_on_conflict
    async def note(self, shown: Mapping[int, ShownBoard], owner: Owner | None = None) -> None:
        """Record what messages show, by the ids of their games; older states change nothing.

        Neither do messages that have been replaced. Boards of games that another process owns by
        now are due again, because it is unknown whose edit reached Discord last.
        """
        if not shown:
            return
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, shown)
            news = [
                {"game": game_id, "message": board.message_id, "state_shown": board.state}
                for game_id, board in shown.items()
            ]
            await _NOTE.change(connection, *news)
            # With a database file there is no other process.
            if owner is not None and self._database.is_shared:
                lost = and_(GameRow.id.in_(list(shown)), ~may_own(owner, self._database))
                await change(connection, update(GameRow).where(lost).values(shown=NOTHING))

    async def due(self, now: float, limit: int, owner: Owner | None = None) -> list[GameRecord]:
        """Games whose messages should show the stored state by now, but do not.

        Games that are longest due come first, those with only a changed countdown last. With
        `owner`, only games that this process is to show.
        """
        mine = due_query(now, limit).where(may_own(owner, self._database))
        found = await self._database.fetch(mine)
        if not found:
            return []
        async with self._database.reading() as connection:
            order = {row.id: place for place, row in enumerate(found)}
            due = select(GameRow).where(GameRow.id.in_(order))
            records = await readable_records(connection, due)
        # Otherwise damaged games would stay the longest due and take the places of others.
        for game_id in order.keys() - {record.id for record in records}:
            await self.postpone(game_id, now + DAMAGED_PAUSE)
        return sorted(records, key=lambda record: order[record.id])

    async def postpone(self, game_id: int, until: float) -> None:
        """Do not show a board before a time."""
        later = update(GameRow).where(GameRow.id == game_id).values(show_at=until)
        await self._database.change(later)

    async def hasten(self, now: float, owner: Owner | None = None) -> None:
        """Make all outdated boards due, as after a start.

        The latest changes come first, because a sudden end has interrupted their edits; older
        changes may have been shown without a record of that. Boards that waited for a retry come
        next, and boards with only a changed countdown last.
        """
        mine = and_(_differs(), ~lacks_countdown(), may_own(owner, self._database))
        changed = GameRow.show_at <= now + GRACE
        sooner = case((changed, -func.abs(GameRow.show_at)), else_=0.0)
        await self._database.change(update(GameRow).where(mine).values(show_at=sooner))

    async def hasten_in(self, channel_id: int) -> None:
        """Make the outdated boards of a channel due."""
        there = and_(GameRow.channel_id == channel_id, _differs())
        await self._database.change(update(GameRow).where(there).values(show_at=0.0))

    async def give_up(self, game_id: int) -> None:
        """Record a board as shown, because it can no longer be shown."""
        settled = update(GameRow).where(GameRow.id == game_id).values(shown=GameRow.state)
        await self._database.change(settled)

    async def count_due(self, owner: Owner | None = None) -> int:
        """The number of outdated boards; with `owner`, of those that this process is to show."""
        mine = and_(_differs(), may_own(owner, self._database))
        found = await self._database.fetch(select(func.count().label("games")).where(mine))
        return int(found[0].games)

    async def _read(self, query: Prepared, game_id: int) -> int | None:
        found = await self._database.fetch(query, {"game": game_id})
        return found[0][0] if found else None


_BOARD = Prepared(select(GameRow.message_id, GameRow.shown).where(GameRow.id == bindparam("game")))

_NOTE = Prepared(
    update(GAMES)
    .where(
        GAMES.c.id == bindparam("game"),
        GAMES.c.message_id == bindparam("message"),
        GAMES.c.shown < bindparam("state_shown"),
    )
    .values(shown=bindparam("state_shown"))
)


def due_query(now: float, limit: int) -> Select[int]:
    """The games whose boards are due."""
    due = select(GameRow.id).where(_differs(), GameRow.show_at <= now)
    return due.order_by(lacks_countdown(), GameRow.show_at).limit(limit)


def _differs() -> ColumnElement[bool]:
    # The same expression as in the index.
    return GameRow.shown < GameRow.state


@cache
def _message_statement(*, owned: bool) -> Prepared:
    """The statement that notes which `message` shows a `game`; if `owned`, only a `process`'s."""
    game = bindparam("game", type_=Integer)
    owner = bindparam("process", type_=String)
    which = rows.is_running(game, owner=owner) if owned else GameRow.id == game
    message = bindparam("message", type_=BigInteger)
    shown = bindparam("now_shown", type_=BigInteger)
    return Prepared(update(GameRow).where(which).values(message_id=message, shown=shown))


_MESSAGE, _PING = (
    Prepared(select(column).where(GameRow.id == bindparam("game")))
    for column in (GameRow.message_id, GameRow.ping_id)
)
