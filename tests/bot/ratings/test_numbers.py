"""The displayed rating number, which follows from results and never contradicts them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.ratings.glicko import (
    DRAW,
    LOSS,
    MAX_STEP,
    MIN_STEP,
    NEWCOMER,
    PLACEMENT,
    WIN,
    Evidence,
    Opposition,
    Placement,
    after_game,
    expected,
    number_after,
    number_of,
    placement,
    step_size,
)
from bot.store.records import Rating


def play(rating: Rating, opponent: float, score: float, evidence: Evidence | None = None) -> Rating:
    """The rating after a game, with its displayed number."""
    after = after_game(rating, Opposition(opponent), score, evidence)
    return replace(after, shown=number_after(rating, after, opponent, score))


def test_placement_is_five_games() -> None:
    """There is no number before the fifth game; then it starts at the estimate."""
    assert placement(None) == Placement(0, 5)
    rating = NEWCOMER
    for game in range(1, PLACEMENT):
        rating = play(rating, 1200.0, WIN)
        assert rating.shown is None
        assert placement(rating) == Placement(game, 5)
        assert number_of(rating) == rating.value
    rating = play(rating, 1200.0, LOSS)
    assert rating.shown == rating.value == number_of(rating)
    assert placement(rating) is None


@pytest.mark.parametrize("seed", range(20))
def test_a_change_is_never_opposite_to_its_result(seed: int) -> None:
    """With any evidence a win raises and a loss lowers the number, by at most 60 points."""
    rng, rating = Random(seed), NEWCOMER
    opposite = 0
    for _ in range(60):
        opponent, score = rng.uniform(300, 2400), rng.choice((WIN, LOSS, DRAW))
        evidence = Evidence(rng.uniform(0, 3000), 350.0) if rng.random() < 0.9 else None
        before, rating = rating, play(rating, opponent, score, evidence)
        if before.shown is None or rating.shown is None:
            continue
        change = rating.shown - before.shown
        assert abs(change) <= MAX_STEP
        assert score == DRAW or (change > 0) == (score == WIN)
        opposite += (rating.value > before.value) != (score == WIN)
    assert opposite or seed, "the estimate itself does move against results"


def test_losing_to_a_strong_level_costs_points() -> None:
    """Losing to a strong level lowers the number a little, even after good moves."""
    placed = Rating(1100.0, 250.0, 0.06, 7, shown=1100.0)
    after = play(placed, 1900.0, LOSS, Evidence(2600.0, 350.0))
    assert after.value > placed.value + 100
    assert after.shown is not None
    assert -2 < after.shown - 1100.0 < 0


def test_a_step_is_as_wide_as_the_estimate_is_uncertain() -> None:
    """The more uncertain the estimate, the larger the change of the number, within limits."""
    assert step_size(10.0) == MIN_STEP
    assert step_size(80.0) == pytest.approx(36.8, abs=0.1)
    assert step_size(350.0) == MAX_STEP


@pytest.mark.parametrize("strength", [700.0, 1600.0])
def test_a_number_follows_its_players_strength(strength: float) -> None:
    """The number of a player who becomes 400 points stronger or weaker follows within 50 games."""
    rng, rating = Random(3), Rating(1150.0, 80.0, 0.06, 50, shown=1150.0)
    for _ in range(50):
        opponent = rating.value
        score = WIN if rng.random() < expected(strength, opponent) else LOSS
        rating = play(rating, opponent, score)
    assert rating.shown == pytest.approx(strength, abs=150)
