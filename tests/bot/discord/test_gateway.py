"""An interaction that reaches several processes is handled by exactly one of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from bot.discord import gateway
from bot.discord.gateway import Checks, InteractionGate
from bot.store.store import Store
from tests.bot.databases import address_of
from tests.builders import PATIENCE, until

PRESS, SUGGESTION = 3, 4


class Process:
    """A process that records the interactions that pass its gate."""

    def __init__(self, store: Store) -> None:
        self.gate = InteractionGate(store.claims)
        self.entered: list[int] = []

    def receive(self, interaction_id: int, kind: int = PRESS) -> None:
        """Receive an interaction from the gateway."""
        self.gate.receive({"id": str(interaction_id), "type": kind}, self._enter)

    def _enter(self, said: Any) -> None:
        self.entered.append(int(said["id"]))


@pytest.fixture
def file(tmp_path: Path, migrated: Path) -> Path:
    """An empty database."""
    return Path(copyfile(migrated, tmp_path / "claims.db"))


@pytest.fixture
async def store(file: Path) -> AsyncIterator[Store]:
    """The store that the processes share."""
    store = Store(address_of(file))
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def old(store: Store) -> Process:
    """The old process of a rolling restart."""
    return Process(store)


@pytest.fixture
def new(store: Store) -> Process:
    """The new process, on the same shards."""
    return Process(store)


async def test_each_interaction_comes_in_once(old: Process, new: Process) -> None:
    """Each interaction is handled by exactly one process, in any order of arrival."""
    for one in range(1, 21):
        for process in (old, new) if one % 2 else (new, old):
            process.receive(one)
    await asyncio.gather(old.gate.close(), new.gate.close())
    assert sorted(old.entered + new.entered) == [*range(1, 21)]


async def test_a_process_that_gives_way_handles_unclaimed_interactions(
    old: Process, new: Process
) -> None:
    """A process that gives way handles only interactions that no other process claims."""
    new.gate.defers = True
    new.receive(1)
    new.receive(2)
    old.receive(1)
    async with asyncio.timeout(PATIENCE):
        while len(old.entered + new.entered) < 2:  # noqa: ASYNC110 - no event to await
            await asyncio.sleep(0.01)
    assert (old.entered, new.entered) == ([1], [2])


async def test_a_closed_gate_leaves_interactions_to_other_processes(
    old: Process, new: Process
) -> None:
    """A closing gate lets pending interactions in and leaves later ones to other processes."""
    old.receive(1)
    await old.gate.close()
    assert old.entered == [1]
    for process in (old, new):
        process.receive(2)
    await new.gate.close()
    assert (old.entered, new.entered) == ([1], [2])


async def test_pending_interactions_of_a_closing_gate_are_left(
    old: Process, new: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that gives way and closes during its wait does not claim the interaction."""
    monkeypatch.setattr(gateway, "HEAD_START", 0.05)
    old.gate.defers = True
    old.receive(1)
    await old.gate.close()
    new.receive(1)
    await new.gate.close()
    assert (old.entered, new.entered) == ([], [1])


async def test_suggestions_need_no_claim(old: Process, new: Process) -> None:
    """Autocomplete requests need no claim: the process that does not give way answers at once."""
    new.gate.defers = True
    for process in (old, new):
        process.receive(1, SUGGESTION)
    assert (old.entered, new.entered) == ([1], [])


async def test_without_a_database_one_process_answers(
    old: Process, new: Process, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a database, the process that does not give way lets the interaction in."""
    monkeypatch.setattr(gateway, "HEAD_START", 0.05)
    new.gate.defers = True
    away = file.rename(file.with_suffix(".away"))  # noqa: ASYNC240 - one call
    for process in (old, new):
        process.receive(1)
    await until(lambda: old.entered)
    await asyncio.gather(old.gate.close(), new.gate.close())
    away.rename(file)
    assert (old.entered, new.entered) == ([1], [])


async def test_outdated_interactions_are_rejected_once(store: Store) -> None:
    """A stale interaction is rejected by one of two processes.

    A stale autocomplete gets no answer.
    """
    away: list[int] = []
    checks = Checks(is_stale=lambda one: one < 10, reject=lambda said: away.append(said["id"]))
    gates = (
        InteractionGate(store.claims, checks),
        InteractionGate(store.claims, checks, is_shared=False),
    )
    entered: list[str] = []
    for gate in gates:
        for one, kind in (("1", PRESS), ("2", SUGGESTION), ("12", PRESS)):
            gate.receive({"id": one, "type": kind}, lambda said: entered.append(said["id"]))
        await gate.close()
        assert (away, entered) == (["1"], ["12"])
        away.clear()
        entered.clear()


async def test_after_a_suspension_interactions_are_held(store: Store) -> None:
    """Interactions held after a suspension come in unless the process has been replaced."""
    for is_replaced in (False, True):
        known, entered = asyncio.Event(), list[str]()

        async def certain(_patience: float, known: asyncio.Event = known) -> None:
            await known.wait()

        gate = InteractionGate(store.claims, Checks(known.is_set, certain), is_shared=False)
        gate.receive({"id": "1", "type": PRESS}, lambda said: entered.append(said["id"]))  # noqa: B023
        await asyncio.sleep(0)
        assert entered == []
        if is_replaced:
            gate.close_now()
        known.set()
        await asyncio.gather(*gate._claiming)
        assert entered == ([] if is_replaced else ["1"])
