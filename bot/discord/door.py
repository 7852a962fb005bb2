"""The door through which interactions come in where several processes are told of each.

While one process takes over from another, Discord tells both of everything that happens on their
shards. Each interaction is handled by whoever claims it first; the other does nothing at all.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

from discord import InteractionType

from bot.store import Unavailable
from bot.store.claims import Claims

logger = logging.getLogger(__name__)

HEAD_START = 0.5
"""Seconds that a process which gives way leaves to others; Discord gives three for an answer."""
CLEAR_EVERY = 1000
"""Claims after which those that no longer matter are deleted."""

NOT_CLAIMED: ContextVar[Unavailable | None] = ContextVar("not_claimed", default=None)
"""Why the interaction that is let in could not be claimed. The task that answers it cannot use the
database then (`Answering`): it says so, and stores nothing."""

Knock = Mapping[str, Any]
"""An interaction as the gateway tells of it."""
Enter = Callable[[Any], None]


class Door:
    """Lets in what nobody else has claimed."""

    def __init__(self, claims: Claims) -> None:
        """Share `claims` with the other processes."""
        self._claims = claims
        self._asking: set[asyncio.Task[None]] = set()
        self._claimed = 0
        self._is_closed = False
        self.gives_way = False
        """Whether another process, which is to be preferred, may be there."""

    def knock(self, said: Knock, enter: Enter) -> None:
        """Have an interaction let in, unless it is another's.

        Suggestions change nothing, and need no claim.
        """
        if self._is_closed:
            return
        if said["type"] != InteractionType.autocomplete.value:
            task = asyncio.get_running_loop().create_task(self._ask(said, enter))
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)
        elif not self.gives_way:
            enter(said)

    async def close(self) -> None:
        """Let nothing more in; returns when nothing is on its way in any more."""
        self._is_closed = True
        if self._asking:
            await asyncio.wait(self._asking)

    async def _ask(self, said: Knock, enter: Enter) -> None:
        is_waiting = self.gives_way
        if is_waiting:
            await asyncio.sleep(HEAD_START)
        if is_waiting and self._is_closed:
            return
        if await self._is_mine(int(said["id"])):
            enter(said)
            if NOT_CLAIMED.get() is None:
                await self._clear(int(said["id"]))

    async def _is_mine(self, interaction_id: int) -> bool:
        try:
            return await self._claims.take(interaction_id)
        except Unavailable as error:
            # Somebody has to say so. Nothing else is done: where the answer of the database was
            # lost, the claim may be stored, or another process may have its own.
            NOT_CLAIMED.set(error)
            return not self.gives_way

    async def _clear(self, newest: int) -> None:
        self._claimed += 1
        if self._claimed % CLEAR_EVERY == 1:
            try:
                await self._claims.clear(newest)
            except Unavailable as error:
                logger.info("old claims stay for now: %s", error)
