"""Undo requests and draw offers in the database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.features.proposals.store import (
    TABLES,
    NewProposal,
    ProposalRepository,
    delete_proposals,
    forget_messages,
    latest_query,
    open_query,
)
from bot.shards import Shards
from bot.store.games import MoveTaken
from bot.store.people import RequestAnswered
from bot.store.records import Ending, EndRecord, GameSetup, MoveRecord, SeatRecord
from bot.store.store import Store
from tests.bot.databases import Conflict
from tests.bot.features.proposals.made import stored_draws, stored_undos

pytestmark = pytest.mark.databases

ANA, BEA, HERE = 1, 2, 5
OPENING = GameSetup(
    "connect4", "5x4", HERE, None, "en", SeatRecord(ANA, None), SeatRecord(BEA, None)
)


async def begin(store: Store, guild_id: int | None = None, moves: int = 4) -> int:
    """A game after some moves, in a channel of its own."""
    number = len(await store.games.running())
    opening = replace(OPENING, channel_id=HERE + number, guild_id=guild_id)
    game_id = await store.games.add(opening, 0.0)
    for made in range(1, moves + 1):
        side = 2 - made % 2
        await store.games.append(
            game_id, made, MoveRecord(side, side, "1", False, float(made), 1.0), look_at=None
        )
    return game_id


def proposal(game_id: int, asker: int = ANA, made: int = 4) -> NewProposal:
    """An offer of a draw."""
    return NewProposal(game_id, asker, made, 0, 5.0)


def undo(game_id: int, asker: int = ANA) -> NewProposal:
    """A request to take back two moves."""
    return replace(proposal(game_id, asker), remaining=2)


async def rows(store: Store) -> list[list[Any]]:
    """The rows of both tables."""
    return [await store.database.fetch(select(table).order_by(table.id)) for table in TABLES]


@pytest.mark.parametrize(("made", "repository"), [(proposal, stored_draws), (undo, stored_undos)])
async def test_a_proposal_is_answered_once(
    store: Store,
    made: Callable[[int], NewProposal],
    repository: Callable[[Store], ProposalRepository],
) -> None:
    """A proposal is open until its first answer, which is stored with its message."""
    game_id, stored = await begin(store), repository(store)
    request = made(game_id)
    asked = await stored.add(request)
    assert (asked.request, asked.message_id, asked.answer) == (request, None, None)
    await stored.set_message(asked.id, 77)
    assert await stored.open(game_id) == [replace(asked, message_id=77)]
    assert await stored.open(game_id + 1) == []
    assert await stored.answer(asked.id, "declined")
    assert not await stored.answer(asked.id, "accepted")
    assert await stored.find(asked.id) == replace(asked, message_id=77, answer="declined")
    assert await stored.open() == []


async def test_the_latest_offer_is_found_answered_or_not(store: Store) -> None:
    """The latest offer is found for each person, answered or not."""
    game_id, draws = await begin(store), stored_draws(store)
    for made, asker in ((4, ANA), (6, BEA), (8, ANA)):
        draw = await draws.add(proposal(game_id, asker, made))
        await draws.answer(draw.id, "lapsed")
    latest = await draws.latest(game_id, ANA)
    assert latest is not None
    assert latest.request.made == 8
    assert await draws.latest(game_id + 1, ANA) is None


async def test_a_process_sees_the_proposals_of_its_shards(store: Store) -> None:
    """A process sees only the open proposals in games of its shards."""
    undos, first_shard = stored_undos(store), Shards(frozenset({0}), 2)
    for guild_id in (None, 1 << 22, 2 << 22):
        await undos.add(undo(await begin(store, guild_id)))
    assert [one.id for one in await undos.open(shards=first_shard)] == [1, 3]
    assert len(await undos.open()) == 3


async def test_an_undo_is_granted_once(store: Store) -> None:
    """Granting a request and the undo are one transaction, and a second grant changes nothing."""
    game_id, undos = await begin(store), stored_undos(store)
    asked = await undos.add(undo(game_id))
    granted = undos.acceptance(asked.id)
    await store.games.take_back(game_id, 2, 9.0, look_at=None, also=granted)
    with pytest.raises(RequestAnswered):
        await store.games.take_back(game_id, 0, 10.0, look_at=None, also=granted)
    game = await store.games.find(game_id)
    assert game is not None
    assert (len(game.moves), game.undos) == (2, 1)
    assert await undos.find(asked.id) == replace(asked, answer="accepted")
    assert not await undos.answer(asked.id, "declined")


async def test_an_undo_that_collides_is_granted_once(store: Store) -> None:
    """After a conflict the transaction runs again with the step that grants the request."""
    game_id, undos, conflict = await begin(store), stored_undos(store), Conflict()
    asked = await undos.add(undo(game_id))
    granted = undos.acceptance(asked.id)

    async def step(connection: AsyncConnection) -> None:
        await granted(connection)
        await conflict(connection)

    await store.games.take_back(game_id, 2, 9.0, look_at=None, also=step)
    game = await store.games.find(game_id)
    assert game is not None
    assert (conflict.runs, len(game.moves), game.undos) == (2, 2, 1)
    assert await undos.find(asked.id) == replace(asked, answer="accepted")


async def test_a_request_in_a_finished_game_is_not_granted(store: Store) -> None:
    """A request in a game that has ended elsewhere is not granted, and nothing is taken back."""
    game_id, undos = await begin(store), stored_undos(store)
    asked = await undos.add(undo(game_id))
    await store.games.finish(game_id, EndRecord(Ending.RESIGNED, 1, 6.0))
    granted = undos.acceptance(asked.id)
    with pytest.raises(MoveTaken):
        await store.games.take_back(game_id, 2, 9.0, look_at=None, also=granted)
    game = await store.games.find(game_id)
    assert game is not None
    assert (len(game.moves), game.undos) == (4, 0)
    assert await undos.open() == [asked]


async def in_transactions(
    store: Store, delete: Callable[[AsyncConnection, int], Awaitable[None]], of: int
) -> None:
    """Delete in two transactions, as a retried one runs its steps twice."""
    for _ in range(2):
        async with store.database.writing() as connection:
            await delete(connection, of)


async def test_proposals_of_a_deleted_person_are_deleted(store: Store) -> None:
    """A deleted person's proposals are gone; those of others in the same games remain."""
    game_id = await begin(store)
    for asker in (ANA, BEA):
        await stored_undos(store).add(undo(game_id, asker))
        await stored_draws(store).add(proposal(game_id, asker))
    await in_transactions(store, delete_proposals, ANA)
    assert [[row.asker for row in found] for found in await rows(store)] == [[BEA], [BEA]]


