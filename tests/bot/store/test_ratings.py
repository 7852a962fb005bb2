"""Ratings on a real SQLite file: changed with the game's end, read by index."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.rating.ratings import NEWCOMER, is_provisional
from bot.store import (
    EndRecord,
    MoveRecord,
    MoveTaken,
    NewGameRecord,
    RatedEnd,
    Rating,
    RatingChange,
    RatingRecord,
    SeatRecord,
    Store,
)

ANA, BEA, CAM = 2**62 + 1, 2**62 + 2, 2**62 + 3
HERE, THERE = 2**62 + 10, 2**62 + 11
MOVE = MoveRecord(1, ANA, "1", False, 5.0, 1.0)


def opening(channel_id: int, at: float = 0.0, **changes: Any) -> NewGameRecord:
    """Ana's game against an agent."""
    game = NewGameRecord(
        "connect4", "6x7", channel_id, HERE, "en", SeatRecord(ANA, None),
        SeatRecord(None, "easy"), True, at,
    )  # fmt: skip
    return replace(game, **changes)


def ten_more(*people: int, ladder: str = "connect4-classic") -> RatedEnd:
    """An end that gives everybody ten points."""

    def rate(known: Mapping[int, RatingRecord]) -> tuple[RatingChange, ...]:
        before = {u: known[u].rating if u in known else NEWCOMER for u in people}
        return tuple(
            RatingChange(u, b, replace(b, value=b.value + 10, games=b.games + 1), 1200.5)
            for u, b in before.items()
        )

    return RatedEnd(ladder, people, rate)


async def value_of(store: Store, user_id: int) -> float | None:
    """A player's rating on the classic ladder."""
    found = await store.ratings.of(user_id, "connect4-classic")
    return found.rating.value if found else None


async def test_a_last_move_changes_ratings(store: Store) -> None:
    """The move, the end and the new rating are one transaction; the game remembers the change."""
    game_id = await store.games.add(opening(1))
    changes = await store.games.append(game_id, 1, MOVE, EndRecord("line", 1, 5.0), ten_more(ANA))
    after = replace(NEWCOMER, value=1010.0, games=1)
    assert changes == (RatingChange(ANA, NEWCOMER, after, 1200.5),)
    game = await store.games.find(game_id)
    assert game is not None
    assert game.changes == changes
    found = await store.ratings.of(ANA, "connect4-classic")
    assert found == RatingRecord(ANA, "connect4-classic", after, 5.0)
    assert await store.ratings.of(ANA, "gato") is None


async def test_a_refused_move_changes_no_rating(store: Store) -> None:
    """Where the last move is refused, no rating has changed either."""
    game_id = await store.games.add(opening(1))
    await store.games.append(game_id, 1, MOVE)
    with pytest.raises(MoveTaken):
        await store.games.append(game_id, 1, MOVE, EndRecord("line", 1, 5.0), ten_more(ANA))
    assert await value_of(store, ANA) is None


async def test_a_failing_rating_leaves_the_game_running(store: Store) -> None:
    """Where the rating cannot be found out, neither the move nor the end is stored."""

    def fail(_known: Mapping[int, RatingRecord]) -> tuple[RatingChange, ...]:
        raise ZeroDivisionError

    game_id = await store.games.add(opening(1))
    rated = RatedEnd("connect4-classic", (ANA,), fail)
    with pytest.raises(ZeroDivisionError):
        await store.games.append(game_id, 1, MOVE, EndRecord("line", 1, 5.0), rated)
    game = await store.games.find(game_id)
    assert game is not None
    assert (game.moves, game.end) == ((), None)


async def test_a_game_is_rated_once(store: Store) -> None:
    """Of two ends the second changes no rating, as it does not change the game."""
    game_id = await store.games.add(opening(1))
    end = EndRecord("resigned", 2, 5.0)
    assert len(await store.games.finish(game_id, end, ten_more(ANA))) == 1
    assert await store.games.finish(game_id, end, ten_more(ANA)) == ()
    assert await value_of(store, ANA) == 1010


async def test_two_people_are_rated_together(store: Store) -> None:
    """A game between people changes both ratings."""
    game_id = await store.games.add(opening(1, second=SeatRecord(BEA, None)))
    changes = await store.games.finish(game_id, EndRecord("draw", None, 5.0), ten_more(BEA, ANA))
    assert {change.user_id for change in changes} == {ANA, BEA}
    assert await value_of(store, ANA) == await value_of(store, BEA) == 1010


async def test_games_that_end_at_once_all_count(store: Store) -> None:
    """Thirty games of one person that end at the same time add up; none is lost."""
    games = [await store.games.add(opening(n)) for n in range(30)]
    await asyncio.gather(
        *(store.games.finish(g, EndRecord("line", 1, 5.0), ten_more(ANA)) for g in games)
    )
    assert await value_of(store, ANA) == 1300
    points = await store.ratings.course(ANA, "connect4-classic")
    assert [point.rating.value for point in points] == [1000 + 10 * n for n in range(1, 31)]


