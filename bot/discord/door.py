"""Which interactions of those that the gateway delivers this process handles.

While one process takes over from another, Discord tells both of everything that happens on their
shards. Each interaction is handled by whoever claims it first; the other does nothing at all. What
is too old to be acknowledged is turned away. After a suspension this process first looks whether it
was replaced meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from discord import InteractionType

from bot.store import Unavailable
from bot.store.claims import Claims

logger = logging.getLogger(__name__)

HEAD_START = 0.5
"""Seconds that a process which gives way leaves to others; Discord gives three for an answer."""
CERTAIN_WITHIN = 1.0
"""Seconds that an interaction waits after a suspension until this process has looked around."""
CLEAR_EVERY = 1000
"""Claims after which those that no longer matter are deleted."""

NOT_CLAIMED: ContextVar[Unavailable | None] = ContextVar("not_claimed", default=None)
"""Why the interaction that is let in could not be claimed. The task that answers it cannot use the
database then (`Answering`): it says so, and stores nothing."""

Knock = Mapping[str, Any]
"""An interaction as the gateway tells of it."""
Enter = Callable[[Any], None]


async def _at_once(_patience: float) -> None:
    """Wait for nothing."""


@dataclass(frozen=True, slots=True)
class Checks:
    """What is asked about an interaction before it is handled; without answers, all are let in."""

    may_go_on: Callable[[], bool] = lambda: True
    """Whether this process may go on without looking around, as it may not after a suspension."""
    certain: Callable[[float], Awaitable[None]] = _at_once
    """Waits until it may, at most for some seconds."""
    is_stale: Callable[[int], bool] = lambda _: False
    """Whether an interaction with this id is too old to be acknowledged."""
    turn_away: Enter = lambda _: None
    """Handles one that is too old."""


class Door:
    """Lets in what this process is to handle."""

    def __init__(
        self, claims: Claims, checks: Checks | None = None, *, is_shared: bool = True
    ) -> None:
        """Share `claims` with the other processes, and let in what passes the `checks`."""
        self._claims = claims
        self._checks = checks or Checks()
        self._asking: set[asyncio.Task[None]] = set()
        self._claimed = 0
        self._is_closed = False
        self.is_shared = is_shared
        """Whether other processes may be told of the same interactions, so that each is claimed."""
        self.gives_way = False
        """Whether another process, which is to be preferred, may be there."""

    def knock(self, said: Knock, enter: Enter) -> None:
        """Have an interaction let in, unless it is another's or too old."""
        if self._is_closed:
            return
        may_go_on = self._checks.may_go_on()
        if self._checks.is_stale(int(said["id"])):
            if _is_suggestion(said):
                return
            enter = self._checks.turn_away
        if may_go_on:
            self._let_in(said, enter)
        else:
            self._run(self._let_in_when_certain(said, enter))

    def shut(self) -> None:
        """Let nothing more in from now on."""
        self._is_closed = True

    async def close(self) -> None:
        """Let nothing more in; returns when nothing is on its way in any more."""
        self.shut()
        while self._asking:
            await asyncio.wait(self._asking)

    def _let_in(self, said: Knock, enter: Enter) -> None:
        """Let an interaction in unless it is another's. Suggestions change nothing: no claim."""
        if _is_suggestion(said):
            if not self.gives_way:
                enter(said)
        elif self.is_shared:
            self._run(self._ask(said, enter))
        else:
            enter(said)

    async def _let_in_when_certain(self, said: Knock, enter: Enter) -> None:
        await self._checks.certain(CERTAIN_WITHIN)
        if not self._is_closed:
            self._let_in(said, enter)

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

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)


def _is_suggestion(said: Knock) -> bool:
    return bool(said["type"] == InteractionType.autocomplete.value)
