"""Changes that collide with others are retried a bounded number of times."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import bot
from bot.database.errors import BUSY, TRIES, TransactionConflict, Unavailable, retry_on_conflict


async def change(collisions: int) -> int:
    """A change that collides this often before it is stored; returns the number of attempts."""
    made = 0

    @retry_on_conflict
    async def make() -> int:
        nonlocal made
        made += 1
        if made <= collisions:
            raise TransactionConflict("in between")
        return made

    return await make()


async def test_a_colliding_change_is_retried_until_it_is_stored() -> None:
    """A colliding change is retried until it is stored and returns the last attempt's result."""
    assert [await change(0), await change(1), await change(TRIES - 1)] == [1, 2, TRIES]


async def test_a_change_that_always_collides_is_given_up() -> None:
    """After the last attempt a colliding change is refused, because the database is busy."""
    with pytest.raises(Unavailable) as given_up:
        await change(TRIES)
    assert given_up.value.reason == BUSY


async def test_other_exceptions_are_not_retried() -> None:
    """Other exceptions are raised at once, without a retry."""
    tries = []

    @retry_on_conflict
    async def fail() -> None:
        tries.append(1)
        raise Unavailable(BUSY, "locked")

    with pytest.raises(Unavailable):
        await fail()
    assert tries == [1]


def test_all_writing_methods_retry() -> None:
    """Every method of the store that has a writing transaction retries on conflicts."""
    methods = [
        (file.name, node.name, [ast.unparse(one) for one in node.decorator_list])
        for file in Path(bot.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.AsyncFunctionDef) and "_database.writing(" in ast.unparse(node)
    ]
    assert len(methods) > 15
    assert [method for method in methods if "retry_on_conflict" not in method[2]] == []
