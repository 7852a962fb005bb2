"""Leases of processes on one database: running, expired, and asked to drain."""

from __future__ import annotations

from bot.shards import Shards
from bot.store.store import Store
from bot.store.tables import ProcessRow

TWO_OF_FOUR = Shards.parse("0-1/4")


async def test_a_process_runs_until_it_ends(store: Store) -> None:
    """A process that has ended is gone at once, and its row remains until its games are adopted."""
    await store.processes.register("one", TWO_OF_FOUR, 5.0)
    assert not await store.processes.renew("one", TWO_OF_FOUR, 8.0)
    (found,) = await store.processes.all()
    assert (found.id, found.shards, found.seen_at) == ("one", TWO_OF_FOUR, 8.0)
    assert not found.is_gone
    await store.processes.release("one", 9.0)
    ended = await store.processes.find("one")
    assert ended is not None
    assert (ended.seen_at, ended.is_gone) == (9.0, True)


async def test_a_lease_that_is_not_renewed_expires(store: Store) -> None:
    """A lease expires ten seconds after its last renewal, and the next renewal restores it."""
    await store.processes.register("one", None, 5.0)
    lapsed = ProcessRow.__table__.update().values(until=store.database.now - 0.01)
    await store.database.change(lapsed)
    (found,) = await store.processes.all()
    assert found.is_gone
    await store.processes.renew("one", None, 6.0)
    (found,) = await store.processes.all()
    assert not found.is_gone


async def test_a_process_whose_row_was_deleted_is_entered_again(store: Store) -> None:
    """A process whose row was deleted is entered again when it renews its lease."""
    assert not await store.processes.renew("one", TWO_OF_FOUR, 6.0)
    (found,) = await store.processes.all()
    assert (found.id, found.shards) == ("one", TWO_OF_FOUR)


async def test_processes_are_asked_to_drain(store: Store) -> None:
    """A new process finds those that serve its shards, and they read its request to drain."""
    await store.processes.renew("old", TWO_OF_FOUR, 5.0)
    await store.processes.renew("elsewhere", Shards.parse("2/4"), 5.0)
    await store.processes.renew("new", Shards.parse("1/4"), 5.0)
    (found,) = await store.processes.overlapping("new", Shards.parse("1/4"))
    assert found.id == "old"
    await store.processes.ask_to_drain([found.id])
    assert await store.processes.renew("old", TWO_OF_FOUR, 6.0)
    assert not await store.processes.renew("new", Shards.parse("1/4"), 6.0)
    assert {one.id for one in await store.processes.all() if one.is_draining} == {"old"}


async def test_a_file_is_one_processs_at_a_time(store: Store) -> None:
    """A process that begins on a SQLite file replaces all others.

    On a server the others continue.
    """
    await store.processes.register("first", None, 5.0)
    await store.processes.register("second", None, 6.0)
    gone = {one.id: one.is_gone for one in await store.processes.all()}
    assert gone == {"first": not store.database.is_shared, "second": False}


async def test_a_replaced_process_stays_the_older_one(store: Store) -> None:
    """A replaced process that renews its lease still counts as older than its successor."""
    began_at = await store.processes.register("first", None, 5.0)
    newer = await store.processes.register("second", None, 6.0)
    await store.database.change(ProcessRow.__table__.delete().where(ProcessRow.id == "first"))
    await store.processes.renew("first", None, 7.0, began_at=began_at)
    first, second = await store.processes.all()
    assert (first.id, first.began_at) == ("first", began_at)
    assert first.is_older(second)
    assert second.began_at == newer


async def test_the_latest_process_is_the_newest_even_if_the_clock_was_set_back(
    store: Store,
) -> None:
    """A process that begins later is the newest, even if the clock was set back by an hour."""
    began_at = await store.processes.register("first", None, 5.0)
    ahead = ProcessRow.__table__.update().values(began_at=began_at + 3600.0)
    await store.database.change(ahead)
    assert await store.processes.register("second", None, 6.0) > began_at + 3600.0
