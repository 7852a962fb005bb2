"""Limits on how often a person may make a request."""

from __future__ import annotations

import pytest

from bot.game.refusal import Refusal
from bot.sessions import people
from bot.sessions.people import Limiter
from bot.settings import UNLIMITED, Limits, Rate
from bot.store.people import Quota
from tests.bot.builders import ANA, BEA
from tests.bot.clock import StepClock

TWICE = Limits(undos=Rate(2, 60.0), starts=Rate(2, 60.0), hints=Rate(1, 10.0))


def refused(limiter: Limiter, kind: str, who: int) -> Refusal | None:
    """The refusal of a request; None if it was granted."""
    try:
        limiter.take(kind, who)
    except Refusal as refusal:
        return refusal
    return None


def test_at_most_n_requests_are_granted_per_window() -> None:
    """At most N requests are granted in any window of S seconds; refused requests do not count."""
    clock = StepClock(1000.0)
    limiter = Limiter(TWICE, clock)
    assert refused(limiter, "starts", ANA) is None
    clock.forward(40)
    assert refused(limiter, "starts", ANA) is None
    for _ in range(5):
        refusal = refused(limiter, "starts", ANA)
        assert refusal is not None
        assert (refusal.key, refusal.details["until"]) == ("refusal.often_starts", 1061.0)
    clock.forward(21)
    assert refused(limiter, "starts", ANA) is None
    again = refused(limiter, "starts", ANA)
    assert again is not None
    assert again.details["until"] == 1101.0


def test_each_person_has_separate_windows() -> None:
    """Each person has separate windows, one for each kind of request."""
    limiter = Limiter(TWICE, StepClock(0.0))
    for who in (ANA, BEA):
        assert [refused(limiter, "starts", who) is None for _ in range(3)] == [True, True, False]
    assert refused(limiter, "hints", ANA) is None


def test_requests_refused_for_other_reasons_do_not_count() -> None:
    """A request that is refused for another reason does not count towards the limit."""
    limiter = Limiter(TWICE, StepClock(0.0))
    with pytest.raises(Refusal, match="no_game"), limiter.counting("hints", ANA):
        raise Refusal("no_game")
    with limiter.counting("hints", ANA):
        pass
    with pytest.raises(Refusal, match="often_hints"), limiter.counting("hints", ANA):
        pass


def test_limits_can_be_off() -> None:
    """A limit that is off refuses nothing and counts nothing."""
    limiter = Limiter(UNLIMITED, StepClock(0.0))
    assert all(refused(limiter, "starts", ANA) is None for _ in range(100))
    assert limiter.windows == 0
    with limiter.quota_for("undos", ANA, BEA) as quota:
        assert quota is None


def test_requests_to_others_are_counted_where_they_are_stored() -> None:
    """Requests to other people are counted in the database and not in memory."""
    limiter = Limiter(TWICE, StepClock(7.0))
    with limiter.quota_for("undos", ANA, BEA) as quota:
        assert quota == Quota("undos", ANA, BEA, most=2, seconds=60.0, at=7.0)
    assert limiter.windows == 0


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows without recent requests are dropped, so memory stays bounded."""
    monkeypatch.setattr(people, "TIDY_AT", 50)
    clock = StepClock(0.0)
    limiter = Limiter(TWICE, clock)
    for user_id in range(200):
        clock.forward(1.0)
        limiter.take("hints", user_id)
    assert limiter.windows <= 51
    assert refused(limiter, "hints", 199) is not None
