"""The circuit breaker by itself: a value without a cluster or a clock."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.workers.remote import (
    FIRST_BACKOFF,
    LONGEST_BACKOFF,
    MAX_BAD,
    PROBES,
    WINDOW,
    Circuit,
    State,
)


def after(circuit: Circuit, answers: list[bool], now: float = 0.0) -> Circuit:
    """The state after some answers."""
    for is_good in answers:
        circuit = circuit.answered(is_good, now)
    return circuit


def probed(circuit: Circuit, *results: bool) -> Circuit:
    """The state after some probes, each made as soon as it is due."""
    for is_good in results:
        now = circuit.probe_at
        circuit = circuit.probing(now).probed(is_good, now)
    return circuit


OPEN = after(Circuit(), [False] * MAX_BAD)


@pytest.mark.parametrize("answers", list(product((True, False), repeat=5)))
def test_it_opens_after_a_few_bad_answers(answers: tuple[bool, ...]) -> None:
    """The circuit opens with the third failure among the last ten answers, and not before."""
    circuit, bad = Circuit(), 0
    for is_good in answers:
        bad += not is_good
        circuit = circuit.answered(is_good, 0.0)
        assert circuit.is_closed == (bad < MAX_BAD)


def test_bad_answers_are_forgotten() -> None:
    """A service that fails in two of ten answers never opens the circuit."""
    seldom = ([False] * (MAX_BAD - 1) + [True] * (WINDOW - MAX_BAD + 1)) * 20
    assert after(Circuit(), seldom).is_closed


def test_it_closes_after_good_probes_in_a_row() -> None:
    """The circuit closes after good probes in a row; a failed one makes the next pause longer."""
    assert OPEN.probe_at == FIRST_BACKOFF
    assert probed(OPEN, *[True] * (PROBES - 1)).state is State.HALF_OPEN
    assert probed(OPEN, *[True] * PROBES).is_closed
    again = probed(OPEN, *[True] * (PROBES - 1), False)
    assert again.state is State.OPEN
    assert again.probe_at - FIRST_BACKOFF == 2 * FIRST_BACKOFF
    assert not again.good_probes


def test_it_is_on_trial_when_it_has_closed() -> None:
    """After closing, one failure opens the circuit again until ten answers have succeeded."""
    closed = probed(OPEN, *[True] * PROBES)
    assert after(closed, [False]).state is State.OPEN
    assert after(closed, [False]).probe_at == 2 * FIRST_BACKOFF
    sound = after(closed, [True] * WINDOW)
    assert sound == Circuit(recent=(True,) * WINDOW)


def test_the_backoff_is_bounded() -> None:
    """After any number of failed probes the next one comes within half a minute."""
    circuit = OPEN
    for _ in range(20):
        before = circuit.probe_at
        circuit = probed(circuit, False)
        assert circuit.probe_at - before <= LONGEST_BACKOFF
    assert circuit.probe_at - before == LONGEST_BACKOFF


def test_a_service_that_is_back_is_probed_at_once() -> None:
    """A service that has reconnected is probed at once; a closed circuit does not change."""
    assert OPEN.reachable_again(0.25).probing(0.25).state is State.HALF_OPEN
    assert Circuit().reachable_again(0.25) == Circuit()


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["good", "bad", "good probe", "bad probe", "back"]),
        st.floats(0.0, 40.0),
    ),
    max_size=60,
)


@given(EVENTS, st.integers(1, 10))
def test_no_work_goes_to_a_service_until_probes_were_good(
    events: list[tuple[str, float]], wanted: int
) -> None:
    """An open circuit admits no work, refuses early probes, and closes only after good ones."""
    circuit, now, good = Circuit(), 0.0, 0
    for event, passed in events:
        now += passed
        before = circuit
        if event == "back":
            circuit = circuit.reachable_again(now)
            assert circuit.state is before.state
        elif event.endswith("probe"):
            may_probe = before.state is State.HALF_OPEN or (
                before.state is State.OPEN and now >= before.probe_at
            )
            if not may_probe:
                with pytest.raises(ValueError, match="not time"):
                    circuit.probing(now)
                continue
            circuit = circuit.probing(now).probed(event == "good probe", now, wanted)
            good = good + 1 if event == "good probe" else 0
            assert circuit.is_closed == (good >= wanted)
        else:
            circuit = circuit.answered(event == "good", now)
            assert before.is_closed or circuit == before
        if circuit.state is State.OPEN:
            good = 0
            assert circuit.probe_at <= now + LONGEST_BACKOFF or event == "back"
        if circuit.is_closed:
            good = 0
            assert circuit.recent.count(False) < MAX_BAD
        assert len(circuit.recent) <= WINDOW
        assert FIRST_BACKOFF <= circuit.backoff <= LONGEST_BACKOFF
