"""Deleting people and servers removes all of their data and none of others'."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import delete, func, select

from bot.database.statements import Base, add_missing, change
from bot.feature import PersonalData
from bot.features.privacy.store import DepartureRow, Departures, People, PersonRecord, StillPlays
from bot.store.people import Preferences, Quota, ServerPreferences
from bot.store.records import (
    FORMER_PLAYER,
    Ending,
    EndRecord,
    GameSetup,
    HintRecord,
    MoveRecord,
    NewChallengeRecord,
    RatedEnd,
    Rating,
    RatingChange,
    SeatRecord,
    UnaidedMoves,
)
from bot.store.rows import Transaction
from bot.store.store import Store
from bot.store.tables import GameRow, PlayerRow, RetryColumns
from tests.bot.features.privacy.erasing import contributed, departures, people

ANA, BEA, HERE, THERE = 5_550_001, 5_550_002, 7_770_001, 7_770_002
BOT = SeatRecord(None, "easy")
LADDER = "connect4-small"


def seat(user_id: int) -> SeatRecord:
    """A person's seat."""
    return SeatRecord(user_id, None)


def challenge(challenger: int, challenged: int) -> NewChallengeRecord:
    """A challenge on the test server."""
    seats = seat(challenger), seat(challenged)
    return NewChallengeRecord(GameSetup("boom", "7x7", 1, HERE, "en", *seats, challenger), 1.0, 2.0)


async def begun(
    store: Store, first: SeatRecord, second: SeatRecord, by: int, guild: int = HERE
) -> int:
    """A game with three moves, a hint, and rows of every feature."""
    count = len(await rows_of(store, "games"))
    opening = GameSetup("connect4", "5x4", 8_880_000 + count, guild, "en", first, second, by)
    game_id = await store.games.add(opening, 10.0, look_at=20.0)
    await store.boards.set_message(game_id, 9_990_000 + count)
    for number in range(1, 4):
        user = (first, second)[1 - number % 2].user_id
        move = MoveRecord(2 - number % 2, user, "1", False, 10.0 + number, 1.0)
        await store.games.append(game_id, number, move, look_at=20.0)
    if first.user_id is not None:
        hint = HintRecord(4, first.user_id, "1", 14.0, position=count)
        await store.games.add_hint(game_id, hint)
    for person in filter(None, (first.user_id, second.user_id)):
        await fill_features(store, game_id, person, guild, 9_990_000 + count)
    return game_id


async def fill_features(store: Store, game: int, person: int, guild: int, message: int) -> None:
    """Store a row in each feature table that refers to a game, a person or a server."""
    async with store.database.writing() as connection:
        # Tables come after those that they refer to.
        classes = {mapper.local_table: mapper.class_ for mapper in Base.registry.mappers}
        for table in (classes[one] for one in Base.metadata.sorted_tables if one in classes):
            is_features = table.__module__.startswith("bot.features.")
            if not is_features or issubclass(table, (DepartureRow, RetryColumns)):
                continue
            values = {
                column.name: value_of(column, game, person, guild, message)
                for column in table.__table__.columns
                if not (column.name == "id" and column.primary_key)
            }
            for column in table.__table__.columns:
                for key in column.foreign_keys:
                    if classes[key.column.table].__module__.startswith("bot.features."):
                        newest = await connection.execute(select(func.max(key.column)))
                        values[column.name] = newest.scalar_one()
            if {game, person, guild}.intersection(values.values()):
                await add_missing(connection, table, values)


def value_of(column: Any, game: int, person: int, guild: int, message: int) -> Any:
    """A value for a column, chosen by its reference or name."""
    (refers_to, *_) = [key.column.table.name for key in column.foreign_keys] or [""]
    if refers_to == "games":
        return game
    if refers_to == "players" or column.name in ("user_id", "asker"):
        return person
    if column.name in ("guild_id", "message_id"):
        return guild if column.name == "guild_id" else message
    return {int: game, float: 15.0, bool: False}.get(column.type.python_type, f"x{game}")


