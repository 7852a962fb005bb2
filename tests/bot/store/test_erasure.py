"""Deleting people and servers: nothing of theirs is left, and nothing of others is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from bot.database.statements import Base
from bot.features.privacy.store import PersonRecord, StillPlays
from bot.features.proposals.store import NewDrawRecord, NewUndoRecord
from bot.store.records import (
    FORMER_PLAYER,
    EndRecord,
    HintRecord,
    MoveRecord,
    NewChallengeRecord,
    NewGameRecord,
    RatedEnd,
    Rating,
    RatingChange,
    SeatRecord,
    UnaidedMoves,
)
from bot.store.results import Scope
from bot.store.store import Store

ANA, BEA, HERE, THERE = 5_550_001, 5_550_002, 7_770_001, 7_770_002
BOT = SeatRecord(None, "easy")
LADDER = "connect4-small"


def seat(user_id: int) -> SeatRecord:
    """A person's seat."""
    return SeatRecord(user_id, None)


async def begun(
    store: Store, first: SeatRecord, second: SeatRecord, by: int, guild: int = HERE
) -> int:
    """A game with three moves, a hint, a request of either kind and offers on both sides."""
    count = len(await rows_of(store, "games"))
    opening = NewGameRecord(
        "connect4", "5x4", 8_880_000 + count, guild, "en", first, second, False, 10.0, started_by=by
    )
    game_id = await store.games.add(opening, look_at=20.0)
    await store.games.set_message(game_id, 9_990_000 + count)
    for number in range(1, 4):
        user = (first, second)[1 - number % 2].user_id
        move = MoveRecord(2 - number % 2, user, "1", False, 10.0 + number, 1.0)
        await store.games.append(game_id, number, move, look_at=20.0)
    if first.user_id is not None:
        hint = HintRecord(4, first.user_id, "1", 14.0, position=count)
        await store.games.add_hint(game_id, hint)
    for person in filter(None, (first.user_id, second.user_id)):
        undo = await store.undos.add(NewUndoRecord(game_id, person, 3, 2, 0, 15.0))
        await store.undos.set_message(undo.id, 9_990_000 + count)
        draw = await store.draws.add(NewDrawRecord(game_id, person, 3, 0, 15.0))
        await store.draws.set_message(draw.id, 9_990_000 + count)
    return game_id


async def played(
    store: Store, first: SeatRecord, second: SeatRecord, by: int = ANA, guild: int = HERE
) -> int:
    """The same, won by the first side, and rated if it was between a person and anybody."""
    game_id = await begun(store, first, second, by, guild)
    people = tuple(u for u in (first.user_id, second.user_id) if u is not None)
    await store.games.finish(game_id, EndRecord("line", 1, 30.0), counts=bool(people))
    if people:
        own = tuple(UnaidedMoves(u, LADDER, 30.0, 2, 0.1) for u in dict.fromkeys(people))
        rated = RatedEnd(LADDER, people, lambda found: changes(people), own)
        await store.ratings.rate(game_id, rated)
    return game_id


def changes(people: tuple[int, ...]) -> tuple[RatingChange, ...]:
    """A rating for each."""
    before, after = Rating(1500.0, 300.0, 0.06, 0), Rating(1520.0, 250.0, 0.06, 1)
    return tuple(RatingChange(user_id, before, after, 1400.0) for user_id in dict.fromkeys(people))


async def rows_of(store: Store, table: str) -> list[Any]:
    """All rows of a table."""
    return await store.database.fetch(select(Base.metadata.tables[table]))


async def anywhere(store: Store) -> Iterator[Any]:
    """Every value in the database."""
    rows = [row for table in Base.metadata.tables for row in await rows_of(store, table)]
    return (value for row in rows for value in row)


async def mentions(store: Store, number: int) -> bool:
    """Whether a number stands anywhere in the database, also inside a text."""
    found = await anywhere(store)
    return any(str(number) in str(value) for value in found if value is not None)


async def lived(store: Store) -> dict[str, int]:
    """Ana's and Bea's games, settings and challenges."""
    games = {
        "agent": await played(store, seat(ANA), BOT),
        "both": await played(store, seat(ANA), seat(BEA)),
        "back": await played(store, seat(BEA), seat(ANA), by=BEA),
        "alone": await played(store, seat(ANA), seat(ANA)),
        "bea": await played(store, seat(BEA), BOT, by=BEA),
        "watched": await played(store, BOT, BOT),
    }
    await store.players.set_private(ANA, True, 5.0)
    for pair in ((ANA, BEA), (BEA, ANA)):
        offer = NewChallengeRecord("boom", "7x7", 1, HERE, "en", *pair, True, 1.0, 2.0)
        await store.challenges.add(offer)
    return games


async def of_bea(store: Store) -> tuple[Any, ...]:
    """All that Bea's statistics are made from."""
    scope = Scope("connect4", user_id=BEA)
    summary = await store.history.summary(scope)
    exported = [(game.id, game.moves, game.end) for game in await store.games.finished_by(BEA)]
    return (
        sorted(summary.tallies, key=str),
        summary.moves,
        summary.hints,
        [
            (game.id, game.won, game.moves)
            for game in await store.history.past(scope, most=9, skip=0)
        ],
        await store.ratings.all_of(BEA),
        await store.ratings.course(BEA, LADDER),
        await store.ratings.best_win(BEA, LADDER),
        [(number, len(moves), end) for number, moves, end in exported],
    )