async def test_a_forgotten_server_has_no_messages(store: Store) -> None:
    """After a server is forgotten, proposals in its finished games have no message ids."""
    for guild_id in (7, 8):
        game_id = await begin(store, guild_id)
        for stored, request in ((stored_undos(store), undo), (stored_draws(store), proposal)):
            await stored.set_message((await stored.add(request(game_id))).id, 70 + guild_id)
        await store.games.finish(game_id, EndRecord(Ending.RESIGNED, 1, 6.0))
    await in_transactions(store, forget_messages, 7)
    found = [[row.message_id for row in found] for found in await rows(store)]
    assert found == [[None, 78], [None, 78]]


@pytest.mark.sqlite
async def test_proposals_are_found_by_an_index(store: Store) -> None:
    """Neither the open requests of a game nor a person's latest offer need a scan."""
    undos, draws = TABLES
    for query, index in ((open_query(undos, 7), "ix_undos_open"),
                         (latest_query(draws, 7, 3), "ix_draws_game")):  # fmt: skip
        async with store.database.reading() as connection:
            bind = connection.sync_connection
            statement = query.compile(bind, compile_kwargs={"literal_binds": True})
            plan = await connection.execute(text(f"EXPLAIN QUERY PLAN {statement}"))
            assert index in str(plan.all())
