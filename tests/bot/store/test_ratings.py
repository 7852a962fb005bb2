"""Ratings on a real SQLite file: due when a game ends, changed once, and listed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.ratings.glicko import NEWCOMER, is_provisional
from bot.store.games import MoveTaken
from bot.store.records import (
    Ending,
    EndRecord,
    GameSetup,
    MoveRecord,
    RatedEnd,
    Rating,
    RatingChange,
    RatingRecord,
    SeatRecord,
)
from bot.store.store import Store

ANA, BEA, CAM = 2**62 + 1, 2**62 + 2, 2**62 + 3
START = NEWCOMER.value
HERE, THERE = 2**62 + 10, 2**62 + 11
MOVE = MoveRecord(1, ANA, "1", False, 5.0, 1.0)
END = EndRecord(Ending.LINE, 1, 5.0)


def opening(channel_id: int, **changes: Any) -> GameSetup:
    """Ana's game against an agent."""
    game = GameSetup(
        "connect4",
        "6x7",
        channel_id,
        HERE,
        "en",
        SeatRecord(ANA, None),
        SeatRecord(None, "easy"),
        auto=True,
    )
    return replace(game, **changes)


def raised_by_ten(before: Rating) -> Rating:
    """Raise a rating by ten points, in its displayed number as well."""
    value = before.value + 10
    return replace(before, value=value, games=before.games + 1, shown=value)


def end_with_ten_points(*people: int, ladder: str = "connect4-classic") -> RatedEnd:
    """An end that gives each player ten points."""

    def rate(known: Mapping[int, RatingRecord]) -> tuple[RatingChange, ...]:
        before = {u: known[u].rating if u in known else NEWCOMER for u in people}
        return tuple(RatingChange(u, b, raised_by_ten(b), 1200.5) for u, b in before.items())

    return RatedEnd(ladder, people, rate)


async def value_of(store: Store, user_id: int) -> float | None:
    """A player's rating on the classic ladder."""
    found = await store.ratings.of(user_id, "connect4-classic")
    return found.rating.value if found else None


async def rated_game(
    store: Store, game_id: int, rated: RatedEnd | None, end: EndRecord = END
) -> tuple[RatingChange, ...]:
    """End a game that counts, and rate it."""
    assert await store.games.finish(game_id, end, counts=True)
    return await store.ratings.rate(game_id, rated)


async def test_an_end_that_counts_is_due(store: Store) -> None:
    """The end of a rated game is stored with its last move, and its rating is left for later."""
    game_id = await store.games.add(opening(1), 0.0)
    await store.games.append(game_id, 1, MOVE, look_at=None, end=END, counts=True)
    game = await store.games.find(game_id)
    assert game is not None
    assert (game.end, game.rating_due, game.changes) == (END, True, ())
    assert await store.ratings.due(10) == [game_id]
    assert await store.ratings.is_due(ANA)
    assert not await store.ratings.is_due(BEA)


async def test_an_end_that_does_not_count_is_not_due(store: Store) -> None:
    """An unrated end is not due for rating, nor is a second end or one whose move is refused."""
    first, second = [await store.games.add(opening(n), 0.0) for n in (1, 2)]
    assert await store.games.finish(first, END)
    assert not await store.games.finish(first, END, counts=True)
    with pytest.raises(MoveTaken):
        await store.games.append(second, 2, MOVE, look_at=None, end=END, counts=True)
    assert await store.ratings.due(10) == []
    assert not await store.ratings.is_due(ANA)


async def test_games_are_due_in_the_order_of_their_ends(store: Store) -> None:
    """Games are due in the order in which they ended, not in which they began or were settled."""
    games = [await store.games.add(opening(n), 0.0) for n in range(4)]
    for n in (2, 0):
        await store.games.finish(games[n], END, counts=True)
    assert await store.ratings.due(10) == [games[2], games[0]]
    await store.ratings.rate(games[0], None)
    for n in (3, 1):
        await store.games.finish(games[n], END, counts=True)
    assert await store.ratings.due(10) == [games[2], games[3], games[1]]
    assert await store.ratings.due(1) == [games[2]]


async def test_rating_a_game_changes_ratings(store: Store) -> None:
    """The new rating dates from the end of the game, and the game remembers the change."""
    game_id = await store.games.add(opening(1), 0.0)
    changes = await rated_game(store, game_id, end_with_ten_points(ANA))
    after = replace(NEWCOMER, value=START + 10, games=1, shown=START + 10)
    assert changes == (RatingChange(ANA, NEWCOMER, after, 1200.5),)
    game = await store.games.find(game_id)
    assert game is not None
    assert (game.changes, game.rating_due) == (changes, False)
    found = await store.ratings.of(ANA, "connect4-classic")
    assert found == RatingRecord(ANA, "connect4-classic", after, 5.0)
    assert await store.ratings.of(ANA, "gato") is None


