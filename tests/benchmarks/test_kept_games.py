"""Games that a measurement keeps in a file, so that a run can be continued."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from benchmarks.adaptive.characters import PLAYERS
from benchmarks.adaptive.games import Wanted, collect
from benchmarks.kept_games import lines_in
from engine.core.registry import game_called
from engine.strength.ladder import ladder_of

BOARD = "gato:4x4"


def test_a_continued_run_plays_only_what_is_missing(tmp_path: Path) -> None:
    """A second run takes the games in the file, and appends a line for each further one."""
    file, rung = tmp_path / "games.jsonl", ladder_of(game_called(BOARD)).rungs[0].number
    wanted = [Wanted(BOARD, next(iter(PLAYERS)), rung, number, 1) for number in range(3)]
    assert list(lines_in(file)) == []
    first = list(collect(wanted[:2], file, 1))
    kept = file.read_text(encoding="utf-8")
    assert [json.loads(line) for line in kept.splitlines()] == [asdict(one) for one in first]
    again = list(collect(wanted, file, 1))
    assert again[:2] == sorted(first, key=lambda one: one.number)
    assert file.read_text(encoding="utf-8").startswith(kept)
    assert [one["number"] for one in lines_in(file)][2:] == [2]
