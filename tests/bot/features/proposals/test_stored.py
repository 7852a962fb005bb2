"""Undo requests, draw offers and swaps of sides in the database, and races for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.features.proposals.store import (
    TABLES,
    NewProposal,
    delete_proposals,
    forget_messages,
    latest_query,
    open_query,
    swap_sides,
)
from bot.game.refusal import Refusal
from bot.shards import Shards
from bot.store.games import MoveTaken
from bot.store.people import RequestAnswered
from bot.store.records import Ending, EndRecord, GameSetup, MoveRecord, agent, person
from bot.store.store import Store
from tests.bot.builders import ANA, BEA, HERE
from tests.bot.databases import Conflict
from tests.bot.features.proposals.made import (
    RULES,
    begin,
    order,
    propose,
    stored_draws,
    stored_undos,
    undos_of,
)
from tests.bot.running import run_services

pytestmark = pytest.mark.databases

ME = "process"
OPENING = GameSetup("connect4", "5x4", HERE, None, "en", person(ANA), person(BEA))


async def begin_stored(store: Store, guild_id: int | None = None) -> int:
    """A stored game after four moves, in a channel of its own."""
    number = len(await store.games.running())
    opening = replace(OPENING, channel_id=HERE + number, guild_id=guild_id)
    game_id = await store.games.add(opening, 0.0)
    for made in range(1, 5):
        side = 2 - made % 2
        await store.games.append(
            game_id, made, MoveRecord(side, side, "1", False, float(made), 1.0), look_at=None
        )
    return game_id


def proposal(game_id: int, asker: int = ANA) -> NewProposal:
    """An offer of a draw."""
    return NewProposal(game_id, asker, 4, 0, 5.0)


def undo(game_id: int, asker: int = ANA) -> NewProposal:
    """A request to take back two moves."""
    return replace(proposal(game_id, asker), remaining=2)


async def rows(store: Store) -> list[list[Any]]:
    """The rows of both tables."""
    return [await store.database.fetch(select(table).order_by(table.id)) for table in TABLES]


@pytest.mark.parametrize("kind", RULES)
async def test_of_simultaneous_answers_one_counts(services: Any, kind: str) -> None:
    """Of many simultaneous answers to a proposal, one counts."""
    rules = RULES[kind](services)
    session = await begin(services, "1234")
    asked = await propose(rules, ANA)
    answers = [rules.accept(asked.id, BEA) for _ in range(5)]
    tried = await asyncio.gather(*answers, return_exceptions=True)
    refused = [one.key for one in tried if isinstance(one, Refusal)]
    assert len(refused) == 4
    # The game may be over before the others have found their offer.
    assert set(refused) <= {f"refusal.{kind}_lapsed", "refusal.no_game"}
    assert await rules.stored.find(asked.id) == replace(asked, answer="accepted")
    game = await services.store.games.find(session.id)
    expected = (2, 1, False) if kind == "undo" else (4, 0, True)
    assert (len(game.moves), game.undos, game.end is not None) == expected


async def test_undos_during_an_agents_answers_leave_no_move(services: Any) -> None:
    """After an undo during the agent's answers no move remains, and memory and store agree."""
    sessions, undos = services.sessions, undos_of(services)
    await sessions.start(order(person(ANA), agent("easy")))
    for _ in range(3):
        await sessions.play(HERE, ANA, "1")
        await asyncio.gather(sessions.reply(HERE), undos.ask(HERE, ANA), sessions.reply(HERE))
        present = await sessions.games.current(HERE)
        assert present.moves == ()
        async with run_services(services.settings) as others:
            stored = await others.sessions.games.current(HERE)
            # A process that takes a game over refunds the time in which no process owned it.
            assert replace(stored, paused=present.paused) == present


async def test_a_process_sees_the_proposals_of_its_shards(store: Store) -> None:
    """A process sees only the open proposals in games of its shards."""
    undos, first_shard = stored_undos(store), Shards(frozenset({0}), 2)
    for guild_id in (None, 1 << 22, 2 << 22):
        await undos.add(undo(await begin_stored(store, guild_id)))
    assert [one.id for one in await undos.open(shards=first_shard)] == [1, 3]
    assert len(await undos.open()) == 3


