"""The sums of a player's finished games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.statistics.store import History, LevelTally, streak
from bot.store.records import (
    THE_CHANNEL,
    Ending,
    EndRecord,
    GameSetup,
    MoveRecord,
    SeatRecord,
)
from bot.store.results import Scope
from bot.store.store import Store

pytestmark = pytest.mark.databases

ANA, BEA = 10, 20
ANAS_SCOPE = Scope("connect4", ANA)
PERSON, EASY = SeatRecord(ANA, None), SeatRecord(None, "easy")


async def add(
    store: Store,
    at: float,
    winner: int | None,
    *,
    first: SeatRecord = PERSON,
    second: SeatRecord = EASY,
    ending: str = "line",
    variant: str = "6x7",
) -> int:
    """Store a finished game of two moves."""
    opening = GameSetup("connect4", variant, 1, None, "en", first, second, auto=True)
    game_id = await store.games.add(opening, at)
    for number, seat in enumerate((first, second), 1):
        move = MoveRecord(number, seat.user_id, "1", False, at, 1.0)
        await store.games.append(game_id, number, move, look_at=None)
    await store.games.finish(game_id, EndRecord(Ending(ending), winner, at))
    return game_id


async def test_results_are_tallied_by_opponent(store: Store) -> None:
    """Wins, draws and losses count on either side, for each level and for people."""
    await add(store, 1, 1)
    await add(store, 2, 2)
    await add(store, 3, None, ending="draw")
    await add(store, 4, 2, first=SeatRecord(None, "hard"), second=SeatRecord(ANA, None))
    await add(store, 5, 2, ending="resigned", second=SeatRecord(BEA, None))
    await add(store, 6, None, ending="stopped")
    found = await History(store.database).summary(ANAS_SCOPE)
    assert set(found.tallies) == {
        LevelTally("easy", 3, 1, 1, 1, auto=True, variant="6x7"),
        LevelTally("hard", 1, 1, 0, 0, auto=True, variant="6x7"),
        LevelTally(None, 1, 0, 0, 1, variant="6x7"),
    }
    assert (found.games, found.wins, found.draws, found.losses) == (5, 2, 1, 2)
    other = await History(store.database).summary(Scope("connect4", BEA))
    assert other.tallies == (LevelTally(None, 1, 1, 0, 0, variant="6x7"),)


async def test_results_can_be_those_of_some_sizes(store: Store) -> None:
    """A summary, a count and the time of the first game can be limited to some sizes."""
    await add(store, 1, 1, variant="5x4")
    await add(store, 2, 2, variant="8x8")
    await add(store, 3, None, ending="draw", variant="5x4")
    small = replace(ANAS_SCOPE, variants=("4x4", "5x4"))
    found = await History(store.database).summary(small)
    assert (found.games, found.wins, found.draws) == (2, 1, 1)
    assert [result.variant for result in found.recent] == ["5x4", "5x4"]
    assert await History(store.database).count(small) == (2, 2)
    assert await History(store.database).since(small) == 1.0
    assert await History(store.database).since(replace(ANAS_SCOPE, variants=("8x8",))) == 2.0
    assert await History(store.database).since(replace(ANAS_SCOPE, variants=("4x4",))) is None


async def test_two_people_have_a_record_against_each_other(store: Store) -> None:
    """A record of two people is from the point of view of its scope and of them alone."""
    bea = SeatRecord(BEA, None)
    await add(store, 1, 1, second=bea)
    await add(store, 2, 1, first=bea, second=PERSON)
    await add(store, 3, None, second=bea, ending="draw", variant="5x4")
    await add(store, 4, None, second=bea, ending="stopped")
    await add(store, 5, 1, second=SeatRecord(30, None))
    await add(store, 6, 1)
    assert await History(store.database).between(ANAS_SCOPE, BEA) == LevelTally(None, 3, 1, 1, 1)
    small = replace(ANAS_SCOPE, variants=("5x4",))
    assert await History(store.database).between(small, BEA) == LevelTally(None, 1, 0, 1, 0)
    assert await History(store.database).between(ANAS_SCOPE, 99) == LevelTally(None, 0, 0, 0, 0)


async def test_the_latest_results_come_first(store: Store) -> None:
    """Results come in the order in which games ended, and can be limited to one variant."""
    await add(store, 3, 1)
    await add(store, 1, 2)
    await add(store, 2, None, ending="draw", variant="5x4")
    results = await History(store.database).recent(ANAS_SCOPE, most=10)
    assert [result.won for result in results] == [True, None, False]
    only = await History(store.database).recent(replace(ANAS_SCOPE, variants=("6x7",)), most=1)
    assert [result.won for result in only] == [True]


async def test_a_stranger_has_an_empty_history(store: Store) -> None:
    """The summary of a person without games is all zeros."""
    found = await History(store.database).summary(Scope("connect4", 99))
    assert (found.games, found.recent) == (0, ())


async def test_a_streak_is_the_run_of_equal_latest_results(store: Store) -> None:
    """A streak counts equal latest results, up to the first different one."""
    for at, winner in ((1, 2), (2, 1), (3, 1)):
        await add(store, at, winner)
    results = await History(store.database).recent(ANAS_SCOPE, most=10)
    assert streak(results) == (True, 2)
    assert streak(()) == (None, 0)
    assert streak((replace(results[0], won=None),)) == (None, 1)


async def test_a_channels_game_is_in_no_persons_results(store: Store) -> None:
    """A channel's game is in the history of the person who began it, not in their figures."""
    seats = SeatRecord(THE_CHANNEL, None), SeatRecord(None, "easy")
    opening = GameSetup("connect4", "5x4", 5, 9, "en", *seats, ANA)
    await store.games.finish(await store.games.add(opening, 0.0), EndRecord(Ending.LINE, 1, 90.0))
    history = History(store.database)
    theirs = await history.past(ANAS_SCOPE, most=9, skip=0)
    assert [(one.watched, one.winner) for one in theirs] == [((None, "easy"), 1)]
    assert await history.past(Scope("connect4", BEA), most=9, skip=0) == ()
    for scope in (ANAS_SCOPE, Scope("connect4", guild_id=9), Scope("connect4")):
        assert await history.level_figures(scope) == ()
