"""Checks lines of JSON, each a puzzle as `python -m engine puzzles show` prints it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable

from tests.engine.puzzle_check import boom, filling
from tests.engine.puzzle_check.puzzles import Claimed, Found, Wrong

EVERY = 100
"""Puzzles between two progress reports."""


def check(lines: Iterable[str]) -> tuple[Counter[str], list[str]]:
    """Check puzzles; returns their number by game and kind, and the errors."""
    kinds, wrong = Counter[str](), list[str]()
    asked, ids = dict[str, str](), set[str]()
    for number, text in enumerate(lines, 1):
        claimed = Claimed.of(text)
        if number % EVERY == 0:
            sys.stderr.write(f"{number:,}: {len(wrong):,} faults\n")
        kinds[f"{claimed.game} {claimed.kind}"] += 1
        try:
            found = check_one(claimed)
        except Wrong as error:
            wrong.append(f"{claimed.game} {claimed.id}: {error}")
            continue
        kinds[f"{claimed.game} moves"] += len(found.asked)
        kinds[f"{claimed.game} trivial"] += found.trivial
        for name in (f"{claimed.game} {position}" for position in found.asked):
            if name in asked:
                wrong.append(f"{claimed.game} {claimed.id}: also asked in {asked[name]}")
            asked[name] = claimed.id
        if claimed.id in ids:
            wrong.append(f"{claimed.game} {claimed.id}: another has the same id")
        ids.add(claimed.id)
    return kinds, wrong


def check_one(claimed: Claimed) -> Found:
    """Check a puzzle of any game; raises Wrong."""
    module = boom if claimed.game.startswith("boom") else filling
    return module.check(claimed)