async def test_a_failing_rating_stays_due(store: Store) -> None:
    """If computing the changes fails, none is stored, and the game stays due."""

    def fail(_known: Mapping[int, RatingRecord]) -> tuple[RatingChange, ...]:
        raise ZeroDivisionError

    game_id = await store.games.add(opening(1), 0.0)
    with pytest.raises(ZeroDivisionError):
        await rated_game(store, game_id, RatedEnd("connect4-classic", (ANA,), fail))
    assert await store.ratings.due(10) == [game_id]
    assert len(await store.ratings.rate(game_id, end_with_ten_points(ANA))) == 1


async def test_a_game_is_rated_once(store: Store) -> None:
    """A second attempt to rate a game changes nothing and returns the first one's changes."""
    game_id = await store.games.add(opening(1, second=SeatRecord(BEA, None)), 0.0)
    changes = await rated_game(store, game_id, end_with_ten_points(ANA, BEA))
    assert await store.ratings.rate(game_id, end_with_ten_points(ANA, BEA)) == changes
    assert await store.ratings.rate(game_id, None) == changes
    assert await value_of(store, ANA) == START + 10


async def test_a_game_can_be_settled_without_a_rating(store: Store) -> None:
    """A game can be settled without a rating: it is no longer due and will never be rated."""
    game_id = await store.games.add(opening(1), 0.0)
    assert await rated_game(store, game_id, None) == ()
    assert await store.ratings.due(10) == []
    assert await store.ratings.rate(game_id, end_with_ten_points(ANA)) == ()
    assert await value_of(store, ANA) is None


async def test_games_that_are_rated_at_once_all_count(store: Store) -> None:
    """Thirty games of one person that end at the same time are all counted."""
    games = [await store.games.add(opening(n), 0.0) for n in range(30)]
    await asyncio.gather(*(rated_game(store, g, end_with_ten_points(ANA)) for g in games))
    assert await value_of(store, ANA) == START + 300
    points = await store.ratings.course(ANA, "connect4-classic")
    assert [point.rating.value for point in points] == [START + 10 * n for n in range(1, 31)]


async def test_two_bots_on_one_database_lose_no_game(store: Store, address: str) -> None:
    """Of two processes that rate the same games at the same time, each game is rated by one."""
    other = Store(address)
    await other.open()
    games = [await store.games.add(opening(n), 0.0) for n in range(20)]
    for game_id in games:
        await store.games.finish(game_id, END, counts=True)
    both = [bot.ratings.rate(g, end_with_ten_points(ANA)) for g in games for bot in (store, other)]
    changes = await asyncio.gather(*both)
    assert changes[::2] == changes[1::2]
    assert await value_of(store, ANA) == await value_of(other, ANA) == START + 200
    await other.close()


async def test_the_rating_history_follows_the_games(store: Store) -> None:
    """A player's rating history on a ladder follows the order in which the games ended."""
    for at in (30.0, 10.0, 20.0):
        game_id = await store.games.add(opening(1), at)
        ladder = "gato" if at == 20 else "connect4-classic"
        await rated_game(
            store, game_id, end_with_ten_points(ANA, ladder=ladder), EndRecord(Ending.LINE, 1, at)
        )
    points = await store.ratings.course(ANA, "connect4-classic")
    assert [(point.at, point.rating.value) for point in points] == [
        (10.0, START + 20),
        (30.0, START + 10),
    ]
    assert await store.ratings.course(BEA, "gato") == ()
    assert [record.ladder for record in await store.ratings.all_of(ANA)] == [
        "connect4-classic",
        "gato",
    ]


async def rate(store: Store, user_id: int, games: int, guild_id: int, ending: str = "line") -> None:
    """Let a person finish rated games on a server, alternately in the first and the second seat."""
    for number in range(games):
        seats = SeatRecord(user_id, None), SeatRecord(None, "easy")
        first, second = seats[:: -1 if number % 2 else 1]
        game = opening(1, guild_id=guild_id, first=first, second=second)
        game_id = await store.games.add(game, 0.0)
        await rated_game(
            store, game_id, end_with_ten_points(user_id), EndRecord(Ending(ending), 1, 5.0)
        )


async def test_a_leaderboard_is_ordered_by_strength(store: Store) -> None:
    """The strongest come first, page by page, including provisional ratings."""
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


