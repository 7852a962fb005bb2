"""Time controls: parsing them, and their deadlines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game.clocks import (
    OFFERED,
    PER_GAME,
    Countdown,
    NotATimeControl,
    countdown,
    parse_control,
)
from bot.store.records import TimeControl


def test_the_offered_controls_are_read() -> None:
    """The offered time controls, from thirty seconds to a week per move, are parsed."""
    controls = [parse_control(text) for text in OFFERED]
    assert [control.seconds for control in controls] == [30, 300, 3600, 86_400, 604_800]
    assert {control.per for control in controls} == {"move"}
    assert parse_control(" 90M ") == TimeControl(5400.0)


@pytest.mark.parametrize("text", ["", "5", "m5", "9s", "31d", "0m", "-5m", "5 weeks", "1h30m"])
def test_other_texts_are_no_time_control(text: str) -> None:
    """Texts without a number or unit, or outside the limits, are not time controls."""
    with pytest.raises(NotATimeControl):
        parse_control(text)


@given(st.integers(10, 30 * 86_400))
def test_every_permitted_number_of_seconds_is_read(seconds: int) -> None:
    """Every number of seconds from the shortest to the longest control is accepted."""
    assert parse_control(f"{seconds}s") == TimeControl(float(seconds))


def test_the_clock_for_a_move_starts_with_the_latest_event() -> None:
    """The clock for a move starts with the latest event; the warning comes at a quarter left."""
    time = countdown(TimeControl(30.0), 100.0, used=500.0)
    assert (time.deadline, time.warning) == (130.0, 122.5)


def test_a_game_has_one_time_for_all_moves() -> None:
    """With one time for all moves, used time is subtracted; the time left is never negative."""
    control = TimeControl(300.0, PER_GAME)
    assert countdown(control, 100.0, used=200.0).deadline == 200.0
    assert countdown(control, 100.0, used=400.0).deadline == 100.0


@pytest.mark.parametrize(
    ("seconds", "paused", "short"),
    [
        (2 * 86_400.0, 299.0, 299.0),
        (2 * 86_400.0, 301.0, 1.0),
        (3600.0, 71.0, 71.0),
        (3600.0, 73.0, 1.0),
        (30.0, 0.5, 0.5),
        (30.0, 0.7, 0.1),
        (0.0, 5.0, 0.0),
    ],
)
def test_a_board_follows_a_countdown_in_steps(seconds: float, paused: float, short: float) -> None:
    """A board shows a countdown in steps: it is at most 2 % behind, and never over five minutes."""
    began = 1000.0 + paused
    shown = Countdown(began, began + seconds).on_board(paused)
    assert began + seconds - shown == pytest.approx(short)