async def played(
    store: Store, first: SeatRecord, second: SeatRecord, by: int = ANA, guild: int = HERE
) -> int:
    """A finished game with all rows, won by the first side, and rated if between people."""
    game_id = await begun(store, first, second, by, guild)
    people = tuple(u for u in (first.user_id, second.user_id) if u is not None)
    await store.games.finish(game_id, EndRecord(Ending.LINE, 1, 30.0), counts=bool(people))
    if people:
        own = tuple(UnaidedMoves(u, LADDER, 30.0, 2, 0.1) for u in dict.fromkeys(people))
        rated = RatedEnd(LADDER, people, lambda found: changes(people), own)
        await store.ratings.rate(game_id, rated)
    return game_id


def changes(people: tuple[int, ...]) -> tuple[RatingChange, ...]:
    """A rating change for each player."""
    before, after = Rating(1500.0, 300.0, 0.06, 0), Rating(1520.0, 250.0, 0.06, 1)
    return tuple(RatingChange(user_id, before, after, 1400.0) for user_id in dict.fromkeys(people))


async def rows_of(store: Store, table: str) -> list[Any]:
    """All rows of a table."""
    return await store.database.fetch(select(Base.metadata.tables[table]))


async def everything(store: Store) -> str:
    """Every value in the database, with texts as they are."""
    rows = [row for table in Base.metadata.tables for row in await rows_of(store, table)]
    return "\n".join(str(value) for row in rows for value in row)


async def mentions(store: Store, number: int) -> bool:
    """Whether a number occurs anywhere in the database, also inside a text."""
    return str(number) in await everything(store)


async def stored_data(store: Store) -> dict[str, int]:
    """Ana's and Bea's games, settings and challenges."""
    games = {
        "agent": await played(store, seat(ANA), BOT),
        "both": await played(store, seat(ANA), seat(BEA)),
        "back": await played(store, seat(BEA), seat(ANA), by=BEA),
        "alone": await played(store, seat(ANA), seat(ANA)),
        "bea": await played(store, seat(BEA), BOT, by=BEA),
        "watched": await played(store, BOT, BOT),
    }
    await store.players.set(ANA, 5.0, private=True)
    for pair in ((ANA, BEA), (BEA, ANA)):
        offer = challenge(*pair)
        await store.challenges.add(offer)
    return games


async def of_bea(store: Store) -> tuple[Any, ...]:
    """The data behind Bea's statistics."""
    games = [
        (game.id, [move.move for move in game.moves], len(game.hints), game.end)
        for game in await store.results.finished_by(BEA)
    ]
    tables = [
        [row for row in await rows_of(store, table) if row.user_id == BEA]
        for table in ("ratings", "rating_changes", "unaided")
    ]
    figures = [
        row
        for row in await rows_of(store, "game_figures")
        if row.game_id in {game[0] for game in games}
    ]
    return games, tables, figures


@pytest.mark.databases
async def test_nothing_of_a_deleted_person_is_left(store: Store) -> None:
    """The id of a deleted person is in no column of any table."""
    await stored_data(store)
    assert await mentions(store, ANA)
    await people(store).forget(ANA)
    assert not await mentions(store, ANA)
    assert await people(store).record(ANA) is None


@pytest.mark.databases
async def test_other_peoples_games_stay_whole(store: Store) -> None:
    """After a deletion Bea's statistics and files are the same, against a former player."""
    games = await stored_data(store)
    before = await of_bea(store)
    await people(store).forget(ANA)
    assert await of_bea(store) == before
    both = await store.games.find(games["both"])
    assert both is not None
    assert (both.setup.first.user_id, both.setup.second.user_id) == (FORMER_PLAYER, BEA)
    assert [move.user_id for move in both.moves] == [FORMER_PLAYER, BEA, FORMER_PLAYER]
    assert [hint.user_id for hint in both.hints] == [FORMER_PLAYER]
    assert [change.user_id for change in both.changes] == [BEA]
    for name in ("agent", "alone"):
        assert await store.games.find(games[name]) is None
    watched = await store.games.find(games["watched"])
    assert watched is not None
    assert watched.setup.started_by is None


