"""Swaps of sides, by the pie rule."""

from __future__ import annotations

from sqlalchemy import update

from bot.store import board_rows, game_rows
from bot.store.collisions import again
from bot.store.database import Database, change, lock
from bot.store.games import MoveTaken
from bot.store.models import GameRow


class Swaps:
    """Who sits where in a game, once its second player has chosen."""

    def __init__(self, database: Database) -> None:
        """Change the games of `database`."""
        self._database = database

    @again
    async def swap(
        self, game_id: int, at: float, *, made: int, look_at: float | None, owner: str | None = None
    ) -> None:
        """Let the two people of a game change places; the moves stay where they are.

        Args:
            game_id: Which game.
            at: When this happens.
            made: How many moves have been made in the game.
            look_at: When the clock next requires something, if it does.
            owner: The process that does this; it must be its game.

        Raises:
            MoveTaken: The game has moved on, has been swapped, or is another process's.
        """
        seats = {"first_user": GameRow.second_user, "second_user": GameRow.first_user}
        clocks = {"swapped_at": at, "paused": 0.0, "look_at": look_at}
        shown = {**board_rows.aside(at), "show_at": at + board_rows.GRACE}
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, (game_id,))
            present = game_rows.is_running(game_id, moves=made, owner=owner)
            unswapped = update(GameRow).where(present, GameRow.pie, GameRow.swapped_at.is_(None))
            if not await change(connection, unswapped.values(**seats, **clocks, **shown)):
                raise MoveTaken
