"""Changes that collide with others are made again, and given up at last."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import bot
from bot.database.errors import BUSY, TRIES, Collided, Unavailable, retry_on_conflict


async def change(collisions: int) -> int:
    """A change that collides so often before it is stored; returns how often it was made."""
    made = 0

    @retry_on_conflict
    async def make() -> int:
        nonlocal made
        made += 1
        if made <= collisions:
            raise Collided("in between")
        return made

    return await make()


async def test_it_is_made_until_nothing_comes_in_between() -> None:
    """What it returns is what the last time returned."""
    assert [await change(0), await change(1), await change(TRIES - 1)] == [1, 2, TRIES]


async def test_it_is_given_up_at_last() -> None:
    """After the last retry the caller gets the error of a busy database."""
    with pytest.raises(Unavailable) as given_up:
        await change(TRIES)
    assert given_up.value.reason == BUSY


async def test_other_exceptions_are_not_its_business() -> None:
    """They are raised at once."""
    tries = []

    @retry_on_conflict
    async def fail() -> None:
        tries.append(1)
        raise Unavailable(BUSY, "locked")

    with pytest.raises(Unavailable):
        await fail()
    assert tries == [1]


def test_every_writing_method_is_retried_on_conflict() -> None:
    """Every method of a repository with a writing transaction is retried on conflict."""
    methods = [
        (file.name, node.name, [ast.unparse(one) for one in node.decorator_list])
        for file in Path(bot.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.AsyncFunctionDef) and "_database.writing(" in ast.unparse(node)
    ]
    assert len(methods) > 15
    assert [method for method in methods if "retry_on_conflict" not in method[2]] == []
