"""Puzzles for one person: which one comes next, and what a first try changes."""

from __future__ import annotations

from functools import partial
from random import Random

from bot.rating.puzzle_choice import classes_with_puzzles, next_puzzle, usual_class
from bot.rating.puzzle_ratings import after_try, first_rating, present_rating
from bot.rating.size_classes import SizeClass
from bot.store import DailyKey, PuzzleRecord, PuzzleTry, Rating, Settled, Store
from bot.table.clocks import Clock
from bot.table.refusal import Refusal
from engine.core.game import Game
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of, size_class
from engine.study.puzzles import Puzzle


class Puzzling:
    """Gives people puzzles and rates their first tries; knows nothing of Discord."""

    def __init__(self, store: Store, clock: Clock, rng: Random) -> None:
        """Keep tries in `store`, by `clock`; choose by `rng`."""
        self._store = store
        self._clock = clock
        self._rng = rng

    async def first(self, user_id: int, family: str, size: SizeClass | None) -> str:
        """The id of the puzzle for somebody who asks for one; refused for sizes without any."""
        chosen = size or usual_class(family)
        assert chosen is not None, "there are puzzles for games with this command"
        if chosen not in classes_with_puzzles(family):
            raise Refusal("unknown_size", typed=chosen.name)
        return await self.next(user_id, game_of(family, chosen.usual))

    async def next(self, user_id: int, game: Game) -> str:
        """The id of the puzzle that somebody gets next: a new one that fits their rating."""
        ladder = size_class(game)
        rating = await self.rating(user_id, ladder) or await self._unrated(user_id, game)
        tried = await self._store.puzzles.tries(user_id, ladder)
        return next_puzzle(ladder, tried, rating.value, self._rng).id

    async def rating(self, user_id: int, ladder: str) -> Rating | None:
        """Somebody's rating at puzzles, as of now; None before the first one was tried."""
        known = await self._store.puzzles.rating(user_id, ladder)
        return None if known is None else present_rating(known, self._clock())

    async def begin(self, user_id: int, puzzle: Puzzle) -> None:
        """Note that somebody has a puzzle before them, unless that is known."""
        if await self._store.puzzles.attempt(user_id, puzzle.id) is None:
            ladder = size_class(puzzle.game)
            await self._store.puzzles.begin(user_id, puzzle.id, ladder, self._clock())

    async def settle(
        self, user_id: int, puzzle: Puzzle, *, solved: bool, daily: DailyKey | None = None
    ) -> Settled | None:
        """Settle a first try, for a day too if it counts for one; later ones change nothing.

        Returns None where nothing is known of the person any more.
        """
        at = self._clock()
        rate = partial(_rated, puzzle, await self._unrated(user_id, puzzle.game))
        return await self._store.puzzles.settle(
            user_id, puzzle.id, at, rate, solved=solved, daily=daily
        )

    async def _unrated(self, user_id: int, game: Game) -> Rating:
        """What somebody's rating at puzzles begins with."""
        games = await self._store.ratings.of(user_id, size_class(game))
        return first_rating(ladder_of(game), games, self._clock())


def _rated(
    puzzle: Puzzle, unrated: Rating, known: PuzzleRecord | None, attempt: PuzzleTry
) -> tuple[Rating, Rating]:
    """A rating before and after a first try that has just been settled."""
    assert attempt.settled_at is not None
    assert attempt.solved is not None
    before = unrated if known is None else present_rating(known, attempt.settled_at)
    ladder = ladder_of(puzzle.game)
    return before, after_try(before, puzzle.rating, ladder, solved=attempt.solved)
