"""Databases of earlier versions are migrated and lose nothing."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.exc import IntegrityError

from bot.database.schema import config_for, newest, upgrade
from bot.database.statements import Base
from bot.store.people import Preferences
from bot.store.records import HintRecord
from bot.store.store import Store
from tests.bot.databases import address_of
from tests.bot.present import needs

GAME = """
INSERT INTO games (id, family, variant, channel_id, locale, first_user, second_agent, auto,
                   started_at, finished_at, ending, winner)
VALUES (7, 'connect4', '6x7', 1, 'en', 10, 'easy', 1, 1.0, 2.0, 'line', 1)
"""
MOVE = """
INSERT INTO moves (game_id, number, player, user_id, move, hinted, at, seconds)
VALUES (7, 1, 1, 10, '4', 0, 1.5, 0.5)
"""

ALL_DECLARED = needs("daily", "league", "lessons", "privacy", "proposals", "puzzles")
"""Without these features, the database has tables that no model declares."""


@cache
def empty_at(revision: str) -> bytes:
    """The file of an empty database of a version, migrated from that of the version before."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "empty.db")
        engine = create_engine(f"sqlite:///{file.as_posix()}")
        with engine.connect() as connection:
            script = ScriptDirectory.from_config(config_for(connection)).get_revision(revision)
        if script.down_revision is not None:
            file.write_bytes(empty_at(str(script.down_revision)))
        with engine.begin() as connection:
            command.upgrade(config_for(connection), revision)
        engine.dispose()
        return file.read_bytes()


def old_database(file: Path, revision: str) -> None:
    """Make a database like one of an earlier version, with one finished game."""
    file.write_bytes(empty_at(revision))
    engine = create_engine(f"sqlite:///{file.as_posix()}")
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO players (id, joined_at) VALUES (10, 1.0)"))
        connection.execute(text(GAME))
        connection.execute(text(MOVE))
    engine.dispose()


@pytest.mark.parametrize(
    "revision",
    [
        "0001",
        "0002",
        "0003",
        "0004",
        "0005",
        "0006",
        "0007",
        "0008",
        "0009",
        "0010",
        "0011",
        "0012",
    ],
)
async def test_games_of_every_version_are_kept(tmp_path: Path, revision: str) -> None:
    """A database of any earlier version keeps its games and moves, and nothing is rated."""
    old_database(tmp_path / "old.db", revision)
    store = Store(address_of(tmp_path / "old.db"))
    await store.open()
    game = await store.games.find(7)
    assert game is not None
    assert game.end is not None
    assert [move.move for move in game.moves] == ["4"]
    assert (game.end.ending, game.changes, game.undos) == ("line", (), 0)
    assert (game.setup.clock, game.look_at, game.rating_due) == (None, None, False)
    assert await store.ratings.count("connect4-classic") == 0
    await store.close()
    await store.open()
    with pytest.raises(IntegrityError):
        # There is no game 8: after migrating, foreign keys are enforced again.
        await store.games.add_hint(8, HintRecord(1, 10, "4", 3.0))
    await store.close()


async def test_running_games_of_earlier_versions_are_looked_at(tmp_path: Path) -> None:
    """A running game from before time controls existed has none.

    It is due to be checked at once.
    """
    old_database(tmp_path / "old.db", "0008")
    engine = create_engine(f"sqlite:///{(tmp_path / 'old.db').as_posix()}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE games SET finished_at = NULL, ending = NULL"))
    engine.dispose()
    store = Store(address_of(tmp_path / "old.db"))
    await store.open()
    assert await store.games.next_due() == 0.0
    (game,) = await store.games.due(0.0)
    found = await store.games.find(game.id)
    assert found is not None
    assert (found.id, found.setup.clock) == (7, None)
    await store.close()


HINTS = """
INSERT INTO hints (game_id, number, user_id, move, at)
VALUES (7, 1, 10, '4', 1.2), (7, 3, 10, '5', 3.2)
"""


