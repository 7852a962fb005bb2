"""The sums of finished games in reports and in the list of past games."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.dialects import sqlite

from bot.features.statistics.store import (
    History,
    between_query,
    level_query,
    past_query,
    since_query,
)
from bot.store.records import Ending, EndRecord, GameSetup, MoveRecord, SeatRecord
from bot.store.results import Scope
from bot.store.store import Store

pytestmark = pytest.mark.databases

ANA, BEA, HERE = 1, 2, 9


async def played(
    store: Store,
    second: SeatRecord,
    *,
    winner: int | None = 1,
    ending: str = "line",
    guild: int | None = HERE,
    hints: int = 0,
    at: float = 1000.0,
) -> int:
    """Ana's game of four moves, each of hers taking 3 s."""
    opening = GameSetup("connect4", "5x4", int(at), guild, "en", SeatRecord(ANA, None), second)
    game_id = await store.games.add(opening, at)
    for number in range(1, 5):
        person = number % 2 or second.user_id is not None
        user = (ANA if number % 2 else second.user_id) if person else None
        move = MoveRecord(
            2 - number % 2,
            user,
            "1",
            bool(person and number <= 2 * hints),
            at + number,
            3.0 if person else 0.5,
            nodes=None if person else 100,
        )
        end = EndRecord(Ending(ending), winner, at + 60) if number == 4 else None
        await store.games.append(game_id, number, move, look_at=None, end=end)
    return game_id


async def test_only_games_against_agents_that_counted_are_reported(store: Store) -> None:
    """Games between people, stopped games and those of other servers are left out."""
    await played(store, SeatRecord(None, "easy"), at=1000)
    await played(store, SeatRecord(None, "easy"), winner=None, ending="stopped", at=2000)
    await played(store, SeatRecord(BEA, None), at=3000)
    await played(store, SeatRecord(None, "hard"), winner=None, ending="draw", guild=8, at=4000)
    server = await History(store.database).level_figures(Scope("connect4", guild_id=HERE))
    assert [(level.agent, level.games) for level in server] == [("easy", 1)]
    everything = await History(store.database).level_figures(Scope("connect4"))
    assert {level.agent: level.drawn for level in everything} == {"easy": 0, "hard": 1}
    assert await History(store.database).level_figures(Scope("gato")) == ()


async def test_past_games_are_listed_newest_first(store: Store) -> None:
    """Each past game says who the opponent was, and how and when it ended, page by page."""
    first = await played(store, SeatRecord(None, "easy"), at=1000)
    second = await played(store, SeatRecord(BEA, None), winner=2, at=2000)
    newest, oldest = await History(store.database).past(Scope("connect4", ANA), most=10, skip=0)
    assert [newest.id, oldest.id] == [second, first]
    assert (newest.opponent, newest.agent, newest.won) == (BEA, None, False)
    assert (oldest.agent, oldest.won) == ("easy", True)
    assert await History(store.database).past(Scope("connect4", ANA), most=1, skip=1) == (oldest,)
    assert (await History(store.database).past(Scope("connect4", BEA), most=1, skip=0))[
        0
    ].won is True
    assert await History(store.database).count(Scope("connect4", ANA)) == (2, 2)


async def test_watched_games_are_in_their_starters_history(store: Store) -> None:
    """Watched games name both agents, come after own games and are in no person's results."""
    own = await played(store, SeatRecord(None, "easy"), at=0.5)
    agents = SeatRecord(None, "easy"), SeatRecord(None, "hard")
    watched = GameSetup("connect4", "5x4", 7, HERE, "en", *agents, ANA)
    game_id = await store.games.add(watched, 1.0)
    move = MoveRecord(1, None, "1", False, 2.0, 0.5, nodes=9)
    end = EndRecord(Ending.LINE, 2, 9.0)
    await store.games.append(game_id, 1, move, look_at=None, end=end)
    first, past = await History(store.database).past(Scope("connect4", ANA), most=5, skip=0)
    assert (first.id, past.id) == (own, game_id)
    assert (past.watched, past.winner) == (("easy", "hard"), 2)
    assert await History(store.database).count(Scope("connect4", ANA)) == (2, 1)
    assert len(await History(store.database).recent(Scope("connect4", ANA), most=5)) == 1
    assert await History(store.database).past(Scope("connect4", BEA), most=5, skip=0) == ()


QUERIES = {
    "a person's report": level_query(Scope("connect4", user_id=ANA)),
    "a server's report": level_query(Scope("connect4", guild_id=HERE)),
    "a person's first game": since_query(Scope("connect4", ANA)),
    "a server's first game": since_query(Scope("connect4", guild_id=HERE)),
    "two people's games": between_query(Scope("connect4", ANA), BEA),
    "a person's past games": past_query(Scope("connect4", ANA)),
}


@pytest.mark.sqlite
@pytest.mark.parametrize("name", QUERIES)
async def test_games_are_found_by_index(store: Store, name: str) -> None:
    """Finding a person's or a server's games does not read all games."""
    compiled = QUERIES[name].compile(
        dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}
    )
    async with store.database.writing() as connection:
        rows = (await connection.execute(text(f"EXPLAIN QUERY PLAN {compiled}"))).all()
    steps = [row.detail for row in rows]
    assert all("SCAN" not in step for step in steps), steps
    assert any("games USING" in step and "INDEX ix_games" in step for step in steps)
