"""Reports refuse inconsistent data."""

from __future__ import annotations

import pytest

from renderers import BarsScene, LinesScene, Points, Result, ScatterScene, Series


def test_bars_need_a_percentage_for_every_group() -> None:
    """Series of the wrong length, values outside 0 to 100 and a third series are refused."""
    with pytest.raises(ValueError, match="every group"):
        BarsScene("Won", ("a", "b"), (Series("people", (1,)),))
    for value in (-1, 101, float("nan")):
        with pytest.raises(ValueError, match="not a percentage"):
            BarsScene("Won", ("a",), (Series("people", (value,)),))
    with pytest.raises(ValueError, match="at most 2"):
        BarsScene("Won", ("a",), (Series("people", (1,)),) * 3)


def test_lines_need_games_in_order_and_percentages() -> None:
    """Games out of order or before the first, wrong values and duplicate results are refused."""
    for places in (((0, 5.0),), ((2, 5.0), (2, 6.0)), ((3, 5.0), (2, 6.0))):
        with pytest.raises(ValueError, match="in order"):
            LinesScene("Hints", "", (Points("won", Result.WON, places),))
    with pytest.raises(ValueError, match="not a percentage"):
        LinesScene("Hints", "", (Points("won", Result.WON, ((1, 100.5),)),))
    with pytest.raises(ValueError, match="one group of points"):
        LinesScene("Hints", "", (Points("won", Result.WON, ()), Points("", Result.WON, ())))


def test_scatters_need_groups_and_quantities() -> None:
    """Unknown groups, quantities that are negative or not finite, and duplicates are refused."""
    for group in (-1, 1):
        with pytest.raises(ValueError, match="no group"):
            ScatterScene("Moves", ("a",), (Points("won", Result.WON, ((group, 5),)),))
    for value in (-1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="not a quantity"):
            ScatterScene("Moves", ("a",), (Points("won", Result.WON, ((0, value),)),))
    with pytest.raises(ValueError, match="one group of points"):
        ScatterScene("Moves", (), (Points("won", Result.WON, ()), Points("", Result.WON, ())))