async def test_two_bots_on_one_file_lose_no_game(store: Store, tmp_path: Path) -> None:
    """What one process rates is read by another that rates at the same time."""
    other = Store(f"sqlite+aiosqlite:///{(tmp_path / 'store.db').as_posix()}")
    await other.open()
    games = [await store.games.add(opening(n)) for n in range(20)]
    await asyncio.gather(
        *(
            (store, other)[g % 2].games.finish(g, EndRecord("line", 1, 5.0), ten_more(ANA))
            for g in games
        )
    )
    assert await value_of(store, ANA) == await value_of(other, ANA) == 1200
    await other.close()


async def test_the_course_follows_the_games(store: Store) -> None:
    """A player's ratings on a ladder come in the order of the games, with their times."""
    for at in (30.0, 10.0, 20.0):
        game_id = await store.games.add(opening(1, at))
        ladder = "gato" if at == 20 else "connect4-classic"
        rated = ten_more(ANA, ladder=ladder)
        await store.games.finish(game_id, EndRecord("line", 1, at), rated)
    points = await store.ratings.course(ANA, "connect4-classic")
    assert [(point.at, point.rating.value) for point in points] == [(10.0, 1020), (30.0, 1010)]
    assert await store.ratings.course(BEA, "gato") == ()
    assert [record.ladder for record in await store.ratings.all_of(ANA)] == [
        "connect4-classic",
        "gato",
    ]


async def rate(store: Store, user_id: int, games: int, guild_id: int, ending: str = "line") -> None:
    """Let somebody finish games on a server, the second seat in every other one."""
    for number in range(games):
        seats = SeatRecord(user_id, None), SeatRecord(None, "easy")
        first, second = seats[:: -1 if number % 2 else 1]
        game = opening(1, guild_id=guild_id, first=first, second=second)
        game_id = await store.games.add(game)
        await store.games.finish(game_id, EndRecord(ending, 1, 5.0), ten_more(user_id))


async def test_a_leaderboard_is_ordered_by_strength(store: Store) -> None:
    """The strongest come first; it goes on from page to page and says who is provisional."""
    for user_id, games in ((ANA, 2), (BEA, 3), (CAM, 1)):
        await rate(store, user_id, games, HERE)
    whole = await store.ratings.leaderboard("connect4-classic")
    assert [record.user_id for record in whole] == [BEA, ANA, CAM]
    assert all(is_provisional(record.rating) for record in whole)
    assert await store.ratings.leaderboard("connect4-classic", limit=1, offset=1) == whole[1:2]
    some = await store.ratings.leaderboard("connect4-classic", user_ids=(CAM, ANA))
    assert [record.user_id for record in some] == [ANA, CAM]
    assert await store.ratings.leaderboard("gato") == ()
    assert await store.ratings.count("connect4-classic") == 3
    assert await store.ratings.count("connect4-classic", user_ids=(CAM, 5)) == 1


async def test_a_servers_leaderboard_has_who_played_there(store: Store) -> None:
    """On a server's list stand those who have finished a game there, from either seat."""
    await rate(store, ANA, 1, HERE)
    await rate(store, BEA, 2, THERE)
    await rate(store, CAM, 1, THERE)
    await rate(store, CAM, 1, HERE, "stopped")
    game_id = await store.games.add(opening(1, guild_id=HERE, first=SeatRecord(CAM, None)))
    here = await store.ratings.leaderboard("connect4-classic", guild_id=HERE)
    assert [record.user_id for record in here] == [ANA]
    assert await store.ratings.count("connect4-classic", guild_id=THERE) == 2
    await store.games.finish(game_id, EndRecord("time", 2, 9.0))
    assert await store.ratings.count("connect4-classic", guild_id=HERE) == 2
    swapped = opening(2, guild_id=7, first=SeatRecord(None, "easy"), second=SeatRecord(BEA, None))
    await store.games.finish(await store.games.add(swapped), EndRecord("line", 1, 9.0))
    seventh = await store.ratings.leaderboard("connect4-classic", guild_id=7)
    assert [record.user_id for record in seventh] == [BEA]


async def test_silent_games_are_the_running_ones_without_news(store: Store) -> None:
    """A game is silent from its last move on, or from its start where it has none."""
    old, moved, ended, new = [
        await store.games.add(opening(n, at)) for n, at in enumerate((1.0, 1.0, 1.0, 50.0))
    ]
    await store.games.append(moved, 1, replace(MOVE, at=60.0))
    await store.games.finish(ended, EndRecord("stopped", None, 2.0))
    assert [game.id for game in await store.games.silent(40.0)] == [old]
    assert [game.id for game in await store.games.silent(60.0)] == [old, moved, new]


async def test_a_rating_keeps_its_figures(store: Store) -> None:
    """Value, deviation, volatility and games come back as they were written."""
    before, after = Rating(1003.25, 101.5, 0.0612, 4), Rating(999.75, 99.125, 0.0611, 5)
    change = RatingChange(ANA, before, after, 1234.5)
    game_id = await store.games.add(opening(1))
    rated = RatedEnd("boom", (ANA,), lambda _known: (change,))
    await store.games.finish(game_id, EndRecord("line", 2, 5.0), rated)
    game = await store.games.find(game_id)
    assert game is not None
    assert game.changes == (change,)