@pytest.mark.databases
async def test_games_between_deleted_people_are_deleted(store: Store) -> None:
    """A game without remaining people is deleted; the rest of the database stays consistent."""
    games = await stored_data(store)
    await people(store).forget(ANA)
    await people(store).forget(BEA)
    assert [row.id for row in await rows_of(store, "games")] == [games["watched"]]
    assert not await mentions(store, BEA)
    for table in Base.metadata.tables:
        assert {row.game_id for row in await rows_of(store, table) if "game_id" in row._fields} <= {
            games["watched"]
        }, table


@pytest.mark.parametrize("seats", [(seat(ANA), BOT), (BOT, BOT)], ids=["plays", "watches"])
async def test_an_active_person_is_not_deleted(
    store: Store, seats: tuple[SeatRecord, SeatRecord]
) -> None:
    """While a person plays or watches a game, their deletion is refused and changes nothing."""
    await stored_data(store)
    await begun(store, *seats, ANA)
    before = await people(store).record(ANA)
    with pytest.raises(StillPlays):
        await people(store).forget(ANA)
    assert await people(store).record(ANA) == before


async def test_a_deleted_person_starts_as_new(store: Store) -> None:
    """A person who returns after a deletion has no rating and the usual settings."""
    await stored_data(store)
    await people(store).forget(ANA)
    await played(store, seat(ANA), seat(BEA))
    found = await people(store).record(ANA)
    assert found is not None
    assert replace(found, counts={}) == PersonRecord(10.0, 1, 0, 2, {})
    assert await store.players.preferences(ANA) == Preferences()
    assert (found.counts["stored.hints"], found.counts["stored.ratings"]) == (1, 1)
    await people(store).forget(ANA)
    assert not await mentions(store, ANA)


@pytest.mark.databases
async def test_ids_are_never_used_again(store: Store) -> None:
    """Ids of deleted games, challenges and requests are never used again."""
    await stored_data(store)
    tables = [
        name
        for name, table in Base.metadata.tables.items()
        if name != "players" and "id" in table.primary_key.columns and await rows_of(store, name)
    ]
    assert {"games", "challenges"} <= set(tables)
    before = {table: [row.id for row in await rows_of(store, table)] for table in tables}
    await departures(store).forget(HERE)  # and with it the watched game
    await people(store).forget(ANA)
    await people(store).forget(BEA)
    await stored_data(store)
    for table in tables:
        assert min(row.id for row in await rows_of(store, table)) > max(before[table]), table


@pytest.mark.parametrize("seen_as", [ANA, FORMER_PLAYER], ids=["read before", "read after"])
@pytest.mark.databases
async def test_a_late_rating_is_not_written_for_a_deleted_person(
    store: Store, seen_as: int
) -> None:
    """A rating computed around a deletion is stored only for the remaining player."""
    game_id = await begun(store, seat(ANA), seat(BEA), ANA)
    await store.games.finish(game_id, EndRecord(Ending.LINE, 1, 30.0), counts=True)
    await people(store).forget(ANA)
    players = (seen_as, BEA)
    for_both = RatedEnd(LADDER, players, lambda found: changes(players))
    changed = await store.ratings.rate(game_id, for_both)
    assert [change.user_id for change in changed] == [BEA]
    assert not await mentions(store, ANA)
    assert await store.ratings.all_of(FORMER_PLAYER) == ()