async def test_hints_of_earlier_versions_are_kept(tmp_path: Path) -> None:
    """Hints of earlier versions still count, although their positions are unknown."""
    old_database(tmp_path / "old.db", "0009")
    engine = create_engine(f"sqlite:///{(tmp_path / 'old.db').as_posix()}")
    with engine.begin() as connection:
        connection.execute(text(HINTS))
    engine.dispose()
    store = Store(address_of(tmp_path / "old.db"))
    await store.open()
    game = await store.games.find(7)
    assert game is not None
    assert game.hints == (HintRecord(1, 10, "4", 1.2), HintRecord(3, 10, "5", 3.2))
    assert not (await store.players.preferences(10)).spoken
    await store.games.add_hint(7, HintRecord(3, 10, "6", 4.0, 99))
    await store.close()
    engine = create_engine(f"sqlite:///{(tmp_path / 'old.db').as_posix()}")
    with engine.begin() as connection:
        command.downgrade(config_for(connection), "0009")
        assert "draws" not in inspect(connection).get_table_names()
        assert "spoken" not in {c["name"] for c in inspect(connection).get_columns("players")}
        kept = connection.execute(text("SELECT number, move FROM hints ORDER BY number")).all()
        assert [tuple(row) for row in kept] == [(1, "4"), (3, "5")]
        command.upgrade(config_for(connection), "head")
    engine.dispose()


RATED = """
INSERT INTO games (id, family, variant, channel_id, locale, first_user, second_agent, auto,
                   started_at, finished_at, ending, winner)
VALUES ({id}, 'connect4', '6x7', {id}, 'en', 10, 'easy', 1, {id}, {id}, 'line', {winner})
"""
CHANGE = """
INSERT INTO rating_changes (game_id, user_id, ladder, value_before, deviation_before,
    volatility_before, value_after, deviation_after, volatility_after, games_after, opponent, at)
VALUES ({id}, 10, 'connect4-classic', 1000, 100, 0.06, {after}, 100, 0.06, {games}, 1200, {id})
"""
RATING = """
INSERT INTO ratings (user_id, ladder, value, deviation, volatility, games, updated_at)
VALUES (10, '{ladder}', {value}, 100, 0.06, {games}, 5.0)
"""


async def test_ratings_of_earlier_versions_get_their_numbers(tmp_path: Path) -> None:
    """Ratings of earlier versions get a displayed number from the fifth game on.

    It follows from the results of the games.
    """
    old_database(tmp_path / "old.db", "0010")
    engine = create_engine(f"sqlite:///{(tmp_path / 'old.db').as_posix()}")
    with engine.begin() as connection:
        for games, winner in enumerate((1, 2, 2, 1, 1, 2, 1, "NULL"), 1):
            # The old rating rises by fifty after every game.
            about = {"id": 100 + games, "after": 1000 + 50 * games, "games": games}
            connection.execute(text(RATED.format(winner=winner, **about)))
            connection.execute(text(CHANGE.format(**about)))
        connection.execute(text(RATING.format(ladder="connect4-classic", value=1400, games=8)))
        connection.execute(text(RATING.format(ladder="gato", value=1100, games=4)))
    engine.dispose()
    store = Store(address_of(tmp_path / "old.db"))
    await store.open()
    points = await store.ratings.course(10, "connect4-classic")
    shown = [point.rating.shown for point in points]
    assert shown[:5] == [None, None, None, None, 1250.0]
    loss, win, draw = (after - before for before, after in pairwise(shown[4:]))
    assert -60 < loss < 0 < win < 60
    assert draw == pytest.approx(0, abs=5)
    found = await store.ratings.of(10, "connect4-classic")
    assert (found.rating.value, found.rating.shown) == (1400.0, shown[-1])
    game = await store.games.find(106)
    assert (game.changes[0].before.shown, game.changes[0].after.shown) == (1250.0, shown[5])
    assert (await store.ratings.of(10, "gato")).rating.shown is None
    await store.close()
    engine = create_engine(f"sqlite:///{(tmp_path / 'old.db').as_posix()}")
    with engine.begin() as connection:
        command.downgrade(config_for(connection), "0010")
        assert "shown" not in {c["name"] for c in inspect(connection).get_columns("ratings")}
        assert len(connection.execute(text("SELECT * FROM rating_changes")).all()) == 8
        command.upgrade(config_for(connection), "head")
    engine.dispose()


def test_clocks_can_be_downgraded(tmp_path: Path) -> None:
    """Downgrading removes clocks and due ratings, and leaves the games."""
    old_database(tmp_path / "new.db", "head")
    engine = create_engine(f"sqlite:///{(tmp_path / 'new.db').as_posix()}")
    with engine.begin() as connection:
        command.downgrade(config_for(connection), "0008")
        assert "ratings_due" not in inspect(connection).get_table_names()
        added = {"clock_seconds", "clock_per", "look_at"}
        for table in ("games", "challenges"):
            assert not added & {c["name"] for c in inspect(connection).get_columns(table)}
        assert connection.execute(text("SELECT id FROM games")).scalar_one() == 7
        command.upgrade(config_for(connection), "head")
    engine.dispose()


