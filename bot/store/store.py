"""Everything that outlives the process."""

from __future__ import annotations

from bot.store.challenges import Challenges
from bot.store.claims import Claims
from bot.store.crowns import Crowns
from bot.store.daily_posts import DailyPosts
from bot.store.damaged_games import DamagedGames
from bot.store.database import Database
from bot.store.departures import Departures
from bot.store.draw_offers import DrawOffers
from bot.store.erasure import Erasure
from bot.store.games import Games
from bot.store.history import History
from bot.store.identifies import Identifies
from bot.store.league import League
from bot.store.lessons import Lessons
from bot.store.notes import Notes
from bot.store.owners import Owners
from bot.store.players import Players
from bot.store.processes import Processes
from bot.store.puzzles import Puzzles
from bot.store.rate_limits import RateLimits
from bot.store.ratings import Ratings
from bot.store.shown_boards import ShownBoards
from bot.store.swaps import Swaps
from bot.store.unaided import Unaided
from bot.store.undo_requests import UndoRequests
from bot.store.votes import Votes
from bot.telemetry import SILENT, Meter


class Store:
    """One database, with a repository for each kind of thing in it.

    Every method of theirs is one transaction and, if it writes, on disk when it returns.
    """

    def __init__(self, url: str, meter: Meter = SILENT) -> None:
        """Prepare for the database at an SQLAlchemy address; `open` connects."""
        self.database = Database(url, meter)
        self.games = Games(self.database)
        self.boards = ShownBoards(self.database)
        self.challenges = Challenges(self.database)
        self.undos = UndoRequests(self.database)
        self.draws = DrawOffers(self.database)
        self.votes = Votes(self.database)
        self.swaps = Swaps(self.database)
        self.players = Players(self.database)
        self.ratings = Ratings(self.database)
        self.history = History(self.database)
        self.league = League(self.database)
        self.crowns = Crowns(self.database)
        self.lessons = Lessons(self.database)
        self.puzzles = Puzzles(self.database)
        self.daily_posts = DailyPosts(self.database)
        self.unaided = Unaided(self.database)
        self.damaged_games = DamagedGames(self.database)
        self.notes = Notes(self.database)
        self.erasure = Erasure(self.database)
        self.departures = Departures(self.database)
        self.owners = Owners(self.database)
        self.processes = Processes(self.database)
        self.claims = Claims(self.database)
        self.rate_limits = RateLimits(self.database)
        self.identifies = Identifies(self.database)

    async def open(self) -> None:
        """Connect, and run any migrations that are missing; raises Unfit or Unavailable."""
        await self.database.open()

    async def close(self) -> None:
        """Disconnect."""
        await self.database.close()