@pytest.mark.databases
async def test_nothing_of_a_forgotten_server_is_left(store: Store) -> None:
    """Forgetting a server removes its ids and watched games; people keep their own games."""
    games = await stored_data(store)
    other = await played(store, BOT, BOT, guild=THERE)
    kept = await of_bea(store)
    await store.servers.set(HERE, language="es", theme="dark")
    await departures(store).note(HERE, 50.0)
    await departures(store).forget(HERE)
    assert await store.servers.preferences(HERE) == ServerPreferences()
    found = await everything(store)
    assert str(HERE) not in found
    for prefix in (888_000, 999_000):  # channels and messages
        assert str(10 * prefix + len(games)) in found
        assert not any(str(10 * prefix + number) in found for number in range(6))
    left = {row.id: row for row in await rows_of(store, "games")}
    assert left.keys() == {*games.values(), other} - {games["watched"]}
    assert {row.channel_id for number, row in left.items() if number != other} == {0}
    assert {row.message_id for number, row in left.items() if number != other} == {None}
    assert left[other].guild_id == THERE
    assert await of_bea(store) == kept
    assert await departures(store).due(1e12) == []


@pytest.mark.databases
async def test_departures_follow_discords_server_list(store: Store) -> None:
    """A server that left while the bot was down is noted, and one that came back is not due."""
    await played(store, seat(ANA), BOT)
    await played(store, seat(ANA), BOT, guild=THERE)
    await departures(store).reconcile([THERE], 100.0)
    await departures(store).reconcile([THERE], 200.0)
    assert await departures(store).due(99.0) == []
    assert await departures(store).due(100.0) == [HERE]
    await departures(store).reconcile([HERE, THERE], 300.0)
    assert await departures(store).due(1e12) == []


@pytest.mark.databases
async def test_features_delete_first_in_the_same_transaction(store: Store) -> None:
    """Features' deletions run before the core's in reverse order, all in one transaction."""
    await stored_data(store)
    calls: list[str] = []

    async def note(name: str, connection: Transaction, user_id: int) -> None:
        theirs = select(PlayerRow.id).where(PlayerRow.id == user_id)
        assert (await connection.execute(theirs)).all(), "the person is still there"
        await change(connection, delete(GameRow).where(GameRow.id == 0))
        calls.append(name)

    async def fail(connection: Transaction, user_id: int) -> None:
        calls.append("fail")
        raise LookupError

    def part(order: int, delete: Any) -> PersonalData:
        return PersonalData(order=order, delete=delete)

    first, second = part(1, partial(note, "first")), part(2, partial(note, "second"))
    before = {table: await rows_of(store, table) for table in Base.metadata.tables}
    failing = People(store.database, lambda: (part(0, fail), *contributed(), first, second))
    with pytest.raises(LookupError):
        await failing.forget(ANA)
    assert calls == ["second", "first", "fail"]
    assert {table: await rows_of(store, table) for table in Base.metadata.tables} == before
    await People(store.database, lambda: (*contributed(), first, second)).forget(ANA)
    assert calls[3:] == ["second", "first"]
    assert not await mentions(store, ANA)


async def test_requests_that_count_towards_a_limit_are_deleted(store: Store) -> None:
    """Requests are deleted with the person who made them and with the one they were made to."""
    for pair in ((ANA, BEA), (BEA, ANA)):
        offer = challenge(*pair)
        await store.challenges.add(offer, Quota("challenges", *pair, 3, 60.0, 100.0))
    await people(store).forget(ANA)
    assert await rows_of(store, "rate_slots") == []


async def test_servers_of_features_are_known(store: Store) -> None:
    """A server known only to a feature is noted when it leaves, and forgotten."""

    def guilds() -> Any:
        return select(PlayerRow.id)

    gone = []

    async def forget(connection: Transaction, guild_id: int) -> None:
        gone.append(guild_id)

    await store.players.set(THERE, 5.0, private=True)
    part = PersonalData(guilds=guilds, forget_guild=forget)
    found = Departures(store.database, lambda: (part,))
    await found.reconcile([HERE], 100.0)
    assert await found.due(100.0) == [THERE]
    await found.forget(THERE)
    assert gone == [THERE]
