"""Statistics, reports, histories and leaderboards of players and servers."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rating.difficulty import current_rung
from bot.rating.ratings import rating_at
from bot.rating.standing import Standing
from bot.store import (
    GameFigures,
    GameRecord,
    LevelFigures,
    PastGame,
    PlayerSummary,
    RatingRecord,
    Scope,
    Store,
)
from bot.table.clocks import Clock
from bot.table.refusal import Refusal
from engine.game import Game
from engine.games import FAMILIES, game_of
from engine.ladder import size_class

MOST_RATINGS = 200
"""How many rated games the course of a rating goes back."""
MOST_GAMES = 1000
"""How many of the latest games a report shows one by one."""


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player's statistics at one game."""

    history: PlayerSummary
    game: Game
    """In the variant of the player's latest finished game, else in the usual one."""
    standing: Standing
    """On the ladder of that variant, like the rung."""
    rung: str
    """The agent that `auto` would choose for the player now."""


@dataclass(frozen=True, slots=True)
class Report:
    """The finished games of a person or a server against agents."""

    levels: tuple[LevelFigures, ...]
    games: tuple[GameFigures, ...]
    """The latest games, oldest first."""


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """One page of a player's finished games, newest first."""

    games: tuple[PastGame, ...]
    pages: int
    """How many pages there are."""


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of rated players, best first."""

    players: tuple[RatingRecord, ...]
    pages: int
    """How many pages there are."""


class Statistics:
    """Looks statistics up; knows nothing of Discord. Pages are counted from 0."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Read games and ratings from `store`."""
        self._store = store
        self._clock = clock

    async def require_visible(self, user_id: int, *, to: int) -> None:
        """Refuse to show statistics to others if the person hides them."""
        if user_id != to and await self.is_hidden(user_id):
            raise Refusal("stats_are_private")

    async def is_hidden(self, user_id: int) -> bool:
        """Whether a person hides their statistics."""
        return await self._store.players.is_private(user_id)

    async def of_player(self, user_id: int, family: str) -> PlayerStatistics:
        """A player's statistics at one game."""
        now = self._clock()
        history = await self._store.history.summary(user_id, family)
        variant = history.recent[0].variant if history.recent else FAMILIES[family].usual
        game = game_of(family, variant)
        rung = await current_rung(self._store, user_id, game, now)
        return PlayerStatistics(history, game, await self._standing(user_id, game, now), rung.name)

    async def report(self, scope: Scope) -> Report:
        """The games of a person or a server."""
        return Report(
            await self._store.history.level_figures(scope),
            await self._store.history.game_figures(scope, most=MOST_GAMES),
        )

    async def history(self, user_id: int, family: str, number: int, size: int) -> HistoryPage:
        """A page of a player's finished games, `size` to a page."""
        count = await self._store.history.count(user_id, family)
        games = await self._store.history.past(user_id, family, most=size, skip=number * size)
        return HistoryPage(games, _pages(count, size))

    async def leaderboard(
        self, family: str, guild_id: int | None, number: int, size: int
    ) -> LeaderboardPage:
        """A page of the best players of a game's usual variant, `size` to a page.

        With `guild_id` only people who have finished a game on that server are listed.
        """
        ladder = size_class(game_of(family, FAMILIES[family].usual))
        count = await self._store.ratings.count(ladder, guild_id=guild_id)
        players = await self._store.ratings.leaderboard(
            ladder, guild_id=guild_id, limit=size, offset=number * size
        )
        return LeaderboardPage(players, _pages(count, size))

    async def finished_games(self, user_id: int) -> list[GameRecord]:
        """All games that a person has finished, of every family, oldest first."""
        return await self._store.games.finished_by(user_id)

    async def _standing(self, user_id: int, game: Game, now: float) -> Standing:
        ladder = size_class(game)
        known = await self._store.ratings.of(user_id, ladder)
        if known is None:
            return Standing()
        points = await self._store.ratings.course(user_id, ladder)
        return Standing(
            rating_at(known, now),
            tuple(point.rating for point in points[-MOST_RATINGS:]),
            await self._store.ratings.best_win(user_id, ladder),
        )


def _pages(count: int, size: int) -> int:
    return -(-count // size)
