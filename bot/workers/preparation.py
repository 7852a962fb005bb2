"""Compiling and loading the engine in the background.

On a new machine the kernels have to be compiled, which takes about twenty seconds of one core, in
processes of their own. The bot does not wait for that: it answers at once, and only work that needs
a missing kernel waits for it. A start that is killed keeps the kernels compiled so far.

Compiled kernels are loaded in a thread after the start: importing Numba and the kernels takes most
of a second of processor time. Garbage collection is off during the start, because it would find
nothing and take a tenth of the start.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING

import engine
import renderers
from bot.workers.workers import NotPrepared, Readiness
from engine.core.compiled import CACHE_FOLDER, compile_all, compile_module, is_warm, looks_warm
from engine.core.registry import compiled_modules, parts

if TYPE_CHECKING:
    from rich.console import Console

logger = logging.getLogger(__name__)

PROCESSES = os.cpu_count() or 1
"""Parts that are compiled side by side."""

LEAST, OVERDUE = 2, 0.3
"""The fewest seconds that are said to be left, and the share of the time passed."""

INTERRUPTED = 130
"""The exit status of a process that Ctrl-C has ended, as all that share a terminal are."""

MOMENT = 3.0
"""Seconds of loading compiled parts that need not be announced."""

SWITCH_INTERVAL = 0.0005
"""Seconds after which loading yields to the event loop: a tenth of Python's default."""

DEFAULT_SWITCH_INTERVAL = sys.getswitchinterval()

FIRST_START = (
    "First start: the engine is being compiled, once. Games may begin at once; a move or hint that "
    "needs what is not ready yet waits for it."
)

Report = Callable[[str], None]
"""Reports a line to the operator; called from any thread."""


