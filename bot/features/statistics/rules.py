"""Statistics of players and servers: results, standings, histories, leaderboards, progress.

Progress compares the mean loss of a person's own moves in two periods. Moves of one game resemble
each other, so every game is one sample: the mean loss is a ratio of sums over games, with the
standard error of a ratio estimate (Cochran, Sampling Techniques, 1977, chapter 6). Games are
compared only with games on the same ladder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

from bot.features.statistics.store import (
    CrownRecord,
    GameFigures,
    History,
    LevelFigures,
    LevelTally,
    PastGame,
    PlayerSummary,
    UnaidedGames,
    Wins,
)
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.glicko import rating_at
from bot.ratings.levels import SizeClass, classes_of, current_rung, known_game
from bot.store.records import Rating, RatingRecord, UnaidedMoves
from bot.store.results import Scope
from bot.store.store import Store
from engine.core.game import Game
from engine.core.registry import games as all_games
from engine.strength.ladder import size_class

MAX_RATINGS = 200
"""The number of rated games in the chart of a rating."""

MAX_GAMES = 1000
"""The number of latest games that a report shows individually."""


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player's statistics at one game."""

    history: PlayerSummary
    coverage: Coverage
    game: Game
    """In the variant of the player's latest game that is covered, else in the usual one."""
    standing: Standing
    """The rating on the ladder of that variant, like the rung."""
    others: tuple[tuple[SizeClass, Rating], ...]
    """The player's ratings on the other ladders that are covered."""
    rung: str
    """The agent that `auto` would choose for the player now."""
    crowns: tuple[CrownRecord, ...] = ()
    """The agents that the player has beaten without help, in the sizes that are covered."""
    against: LevelTally | None = None
    """The results against the viewer."""


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
    own: OwnPlace
    """The viewer's own place."""


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """A viewer's place on a leaderboard, or the progress of placement."""

    rank: Rank | None = None
    rating: Rating | None = None
    """The best of those that are covered; None before the first rated game."""


