"""Ctrl-C and closed pipes end every command of the engine without a traceback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.builders import PATIENCE, ROOT
from tests.children import Child

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a pseudo-terminal and /proc")
ENGINE = (sys.executable, "-m", "engine")
IN_TERMINAL = """
import fcntl, os, signal, sys, termios
os.setsid()
signal.signal(signal.SIGINT, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Runs a command whose standard input is its terminal, so that Ctrl-C reaches it.

A suite that a shell runs in the background ignores Ctrl-C, and its children would too."""
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "PYTHONUTF8": "1"}


class Terminal:
    """A pseudo-terminal in which a command runs."""

    def __init__(self, keys: int) -> None:
        self._keys = keys
        self.text = ""

    def type(self, text: str) -> None:
        """Type keys."""
        os.write(self._keys, text.encode())

    def read_until(self, pattern: str) -> None:
        """Read what is printed until it matches."""
        while not re.search(pattern, self.text):
            assert self.read(), self.text

    def read(self) -> bool:
        """Read a piece of what is printed; returns False at its end."""
        try:
            piece = os.read(self._keys, 4096)
        except OSError:  # how Linux reports the end
            return False
        self.text += piece.decode("utf-8", "replace")
        return bool(piece)


@contextmanager
def terminal(*arguments: str, **more: str) -> Iterator[tuple[Terminal, subprocess.Popen[bytes]]]:
    """Run a command of the engine in a terminal of its own."""
    keys, screen = os.openpty()
    environment = {**ENVIRONMENT, **more}
    environment = {name: value for name, value in environment.items() if value}
    process = subprocess.Popen(
        [sys.executable, "-c", IN_TERMINAL, *ENGINE, *arguments],
        stdin=screen,
        stdout=screen,
        stderr=screen,
        env=environment,
    )
    os.close(screen)
    try:
        yield Terminal(keys), process
    finally:
        process.kill()
        process.wait()
        os.close(keys)


@pytest.mark.parametrize(("no_colour", "sign"), [("", "\x1b[1;31m●"), ("1", "You are 1")])
def test_a_game_in_a_terminal_is_coloured_unless_told_otherwise(no_colour: str, sign: str) -> None:
    """In a terminal discs are coloured; NO_COLOR makes them plain. Ctrl-C ends silently."""
    with terminal("play", "4x4", "--level", "easy", NO_COLOR=no_colour) as (screen, process):
        screen.read_until("> $")
        assert sign in screen.text
        # A key between the prompt and the moment when the command waits for a line is lost.
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            screen.type("\x03")
            with suppress(subprocess.TimeoutExpired):
                process.wait(1.0)
        # Another key, while the command ends after the first one, ends it at once.
        assert process.poll() in (130, -signal.SIGINT)
        while screen.read():
            pass
        assert "Traceback" not in screen.text


def test_ctrl_c_ends_a_long_search_silently() -> None:
    """Ctrl-C ends a command at once, also in the middle of compiled code."""
    with Child(*ENGINE, "perft", "6x7", "14", env=ENVIRONMENT) as command:
        command.line("^9 ")
        command.signal(signal.SIGINT)
        ended = command.wait()
    assert ended.status == -signal.SIGINT
    assert ended.err == ""


def test_ctrl_c_ends_a_commands_processes_silently() -> None:
    """Ctrl-C in a terminal reaches all processes of a command; none prints a traceback."""
    games = ("--game", "5x4", "--games", "20000", "--processes", "2")
    with Child(
        *ENGINE, "tournament", "easy,medium", *games, env=ENVIRONMENT, own_group=True, patience=30
    ) as command:
        while len(group_of(command.pid)) < 4:
            assert not command.has_ended(0.05)
        command.signal(signal.SIGINT)
        ended = command.wait()
    assert ended.status == 130
    assert "Traceback" not in ended.err
    assert "KeyboardInterrupt" not in ended.err


def group_of(leader: int) -> list[int]:
    """The processes of a group."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.getpgid(int(folder.name)) == leader:
                found.append(int(folder.name))
    return found


@pytest.mark.parametrize(
    "arguments",
    [
        ("perft", "6x7", "7"),
        ("play", "4x4", "--second"),
        ("--help",),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_closed_pipe_ends_a_command_silently(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """A reader that closes the pipe, as `head` does, ends a command without a word."""
    reading, writing = os.pipe()
    os.close(reading)
    errors = tmp_path / "errors"
    with errors.open("wb") as err:
        status = subprocess.run(
            [*ENGINE, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=err,
            env=ENVIRONMENT,
            timeout=PATIENCE,
            check=False,
        ).returncode
    os.close(writing)
    assert errors.read_text() == ""
    assert status in (0, 141)
