"""Helpers for tests of copying between databases."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import Executable, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from bot.database.transfer import Outcome, Step, TransferFailed, transfer
from bot.store.store import Store
from tests.bot.support.transfer_data import fill as _fill
from tests.builders import ROOT
from tests.children import Child

MOVES = 150
KILLED = """
import asyncio, os, signal, sys
from bot.database.transfer import Outcome, Step, TransferFailed, transfer

def tell(step):
    if step.what == "copying" and step.table == "moves" and 0 < step.done < step.rows:
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(transfer(*sys.argv[1:], tell, batch=40))
"""


async def fill(address: str) -> None:
    """Store a few games, and something in most tables."""
    async with opened(address) as store:
        await _fill(store, MOVES, played=4)


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Store]:
    """Open a store as a bot does."""
    store = Store(address)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[AsyncConnection]:
    """A transaction in a database with any tables."""
    engine = create_async_engine(address)
    try:
        async with engine.begin() as connection:
            yield connection
    finally:
        await engine.dispose()


async def change(address: str, statement: str) -> None:
    """Change a database without the bot's knowledge."""
    async with connected(address) as connection:
        await connection.execute(text(statement))


async def found(address: str, question: Executable) -> list[Any]:
    """The first column of a query's result."""
    async with connected(address) as connection:
        return list((await connection.execute(question)).scalars())


async def move_data(source: str, target: str, steps: list[Step] | None = None) -> Outcome:
    """Copy everything in small batches."""
    return await transfer(source, target, [].append if steps is None else steps.append, batch=40)


async def refused(source: str, target: str) -> str:
    """The message of a refused transfer."""
    with pytest.raises(TransferFailed) as failed:
        await move_data(source, target)
    (line,) = failed.value.args
    assert "\n" not in line
    return str(line)


async def kill_half_way(source: str, target: str) -> None:
    """Kill a process when some of the moves have been copied."""
    async with Child(sys.executable, "-c", KILLED, source, target, cwd=ROOT) as child:
        ended = await asyncio.to_thread(child.wait)
    assert ended.status == -signal.SIGKILL, ended.err


class _Cut(Exception):
    """The exception that ends a copy as if its process had been killed."""


async def cut_short(source: str, target: str) -> None:
    """Copy some of the moves."""

    def tell(step: Step) -> None:
        if step.table == "moves" and step.done:
            raise _Cut

    with pytest.raises(_Cut):
        await transfer(source, target, tell, batch=40)
