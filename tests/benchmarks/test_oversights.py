"""The benchmark counts overlooked wins and threats."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.oversights import overlooked_by, table_of, tally_of
from engine.core.game import replay
from engine.core.registry import game_called
from engine.games.connect4.rules import Connect4
from engine.strength.tournament import Pairing


@pytest.mark.parametrize(
    ("text", "moves", "move", "seen"),
    [
        ("6x7", "121212", 0, [("win", "all", False), ("win", "vertical", False)]),
        ("6x7", "121212", 4, [("win", "all", True), ("win", "vertical", True)]),
        ("6x7", "12121", 0, [("threat", "all", False), ("threat", "vertical", False)]),
        ("6x7", "12121", 4, [("threat", "all", True), ("threat", "vertical", True)]),
        ("6x7", "2736", 3, []),
        ("6x7", "", 3, []),
        ("gato", "b1a2c1b2d1", 0, [("threat", "all", False), ("threat", "horizontal", False)]),
        ("gato", "b1a2c1b2d1", 15, [("threat", "all", True), ("threat", "horizontal", True)]),
        ("gato", "a1b1a2b2a4b4", 8, [("win", "all", False), ("win", "vertical", False)]),
        ("gato", "a1b1a2b2a4b4", 9, [("win", "all", True), ("win", "vertical", True)]),
        ("boom", "1771166", 6, []),
        ("boom", "17711664", 6, [("win", "all", True), ("win", "vertical", True)]),
    ],
)
def test_wins_and_threats_are_counted(
    text: str, moves: str, move: int, seen: list[tuple[str, str, bool]]
) -> None:
    """A win or threat is counted under `all`, and under its kind if all such lines are of one kind.

    In BOOM only the last placement of a turn is counted.
    """
    game = game_called(text)
    assert list(overlooked_by(replay(game, game.moves(moves)), move)) == seen


def test_an_unstoppable_threat_is_not_overlooked() -> None:
    """Three stones with both ends open win after any reply, so nothing is counted."""
    game = Connect4()
    assert list(overlooked_by(replay(game, game.moves("37475")), 6)) == []


def test_a_table_has_a_line_for_each_rung() -> None:
    """A rung's shares are a line of CSV, empty without cases, and counting a game is repeatable."""
    found = tally_of(Pairing("connect4", "6x7", "rung-0", "rung-1", "1", "2"))
    assert found == tally_of(Pairing("connect4", "6x7", "rung-0", "rung-1", "1", "2"))
    total = Counter({("a", "win", "all", True): 1, ("a", "win", "all", False): 3})
    lines = list(table_of(total, {"1 easy": ("a", 700.0)}))
    assert lines[0].split(",")[:4] == ["rung", "Elo", "wins missed", "missed vertical"]
    assert lines[1:] == ["1 easy,700,25" + "," * 7]
