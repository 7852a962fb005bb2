"""Statistics, reports, histories and leaderboards of players and servers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.rating.difficulty import current_rung
from bot.rating.progress import Progress, progress_of, since
from bot.rating.ratings import rating_at
from bot.rating.size_classes import SizeClass, classes_of, known_game
from bot.rating.standing import Coverage, Rank, Standing
from bot.store import (
    CrownRecord,
    DailyTry,
    GameFigures,
    GameRecord,
    GivenVote,
    LevelFigures,
    LevelTally,
    PastGame,
    PlayerSummary,
    PuzzleRecord,
    PuzzleTry,
    Rating,
    RatingRecord,
    Scope,
    SolvedPart,
    Store,
)
from bot.table.clocks import Clock
from bot.table.refusal import Refusal
from bot.table.session import Session
from engine.core.game import Game
from engine.core.registry import games as all_games
from engine.strength.ladder import size_class

MOST_RATINGS = 200
"""How many rated games the course of a rating goes back."""
MOST_GAMES = 1000
"""How many of the latest games a report shows one by one."""


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player's statistics at one game."""

    history: PlayerSummary
    coverage: Coverage
    game: Game
    """In the variant of the player's latest game that is covered, else in the usual one."""
    standing: Standing
    """On the ladder of that variant, like the rung."""
    others: tuple[tuple[SizeClass, Rating], ...]
    """The player's ratings on the other ladders that are covered."""
    rung: str
    """The agent that `auto` would choose for the player now."""
    puzzles: PuzzleRecord | None = None
    """How strong the player is at puzzles on that ladder; None before the first one."""
    crowns: tuple[CrownRecord, ...] = ()
    """The agents that the player has beaten without help, in the sizes that are covered."""
    against: LevelTally | None = None
    """The results against whoever looks at them."""


