"""Messages are short: the stored conversations have no message of more than three lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.golden.conversations import STORED
from tests.golden.recorder import INDENT

MOST = 3
"""The most lines of a message, counted as Discord counts them."""

LONGER = re.compile(r"details|help:topic|/games\b")
"""Steps whose answers may be longer: Details, a topic of the help, a list that was asked for."""

MESSAGE = re.compile(r"(new|changed) message ")


def messages(text: str) -> Iterator[tuple[str, int]]:
    """Yield each message of a conversation: the step that it answers, and its number of lines."""
    step, lines = "", -1
    for line in [*text.splitlines(), "-- end"]:
        if line.startswith("-- ") or MESSAGE.match(line):
            if lines >= 0:
                yield step, lines
            lines = 0 if MESSAGE.match(line) else -1
        if line.startswith("-- "):
            step = line
        lines += line.startswith("|") and not line.startswith(INDENT)


@pytest.mark.parametrize("file", sorted(STORED.glob("*.txt")), ids=lambda file: file.stem)
def test_no_message_has_more_than_three_lines(file: Path) -> None:
    """Two lines are usual and three are the most, unless a person asked for a list or details."""
    found = list(messages(file.read_text("utf-8")))
    assert sum(lines == 2 for _, lines in found) > 10
    assert [one for one in found if one[1] > MOST and not LONGER.search(one[0])] == []
