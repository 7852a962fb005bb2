"""Stored votes."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from bot.features.voting.store import Votes, count_votes, given_query
from bot.store.games import MoveTaken
from bot.store.records import (
    THE_CHANNEL,
    Ending,
    EndRecord,
    GameSetup,
    MoveRecord,
    SeatRecord,
    VoteRecord,
)
from bot.store.store import Store

pytestmark = pytest.mark.databases

ANA, BEA, EVA = 1, 2, 3
CHANNEL_GAME = GameSetup(
    "connect4",
    "5x4",
    5,
    9,
    "en",
    SeatRecord(THE_CHANNEL, None),
    SeatRecord(None, "easy"),
    ANA,
    vote_seconds=60.0,
)
ME = "process"


async def begin(store: Store) -> int:
    """Begin a channel's game owned by this process."""
    return await store.games.add(CHANNEL_GAME, 0.0, owner=ME)


async def add_vote(store: Store, game_id: int, vote: VoteRecord, made: int = 0) -> None:
    """Store a vote that ends a minute later."""
    until = vote.at + 60.0
    votes = Votes(store.database)
    await votes.change(game_id, vote.at, made=made, until=until, look_at=until, owner=ME, cast=vote)


async def test_a_game_is_read_with_its_present_votes(store: Store) -> None:
    """A game is read with each person's latest vote on the next move; the first sets the end."""
    game_id = await begin(store)
    await add_vote(store, game_id, VoteRecord(1, ANA, "3", 10.0))
    await add_vote(store, game_id, VoteRecord(1, BEA, "4", 11.0))
    await add_vote(store, game_id, VoteRecord(1, ANA, "2", 12.0))
    found = await store.games.find(game_id)
    assert found is not None
    assert [(vote.user_id, vote.choice) for vote in found.votes] == [(BEA, "4"), (ANA, "2")]
    assert (found.vote_until, found.asides) == (70.0, 3)
    await store.games.append(
        game_id, 1, MoveRecord(1, THE_CHANNEL, "4", False, 70.0, 70.0), look_at=80.0, owner=ME
    )
    moved = await store.games.find(game_id)
    assert moved is not None
    assert (moved.votes, moved.vote_until, moved.look_at) == ((), None, 80.0)


async def test_a_vote_is_shown_like_any_change(store: Store) -> None:
    """A vote makes the board due at once, and a later move makes it due again."""
    game_id = await begin(store)
    await store.boards.set_message(game_id, 7, shown=0)
    assert await store.boards.due(1e9, 5) == []
    await add_vote(store, game_id, VoteRecord(1, ANA, "3", 10.0))
    assert [one.id for one in await store.boards.due(10.0, 5)] == [game_id]
    voted = await store.owners.state(game_id, ME)
    move = MoveRecord(1, THE_CHANNEL, "3", False, 70.0, 70.0)
    await store.games.append(game_id, 1, move, look_at=80.0, owner=ME)
    moved = await store.owners.state(game_id, ME)
    assert voted is not None
    assert moved is not None
    assert 0 < voted < moved


async def test_a_vote_for_another_move_changes_nothing(store: Store) -> None:
    """A vote for another move, from another process or in a finished game changes nothing."""
    game_id = await begin(store)
    with pytest.raises(MoveTaken):
        await add_vote(store, game_id, VoteRecord(2, ANA, "3", 10.0), made=1)
    vote = VoteRecord(1, ANA, "3", 10.0)
    with pytest.raises(MoveTaken):
        await Votes(store.database).change(
            game_id, 10.0, made=0, until=70.0, look_at=70.0, owner="another", cast=vote
        )
    await store.games.finish(game_id, EndRecord(Ending.STOPPED, None, 12.0), owner=ME)
    with pytest.raises(MoveTaken):
        await add_vote(store, game_id, VoteRecord(1, ANA, "3", 13.0))
    assert await Votes(store.database).of(ANA) == []


async def test_a_vote_can_be_withdrawn(store: Store) -> None:
    """Withdrawing the last vote ends the round."""
    game_id = await begin(store)
    vote = VoteRecord(1, BEA, "3", 10.0)
    await add_vote(store, game_id, vote)
    await Votes(store.database).change(
        game_id, 11.0, made=0, until=None, look_at=99.0, owner=ME, withdrawn=vote
    )
    found = await store.games.find(game_id)
    assert found is not None
    assert (found.votes, found.vote_until, found.look_at) == ((), None, 99.0)


async def test_votes_are_personal_data(store: Store) -> None:
    """A person's votes are counted and exported."""
    game_id = await begin(store)
    await add_vote(store, game_id, VoteRecord(1, BEA, "3", 10.0))
    await add_vote(store, game_id, VoteRecord(1, EVA, "4", 11.0))
    async with store.database.reading() as connection:
        assert await count_votes(connection, BEA) == {"stored.votes": 1}
    (given,) = await Votes(store.database).of(BEA)
    assert (given.game_id, given.channel_id, given.is_running) == (game_id, 5, True)
    assert len(await Votes(store.database).of(EVA)) == 1


@pytest.mark.sqlite
async def test_an_index_finds_the_votes_of_a_person(store: Store) -> None:
    """Finding a person's votes reads no whole table."""
    async with store.database.reading() as connection:
        bind = connection.sync_connection
        query = given_query(ANA).compile(bind, compile_kwargs={"literal_binds": True})
        plan = await connection.execute(text(f"EXPLAIN QUERY PLAN {query}"))
        steps = [row.detail for row in plan]
    assert not [step for step in steps if step.startswith("SCAN")]
    assert any("ix_votes_user" in step for step in steps)
