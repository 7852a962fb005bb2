"""Statistics of players and servers: results, standings, histories, leaderboards, progress.

Progress compares the mean loss of a person's own moves in two periods. Moves of one game resemble
each other, so every game is one sample: the mean loss is a ratio of sums over games, with the
standard error of a ratio estimate (Cochran, Sampling Techniques, 1977, chapter 6). Games are
compared only with games on the same ladder.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, sqrt

from bot.features.statistics.effort_store import Efforts, LevelEffort
from bot.features.statistics.store import (
    BestWin,
    CrownRecord,
    History,
    LevelFigures,
    LevelTally,
    PastGame,
    PlayerSummary,
    RatedGames,
    UnaidedGames,
)
from bot.game.clocks import Clock
from bot.game.reading import UnreadableGame, read_game
from bot.game.session import Session
from bot.ratings.glicko import rating_at
from bot.ratings.levels import SizeClass, class_of, classes_of, current_rung, known_game
from bot.store.records import Rating, RatingPoint, RatingRecord, UnaidedMoves
from bot.store.results import Scope
from bot.store.store import Store
from engine.core.game import Game
from engine.core.registry import games as all_games
from engine.strength.ladder import size_class

logger = logging.getLogger(__name__)

MAX_RATINGS = 200
"""The number of rated games in the chart of a rating."""


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player's statistics at one game."""

    history: PlayerSummary
    coverage: Coverage
    game: Game
    """In the variant of the player's latest game that is covered, else in the usual one."""
    standing: Standing
    """The best rating in the sizes that are covered."""
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
    progress: Progress | None = None
    """Whether a person's own moves have got better; None in a server's report."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in the list of a person's past games."""

    game: PastGame
    number: int | None
    """The game's number among the person's own in the list, the first being 1; None for a game that
    they only watched."""
    session: Session | None = None
    """Its moves and its end; None for a game that cannot be read."""


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """One page of a player's finished games: their own, newest first, then those they watched."""

    games: tuple[ListedGame, ...]
    pages: int
    """How many pages there are."""
    coverage: Coverage
    count: int = 0
    """The number of games in the whole list."""


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of rated players, best first."""

    players: tuple[RatingRecord, ...]
    pages: int
    """How many pages there are."""
    coverage: Coverage
    own: OwnPlace
    """The viewer's own place."""
    changes: Mapping[int, int] = field(default_factory=dict)
    """By how much the players' numbers have changed in the last seven days, by user id; without
    people who have not played rated games."""


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """A viewer's place on a leaderboard, or the progress of placement."""

    rank: Rank | None = None
    record: RatingRecord | None = None
    """The best rating of those that are covered; None before the first rated game."""

    @property
    def rating(self) -> Rating | None:
        """The viewer's best rating; None before their first rated game."""
        return None if self.record is None else self.record.rating