async def test_nothing_of_a_deleted_person_is_left(store: Store) -> None:
    """Their id stands in no column of any table, however it got there."""
    await lived(store)
    assert await mentions(store, ANA)
    await store.erasure.forget(ANA)
    assert not await mentions(store, ANA)
    assert await store.erasure.record(ANA) is None


async def test_other_peoples_games_stay_whole(store: Store) -> None:
    """Bea's statistics, ratings and files say the same; a former player sits opposite her."""
    games = await lived(store)
    before = await of_bea(store)
    await store.erasure.forget(ANA)
    assert await of_bea(store) == before
    both = await store.games.find(games["both"])
    assert both is not None
    assert (both.opening.first.user_id, both.opening.second.user_id) == (FORMER_PLAYER, BEA)
    assert [move.user_id for move in both.moves] == [FORMER_PLAYER, BEA, FORMER_PLAYER]
    assert [hint.user_id for hint in both.hints] == [FORMER_PLAYER]
    assert [change.user_id for change in both.changes] == [BEA]
    for name in ("agent", "alone"):
        assert await store.games.find(games[name]) is None
    watched = await store.games.find(games["watched"])
    assert watched is not None
    assert watched.opening.started_by is None


async def test_what_two_deleted_people_played_is_deleted(store: Store) -> None:
    """A game that is nobody's any more goes too; the rest of the database stays in order."""
    games = await lived(store)
    await store.erasure.forget(ANA)
    await store.erasure.forget(BEA)
    assert [row.id for row in await rows_of(store, "games")] == [games["watched"]]
    assert not await mentions(store, BEA)
    for table in ("moves", "hints", "undos", "draws", "game_figures", "ratings", "ratings_due"):
        assert {row.game_id for row in await rows_of(store, table) if "game_id" in row._fields} <= {
            games["watched"]
        }


@pytest.mark.parametrize("seats", [(seat(ANA), BOT), (BOT, BOT)], ids=["plays", "watches"])
async def test_somebody_who_plays_is_not_deleted(
    store: Store, seats: tuple[SeatRecord, SeatRecord]
) -> None:
    """A running game of theirs, or one that they watch, ends first; until then everything stays."""
    await lived(store)
    await begun(store, *seats, ANA)
    before = await store.erasure.record(ANA)
    with pytest.raises(StillPlays):
        await store.erasure.forget(ANA)
    assert await store.erasure.record(ANA) == before


async def test_a_deleted_person_begins_anew(store: Store) -> None:
    """With a new game, no rating, and the usual settings."""
    await lived(store)
    await store.erasure.forget(ANA)
    await played(store, seat(ANA), seat(BEA))
    found = await store.erasure.record(ANA)
    assert found == PersonRecord(10.0, False, True, False, 1, 0, 2, 1, 1, 0, 0, 0)
    await store.erasure.forget(ANA)
    assert not await mentions(store, ANA)


async def test_what_a_deleted_game_left_names_no_newer_one(store: Store) -> None:
    """No id of a game, a challenge or a request is ever given again."""
    tables = ("games", "challenges", "undos", "draws")
    await lived(store)
    before = {table: [row.id for row in await rows_of(store, table)] for table in tables}
    await store.departures.forget(HERE)  # and with it the watched game
    await store.erasure.forget(ANA)
    await store.erasure.forget(BEA)
    await lived(store)
    for table in tables:
        assert min(row.id for row in await rows_of(store, table)) > max(before[table]), table


async def test_a_rating_that_comes_late_is_not_written_for_who_is_gone(store: Store) -> None:
    """The other side's is; the game had been read before the deletion."""
    game_id = await begun(store, seat(ANA), seat(BEA), ANA)
    await store.games.finish(game_id, EndRecord("line", 1, 30.0), counts=True)
    await store.erasure.forget(ANA)
    for_both = RatedEnd(LADDER, (ANA, BEA), lambda found: changes((ANA, BEA)))
    changed = await store.ratings.rate(game_id, for_both)
    assert [change.user_id for change in changed] == [BEA]
    assert not await mentions(store, ANA)
    assert await store.ratings.all_of(FORMER_PLAYER) == ()


async def test_nothing_of_a_forgotten_server_is_left(store: Store) -> None:
    """No server, channel or message is named; people keep their games, watched ones are deleted."""
    games = await lived(store)
    other = await played(store, BOT, BOT, guild=THERE)
    kept = await of_bea(store)
    await store.departures.note(HERE, 50.0)
    await store.departures.forget(HERE)
    assert not await mentions(store, HERE)
    for prefix in (888_000, 999_000):  # channels and messages
        assert await mentions(store, 10 * prefix + len(games))
        assert not any([await mentions(store, 10 * prefix + number) for number in range(6)])
    left = {row.id: row for row in await rows_of(store, "games")}
    assert left.keys() == {*games.values(), other} - {games["watched"]}
    assert {row.channel_id for number, row in left.items() if number != other} == {0}
    assert {row.message_id for number, row in left.items() if number != other} == {None}
    assert left[other].guild_id == THERE
    assert await of_bea(store) == kept
    assert await store.departures.due(1e12) == []


async def test_departures_follow_what_discord_says(store: Store) -> None:
    """A server that left while the bot was down is noted; one that came back is not due."""
    await played(store, seat(ANA), BOT)
    await played(store, seat(ANA), BOT, guild=THERE)
    await store.departures.reconcile([THERE], 100.0)
    await store.departures.reconcile([THERE], 200.0)
    assert await store.departures.due(99.0) == []
    assert await store.departures.due(100.0) == [HERE]
    await store.departures.reconcile([HERE, THERE], 300.0)
    assert await store.departures.due(1e12) == []
