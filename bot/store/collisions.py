"""Changes that came upon another one at the same time, on databases where writers work abreast."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from random import uniform
from typing import ParamSpec, TypeVar

from bot.store.troubles import Collided

TRIES = 6
PAUSE = 0.02
"""Seconds before the second try at most; more before each one after that."""

Given = ParamSpec("Given")
Result = TypeVar("Result")


def again(change: Callable[Given, Awaitable[Result]]) -> Callable[Given, Awaitable[Result]]:
    """Make a change again if the database undid it because of another one at the same time.

    For functions of one transaction and nothing else.
    """

    @wraps(change)
    async def made(*args: Given.args, **named: Given.kwargs) -> Result:
        for tried in range(1, TRIES):
            try:
                return await change(*args, **named)
            except Collided:
                # By chance, or two that met once would meet again.
                await asyncio.sleep(uniform(0.0, PAUSE * tried))
        return await change(*args, **named)

    return made