class Statistics:
    """Computes statistics; does not depend on Discord. Pages are counted from 0."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Read games and ratings from `store`."""
        self._store = store
        self._clock = clock
        self._history = History(store.database)
        self._efforts = Efforts(store.database)
        self._rated = RatedGames(store.database)
        self._unaided = UnaidedGames(store.database)

    async def is_hidden(self, user_id: int) -> bool:
        """Whether a person hides their statistics."""
        return await self._store.players.is_private(user_id)

    async def has_games(self, user_id: int, family: str, size: SizeClass | None = None) -> bool:
        """Whether a person has finished a game."""
        scope = Scope(family, user_id, variants=size.variants if size else ())
        return bool(await self._history.recent(scope, most=1))

    async def rated_players(
        self, family: str, guild_id: int | None, size: SizeClass | None = None
    ) -> int:
        """The number of players on a leaderboard."""
        ladders = tuple(c.ladder for c in ((size,) if size else classes_of(family)))
        return await self._store.ratings.count(*ladders, guild_id=guild_id)

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
        sizes = (size,) if size else classes_of(family)
        between = seen_by not in (0, user_id) and not await self.is_hidden(seen_by)
        return PlayerStatistics(
            history=history,
            coverage=await self._coverage(scope, size),
            game=game,
            standing=await self._standing(user_id, sizes, class_of(family, game.variant), now),
            rung=(await current_rung(self._store, user_id, game, now)).name,
            crowns=await self._rated.crowns(user_id, [each.ladder for each in sizes]),
            against=await self._history.between(scope, seen_by) if between else None,
        )

    async def crowns_on(self, session: Session) -> tuple[CrownRecord, ...]:
        """The crowns that the only person in a game holds on its ladder; only rated wins count."""
        if not session.changes or session.winner is None or len(session.people) > 1:
            return ()
        return await self._rated.crowns(session.people[0], [size_class(session.game)])

    async def report(self, whose: Scope, size: SizeClass | None = None) -> Report:
        """The games of a person or a server."""
        scope = replace(whose, variants=size.variants if size else ())
        return Report(
            await self._coverage(scope, size),
            await self._history.level_figures(scope),
            await self._progress(scope.user_id, scope.family, size) if scope.user_id else None,
        )

    async def efforts(self, whose: Scope, size: SizeClass | None = None) -> tuple[LevelEffort, ...]:
        """What the games of a person or a server against each agent took."""
        scope = replace(whose, variants=size.variants if size else ())
        return await self._efforts.of(scope)

    async def history(
        self, user_id: int, family: str, number: int, length: int, size: SizeClass | None = None
    ) -> HistoryPage:
        """A page of a player's finished games, `length` to a page."""
        scope = Scope(family, user_id, variants=size.variants if size else ())
        count, own = await self._history.count(scope)
        games = await self._history.past(scope, most=length, skip=number * length)
        listed = [
            ListedGame(game, None if game.watched else own - at, await self._session(game.id))
            for at, game in enumerate(games, number * length)
        ]
        coverage = await self._coverage(scope, size)
        return HistoryPage(tuple(listed), _pages(count, length), coverage, count)

    async def _session(self, game_id: int) -> Session | None:
        """A finished game; None if it cannot be read."""
        record = await self._store.games.find(game_id)
        try:
            return None if record is None else read_game(record)
        except UnreadableGame as error:
            logger.warning("game %s is listed without its board: %s", game_id, error)
            return None

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
        best = best_of(r for r in await self._store.ratings.all_of(seen_by) if r.ladder in ladders)
        rank = Rank(place, count) if place else None
        listed = (*players, best) if best else players
        return LeaderboardPage(
            players,
            _pages(count, length),
            Coverage(size),
            OwnPlace(rank, best),
            await self._changes(listed),
        )

    async def _changes(self, players: Sequence[RatingRecord]) -> Mapping[int, int]:
        """By how much the numbers of players have changed in the last seven days."""
        if not players:
            return {}
        before = await self._rated.numbers_at(
            {player.user_id for player in players},
            {player.ladder for player in players},
            self._clock() - WEEK,
        )
        changes = {}
        for player in players:
            number, earlier = player.rating.shown, before.get((player.user_id, player.ladder))
            if earlier is not None and isinstance(number, float) and isfinite(number):
                changes[player.user_id] = round(number) - round(earlier)
        return changes

    async def _progress(self, user_id: int, family: str, size: SizeClass | None) -> Progress:
        now = self._clock()
        ladders = {each.ladder for each in ((size,) if size else classes_of(family))}
        return progress_of(await self._unaided.of(user_id, ladders, since(now)), now)

    async def _coverage(self, scope: Scope, size: SizeClass | None) -> Coverage:
        return Coverage(size, await self._history.since(scope))

    async def _standing(
        self, user_id: int, sizes: Sequence[SizeClass], latest: SizeClass, now: float
    ) -> Standing:
        """A player's best rating in some sizes; before there is one, that of the latest size."""
        ladders = [size.ladder for size in sizes]
        known = [r for r in await self._store.ratings.all_of(user_id) if r.ladder in ladders]
        best = best_of(known)
        if best is None:
            return Standing()
        if best.rating.shown is None:
            best = next((r for r in known if r.ladder == latest.ladder), best)
        ratings = self._store.ratings
        place = await ratings.place(user_id, *ladders)
        changes = await self._changes([best])
        return Standing(
            rating_at(best, now),
            tuple(await ratings.course(user_id, best.ladder))[-MAX_RATINGS:],
            await self._rated.best(user_id, ladders),
            Rank(place, await ratings.count(*ladders)) if place else None,
            next(size for size in sizes if size.ladder == best.ladder),
            changes.get(user_id),
        )


def best_of(records: Iterable[RatingRecord]) -> RatingRecord | None:
    """The rating with the greatest number; without a number, the one with the most games."""
    return max(
        records,
        key=lambda one: (one.rating.shown is not None, one.rating.shown or one.rating.games),
        default=None,
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
    judged: int = 0
    """The moves of both periods that were judged."""
    proven: int = 0
    """How many of them were judged by the results of perfect play, the others by a search."""

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
    games = [game for pair in pairs for half in pair for game in half]
    judged, proven = (sum(getattr(game, name) for game in games) for name in ("judged", "proven"))
    return Change(then, now, STUDENT * sqrt(variance), judged, proven)


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
    """A player's best rating in the sizes that are covered, with its history."""

    rating: Rating | None = None
    """As of now; None before the first rated game."""
    course: tuple[RatingPoint, ...] = ()
    """After each rated game on its ladder, placement games included, oldest first."""
    best_win: BestWin | None = None
    """The strongest opponent beaten in any of the sizes."""
    rank: Rank | None = None
    """By the best number in any of the sizes, among the players of all servers; None without a
    number or with hidden statistics."""
    size: SizeClass | None = None
    """The size class of the rating."""
    change: int | None = None
    """By how much the number has changed in the last seven days; None without rated games."""
