"""Every query of the store is answered by an index."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert, text

from bot.store.boards import due_query as shown_query
from bot.store.games import due_games_query, latest_query, next_due_query
from bot.store.ratings import (
    ahead_query,
    board_query,
    count_query,
    course_query,
    due_query,
    due_to_query,
    rating_query,
)
from bot.store.records import Rating, RatingRecord
from bot.store.store import Store
from bot.store.tables import (
    GameRow,
    MoveRow,
    PlayerRow,
    RatingChangeRow,
    RatingDueRow,
    RatingRow,
)
from tests.bot.databases import plan

pytestmark = pytest.mark.sqlite

CLASSIC = "connect4-classic"
SIZES = ("connect4-small", CLASSIC, "connect4-large")
RATING_RECORD = RatingRecord(7, CLASSIC, Rating(1100.0, 60.0, 0.06, 9, shown=1100.0), 5.0)
QUERIES = {
    "rating": (rating_query(7).where(RatingRow.ladder == CLASSIC), "sqlite_autoindex_ratings_1"),
    "ratings": (rating_query(7), "sqlite_autoindex_ratings_1"),
    "course": (course_query(7, CLASSIC), "ix_rating_changes_course"),
    "leaderboard": (board_query((CLASSIC,), None, None).limit(10), "ix_ratings_shown"),
    "people": (board_query((CLASSIC,), (1, 2, 3), None).limit(10), "ratings"),
    "server": (board_query((CLASSIC,), None, 3).limit(10), "ix_games_guild_second"),
    "all sizes": (board_query(SIZES, None, None).limit(10), "ix_ratings_shown"),
    "all sizes of a server": (board_query(SIZES, None, 3).limit(10), "ix_games_guild_second"),
    "ahead": (ahead_query((CLASSIC,), RATING_RECORD, 3), "ix_ratings_shown"),
    "count": (count_query((CLASSIC,), 3), "ix_games_guild_first"),
    "next due": (next_due_query(), "ix_games_look"),
    "due games": (due_games_query(9.0), "ix_games_look"),
    "due": (due_query(10, RatingDueRow.next_attempt_at <= 9.0), "SCAN ratings_due"),
    "due to somebody": (due_to_query(7), "SCAN ratings_due"),
    "latest": (latest_query(7), "ix_games_channel"),
    "boards": (shown_query(9.0, 8), "ix_games_show"),
}


async def fill(store: Store) -> None:
    """Ten thousand games of a hundred people on ten servers, all rated."""
    people = range(1, 101)
    rating = {"volatility": 0.06, "games": 100, "updated_at": 5.0}
    tables: tuple[tuple[Any, list[dict[str, Any]]], ...] = (
        (PlayerRow, [{"id": p, "joined_at": 0.0} for p in people]),
        (GameRow, [game_row(n) for n in range(10_000)]),
        (MoveRow, [move_row(n) for n in range(0, 10_000, 10)]),
        (
            RatingRow,
            [
                {
                    "user_id": p,
                    "ladder": name,
                    "value": 1000.0 + p,
                    "shown": 1000.0 + p,
                    "deviation": 60.0,
                    **rating,
                }
                for p in people
                for name in ("connect4-classic", "gato", "boom")
            ],
        ),
        (RatingChangeRow, [change_row(n) for n in range(10_000)]),
        (RatingDueRow, [{"game_id": n} for n in range(9_990, 10_000)]),
    )
    async with store.database.writing() as connection:
        for table, values in tables:
            await connection.execute(insert(table), values)


def game_row(n: int) -> dict[str, Any]:
    """A finished game, or one of the twenty that are running."""
    over = n >= 20
    return {
        "family": "connect4", "variant": "6x7", "channel_id": n, "guild_id": n % 10,
        "locale": "en", "first_user": 1 + n % 100, "second_agent": "easy", "auto": True,
        "started_by": 1 + n % 100, "started_at": float(n), "look_at": None if over else float(n),
        "finished_at": float(n) if over else None,
        "ending": "line" if over else None, "winner": 1 if over else None,
    }  # fmt: skip


def move_row(n: int) -> dict[str, Any]:
    """The first move of a game."""
    return {"game_id": n + 1, "number": 1, "player": 1, "move": "1", "hinted": False,
            "at": float(n), "seconds": 1.0}  # fmt: skip


def change_row(n: int) -> dict[str, Any]:
    """The rating change of a game."""
    both = {"deviation": 60.0, "volatility": 0.06, "value": 1000.0}
    columns = {f"{name}_{when}": v for name, v in both.items() for when in ("before", "after")}
    return {
        "game_id": n + 1, "user_id": 1 + n % 100, "ladder": ("connect4-classic", "gato")[n % 2],
        "games_after": 5, "opponent": 1200.0, "at": float(n), **columns,
    }  # fmt: skip


@pytest.mark.parametrize("is_analysed", [False, True])
async def test_no_query_reads_a_whole_table(store: Store, is_analysed: bool) -> None:
    """Among ten thousand games an index answers every query, and long lists need no sorting.

    That holds with and without statistics on the tables.
    """
    await fill(store)
    async with store.database.writing() as connection:
        if is_analysed:
            await connection.execute(text("ANALYZE"))
        for name, (query, index) in QUERIES.items():
            steps = await plan(connection, query)
            # The queue of due ratings is short and is read from its beginning.
            scans = [s for s in steps if s.startswith("SCAN") and "ratings_due" not in s]
            assert not scans, (name, steps)
            assert any(index in step for step in steps), (name, steps)
            if name in ("leaderboard", "server", "next look", "to look at", "due"):
                assert not [step for step in steps if "TEMP B-TREE" in step], (name, steps)


async def test_leaderboards_of_many_games_are_right(store: Store) -> None:
    """Among ten thousand games a leaderboard has its server's own players, strongest first."""
    await fill(store)
    found = await store.ratings.leaderboard(CLASSIC, guild_id=3)
    assert [record.user_id for record in found] == list(range(94, 3, -10))
    assert await store.ratings.count(CLASSIC, guild_id=3) == 10
