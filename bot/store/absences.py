"""When the bot was last at work, and what is made up for the time in which it was not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select, update

from bot.store import board_rows, game_rows
from bot.store.collisions import again
from bot.store.database import Database, lock, put
from bot.store.models import ChallengeRow, GameRow, NoteRow

ALIVE = "alive"
"""The note that holds when the bot was last at work."""


@dataclass(frozen=True, slots=True)
class Pause:
    """What a running game is given for an absence, if it still has so many moves."""

    moves: int
    seconds: float
    """All that it has been given since its latest event."""
    look_at: float | None


class Absences:
    """Notes that the bot is at work, and gives back time in which it was not."""

    def __init__(self, database: Database) -> None:
        """Keep that in `database`."""
        self._database = database

    async def last_beat(self) -> float | None:
        """When the bot was last at work, as far as is known."""
        found = await self._database.fetch(select(NoteRow.text).where(NoteRow.name == ALIVE))
        return float(found[0].text) if found else None

    @again
    async def beat(
        self,
        at: float,
        *,
        patience: float,
        pauses: Mapping[int, Pause] | None = None,
        later: float = 0.0,
    ) -> None:
        """Note that the bot is at work.

        Args:
            at: Now.
            patience: Seconds to wait for the database.
            pauses: What running games are given for an absence, by their ids.
            later: Seconds by which open challenges expire later for it.
        """
        async with self._database.writing(patience) as connection:
            await put(connection, NoteRow, {"name": ALIVE}, {"text": repr(at)})
            await lock(connection, GameRow.id, pauses or {})
            for game_id, pause in (pauses or {}).items():
                same = game_rows.is_running(game_id, moves=pause.moves)
                values = {"paused": pause.seconds, "look_at": pause.look_at}
                # Its board tells until when there is time.
                values.update(board_rows.unshown(at))
                await connection.execute(update(GameRow).where(same).values(values))
            if later:
                is_open = update(ChallengeRow).where(ChallengeRow.answer.is_(None))
                expires = {"expires_at": ChallengeRow.expires_at + later}
                # One whose time was up before the absence began does not come back.
                alive = ChallengeRow.expires_at > at - later
                await connection.execute(is_open.where(alive).values(expires))
