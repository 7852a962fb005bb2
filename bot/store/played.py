"""Games that were played before they are stored: whole, without a message and without people."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import add
from bot.store import rows
from bot.store.records import EndRecord, GameSetup, MoveRecord
from bot.store.tables import GameRow

Also = Callable[[rows.Transaction, int], Awaitable[None]]
"""A further step in the transaction that stores a game, whose id it gets."""


class PlayedGames:
    """Stores games of agents that were not shown move by move."""

    def __init__(self, database: Database, at_end: Sequence[rows.EndStep] = ()) -> None:
        """Keep games in `database`; the steps in `at_end` run for each, as when a game ends."""
        self._database = database
        self._at_end = tuple(at_end)

    @retry_on_conflict
    async def add(
        self,
        setup: GameSetup,
        began_at: float,
        moves: Sequence[MoveRecord],
        end: EndRecord,
        also: Also,
    ) -> int:
        """Store a finished game and return its id; if `also` raises, nothing is stored.

        The game has no message, so no board is ever shown or edited for it.
        """
        assert not setup.people, "games of people are stored move by move"
        # As a game that has been shown in its last state, since there is no message to edit.
        state = rows.state_number(len(moves), 0, is_over=True, is_rated=False)
        values = rows.game_values(setup, began_at) | {
            "finished_at": end.at,
            "ending": end.ending,
            "winner": end.winner,
            "state": state,
            "shown": state,
            "show_at": None,
        }
        async with self._database.writing() as connection:
            game_id = await add(connection, GameRow, values)
            await rows.add_moves(connection, game_id, moves)
            await rows.add_tally(connection, game_id)
            for step in self._at_end:
                await step(connection, game_id)
            await also(connection, game_id)
            return game_id