class Preparation(Readiness):
    """Compiles the missing parts and loads all; nothing before `start`.

    `report` gets a line for every part that had to be compiled.
    """

    def __init__(self, report: Report = lambda line: None) -> None:
        self._report = report
        self._waiting = deque(parts())
        self._ready: dict[str, Future[None]] = {part: Future() for part in parts()}
        self._is_complete = False
        for future in self._ready.values():
            # A waiter that is cancelled must not cancel the future for the others.
            future.set_running_or_notify_cancel()
        self._lock = Lock()
        self._children: set[subprocess.Popen[bytes]] = set()
        self._threads: list[Thread] = []
        self._loading, self._closing = Event(), Event()
        self._began = monotonic()
        self._loading_began: float | None = None
        self._compiled: set[str] = set()
        self._pace, self._is_cold = 1.0, False

    def start(self) -> None:
        """Begin to compile missing parts; to be called before most of the program is imported."""
        gc.disable()
        self._began = monotonic()
        self._is_cold = not looks_warm(compiled_modules())
        self._compiled = {
            part for part in parts() if not self._is_cold or is_warm(parts()[part].modules)
        }
        # One core is left to the start itself.
        self._start_threads(PROCESSES - 1 if self._is_cold else 0)

    def load(self) -> None:
        """Begin to load the compiled parts and the renderers; a second call does nothing.

        That takes the processor for most of a second, so it begins once the process is connected.
        """
        if self._loading_began is not None:
            return
        self._loading_began = monotonic()
        sys.setswitchinterval(SWITCH_INTERVAL)
        loader = Thread(target=self._load, name="prepare", daemon=True)
        self._threads.append(loader)
        loader.start()

    def _load(self) -> None:
        if self._is_cold or not is_warm(compiled_modules()):
            _collect_garbage()
            self._report(FIRST_START)
            self._start_threads(PROCESSES)
        self._loading.set()
        self._work()

    def is_complete(self) -> bool:
        """Whether every part has been loaded."""
        if not self._is_complete:
            futures = self._ready.values()
            self._is_complete = all(one.done() and one.exception() is None for one in futures)
        return self._is_complete

    def is_ready(self, parts: Sequence[str]) -> bool:
        """Whether these parts can be used now."""
        return all(self._ready[part].done() for part in parts)

    def seconds_left(self, names: Sequence[str]) -> int | None:
        """See `Readiness`."""
        missing = [part for part in names if not self._ready[part].done()]
        if not missing or (self._compiled.issuperset(missing) and self._is_soon()):
            return None
        passed = monotonic() - self._began
        expected = max(parts()[part].seconds for part in missing) * self._pace
        # A part that takes longer than expected will probably take a while longer still.
        return max(LEAST, round(max(expected - passed, OVERDUE * passed)))

    async def wait_for(self, names: Sequence[str]) -> None:
        """See `Readiness`."""
        for part in names:
            await asyncio.wrap_future(self._ready[part])

    def close(self) -> None:
        """Compile nothing more; compiled parts are kept."""
        with self._lock:
            self._closing.set()
            for child in self._children:
                child.terminate()
        self._loading.set()
        for thread in self._threads:
            thread.join()
        for future in self._ready.values():
            if not future.done():
                future.set_exception(NotPrepared())
        self._settle()

    def _is_soon(self) -> bool:
        """Whether loading takes only a moment more."""
        return self._loading_began is None or monotonic() < self._loading_began + MOMENT

    def _start_threads(self, number: int) -> None:
        """Bring the threads up to this number, each with a process to watch."""
        while len(self._threads) < number:
            with self._lock:
                if self._closing.is_set():
                    return
                thread = Thread(target=self._work, name="prepare", daemon=True)
                self._threads.append(thread)
                thread.start()

    def _work(self) -> None:
        """Prepare the waiting parts, one after the other."""
        while not self._closing.is_set():
            try:
                part = self._waiting.popleft()
            except IndexError:
                return
            try:
                self._prepare(part)
            except Exception as error:
                logger.exception("%s could not be compiled", part)
                self._ready[part].set_exception(error)
            if self.is_ready([*self._ready]):
                self._settle()

    def _settle(self) -> None:
        """Restore Python's usual settings after loading."""
        sys.setswitchinterval(DEFAULT_SWITCH_INTERVAL)
        _collect_garbage()

    def _prepare(self, part: str) -> None:
        was_warm = is_warm(parts()[part].modules)
        if not was_warm:
            self._compile(part)
        self._loading.wait()
        renderers.load()
        # Loads compiled modules, and compiles here those that the process could not.
        for name in parts()[part].modules:
            if self._closing.is_set():
                return
            compile_module(name)
        taken = monotonic() - self._began
        self._pace = max(1.0, taken / parts()[part].seconds)
        self._ready[part].set_result(None)
        if not was_warm:
            self._report(f"{parts()[part].title}: ready after {taken:.0f} s")
            if is_warm(compiled_modules()) and self.is_ready([*self._ready]):
                self._report(f"The compiled engine is kept in {CACHE_FOLDER}")

    def _compile(self, part: str) -> None:
        """Compile a part in a process, so that nothing here is blocked; failures are logged."""
        paths = (str(Path(engine.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
        with self._lock:
            if self._closing.is_set():
                return
            child = subprocess.Popen(  # noqa: S603  # this very Python, with a part's name
                [sys.executable, "-m", "engine.cli.compiling", part],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            self._children.add(child)
        _, errors = child.communicate()
        with self._lock:
            self._children.discard(child)
        if child.returncode == INTERRUPTED:
            self._closing.wait(1.0)
        elif child.returncode and not self._closing.is_set():
            logger.warning(
                "%s is compiled here, as the process for it failed: %s", part, errors.decode()
            )


def _collect_garbage() -> None:
    """Turn garbage collection on again, except for present objects, which are kept for good.

    Collecting all that the start has made would block everything for 0.2 seconds at a time.
    """
    gc.freeze()
    gc.enable()


def warm_up(console: Console) -> None:
    """Load the kernels; the first time they are compiled, which takes a while and shows it."""
    # Imported here because only interactive commands need it.
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    if is_warm(compiled_modules()):
        compile_all(compiled_modules())
        return
    console.print("First start: compiling the engine, once, for about half a minute.")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console) as progress:
        task = progress.add_task("compiling")

        def report(name: str, done: int, of: int) -> None:
            progress.update(task, description=name or "compiled", completed=done, total=of)

        compile_all(compiled_modules(), report)
    console.print(f"The compiled engine is kept in {CACHE_FOLDER}", soft_wrap=True)