@dataclass(frozen=True, slots=True)
class Report:
    """The finished games of a person or a server against agents."""

    coverage: Coverage
    levels: tuple[LevelFigures, ...]
    games: tuple[GameFigures, ...]
    """The latest games, oldest first."""
    progress: Progress | None = None
    """Whether a person's own moves have got better; None in a server's report."""


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """One page of a player's finished games, newest first."""

    games: tuple[PastGame, ...]
    pages: int
    """How many pages there are."""
    coverage: Coverage


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of rated players, best first."""

    players: tuple[RatingRecord, ...]
    pages: int
    """How many pages there are."""
    coverage: Coverage
    own: Own
    """Where whoever looks at it stands."""


@dataclass(frozen=True, slots=True)
class Own:
    """Where somebody stands on a leaderboard: a place, or how far placement is."""

    rank: Rank | None = None
    rating: Rating | None = None
    """The best of those that are covered; None before the first rated game."""


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

    async def of_player(
        self, user_id: int, family: str, size: SizeClass | None = None, *, seen_by: int = 0
    ) -> PlayerStatistics:
        """A player's statistics at one game, in all sizes or one class of them.

        With `seen_by`, what happened between the two people is told too, unless that person hides
        their own statistics.
        """
        now = self._clock()
        scope = Scope(family, user_id, variants=size.variants if size else ())
        history = await self._store.history.summary(scope)
        usual = size.usual if size else all_games()[family].usual
        game = known_game(family, history.recent[0].variant if history.recent else usual)
        between = seen_by not in (0, user_id) and not await self.is_hidden(seen_by)
        return PlayerStatistics(
            history=history,
            coverage=await self._coverage(scope, size),
            game=game,
            standing=await self._standing(user_id, game, now),
            others=await self._others(user_id, game, size, now),
            rung=(await current_rung(self._store, user_id, game, now)).name,
            puzzles=await self._store.puzzles.rating(user_id, size_class(game)),
            crowns=await self._store.crowns.of(
                user_id, [each.ladder for each in ((size,) if size else classes_of(family))]
            ),
            against=await self._store.history.between(scope, seen_by) if between else None,
        )

    async def crowns_on(self, session: Session) -> tuple[CrownRecord, ...]:
        """What the only person at a game has won on its ladder; only rated wins can be crowns."""
        if not session.changes or session.winner is None or len(session.people) > 1:
            return ()
        return await self._store.crowns.of(session.people[0], [size_class(session.game)])

    async def report(self, whose: Scope, size: SizeClass | None = None) -> Report:
        """The games of a person or a server."""
        scope = replace(whose, variants=size.variants if size else ())
        return Report(
            await self._coverage(scope, size),
            await self._store.history.level_figures(scope),
            await self._store.history.game_figures(scope, most=MOST_GAMES),
            await self._progress(scope.user_id, scope.family, size) if scope.user_id else None,
        )

    async def history(
        self, user_id: int, family: str, number: int, length: int, size: SizeClass | None = None
    ) -> HistoryPage:
        """A page of a player's finished games, `length` to a page."""
        scope = Scope(family, user_id, variants=size.variants if size else ())
        count = await self._store.history.count(scope)
        games = await self._store.history.past(scope, most=length, skip=number * length)
        return HistoryPage(games, _pages(count, length), await self._coverage(scope, size))

    async def leaderboard(
        self,
        family: str,
        guild_id: int | None,
        number: int,
        length: int,
        size: SizeClass | None = None,
        *,
        seen_by: int = 0,
    ) -> LeaderboardPage:
        """A page of the best players of a game, `length` to a page.

        In all sizes, players stand there with the best of their numbers. With `guild_id` only
        people who have finished a game on that server are listed.
        """
        ladders = tuple(c.ladder for c in ((size,) if size else classes_of(family)))
        count = await self._store.ratings.count(*ladders, guild_id=guild_id)
        players = await self._store.ratings.leaderboard(
            *ladders, guild_id=guild_id, limit=length, offset=number * length
        )
        place = await self._store.ratings.place(seen_by, *ladders, guild_id=guild_id)
        theirs = await self._store.ratings.all_of(seen_by)
        own = [r.rating for r in theirs if r.ladder in ladders]
        best = max(own, key=lambda r: (r.shown is not None, r.shown or r.games), default=None)
        rank = Rank(place, count) if place else None
        return LeaderboardPage(players, _pages(count, length), Coverage(size), Own(rank, best))

    async def finished_games(self, user_id: int) -> list[GameRecord]:
        """All games that a person has finished, of every family, oldest first."""
        return await self._store.games.finished_by(user_id)

    async def finished(self, user_id: int) -> int:
        """How many games a person has finished, those included whose rows cannot be read."""
        return await self._store.games.count_finished(user_id)

    async def _progress(self, user_id: int, family: str, size: SizeClass | None) -> Progress:
        now = self._clock()
        ladders = {each.ladder for each in ((size,) if size else classes_of(family))}
        return progress_of(await self._store.unaided.of(user_id, ladders, since(now)), now)

    async def tries(self, user_id: int) -> tuple[tuple[PuzzleTry, ...], tuple[DailyTry, ...]]:
        """All first tries of a person, at puzzles and at puzzles of the day, oldest first."""
        return await self._store.puzzles.all_of(user_id)

    async def lessons(self, user_id: int) -> list[SolvedPart]:
        """All that a person has solved in lessons, oldest first."""
        return await self._store.lessons.all_of(user_id)

    async def votes(self, user_id: int) -> list[GivenVote]:
        """All votes that a person has given, oldest first."""
        return await self._store.votes.of(user_id)

    async def _coverage(self, scope: Scope, size: SizeClass | None) -> Coverage:
        return Coverage(size, await self._store.history.since(scope))

    async def _standing(self, user_id: int, game: Game, now: float) -> Standing:
        ladder, ratings = size_class(game), self._store.ratings
        known = await ratings.of(user_id, ladder)
        if known is None:
            return Standing()
        points = await ratings.course(user_id, ladder)
        place = await ratings.place(user_id, ladder)
        return Standing(
            rating_at(known, now),
            tuple(p.rating for p in points if p.rating.shown is not None)[-MOST_RATINGS:],
            await ratings.best_win(user_id, ladder),
            Rank(place, await ratings.count(ladder)) if place else None,
        )

    async def _others(
        self, user_id: int, game: Game, size: SizeClass | None, now: float
    ) -> tuple[tuple[SizeClass, Rating], ...]:
        if size is not None:
            return ()
        known = {record.ladder: record for record in await self._store.ratings.all_of(user_id)}
        return tuple(
            (other, rating_at(known[other.ladder], now))
            for other in classes_of(game.key)
            if other.ladder in known and other.ladder != size_class(game)
        )


def _pages(count: int, size: int) -> int:
    return -(-count // size)