class Statistics:
    """Computes statistics; does not depend on Discord. Pages are counted from 0."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Read games and ratings from `store`."""
        self._store = store
        self._clock = clock
        self._history = History(store.database)
        self._wins = Wins(store.database)
        self._unaided = UnaidedGames(store.database)

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

        With `seen_by`, results between the two people are included, unless that person hides their
        own statistics.
        """
        now = self._clock()
        scope = Scope(family, user_id, variants=size.variants if size else ())
        history = await self._history.summary(scope)
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
            crowns=await self._wins.crowns(
                user_id, [each.ladder for each in ((size,) if size else classes_of(family))]
            ),
            against=await self._history.between(scope, seen_by) if between else None,
        )

    async def crowns_on(self, session: Session) -> tuple[CrownRecord, ...]:
        """The crowns that the only person in a game holds on its ladder; only rated wins count."""
        if not session.changes or session.winner is None or len(session.people) > 1:
            return ()
        return await self._wins.crowns(session.people[0], [size_class(session.game)])

    async def report(self, whose: Scope, size: SizeClass | None = None) -> Report:
        """The games of a person or a server."""
        scope = replace(whose, variants=size.variants if size else ())
        return Report(
            await self._coverage(scope, size),
            await self._history.level_figures(scope),
            await self._history.game_figures(scope, most=MAX_GAMES),
            await self._progress(scope.user_id, scope.family, size) if scope.user_id else None,
        )

    async def history(
        self, user_id: int, family: str, number: int, length: int, size: SizeClass | None = None
    ) -> HistoryPage:
        """A page of a player's finished games, `length` to a page."""
        scope = Scope(family, user_id, variants=size.variants if size else ())
        count = await self._history.count(scope)
        games = await self._history.past(scope, most=length, skip=number * length)
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

        In all sizes, players are ranked by the best of their numbers. With `guild_id` only people
        who have finished a game on that server are listed.
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
        return LeaderboardPage(players, _pages(count, length), Coverage(size), OwnPlace(rank, best))

    async def _progress(self, user_id: int, family: str, size: SizeClass | None) -> Progress:
        now = self._clock()
        ladders = {each.ladder for each in ((size,) if size else classes_of(family))}
        return progress_of(await self._unaided.of(user_id, ladders, since(now)), now)

    async def _coverage(self, scope: Scope, size: SizeClass | None) -> Coverage:
        return Coverage(size, await self._history.since(scope))

    async def _standing(self, user_id: int, game: Game, now: float) -> Standing:
        ladder, ratings = size_class(game), self._store.ratings
        known = await ratings.of(user_id, ladder)
        if known is None:
            return Standing()
        points = await ratings.course(user_id, ladder)
        place = await ratings.place(user_id, ladder)
        return Standing(
            rating_at(known, now),
            tuple(p.rating for p in points if p.rating.shown is not None)[-MAX_RATINGS:],
            await self._wins.best(user_id, ladder),
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


WEEK = 7 * 24 * 3600.0

RECENTLY, BEFORE = 4, 8
"""The weeks in the present period and in the period before it, which are compared."""

FEWEST = 10
"""The minimum of games in each period for a comparison."""

STUDENT = 2.101
"""The half-width of the 95 % confidence interval in standard errors, for FEWEST games: the quantile
of Student's distribution at 2 x (FEWEST - 1) degrees of freedom."""


@dataclass(frozen=True, slots=True)
class Change:
    """The mean loss of a move without help, in both periods."""

    before: float
    """As expected score, from 0 to 1."""
    now: float
    margin: float
    """The half-width of the 95 % confidence interval of the difference."""

    @property
    def difference(self) -> float:
        """The change of the mean loss; negative for a person who has improved."""
        return self.now - self.before

    @property
    def is_certain(self) -> bool:
        """Whether the difference is significant at the 5 % level."""
        return abs(self.difference) > self.margin


@dataclass(frozen=True, slots=True)
class Progress:
    """The result of comparing a person's games of twelve weeks."""

    before: int
    """Games of the earlier period, on the ladder with the most information."""
    now: int
    """Games of the latest weeks there."""
    change: Change | None
    """None if there are too few games."""


def since(now: float) -> float:
    """The start of the earlier period."""
    return now - (RECENTLY + BEFORE) * WEEK


def progress_of(games: Sequence[UnaidedMoves], now: float) -> Progress:
    """Compare the games of both periods, separately for each ladder.

    Ladders with enough games in both periods are weighted by their latest moves; others are
    left out.
    """
    pairs = [
        _halves([game for game in games if game.ladder == ladder], now)
        for ladder in sorted({game.ladder for game in games})
    ]
    most = max(pairs, key=lambda pair: min(map(len, pair)), default=((), ()))
    enough = [pair for pair in pairs if min(map(len, pair)) >= FEWEST]
    return Progress(len(most[0]), len(most[1]), _change(enough) if enough else None)


def _halves(
    games: Sequence[UnaidedMoves], now: float
) -> tuple[tuple[UnaidedMoves, ...], tuple[UnaidedMoves, ...]]:
    first, between = since(now), now - RECENTLY * WEEK
    return (
        tuple(game for game in games if first <= game.at < between),
        tuple(game for game in games if game.at >= between),
    )


def _change(
    pairs: Sequence[tuple[Sequence[UnaidedMoves], Sequence[UnaidedMoves]]],
) -> Change:
    moves = [sum(game.judged for game in late) for _, late in pairs]
    shares = [count / sum(moves) for count in moves]
    then, now, variance = 0.0, 0.0, 0.0
    for share, (early, late) in zip(shares, pairs, strict=True):
        (was, spread), (is_now, wide) = _mean(early), _mean(late)
        then += share * was
        now += share * is_now
        variance += share**2 * (spread + wide)
    return Change(then, now, STUDENT * sqrt(variance))


def _mean(games: Sequence[UnaidedMoves]) -> tuple[float, float]:
    """The mean loss of a move, and the variance of that estimate."""
    moves, count = sum(game.judged for game in games), len(games)
    mean = sum(game.loss for game in games) / moves
    spread = sum((game.loss - mean * game.judged) ** 2 for game in games)
    return mean, count / (count - 1) * spread / moves**2


@dataclass(frozen=True, slots=True)
class Coverage:
    """The selection of games in a statistic."""

    size: SizeClass | None = None
    """None for all sizes."""
    since: float | None = None
    """When the first of them was finished; None for all time."""


EVERYTHING = Coverage()
"""All sizes and all time."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A player's place among the rated players."""

    place: int
    """Counted from 1."""
    of: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating on one ladder, with its history."""

    rating: Rating | None = None
    """As of now; None before the first rated game."""
    course: tuple[Rating, ...] = ()
    """After each rated game since the end of placement, oldest first."""
    best_win: float | None = None
    """The rating of the strongest opponent beaten."""
    rank: Rank | None = None
    """Among the players of all servers; None without a number or with hidden statistics."""
