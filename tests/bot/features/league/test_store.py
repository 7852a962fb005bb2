"""Watched games in the store: when they are due for judgement, and their sums."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import create_engine, insert, text

from bot.database.schema import config_for
from bot.features.league.store import (
    AgentFigures,
    Entry,
    LeagueGames,
    LeagueScope,
    PairFigures,
    SideFigures,
    agents_query,
    due_query,
    latest_query,
    league_table,
    note_due,
    pairs_query,
)
from bot.store.records import THE_CHANNEL, Ending, EndRecord, GameSetup, SeatRecord
from bot.store.store import Store
from bot.store.tables import GameRow
from tests.bot.databases import Conflict, address_of

pytestmark = pytest.mark.databases

HERE = LeagueScope("connect4", 9, 1)


async def watched(store: Store, first: str, second: str, end: str, **at: Any) -> int:
    """A finished game between two agents with the result `1`, `2`, `draw` or `stopped`."""
    place = {"guild_id": 9, "channel_id": 1, "variant": "6x7", "family": "connect4", **at}
    seats = SeatRecord(None, first), SeatRecord(None, second)
    opening = GameSetup(
        place["family"], place["variant"], place["channel_id"], place["guild_id"], "en", *seats
    )
    game_id = await store.games.add(opening, 0.0)
    winner = int(end) if end.isdigit() else None
    await store.games.finish(
        game_id, EndRecord(Ending.LINE if winner else Ending(end), winner, 1.0)
    )
    return game_id


async def test_a_channels_game_does_not_count_in_the_league(store: Store) -> None:
    """A channel's game is listed among the latest games but not counted in the league."""
    seats = SeatRecord(THE_CHANNEL, None), SeatRecord(None, "easy")
    opening = GameSetup("connect4", "5x4", 1, 9, "en", *seats)
    game_id = await store.games.add(opening, 0.0)
    await store.games.finish(game_id, EndRecord(Ending.LINE, 1, 90.0))
    assert await LeagueGames(store.database).pairs(HERE) == ()
    assert await LeagueGames(store.database).due(9) == []
    assert [one.second for one in await LeagueGames(store.database).latest(HERE, 9)] == ["easy"]


async def test_pairs_count_the_results_of_a_server(store: Store) -> None:
    """Results of one server and family are summed by pair, separately for who moved first."""
    for end in ("1", "1", "2", "draw", "stopped", "aborted"):
        await watched(store, "hard", "easy", end)
    await watched(store, "easy", "hard", "1", variant="5x4")
    await watched(store, "hard", "easy", "1", guild_id=8, channel_id=2)
    await watched(store, "hard", "easy", "1", family="gato", variant="4x4")
    pairs = await LeagueGames(store.database).pairs(HERE)
    assert set(pairs) == {
        PairFigures("hard", "easy", 4, 2, 1),
        PairFigures("easy", "hard", 1, 1, 0),
    }
    small = await LeagueGames(store.database).pairs(LeagueScope("connect4", 9, 1, "5x4"))
    assert small == (PairFigures("easy", "hard", 1, 1, 0),)
    table = league_table(pairs, (), ())
    assert table.games == 5
    hard, easy = table.results[Entry("hard")], table.results[Entry("easy")]
    assert (hard.wins, hard.draws, hard.losses) == (2, 1, 2)
    assert (easy.wins, easy.draws, easy.losses) == (2, 1, 2)


async def test_a_game_against_itself_is_apart(store: Store) -> None:
    """A game of an agent against itself counts once, as its first side saw it, and apart."""
    await watched(store, "greedy", "greedy", "1")
    table = league_table(await LeagueGames(store.database).pairs(HERE), (), ())
    own = table.results[Entry("greedy", alone=True)]
    assert (own.wins, own.draws, own.losses, table.games) == (1, 0, 0, 1)
    assert Entry("greedy") not in table.results


async def test_without_a_server_a_channel_is_a_league_of_its_own(store: Store) -> None:
    """Games watched in direct messages form a league of their own."""
    await watched(store, "hard", "easy", "1", guild_id=None, channel_id=5)
    await watched(store, "hard", "easy", "1", guild_id=None, channel_id=6)
    mine = LeagueScope("connect4", None, 5)
    assert [pair.games for pair in await LeagueGames(store.database).pairs(mine)] == [1]
    assert mine.holds(None, 5)
    assert not mine.holds(None, 6)
    assert not mine.holds(9, 5)
    assert HERE.holds(9, 77)


async def test_due_games_are_settled_once(store: Store) -> None:
    """Only watched games with a result are due; once judged, their sides are summed by agent."""
    first = await watched(store, "hard", "easy", "1")
    await watched(store, "hard", "easy", "stopped")
    second = await watched(store, "easy", "hard", "draw")
    assert await LeagueGames(store.database).due(9) == [first, second]
    sides = (
        SideFigures(1, 10, 1000, 2.0, 8, 0.5, 6, 0.25),
        SideFigures(2, 9, 90, 0.5, 4, 1.0, 3, 0.5),
    )
    for game_id in (first, first, second):
        await LeagueGames(store.database).settle(game_id, sides)
    assert await LeagueGames(store.database).due(9) == []
    assert set(await LeagueGames(store.database).agents(HERE)) == {
        AgentFigures("hard", 19, 1090, 2.5, 12, 1.5, 9, 0.75),
        AgentFigures("easy", 19, 1090, 2.5, 12, 1.5, 9, 0.75),
    }
    latest = await LeagueGames(store.database).latest(HERE, 5)
    assert [(game.id, game.winner) for game in latest] == [(second, None), (first, 1)]


