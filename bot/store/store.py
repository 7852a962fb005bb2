"""The store: one database with all repositories."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.database.database import Database
from bot.store.boards import ShownBoards
from bot.store.damaged_games import DamagedGames
from bot.store.games import Games
from bot.store.owners import Owners
from bot.store.people import Challenges, Players, RateLimits, Servers
from bot.store.played import PlayedGames
from bot.store.preferences import CachedPreferences
from bot.store.processes import Claims, Identifies, Notes, Processes
from bot.store.ratings import Ratings
from bot.store.results import Results
from bot.store.rows import EndStep
from bot.telemetry import SILENT, Meter


class Store:
    """One database, with a repository for each kind of data.

    Each of their methods is one transaction. When a method that writes returns, its changes are
    on disk.
    """

    def __init__(self, url: str, meter: Meter = SILENT, *, at_end: Sequence[EndStep] = ()) -> None:
        """Prepare for the database at an SQLAlchemy address; `open` connects.

        The steps in `at_end` run in each transaction that ends a game.
        """
        self.database = Database(url, meter)
        self.games = Games(self.database, at_end)
        self.played = PlayedGames(self.database, at_end)
        self.boards = ShownBoards(self.database)
        self.challenges = Challenges(self.database)
        self.players = Players(self.database)
        self.servers = Servers(self.database)
        self.preferences = CachedPreferences(self.players, self.servers)
        self.ratings = Ratings(self.database)
        self.results = Results(self.database)
        self.damaged_games = DamagedGames(self.database)
        self.notes = Notes(self.database)
        self.owners = Owners(self.database)
        self.processes = Processes(self.database)
        self.claims = Claims(self.database)
        self.rate_limits = RateLimits(self.database)
        self.identifies = Identifies(self.database)

    async def open(self, on_reopened: Callable[[], None] = lambda: None) -> None:
        """Connect, and run any migrations that are missing; see `Database.open`."""
        await self.database.open(on_reopened)

    async def close(self) -> None:
        """Disconnect."""
        await self.database.close()