def test_undos_and_pings_can_be_downgraded(tmp_path: Path) -> None:
    """Downgrading removes undos and pings, and leaves the games."""
    old_database(tmp_path / "new.db", "head")
    engine = create_engine(f"sqlite:///{(tmp_path / 'new.db').as_posix()}")
    with engine.begin() as connection:
        command.downgrade(config_for(connection), "0005")
        assert "undos" not in inspect(connection).get_table_names()
        columns = {column["name"] for column in inspect(connection).get_columns("games")}
        assert not {"undos", "undone_at", "ping_id", "reminded_at"} & columns
        columns = {column["name"] for column in inspect(connection).get_columns("players")}
        assert columns == {"id", "joined_at", "private"}
        assert connection.execute(text("SELECT id FROM games")).scalar_one() == 7
    engine.dispose()


def test_ratings_can_be_downgraded(tmp_path: Path) -> None:
    """Downgrading removes the ratings, and leaves the games."""
    old_database(tmp_path / "new.db", "head")
    engine = create_engine(f"sqlite:///{(tmp_path / 'new.db').as_posix()}")
    with engine.begin() as connection:
        command.downgrade(config_for(connection), "0003")
        assert not {"ratings", "rating_changes"} & set(inspect(connection).get_table_names())
        indexes = {index["name"] for index in inspect(connection).get_indexes("games")}
        assert "ix_games_started_by" in indexes
        assert "ix_games_guild_first" not in indexes
        assert connection.execute(text("SELECT id FROM games")).scalar_one() == 7
    engine.dispose()


@ALL_DECLARED
def test_the_migrations_make_the_tables_of_the_models(tmp_path: Path) -> None:
    """After all migrations a database matches the models exactly."""
    engine = create_engine(f"sqlite:///{(tmp_path / 'migrated.db').as_posix()}")
    with engine.begin() as connection:
        upgrade(connection)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_the_newest_revision_is_known_without_alembic(tmp_path: Path) -> None:
    """The number in the newest migration's file name is Alembic's head."""
    engine = create_engine(f"sqlite:///{(tmp_path / 'any.db').as_posix()}")
    with engine.connect() as connection:
        scripts = ScriptDirectory.from_config(config_for(connection))
    engine.dispose()
    assert newest() == scripts.get_current_head()


OF_THAT_DAY = ("ratings", "surprise")
"""The table and column that revision 0004 did not make yet when it came into use."""


@ALL_DECLARED
@pytest.mark.parametrize("revision", ["0004", "0005", "0008", "0012"])
async def test_databases_from_before_0004_was_changed_are_repaired(
    tmp_path: Path, revision: str
) -> None:
    """A database without the column that 0004 creates today gets it, and rates games again."""
    old_database(tmp_path / "old.db", revision)
    table, column = OF_THAT_DAY
    engine = create_engine(f"sqlite:///{(tmp_path / 'old.db').as_posix()}")
    with engine.begin() as connection:
        connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        connection.execute(text(RATING.format(ladder="gato", value=1100, games=4)))
    engine.dispose()
    store = Store(address_of(tmp_path / "old.db"))
    await store.open()
    found = await store.ratings.of(10, "gato")
    assert (found.rating.value, found.rating.surprise) == (1100.0, 0.0)
    await store.close()
    engine = create_engine(f"sqlite:///{(tmp_path / 'old.db').as_posix()}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


async def test_settings_of_earlier_versions_are_carried_over(tmp_path: Path) -> None:
    """Without pings there are no reminders either, and hidden statistics mean no shared games."""
    old_database(tmp_path / "old.db", "0026")
    url = f"sqlite:///{(tmp_path / 'old.db').as_posix()}"
    engine = create_engine(url)
    with engine.begin() as connection:
        for user_id, private, pings, spoken in ((21, 1, 1, 0), (22, 0, 0, 1)):
            connection.execute(
                text("INSERT INTO players VALUES (:id, 1.0, :private, :pings, :spoken)"),
                {"id": user_id, "private": private, "pings": pings, "spoken": spoken},
            )
    engine.dispose()
    store = Store(address_of(tmp_path / "old.db"))
    await store.open()
    hidden, quiet = [await store.players.preferences(user_id) for user_id in (21, 22)]
    assert hidden == Preferences(private=True, shares=False)
    assert quiet == Preferences(pings=False, reminders=False, spoken=True)
    assert await store.players.preferences(10) == Preferences()
    await store.close()
