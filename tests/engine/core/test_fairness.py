"""Positions about which players of a running game get no information."""

from __future__ import annotations

import pytest

from engine.core.fairness import related
from engine.core.registry import game_called
from tests.builders import after

LONG = "44444433333352222225"
"""Twenty moves of 6x7 without a four."""

MIRRORED = "".join(str(8 - int(column)) for column in LONG)


@pytest.mark.parametrize(
    ("name", "running", "close", "far"),
    [
        # Every game begins with the empty board. Below six discs only the same board counts.
        ("6x7", "", [], ["", "4", "44", LONG]),
        ("6x7", "3", ["3", "5"], ["", "4", "33"]),
        ("6x7", "445", ["445", "443"], ["", "44", "4453", "441", LONG]),
        ("6x7", "44533", ["44533", "53443"], ["4453", "445332"]),
        # From six on, earlier and later boards do as well, if they have six themselves.
        ("6x7", "444433", ["444433", "444455", LONG, MIRRORED], ["44443", "444432", "1122"]),
        ("6x7", LONG, [LONG, MIRRORED, LONG[:6], LONG + "1"], [LONG[:5], "", "112233"]),
        ("5x4", "112234", ["112234", "443321", "1122341"], ["11223", "112233"]),
        ("gato", "", [], ["", "a1"]),
        ("gato", "a1b2", ["a1b2", "d1c2", "d4c3"], ["a1", "a1b1", "a1b2c3"]),
        (
            "gato",
            "a1b2c3d1a2b1",
            ["a1b2c3d1a2b1c1", "d1c2b3a1d2c1"],
            ["a1b2c3d1a2", "a1a2a3b1b2b3"],
        ),
        # Bombs remove discs: every board within eight moves.
        ("boom", "", [], ["", "1"]),
        ("boom", "445", ["445", "443"], ["4451", "44"]),
        ("boom", "1234567", ["1234567", "112233", "12345671234567"[:15]], ["12345", ""]),
        ("boom", "123456", ["12345612345612"], ["123456123456123"]),
        ("boom:7x7-draw", "123456", ["123456", "665544"], ["12345"]),
    ],
)
def test_related_positions(name: str, running: str, close: list[str], far: list[str]) -> None:
    """A position is related to a running one if it could help there, and the other way round."""
    game = game_called(name)
    for texts, expected in ((close, True), (far, False)):
        for text in texts:
            one, other = after(game, running), after(game, text)
            assert related(one, other) is expected, text
            assert related(other, one) is expected, text


def test_other_games_and_sizes_are_not_related() -> None:
    """Boards of other games and sizes are not related; the two variants of BOOM are one game."""
    firsts = {"6x7": "4", "7x7": "4", "gato": "a1", "boom": "4"}
    boards = [after(name, move) for name, move in firsts.items()]
    for one in boards:
        assert [related(one, other) for other in boards] == [one is other for other in boards]
    assert related(after("boom", "4"), after("boom:7x7-draw", "4"))
