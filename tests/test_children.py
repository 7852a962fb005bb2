"""Children of tests: their signals, their output, their end, and the check that none is left."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import ROOT, until
from tests.children import MARK, Child, ChildrenLeft

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

READY = "print('ready', flush=True); "
WAITING = f"import time; {READY}time.sleep(600)"
IGNORES_SIGNALS = (
    f"import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (2, 15)]; {WAITING}"
)
"""A program that ignores SIGINT and SIGTERM."""
PARENT = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {WAITING!r}]); {WAITING}"
"""A program that starts another one."""
PLAYED = """
import subprocess, sys

def test_leaving_a_process():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])

def test_ending_a_process():
    subprocess.run([sys.executable, "-c", "pass"], check=True)
"""
"""A file of tests, of which the first leaves a process."""


def is_alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text("ascii")
    except FileNotFoundError:
        return False


def test_sigint_ends_a_child_of_a_process_that_ignores_it() -> None:
    """SIGINT has its default effect in a child even if the tests run as a background job."""
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Child(sys.executable, "-c", WAITING) as child:
            child.line("ready")
            child.signal(signal.SIGINT)
            ended = child.wait()
    finally:
        signal.signal(signal.SIGINT, usual)
    assert ended.status == -signal.SIGINT
    assert ended.out == "ready\n"
    assert "KeyboardInterrupt" in ended.err


def test_a_child_that_ignores_signals_is_killed_and_reported() -> None:
    """A child that ignores SIGINT and SIGTERM ends by SIGKILL, and its test fails."""
    child = Child(sys.executable, "-c", IGNORES_SIGNALS, patience=0.1)
    child.line("ready")
    with pytest.raises(AssertionError, match="did not end by SIGINT; SIGKILL ended it"), child:
        pass
    assert child.status == -signal.SIGKILL


def test_a_failed_test_stays_the_failure_of_its_test() -> None:
    """If a test fails, the report on its child is a note of that failure."""
    child = Child(sys.executable, "-c", IGNORES_SIGNALS, patience=0.1)
    child.line("ready")
    with pytest.raises(ZeroDivisionError) as failed, child:
        raise ZeroDivisionError
    (note,) = failed.value.__notes__
    assert "SIGKILL ended it" in note
    assert "ready" in note


def test_a_child_that_is_not_ready_in_time_is_reported_with_its_output() -> None:
    """At the time limit the message names the awaited line and has the output so far."""
    missing = pytest.raises(AssertionError, match=r"had 1 s for a line with 'never'[^$]*ready")
    with Child(sys.executable, "-c", WAITING) as child, missing:
        child.line("never", seconds=1)


def test_a_child_that_ends_early_is_reported_at_once() -> None:
    """If a child ends before its ready line, its output, errors included, is in the message."""
    program = "print('begun'); raise SystemExit('no port')"
    missing = pytest.raises(AssertionError, match=r"ended before a line[^$]*begun\nno port")
    with Child(sys.executable, "-c", program) as child, missing:
        child.line("ready")


async def test_waiting_ends_with_the_child() -> None:
    """Waiting for something that a child brings about fails as soon as the child ends."""
    async with Child(sys.executable, "-c", "print('no database')") as child:
        with pytest.raises(AssertionError, match=r"ended before it did[^$]*no database"):
            await child.brings(asyncio.Event().wait())


def test_the_lines_of_a_child_are_read_in_order() -> None:
    """Each call returns the next matching line of stdout."""
    program = "for n in range(5): print('move', n); print('shown', n)"
    with Child(sys.executable, "-c", program) as child:
        assert [child.line(r"move (\d)")[1] for _ in range(3)] == ["0", "1", "2"]
        assert child.line().string == "shown 2\n"


def test_a_log_file_takes_the_output(tmp_path: Path) -> None:
    """With a log file the output is appended to it."""
    log = tmp_path / "log.txt"
    for _ in range(2):
        with Child(sys.executable, "-c", "print('begun')", log=log) as child:
            assert child.wait().status == 0
    assert child.output == log.read_text("utf-8") == "begun\nbegun\n"


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found in /proc")
async def test_a_group_ends_with_its_child() -> None:
    """The processes that a child has started end with it if it has a group of its own."""
    name = os.environ[MARK]
    with Child(sys.executable, "-c", PARENT, own_group=True, stop=signal.SIGKILL) as child:
        child.line("ready")
        child.line("ready")
        run = ChildrenLeft(name)
        pids = [one.pid for one in run.alive() if one.test == os.environ["PYTEST_CURRENT_TEST"]]
        assert child.pid in pids
        assert len(pids) == 2
    await until(lambda: not any(map(is_alive, pids)))


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found in /proc")
@pytest.mark.parametrize(
    ("chosen", "status", "workers"), [("leaving", 1, "0"), ("leaving", 1, "1"), ("ending", 0, "0")]
)
async def test_a_run_that_leaves_a_process_fails(
    tmp_path: Path, chosen: str, status: int, workers: str
) -> None:
    """A process that outlives the run fails it, is named with its test, and is ended."""
    file = tmp_path / "test_played.py"
    file.write_text(PLAYED, "utf-8")
    (tmp_path / "conftest.py").write_text("from tests.children import ChildrenLeft\n" + HOOK)
    ran = await asyncio.to_thread(
        subprocess.run,
        [
            *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "xdist"),
            *(str(file), "-k", chosen, "-n", workers),
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == status, ran.stdout + ran.stderr
    told = [line for line in ran.stdout.splitlines() if line.startswith("LEFT ALIVE")]
    assert len(told) == status
    assert all("test_leaving_a_process (call): " in line for line in told)
    pids = [int(line.partition(" process ")[2].partition(",")[0]) for line in told]
    await until(lambda: not any(map(is_alive, pids)))


HOOK = """
def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(ChildrenLeft(patience=0.5))
"""
"""The check as in the conftest of these tests, with a shorter time limit."""
