"""The numbers and times of tests by database, reported at the end of a run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest

NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
SUBJECTS = {
    "database": "database",
    "store": "store",
    "sessions": "sessions",
    "features": "features",
    "board": "boards",
    "discord": "Discord",
}
"""Folders of tests that run on both databases, and their subjects."""
OTHERS = "others"


def note_database(item: pytest.Item) -> None:
    """Store the database that a test uses, if any, for the report at the end of the run."""
    if item.get_closest_marker("postgres"):
        item.user_properties.append(("database", "postgres"))
    elif "database_kind" in getattr(item, "fixturenames", ()):
        item.user_properties.append(("database", "sqlite"))


@dataclass(eq=False, slots=True)
class DatabaseTimes:
    """Counts the tests on each database and adds up their time."""

    passed: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By database and subject."""
    seconds: Counter[tuple[str, str]] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    """Skipped tests, by reason."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the result of one phase of a test."""
        database = dict(report.user_properties).get("database")
        if database not in NAMES:
            return
        key = str(database), subject_of(report.nodeid)
        self.seconds[key] += report.duration
        self.passed[key] += report.when == "call" and report.passed
        if report.skipped and isinstance(report.longrepr, tuple) and database == "postgres":
            self.skipped[report.longrepr[2].removeprefix("Skipped: ")] += 1

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print one line for each database, and one for each reason to skip."""
        for database, name in NAMES.items():
            line = self.line(database)
            if line:
                terminalreporter.write_line(f"{name}: {line}")
        for reason, number in self.skipped.items():
            terminalreporter.write_line(f"PostgreSQL: {number} skipped, {reason}")

    def line(self, database: str) -> str:
        """The tests that passed on a database, in all and by subject; empty if there are none."""
        subjects = [
            subject
            for subject in dict.fromkeys((*SUBJECTS.values(), OTHERS))
            if self.passed[database, subject]
        ]
        parts = [f"{subject} {self._summary(database, subject)}" for subject in subjects]
        return f"{self._summary(database, *subjects)} ({', '.join(parts)})" if subjects else ""

    def _summary(self, database: str, *subjects: str) -> str:
        passed = sum(self.passed[database, subject] for subject in subjects)
        seconds = sum(self.seconds[database, subject] for subject in subjects)
        return f"{passed} passed in {seconds:.0f} s"


def subject_of(nodeid: str) -> str:
    """The subject of a test."""
    folders = nodeid.split("::")[0].split("/")
    return SUBJECTS.get(folders[2], OTHERS) if folders[:2] == ["tests", "bot"] else OTHERS
