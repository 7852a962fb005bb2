"""Child processes of tests: default signals, a ready line, an end that escalates, none left."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition, Thread
from typing import IO, TypeVar

import pytest

from tests.builders import PATIENCE

T = TypeVar("T")
SHOWN = 4000
"""Characters of a child's output in a message."""
ESCALATION = (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM))
"""The signals that end a child, each stronger than the one before."""
MARK = "TESTS_STARTED_BY"
"""The environment variable that all descendants of a run inherit; its value is the run's name."""
PROCESSES = Path("/proc")
RESOURCE_TRACKER = "multiprocessing.resource_tracker"
"""In the command of a process of Python's own, which ends with the process that started it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The exit status and output of a child that has ended."""

    status: int
    out: str
    err: str


class Child:
    """A process that runs for the duration of a `with` or `async with` block.

    SIGINT has its default effect in the child even if this process ignores it, as in a background
    job of a shell. The output is read all the time, so a full pipe never blocks the child. At the
    end of the block the child gets the signal `stop`, and after `patience` seconds each a stronger
    one. The test fails if that was necessary.
    """

    def __init__(
        self,
        *command: str | Path,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        log: Path | None = None,
        stop: signal.Signals = signal.SIGINT,
        own_group: bool = False,
        patience: float = 10.0,
    ) -> None:
        """Start a process; its output is appended to the file `log` if given.

        With `own_group` the last signal and `signal` also reach the processes that it starts.
        """
        self._stop, self._own_group, self._patience, self._log = stop, own_group, patience, log
        self._lines: dict[str, list[str]] = {"out": [], "err": []}
        self._unread = 0
        self._news = Condition()
        file = None if log is None else log.open("ab")
        target = subprocess.PIPE if file is None else file
        ignored = sys.platform != "win32" and signal.getsignal(signal.SIGINT) == signal.SIG_IGN
        self._process = subprocess.Popen(
            list(map(str, command)),
            cwd=cwd,
            env={**(os.environ if env is None else env), **marks()},
            stdin=subprocess.DEVNULL,
            stdout=target,
            stderr=target,
            encoding="utf-8",
            errors="replace",
            start_new_session=own_group,
            # Between fork and exec other threads do not run: it must be as short as this.
            preexec_fn=_restore_sigint if ignored else None,
        )
        if file is not None:
            file.close()
        streams = {"out": self._process.stdout, "err": self._process.stderr}
        self._readers = [
            Thread(target=self._read, args=(name, stream), daemon=True)
            for name, stream in streams.items()
            if stream is not None
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        needed = self.end()
        if needed is not None:
            told = self._report(f"did not end by {self._stop.name}; {needed.name} ended it")
            if error is None:
                raise AssertionError(told)
            error.add_note(told)

    async def __aenter__(self) -> Child:
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        await asyncio.to_thread(self.__exit__, kind, error, traceback)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return self._process.poll()

    @property
    def output(self) -> str:
        """All output so far: stdout, then stderr."""
        if self._log is not None:
            return self._log.read_text("utf-8", errors="replace")
        with self._news:
            return "".join(self._lines["out"] + self._lines["err"])

    def line(self, pattern: str = "", seconds: float = PATIENCE) -> re.Match[str]:
        """Wait for the next line of stdout in which the pattern is found; earlier ones are skipped.

        Raises AssertionError with the output so far at the time limit or if the output ends.
        """

        def is_settled() -> bool:
            nonlocal found
            for line in self._lines["out"][self._unread :]:
                self._unread += 1
                if found := re.search(pattern, line):
                    return True
            return not self._readers[0].is_alive()

        found: re.Match[str] | None = None
        with self._news:
            in_time = self._news.wait_for(is_settled, seconds)
        if found is None:
            if in_time:
                # Stdout has ended; the reason is on stderr.
                self._readers[1].join(self._patience)
            why = "ended before" if in_time else f"had {seconds:.0f} s for"
            raise AssertionError(self._report(f"{why} a line with {pattern!r}"))
        return found

    async def brings(self, awaited: Awaitable[T], seconds: float = PATIENCE) -> T:
        """Wait for something that the child brings about, such as its connection to a server.

        Raises AssertionError with the output so far at the time limit or if the child ends first.
        """
        waiting = asyncio.ensure_future(awaited)
        try:
            async with asyncio.timeout(seconds):
                while not waiting.done() and self.status is None:
                    await asyncio.wait({waiting}, timeout=0.1)
                if waiting.done():
                    return await waiting
        except TimeoutError:
            raise AssertionError(self._report("did not do in time what is awaited")) from None
        finally:
            waiting.cancel()
        raise AssertionError(self._report("ended before it did what is awaited"))

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, with `own_group` to all processes of the group."""
        if self._own_group:
            os.killpg(self.pid, number)
        else:
            self._process.send_signal(number)

    def has_ended(self, seconds: float) -> bool:
        """Wait for its end for at most this time; returns whether it has ended."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def wait(self, seconds: float = PATIENCE) -> Ended:
        """Wait until the process and its output have ended.

        Raises AssertionError with the output so far at the time limit.
        """
        assert self.has_ended(seconds), self._report(f"did not end within {seconds:.0f} s")
        self._close(seconds)
        return Ended(
            self._process.returncode, "".join(self._lines["out"]), "".join(self._lines["err"])
        )

    def end(self, first: signal.Signals | None = None) -> signal.Signals | None:
        """End the process by increasingly strong signals, the last of which cannot be ignored.

        Returns the signal that ended it if it was not the first one.
        """
        first = first or self._stop
        needed = None
        for number in ESCALATION[ESCALATION.index(first) :]:
            if self.status is not None:
                break
            needed = number if number != first else None
            if sys.platform == "win32":
                self._process.terminate()
            elif number == signal.SIGKILL and self._own_group:
                _kill_group(self.pid)
            else:
                self._process.send_signal(number)
            self.has_ended(self._patience)
        if self._own_group:
            _kill_group(self.pid)
        self._process.wait(PATIENCE)
        self._close(PATIENCE)
        return needed

    def _read(self, name: str, stream: IO[str]) -> None:
        for line in stream:
            with self._news:
                self._lines[name].append(line)
                self._news.notify_all()
        with self._news:
            self._news.notify_all()

    def _close(self, seconds: float) -> None:
        """Read the rest of the output."""
        for reader in self._readers:
            reader.join(seconds)
            assert not reader.is_alive(), self._report("left a process that keeps its output open")
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _report(self, what: str) -> str:
        command = self._process.args
        said = self.output[-SHOWN:] or "nothing"
        return f"the child {command} {what}; it has printed:\n{said}"


def _restore_sigint() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _kill_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


# The check at the end of a run


def marks() -> dict[str, str]:
    """The variables that tell whose child a process is, to be added to a bare environment."""
    return {name: os.environ[name] for name in (MARK, "PYTEST_CURRENT_TEST") if name in os.environ}


@dataclass(frozen=True, slots=True)
class RemainingProcess:
    """A process that is alive after the run that started it."""

    pid: int
    command: str
    test: str
    """The test that started it."""

    def __str__(self) -> str:
        return f"process {self.pid}, started by {self.test}: {self.command}"


@dataclass(eq=False, slots=True)
class ChildrenLeft:
    """Fails a run that leaves processes behind, and ends them; needs /proc.

    All processes started by a run inherit its name in their environment. A run inside a run has a
    name that extends the outer one, so the outer run also finds what the inner one leaves.
    """

    name: str = field(default_factory=lambda: f"{os.getpid()}-{time.time_ns()}")
    patience: float = 30.0
    """Seconds in which a process may still end by itself."""
    left: list[RemainingProcess] = field(default_factory=list)

    def pytest_configure(self) -> None:
        """Mark the processes that will be started."""
        outer = f"{os.environ[MARK]}/" if MARK in os.environ else ""
        os.environ[MARK] = self.name = f"{outer}{self.name}"

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End the processes that are left when all fixtures and workers have ended."""
        self.left = self.wait_for_none()
        for one in self.left:
            with suppress(OSError):
                os.kill(one.pid, ESCALATION[-1])
        if self.left and session.exitstatus in (pytest.ExitCode.OK, 0):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the processes that were left."""
        for one in self.left:
            terminalreporter.write_line(f"LEFT ALIVE (killed now): {one}", red=True)

    def wait_for_none(self) -> list[RemainingProcess]:
        """Wait until no process of the run is alive; returns those that do not end in time."""
        end = time.monotonic() + self.patience
        while (left := self.alive()) and time.monotonic() < end:
            time.sleep(0.05)
        return left

    def alive(self) -> list[RemainingProcess]:
        """The processes of the run, except this one."""
        found = []
        for folder in PROCESSES.glob("[0-9]*"):
            try:
                given = (folder / "environ").read_bytes().decode(errors="replace")
                command = (folder / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                # It has ended meanwhile or belongs to another user.
                continue
            names = dict(text.partition("=")[::2] for text in given.split("\0"))
            is_of_run = f"{names.get(MARK)}/".startswith(f"{self.name}/")
            if is_of_run and folder.name != str(os.getpid()) and RESOURCE_TRACKER not in command:
                test = names.get("PYTEST_CURRENT_TEST", "no test")
                found.append(
                    RemainingProcess(int(folder.name), command.replace("\0", " ").strip(), test)
                )
        return found
