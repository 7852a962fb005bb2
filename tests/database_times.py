"""How many tests ran on which database, and how long: told at the end of a run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest

NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
ROOMS = {
    "database": "database",
    "store": "store",
    "sessions": "sessions",
    "features": "features",
    "board": "boards",
    "discord": "Discord",
}
"""Folders of tests that run on both, and what is tested there."""
OTHERS = "others"


def note_database(item: pytest.Item) -> None:
    """Note on which database a test runs, if it opens one, where the end of the run finds it."""
    if item.get_closest_marker("postgres"):
        item.user_properties.append(("database", "postgres"))
    elif "database_kind" in getattr(item, "fixturenames", ()):
        item.user_properties.append(("database", "sqlite"))


@dataclass(eq=False, slots=True)
class DatabaseTimes:
    """Counts the tests on each database and adds up their time."""

    passed: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By database and room."""
    seconds: Counter[tuple[str, str]] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    """Tests that were not run, by the reason."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in how one part of a test went."""
        database = dict(report.user_properties).get("database")
        if database not in NAMES:
            return
        key = str(database), room_of(report.nodeid)
        self.seconds[key] += report.duration
        self.passed[key] += report.when == "call" and report.passed
        if report.skipped and isinstance(report.longrepr, tuple) and database == "postgres":
            self.skipped[report.longrepr[2].removeprefix("Skipped: ")] += 1

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line for each database, and one for each reason to do without."""
        for database, name in NAMES.items():
            line = self.line(database)
            if line:
                terminalreporter.write_line(f"{name}: {line}")
        for reason, number in self.skipped.items():
            terminalreporter.write_line(f"PostgreSQL: {number} skipped, {reason}")

    def line(self, database: str) -> str:
        """What passed on a database: all of it, then room by room; empty if nothing did."""
        rooms = [
            room for room in dict.fromkeys((*ROOMS.values(), OTHERS)) if self.passed[database, room]
        ]
        parts = [f"{room} {self._told(database, room)}" for room in rooms]
        return f"{self._told(database, *rooms)} ({', '.join(parts)})" if rooms else ""

    def _told(self, database: str, *rooms: str) -> str:
        passed = sum(self.passed[database, room] for room in rooms)
        seconds = sum(self.seconds[database, room] for room in rooms)
        return f"{passed} passed in {seconds:.0f} s"


def room_of(nodeid: str) -> str:
    """What a test is about."""
    folders = nodeid.split("::")[0].split("/")
    return ROOMS.get(folders[2], OTHERS) if folders[:2] == ["tests", "bot"] else OTHERS
