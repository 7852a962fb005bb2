"""What a player's finished games add up to."""

from __future__ import annotations

from dataclasses import replace

from bot.store import (
    EndRecord,
    HintRecord,
    LevelTally,
    MoveRecord,
    NewGameRecord,
    SeatRecord,
    Store,
    streak,
)

ANA, BEA = 10, 20
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
    opening = NewGameRecord("connect4", variant, 1, None, "en", first, second, True, at)
    game_id = await store.games.add(opening)
    for number, seat in enumerate((first, second), 1):
        move = MoveRecord(number, seat.user_id, "1", False, at, 1.0)
        await store.games.append(game_id, number, move, look_at=None)
    await store.games.finish(game_id, EndRecord(ending, winner, at))
    return game_id


async def test_results_are_tallied_by_opponent(store: Store) -> None:
    """Wins, draws and losses count on either side, for each level and for people."""
    await add(store, 1, 1)
    await add(store, 2, 2)
    await add(store, 3, None, ending="draw")
    await add(store, 4, 2, first=SeatRecord(None, "hard"), second=SeatRecord(ANA, None))
    await add(store, 5, 2, ending="resigned", second=SeatRecord(BEA, None))
    await add(store, 6, None, ending="stopped")
    found = await store.history.summary(ANA, "connect4")
    assert set(found.tallies) == {
        LevelTally("easy", 3, 1, 1, 1),
        LevelTally("hard", 1, 1, 0, 0),
        LevelTally(None, 1, 0, 0, 1),
    }
    assert (found.games, found.wins, found.draws, found.losses) == (5, 2, 1, 2)
    assert found.moves == 10
    other = await store.history.summary(BEA, "connect4")
    assert other.tallies == (LevelTally(None, 1, 1, 0, 0),)


async def test_hints_are_counted_in_finished_games(store: Store) -> None:
    """In finished games, each player's own hints count."""
    game_id = await add(store, 1, 1, second=SeatRecord(BEA, None))
    await store.games.add_hint(game_id, HintRecord(1, ANA, "2", 1.0))
    await store.games.add_hint(game_id, HintRecord(3, ANA, "2", 1.0))
    await store.games.add_hint(game_id, HintRecord(2, BEA, "2", 1.0))
    assert (await store.history.summary(ANA, "connect4")).hints == 2
    assert (await store.history.summary(BEA, "connect4")).hints == 1


async def test_the_latest_results_come_first(store: Store) -> None:
    """Results come in the order in which games ended, and can be limited to one variant."""
    await add(store, 3, 1)
    await add(store, 1, 2)
    await add(store, 2, None, ending="draw", variant="5x4")
    results = await store.history.recent(ANA, "connect4", most=10)
    assert [result.won for result in results] == [True, None, False]
    only = await store.history.recent(ANA, "connect4", variant="6x7", most=1)
    assert [result.won for result in only] == [True]


async def test_a_stranger_has_an_empty_history(store: Store) -> None:
    """The summary of somebody without games is all zeros."""
    found = await store.history.summary(99, "connect4")
    assert (found.games, found.moves, found.hints, found.recent) == (0, 0, 0, ())


async def test_a_streak_is_the_run_of_equal_latest_results(store: Store) -> None:
    """It ends at the first different result."""
    for at, winner in ((1, 2), (2, 1), (3, 1)):
        await add(store, at, winner)
    results = await store.history.recent(ANA, "connect4", most=10)
    assert streak(results) == (True, 2)
    assert streak(()) == (None, 0)
    assert streak((replace(results[0], won=None),)) == (None, 1)
