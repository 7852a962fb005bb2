"""Runs the bot and measures its main thread and database: `python -P FILE OUT [counts]`.

Writes a line of JSON with totals to OUT every second: CPU seconds of the event loop's thread and of
all threads. With `counts` also the numbers of SQL statements, transactions, commits and round
trips, and a sampling profile of the event loop's thread: CPU seconds by package and by function.
Counting takes time, so both are measured in separate runs.

It is run as a file and imports only the bot, so that `PYTHONPATH` selects the measured version.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import signal
import sys
import sysconfig
import time
from asyncio import selector_events
from collections import Counter
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from types import FrameType
from typing import Any

import aiosqlite
import asyncpg
from sqlalchemy import Engine, event
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_cursor

import bot
import bot.__main__ as program
from bot.run import online

EVERY = 1.0
"""Seconds between two lines."""
SAMPLE = 1_000_000
"""Nanoseconds of CPU between two samples of the profile."""
TREE = str(Path(bot.__file__).parents[1])
PURE = sysconfig.get_paths()["purelib"]
STANDARD = sysconfig.get_paths()["stdlib"]
DETAILED = ("sqlalchemy", "bot", "discord", "renderers", "engine")
"""Packages whose parts are listed separately."""

Totals = Counter[str]


@cache
def package_of(file: str) -> str | None:
    """The package of a source file; None for the standard library, which is the caller's time."""
    if file.startswith(STANDARD) and not file.startswith(PURE):
        return "asyncio" if "/asyncio/" in file else None
    for root in (TREE, PURE):
        if file.startswith(root):
            parts = file.removeprefix(root).strip("/").removesuffix(".py").split("/")
            return ".".join(parts[:2]) if parts[0] in DETAILED and len(parts) > 1 else parts[0]
    return None


def profile(totals: Totals, functions: Totals) -> None:
    """Add up this thread's CPU seconds by package and by function, from now on.

    A timer of the thread's CPU time triggers samples, so waiting and other threads do not count.
    """
    library = ctypes.CDLL(None, use_errno=True)
    # A `sigevent` with a signal and no value, and an `itimerspec` of nanoseconds.
    wanted = (ctypes.c_int * 16)(0, 0, signal.SIGPROF, 0)
    timer, every = ctypes.c_void_p(), (ctypes.c_long * 4)(0, SAMPLE, 0, SAMPLE)
    before = time.thread_time()

    def look(_signal: int, frame: FrameType | None) -> None:
        nonlocal before
        used = time.thread_time()
        spent, before, package = used - before, used, None
        if frame is not None:
            code = frame.f_code
            functions[f"{code.co_filename.split('site-packages/')[-1]}:{code.co_name}"] += spent
        while frame is not None and package is None:
            package, frame = package_of(frame.f_code.co_filename), frame.f_back
        totals[package or "other"] += spent

    signal.signal(signal.SIGPROF, look)
    if library.timer_create(time.CLOCK_THREAD_CPUTIME_ID, wanted, ctypes.byref(timer)) or (
        library.timer_settime(timer, 0, every, None)
    ):
        raise OSError(ctypes.get_errno(), "no timer of the thread's CPU time")


def count_statements(totals: Totals, texts: Totals) -> None:
    """Count the statements that drivers send to the database."""

    def said(statement: str) -> None:
        verb = statement.split(None, 1)[0].strip(";").upper()
        if verb in ("BEGIN", "COMMIT", "ROLLBACK"):
            totals[verb.lower()] += 1
        else:
            totals["statements"] += 1
        texts[" ".join(statement.split())[:300]] += 1

    @event.listens_for(Engine, "connect")
    def watch(connection: Any, _record: object) -> None:
        raw = connection.driver_connection
        if isinstance(raw, asyncpg.Connection):
            raw.add_query_logger(lambda logged: said(logged.query))
        else:
            connection.run_async(lambda driver: driver.set_trace_callback(texts_of))

    def texts_of(statement: str) -> None:
        # SQLite gives statements with their values, which would make each of them different.
        said("".join("?" if part.isdecimal() else part for part in _parts(statement)))

    _watch_cursors(said)
    execute = aiosqlite.Connection._execute

    async def hop(self: Any, *arguments: Any, **named: Any) -> Any:
        totals["round trips"] += 1
        return await execute(self, *arguments, **named)

    aiosqlite.Connection._execute = hop  # type: ignore[method-assign]
    transport: Any = selector_events._SelectorSocketTransport  # type: ignore[attr-defined]
    write = transport.write

    def sent(self: Any, data: Any) -> Any:
        if type(self._protocol).__module__.startswith("asyncpg"):
            totals["round trips"] += 1
        return write(self, data)

    transport.write = sent


def _watch_cursors(said: Callable[[str], None]) -> None:
    """Report the statements of SQLAlchemy's cursors on asyncpg, which it does not log itself."""
    for name in ("_prepare_and_execute", "_executemany"):
        method = getattr(AsyncAdapt_asyncpg_cursor, name)

        @wraps(method)
        def run(self: Any, operation: str, *rest: Any, _run: Any = method) -> Any:
            said(operation)
            return _run(self, operation, *rest)

        setattr(AsyncAdapt_asyncpg_cursor, name, run)


def _parts(statement: str) -> list[str]:
    """A statement cut at its numbers and texts, the texts replaced."""
    parts, word, quoted = [], "", False
    for letter in statement:
        if letter == "'":
            quoted = not quoted
            if quoted:
                parts.append(word)
                word = "?"
        elif not quoted:
            if word and (letter.isdigit() or letter == ".") != word[-1].isdigit():
                parts.append(word)
                word = ""
            word += letter
    return [*parts, word]


async def write_totals(out: Path, more: dict[str, Totals]) -> None:
    """Write the totals every second, until cancelled."""
    with out.open("a", encoding="utf-8") as lines:
        while True:
            spent = {"loop": time.thread_time(), "cpu": time.process_time()}
            lines.write(json.dumps({**spent, **{k: dict(v) for k, v in more.items()}}) + "\n")
            lines.flush()
            await asyncio.sleep(EVERY)


def main() -> int:
    """Run the bot as its command does, with measurements."""
    out, serve, more = Path(sys.argv[1]), online.serve, dict[str, Totals]()
    if "counts" in sys.argv[2:]:
        more = {name: Totals() for name in ("database", "texts", "packages", "functions")}
        count_statements(more["database"], more["texts"])
        profile(more["packages"], more["functions"])

    async def measured(*arguments: Any, **named: Any) -> None:
        writing = asyncio.create_task(write_totals(out, more))
        try:
            await serve(*arguments, **named)
        finally:
            writing.cancel()

    online.serve = measured
    return program.main([])


if __name__ == "__main__":
    sys.exit(main())