async def test_an_undo_is_granted_once(store: Store) -> None:
    """Granting a request and the undo are one transaction, and a second grant changes nothing."""
    game_id, undos = await begin_stored(store), stored_undos(store)
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
    game_id, undos, conflict = await begin_stored(store), stored_undos(store), Conflict()
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
    game_id, undos = await begin_stored(store), stored_undos(store)
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
    game_id = await begin_stored(store)
    for asker in (ANA, BEA):
        await stored_undos(store).add(undo(game_id, asker))
        await stored_draws(store).add(proposal(game_id, asker))
    await in_transactions(store, delete_proposals, ANA)
    assert [[row.asker for row in found] for found in await rows(store)] == [[BEA], [BEA]]


async def test_a_forgotten_server_has_no_messages(store: Store) -> None:
    """After a server is forgotten, proposals in its finished games have no message ids."""
    for guild_id in (7, 8):
        game_id = await begin_stored(store, guild_id)
        for stored, request in ((stored_undos(store), undo), (stored_draws(store), proposal)):
            await stored.set_message((await stored.add(request(game_id))).id, 70 + guild_id)
        await store.games.finish(game_id, EndRecord(Ending.RESIGNED, 1, 6.0))
    await in_transactions(store, forget_messages, 7)
    found = [[row.message_id for row in found] for found in await rows(store)]
    assert found == [[None, 78], [None, 78]]


async def begin_swappable(store: Store, setup: GameSetup) -> int:
    """A game in which Ana has moved."""
    game_id = await store.games.add(setup, 0.0, owner=ME)
    move = MoveRecord(1, ANA, "1", False, 5.0, 5.0)
    await store.games.append(game_id, 1, move, look_at=9.0, owner=ME)
    return game_id


async def test_seats_change_and_moves_stay(store: Store) -> None:
    """A swap exchanges the seats, keeps the moves, restarts the clock and makes the board due."""
    game_id = await begin_swappable(store, replace(OPENING, pie=True))
    before = await store.owners.state(game_id, ME)
    await swap_sides(store.database, game_id, 7.0, made=1, look_at=99.0, owner=ME)
    game = await store.games.find(game_id)
    assert game is not None
    assert (game.setup.first.user_id, game.setup.second.user_id) == (BEA, ANA)
    assert [move.user_id for move in game.moves] == [ANA]
    assert (game.swapped_at, game.look_at, game.asides, game.setup.pie) == (7.0, 99.0, 1, True)
    after = await store.owners.state(game_id, ME)
    assert before is not None
    assert after is not None
    assert after > before


async def test_sides_are_swapped_once(store: Store) -> None:
    """A swap needs the rule and the right turn, happens once, and in the game's process only."""
    game_id = await begin_swappable(store, replace(OPENING, pie=True))
    swap = partial(swap_sides, store.database, game_id, look_at=None)
    for made, owner in ((2, ME), (1, "another")):
        with pytest.raises(MoveTaken):
            await swap(7.0, made=made, owner=owner)
    at_once = (swap(at, made=1, owner=ME) for at in (7.0, 8.0))
    refused = [one for one in await asyncio.gather(*at_once, return_exceptions=True) if one]
    assert [type(one) for one in refused] == [MoveTaken]
    game = await store.games.find(game_id)
    assert game is not None
    assert (game.setup.first.user_id, game.asides) == (BEA, 1)
    plain = await begin_swappable(store, replace(OPENING, channel_id=6))
    with pytest.raises(MoveTaken):
        await swap_sides(store.database, plain, 7.0, made=1, look_at=None, owner=ME)


@pytest.mark.sqlite
async def test_proposals_are_found_by_an_index(store: Store) -> None:
    """Neither the open requests of a game nor a person's latest offer need a scan."""
    undos, draws = TABLES
    for query, index in ((open_query(undos, 7), "ix_undos_"),
                         (latest_query(draws, 7, 3), "ix_draws_game")):  # fmt: skip
        async with store.database.reading() as connection:
            bind = connection.sync_connection
            statement = query.compile(bind, compile_kwargs={"literal_binds": True})
            plan = await connection.execute(text(f"EXPLAIN QUERY PLAN {statement}"))
            assert index in str(plan.all())
