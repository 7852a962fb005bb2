"""Runs the bot with timed stages of a move: `python -m tests.bot.support.wire.timed FILE STAGES`.

Writes samples to FILE as `sampled` does, and to STAGES a line of JSON for each interaction: its
kind (`other` if it is not a move), its token and its stages. A stage is its name and three pairs:
the monotonic clock at its start and end, the CPU time of the event loop's thread at these moments,
and, for work in another thread, the wait for a thread and the CPU time in it. Evaluations of
finished games have lines of their own.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from threading import get_ident
from typing import Any

from bot.board import moves
from bot.board.moves import MoveHandler
from bot.board.requests import BoardRequests
from bot.discord.answering import Answering
from bot.discord.gateway import InteractionGate
from bot.store.games import Games
from bot.workers.pool import Pool
from tests.bot.support.wire import sampled

Stage = tuple[str, float, float, float, float, float, float]
Method = Callable[..., Awaitable[Any]]

OTHER = "other"


@dataclass(slots=True)
class Trace:
    """The stages of an interaction."""

    by: str
    token: str
    stages: list[Stage]


_traces: ContextVar[Trace | None] = ContextVar("traces", default=None)
"""The trace of the current interaction, which its tasks inherit."""
_arrived: dict[str, tuple[float, float]] = {}
"""Arrival times of pending interactions, and the loop's CPU time then, by token."""


def timed(name: str, method: Method) -> Method:
    """Wrap a coroutine function so that its calls are stages of the current interaction."""

    @wraps(method)
    async def measure(*arguments: Any, **more: Any) -> Any:
        current = _traces.get()
        began, used = time.monotonic(), time.thread_time()
        try:
            return await method(*arguments, **more)
        finally:
            if current is not None:
                now = time.monotonic(), time.thread_time()
                current.stages.append((name, began, now[0], used, now[1], 0.0, 0.0))

    return measure


STAGES = {"search": "search", "judge": "judge", "board": "draw"}
"""The names of stages in threads, by the names of their pools."""


def threaded(method: Method, alone: Callable[[str], None]) -> Method:
    """Wrap `Pool.run` to record waits for threads and CPU time; evaluations get own lines."""

    @wraps(method)
    async def measure(self: Pool, work: Callable[[], Any], *rest: Any, **more: Any) -> Any:
        name = STAGES.get(self.name)
        if name is None:
            return await method(self, work, *rest, **more)
        current, began, used = _traces.get(), time.monotonic(), time.thread_time()
        waited = spent = 0.0

        def run() -> Any:
            nonlocal waited, spent
            waited, at = time.monotonic() - began, time.thread_time()
            try:
                return work()
            finally:
                spent = time.thread_time() - at

        try:
            return await method(self, run, *rest, **more)
        finally:
            now = time.monotonic(), time.thread_time()
            stage = (name, began, now[0], used, now[1], waited, spent)
            if name == "judge":
                alone(json.dumps({"by": name, "stages": [stage]}))
            elif current is not None:
                current.stages.append(stage)

    return measure


def arriving(receive: Callable[..., None]) -> Callable[..., None]:
    """Wrap `InteractionGate.receive` to record when each interaction arrives."""

    @wraps(receive)
    def note(self: InteractionGate, said: Any, enter: Callable[[Any], None]) -> None:
        _arrived[said["token"]] = time.monotonic(), time.thread_time()
        receive(self, said, enter)

    return note


@asynccontextmanager
async def trace(by: str, token: str, write: Callable[[str], None]) -> AsyncIterator[None]:
    """Write a line about the block; inside a block of the same token only set its kind."""
    outer = _traces.get()
    if outer is not None and outer.token == token:
        outer.by = by if by != OTHER else outer.by
        yield
        return
    now = time.monotonic(), time.thread_time()
    began, used = _arrived.pop(token, now)
    own = Trace(by, token, [("arrive", began, now[0], used, now[1], 0.0, 0.0)])
    _traces.set(own)
    try:
        yield
    finally:
        ended = time.monotonic(), time.thread_time()
        own.stages.append(("all", began, ended[0], used, ended[1], 0.0, 0.0))
        write(json.dumps({"by": own.by, "token": token, "stages": own.stages}))


def traced(by: str, method: Method, write: Callable[[str], None]) -> Method:
    """Wrap a method of `MoveHandler` so that each call is traced."""

    @wraps(method)
    async def answer(self: MoveHandler, interaction: Any, *rest: Any, **more: Any) -> Any:
        async with trace(by, interaction.token, write):
            return await method(self, interaction, *rest, **more)

    return answer


def others(method: Callable[..., Any], write: Callable[[str], None]) -> Callable[..., Any]:
    """Wrap `Answering.__call__` so that each use is traced."""

    @wraps(method)
    @asynccontextmanager
    async def answer(self: Answering, interaction: Any, *rest: Any) -> AsyncIterator[None]:
        async with trace(OTHER, interaction.token, write), method(self, interaction, *rest):
            yield

    return answer


def install(file: Path) -> None:
    """Wrap all timed functions; lines go to `file`."""
    out, main_thread = file.open("a", encoding="utf-8", buffering=1), get_ident()

    def write(line: str) -> None:
        assert get_ident() == main_thread
        out.write(line + "\n")

    places: tuple[tuple[Any, str, Method], ...] = (
        (MoveHandler, "click", traced("button", MoveHandler.click, write)),
        (MoveHandler, "play", traced("command", MoveHandler.play, write)),
        (moves, "acknowledge", timed("acknowledge", moves.acknowledge)),
        (moves, "answer_privately", timed("acknowledge", moves.answer_privately)),
        (Games, "append", timed("write", Games.append)),
        (BoardRequests, "_send_edit", timed("edit", BoardRequests._send_edit)),
        (Pool, "run", threaded(Pool.run, write)),
    )
    for owner, name, method in places:
        setattr(owner, name, method)
    Answering.__call__ = others(Answering.__call__, write)  # type: ignore[method-assign]
    InteractionGate.receive = arriving(InteractionGate.receive)  # type: ignore[method-assign]


def main() -> int:
    """Run the bot, timed."""
    install(Path(sys.argv.pop(2)))
    return sampled.main()


if __name__ == "__main__":
    sys.exit(main())