async def test_equal_numbers_have_places_in_the_order_of_the_list(store: Store) -> None:
    """People with equal numbers have different places: those of the leaderboard's order."""
    for user_id, games in ((ANA, 2), (CAM, 2), (BEA, 2), (7, 1)):
        await rate(store, user_id, games, HERE)
    for guild_id in (None, HERE):
        found = await store.ratings.leaderboard("connect4-classic", guild_id=guild_id)
        listed = [record.user_id for record in found]
        assert listed == [CAM, BEA, ANA, 7]
        places = [
            await store.ratings.place(user, "connect4-classic", guild_id=guild_id)
            for user in listed
        ]
        assert places == [1, 2, 3, 4]


async def test_people_in_placement_are_on_no_leaderboard(store: Store) -> None:
    """A person in placement has a rating, but no displayed number and no place on a leaderboard."""

    def placing(_known: Mapping[int, RatingRecord]) -> tuple[RatingChange, ...]:
        return (RatingChange(ANA, NEWCOMER, replace(NEWCOMER, games=1), 1200.0),)

    game_id = await store.games.add(opening(1), 0.0)
    await rated_game(store, game_id, RatedEnd("connect4-classic", (ANA,), placing))
    await rate(store, BEA, 1, HERE)
    assert await value_of(store, ANA) == NEWCOMER.value
    found = await store.ratings.leaderboard("connect4-classic")
    assert [record.user_id for record in found] == [BEA]
    assert await store.ratings.place(ANA, "connect4-classic") is None
    assert await store.ratings.place(BEA, "connect4-classic") == 1


async def test_a_leaderboard_of_all_sizes_lists_each_person_once(store: Store) -> None:
    """A leaderboard of all sizes lists each person once, with their best number.

    Places count people, on one server or on all.
    """
    ladders = ("connect4-small", "connect4-classic", "connect4-large")
    for number, (user_id, ladder, games, guild) in enumerate(
        (
            (ANA, "connect4-small", 3, HERE),
            (ANA, "connect4-classic", 1, HERE),
            (BEA, "connect4-classic", 2, THERE),
            (CAM, "connect4-small", 1, HERE),
            (CAM, "connect4-large", 1, HERE),
            (CAM, "gato", 9, HERE),
        )
    ):
        for _ in range(games):
            game = opening(number, guild_id=guild, first=SeatRecord(user_id, None))
            game_id = await store.games.add(game, 0.0)
            await rated_game(store, game_id, end_with_ten_points(user_id, ladder=ladder))
    found = await store.ratings.leaderboard(*ladders)
    shown = [(r.user_id, r.rating.shown) for r in found]
    assert shown == [(ANA, START + 30), (BEA, START + 20), (CAM, START + 10)]
    assert found[2].ladder == "connect4-large"
    assert await store.ratings.count(*ladders) == 3
    places = [await store.ratings.place(user, *ladders) for user in (ANA, BEA, CAM, 7)]
    assert places == [1, 2, 3, None]
    assert await store.ratings.place(CAM, *ladders, guild_id=HERE) == 2
    assert await store.ratings.place(BEA, *ladders, guild_id=HERE) is None
    await store.players.set(ANA, 1.0, private=True)
    assert await store.ratings.place(ANA, *ladders) is None
    assert await store.ratings.place(BEA, *ladders) == 1


async def test_a_servers_leaderboard_lists_its_own_players(store: Store) -> None:
    """A server's leaderboard lists the people who finished a game there, in either seat."""
    await rate(store, ANA, 1, HERE)
    await rate(store, BEA, 2, THERE)
    await rate(store, CAM, 1, THERE)
    await rate(store, CAM, 1, HERE, "stopped")
    game_id = await store.games.add(opening(1, guild_id=HERE, first=SeatRecord(CAM, None)), 0.0)
    here = await store.ratings.leaderboard("connect4-classic", guild_id=HERE)
    assert [record.user_id for record in here] == [ANA]
    assert await store.ratings.count("connect4-classic", guild_id=THERE) == 2
    await store.games.finish(game_id, EndRecord(Ending.TIME, 2, 9.0))
    assert await store.ratings.count("connect4-classic", guild_id=HERE) == 2
    swapped = opening(2, guild_id=7, first=SeatRecord(None, "easy"), second=SeatRecord(BEA, None))
    await store.games.finish(await store.games.add(swapped, 0.0), EndRecord(Ending.LINE, 1, 9.0))
    seventh = await store.ratings.leaderboard("connect4-classic", guild_id=7)
    assert [record.user_id for record in seventh] == [BEA]