async def test_watched_games_of_earlier_versions_are_due(tmp_path: Path) -> None:
    """After a migration, old watched games are judged, and no others."""
    engine = create_engine(f"sqlite:///{(tmp_path / 'old.db').as_posix()}")
    game = """
    INSERT INTO games (id, family, variant, channel_id, locale, first_agent, second_agent,
                       second_user, auto, started_at, finished_at, ending)
    VALUES ({}, 'connect4', '6x7', 1, 'en', 'easy', {}, {}, 0, 1.0, 2.0, '{}')
    """
    with engine.begin() as connection:
        command.upgrade(config_for(connection), "0010")
        connection.execute(text("INSERT INTO players (id, joined_at) VALUES (10, 1.0)"))
        for id_, values in enumerate(
            (("'hard'", "NULL", "draw"), ("NULL", "10", "draw"), ("'hard'", "NULL", "stopped")), 1
        ):
            connection.execute(text(game.format(id_, *values)))
    engine.dispose()
    store = Store(address_of(tmp_path / "old.db"))
    await store.open()
    assert await LeagueGames(store.database).due(9) == [1]
    await store.close()


@pytest.mark.sqlite
async def test_indexes_answer_the_league(store: Store) -> None:
    """Among ten thousand games no league query reads a whole table, with statistics or without."""
    columns = {"variant": "6x7", "locale": "en", "auto": False, "ending": "line", "winner": 1}
    games = [
        {"family": "connect4", "channel_id": n, "guild_id": n % 50, "first_agent": "easy",
         "second_agent": "hard", "started_at": 0.0, "finished_at": float(n), **columns}
        for n in range(10_000)
    ]  # fmt: skip
    async with store.database.writing() as connection:
        await connection.execute(insert(GameRow), games)
        dm = LeagueScope("connect4", None, 7)
        queries = [q(s) for q in (pairs_query, agents_query, latest_query) for s in (HERE, dm)]
        for query in (*queries, due_query(5), None, *queries, due_query(5)):
            if query is None:
                await connection.execute(text("ANALYZE"))
                continue
            statement = query.compile(
                connection.sync_connection, compile_kwargs={"literal_binds": True}
            )
            plan = await connection.execute(text(f"EXPLAIN QUERY PLAN {statement}"))
            steps = [row.detail for row in plan]
            scans = [s for s in steps if s.startswith("SCAN") and "league_due" not in s]
            assert not scans, steps


async def test_a_game_is_due_once_after_a_conflict(address: str) -> None:
    """The last step of a game adds it once to the queue even if its transaction is retried."""
    conflict = Conflict()
    store = Store(address, at_end=(note_due, conflict))
    await store.open()
    game_id = await watched(store, "hard", "easy", "1")
    assert conflict.runs == 2
    assert await LeagueGames(store.database).due(9) == [game_id]
    await store.close()


async def test_games_judged_by_earlier_versions_are_judged_again(tmp_path: Path) -> None:
    """After a migration, judged games are due again, the newest first, and have no figures yet."""
    engine = create_engine(f"sqlite:///{(tmp_path / 'old.db').as_posix()}")
    game = """
    INSERT INTO games (id, family, variant, channel_id, locale, first_agent, second_agent,
                       first_user, auto, started_at, finished_at, ending)
    VALUES ({}, 'connect4', '6x7', {}, 'en', {}, 'hard', {}, 0, 1.0, 2.0, 'draw')
    """
    with engine.begin() as connection:
        command.upgrade(config_for(connection), "0028")
        connection.execute(text("INSERT INTO players (id, joined_at) VALUES (10, 1.0)"))
        for id_ in (1, 2):
            connection.execute(text(game.format(id_, id_, "'easy'", "NULL")))
        connection.execute(text(game.format(3, 3, "NULL", "10")))
        connection.execute(text("INSERT INTO league_sides VALUES (1, 1, 9, 90, 1.0, 5, 0.5)"))
        connection.execute(text("INSERT INTO league_sides VALUES (1, 2, 9, 90, 1.0, 5, 0.5)"))
        connection.execute(text("INSERT INTO league_due (game_id) VALUES (2)"))
        connection.execute(text("INSERT INTO unaided VALUES (3, 10, 'connect4-classic', 2, 5, 1)"))
    engine.dispose()
    store = Store(address_of(tmp_path / "old.db"))
    await store.open()
    assert await LeagueGames(store.database).due(9) == [2, 1, 3]
    assert await LeagueGames(store.database).agents(LeagueScope("connect4", None, 1)) == ()
    await store.close()
