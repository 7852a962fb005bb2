"""Ratings: Glicko-2, absence, and evidence from moves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import fmean

import pytest

from bot.ratings.glicko import (
    DRAW,
    LOSS,
    MAXIMUM_DEVIATION,
    MINIMUM_DEVIATION,
    NEWCOMER,
    PLACEMENT,
    STREAK,
    WEEK,
    WIN,
    Evidence,
    Opposition,
    after_absence,
    after_game,
    after_period,
    expected,
    is_provisional,
)
from bot.store.records import Rating

SETTLED = Rating(1500.0, 60.0, 0.06, 40)


def published(
    value: float, deviation: float, volatility: float, played: list[tuple[float, float, float]]
) -> tuple[float, float, float]:
    """Glicko-2 as published, with bisection for the volatility; tau is 0.5."""
    mu, phi = (value - 1500) / 173.7178, deviation / 173.7178
    games = [((v - 1500) / 173.7178, d / 173.7178, s) for v, d, s in played]
    g = [1 / math.sqrt(1 + 3 * d * d / math.pi**2) for _, d, _ in games]
    e = [1 / (1 + math.exp(-gj * (mu - m))) for gj, (m, _, _) in zip(g, games, strict=True)]
    v = 1 / sum(gj**2 * ej * (1 - ej) for gj, ej in zip(g, e, strict=True))
    gain = sum(gj * (s - ej) for gj, ej, (_, _, s) in zip(g, e, games, strict=True))
    a = math.log(volatility**2)

    def f(x: float) -> float:
        ex = math.exp(x)
        top = ex * ((v * gain) ** 2 - phi**2 - v - ex)
        return top / (2 * (phi**2 + v + ex) ** 2) - (x - a) / 0.25

    low, high = a - 20, a + 20
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = math.exp(low / 2)
    after = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    return 173.7178 * (mu + after**2 * gain) + 1500, 173.7178 * after, sigma


def test_the_published_example_comes_out() -> None:
    """A player of 1500 ± 200 who beats 1400 and loses to 1550 and 1700 ends up at 1464.06."""
    played = [(1400.0, 30.0, 1.0), (1550.0, 100.0, 0.0), (1700.0, 300.0, 0.0)]
    after = after_period(Rating(1500.0, 200.0, 0.06, 0), played)
    assert after.value == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_the_method_is_followed_at_every_rating() -> None:
    """Value, deviation and volatility are those of the published method, far from 1500 too."""
    rng = Random(1)
    for _ in range(300):
        before = Rating(rng.uniform(0, 3000), rng.uniform(30, 350), rng.uniform(0.03, 0.1), 0)
        played = [
            (before.value + rng.uniform(-800, 800), rng.uniform(20, 350), rng.choice((0, 0.5, 1)))
            for _ in range(rng.randint(1, 2))
        ]
        after = after_period(before, played)
        value, deviation, volatility = published(
            before.value, before.deviation, before.volatility, played
        )
        assert after.value == pytest.approx(value, abs=1e-3)
        assert after.deviation == pytest.approx(min(deviation, MAXIMUM_DEVIATION), abs=1e-3)
        assert after.volatility == pytest.approx(volatility, abs=1e-6)


def test_fair_coins_are_no_surprise() -> None:
    """A player who wins every other game by chance rarely seems to have changed.

    A settled rating becomes provisional in fewer than one game in three.
    """
    opened = []
    for player in range(60):
        rng, rating = Random(player), replace(SETTLED, deviation=MINIMUM_DEVIATION)
        for _ in range(30):
            rating = after_game(rating, Opposition(rating.value), rng.choice((WIN, LOSS)))
            opened.append(is_provisional(rating))
    assert 0 < sum(opened) / len(opened) < 1 / 3


def test_a_newcomer_settles_within_ten_games() -> None:
    """A newcomer's rating moves a lot at first, and is no longer provisional after eleven games.

    With evidence from moves that comes sooner.
    """
    rating, counts = NEWCOMER, []
    for game in range(12):
        score = WIN if game % 2 else LOSS
        following = after_game(rating, Opposition(rating.value), score)
        counts.append(abs(following.value - rating.value))
        rating = following
        assert is_provisional(rating) == (game + 1 < 11)
    assert rating.games == 12
    assert counts[0] > 150
    assert counts[-1] < 50


def test_results_move_a_rating_their_way() -> None:
    """A win raises a rating, a loss lowers it, and a draw between equals leaves it alone."""
    equal = Opposition(1500.0)
    assert after_game(SETTLED, equal, WIN).value > 1505
    assert after_game(SETTLED, equal, LOSS).value < 1495
    assert after_game(SETTLED, equal, DRAW).value == pytest.approx(1500)
    assert (
        after_game(SETTLED, Opposition(1900.0), WIN).value
        > after_game(SETTLED, Opposition(1100.0), WIN).value
    )


def test_absence_makes_a_rating_less_certain() -> None:
    """Every whole week of absence widens the deviation by 60 points; the value stays.

    Two weeks make a settled rating provisional again.
    """
    assert after_absence(SETTLED, WEEK - 1) == SETTLED
    assert after_absence(SETTLED, -5.0) == SETTLED
    week = after_absence(SETTLED, WEEK)
    assert week.deviation == pytest.approx(math.hypot(60, 60))
    calm = replace(SETTLED, deviation=MINIMUM_DEVIATION)
    assert not is_provisional(after_absence(calm, WEEK))
    assert is_provisional(after_absence(calm, 2 * WEEK))
    twice = after_absence(after_absence(SETTLED, WEEK), WEEK)
    assert twice.deviation == pytest.approx(after_absence(SETTLED, 2 * WEEK).deviation)
    assert after_absence(SETTLED, 10_000 * WEEK).deviation == MAXIMUM_DEVIATION
    assert after_absence(SETTLED, 10_000 * WEEK).value == SETTLED.value
    assert after_absence(NEWCOMER, WEEK) == NEWCOMER


def test_expected_scores_follow_elo() -> None:
    """Equals expect half a point; a player 400 points stronger expects ten elevenths."""
    assert expected(1200, 1200) == 0.5
    assert expected(1600, 1200) == pytest.approx(10 / 11)
    assert expected(1200, 1600) == pytest.approx(1 / 11)


def test_evidence_speeds_a_newcomer_up() -> None:
    """With evidence a strong newcomer's rating is closer to the truth and more certain."""
    plain = seen = NEWCOMER
    for _ in range(5):
        plain = after_game(plain, Opposition(plain.value), WIN)
        seen = after_game(seen, Opposition(seen.value), WIN, Evidence(1900.0, 150.0))
    assert abs(1900 - seen.value) < abs(1900 - plain.value)
    assert seen.deviation < plain.deviation
    assert seen.games == plain.games == 5


@pytest.mark.parametrize(
    ("elo", "deviation"), [(math.nan, 50.0), (math.inf, 50.0), (1500.0, 0.0), (1500.0, math.nan)]
)
def test_evidence_has_usable_figures(elo: float, deviation: float) -> None:
    """Unusable figures are refused when evidence is created."""
    with pytest.raises(ValueError, match="no evidence"):
        Evidence(elo, deviation)


def test_losing_on_purpose_at_first_does_not_help() -> None:
    """A newcomer who plays strong moves but loses on purpose is not rated as a beginner."""
    thrown = plain = NEWCOMER
    for _ in range(6):
        thrown = after_game(thrown, Opposition(900.0), LOSS, Evidence(1600.0, 200.0))
        plain = after_game(plain, Opposition(900.0), LOSS)
    assert thrown.value > plain.value + 200


def test_settled_ratings_follow_results_alone() -> None:
    """Once a rating is settled, the quality of moves does not affect it."""
    after = after_game(SETTLED, Opposition(1500.0), LOSS, Evidence(2000.0, 150.0))
    assert after == after_game(SETTLED, Opposition(1500.0), LOSS)


def test_the_deviation_has_a_lower_bound() -> None:
    """The deviation has a lower bound for any number of games."""
    rating = NEWCOMER
    for number in range(80):
        rating = after_game(rating, Opposition(rating.value), WIN if number % 2 else LOSS)
    assert rating.deviation == MINIMUM_DEVIATION
    assert not is_provisional(rating)


def test_a_streak_of_surprises_opens_a_rating_again() -> None:
    """Ten wins against equals make a settled rating provisional and raise it by over 300 points."""
    rating = replace(SETTLED, deviation=MINIMUM_DEVIATION)
    opened = []
    for _ in range(10):
        rating = after_game(rating, Opposition(rating.value), WIN)
        opened.append(is_provisional(rating))
    assert opened[:2] == [False, False]
    assert any(opened)
    assert rating.value > SETTLED.value + 300


def test_a_streak_opens_a_rating_once() -> None:
    """The game that opens a rating ends its streak: the next loss does not open it again."""
    rating, widths = replace(SETTLED, deviation=MINIMUM_DEVIATION), []
    for _ in range(6):
        rating = after_game(rating, Opposition(rating.value), LOSS)
        widths.append(rating.deviation)
    opened = [now > before for before, now in pairwise([MINIMUM_DEVIATION, *widths])]
    assert opened.count(True) == 1
    assert rating.surprise > -STREAK


def test_a_loss_to_a_weaker_opponent_is_no_greater_surprise() -> None:
    """Opponents that are weaker after losses do not make a streak longer."""
    equal, weaker = (after_game(SETTLED, Opposition(elo), LOSS) for elo in (1500.0, 1350.0))
    assert weaker.surprise == equal.surprise == -0.5
    stronger = after_game(SETTLED, Opposition(1650.0), LOSS)
    assert -0.5 < stronger.surprise < 0


@pytest.mark.parametrize("deviation", [MINIMUM_DEVIATION, 200.0, MAXIMUM_DEVIATION])
@pytest.mark.parametrize("score", [LOSS, WIN])
def test_one_game_changes_an_estimate_by_150_at_most(deviation: float, score: float) -> None:
    """After placement no game, however surprising, changes an estimate by more than 150 points."""
    for before in (-1.5, 0.0, 1.5):
        rating = Rating(1500.0, deviation, 0.06, PLACEMENT, surprise=before)
        after = after_game(rating, Opposition(3000.0 * (1 - score)), score)
        assert abs(after.value - rating.value) <= 150
    new = Rating(1500.0, MAXIMUM_DEVIATION, 0.06, PLACEMENT - 1)
    assert abs(after_game(new, Opposition(1500.0), score).value - 1500) > 150


def test_a_player_who_improves_with_each_game_is_followed() -> None:
    """A player who improves by 20 points a game scores less than with Glicko's steps alone."""

    def mean_score(rate: Callable[..., Rating]) -> float:
        scores = []
        for player in range(60):
            rng, rating, strength = Random(player), NEWCOMER, NEWCOMER.value
            for _ in range(40):
                score = WIN if rng.random() < expected(strength, rating.value) else LOSS
                rating = rate(rating, Opposition(rating.value), score)
                strength += 20
                scores.append(score)
        return fmean(scores)

    def plain(rating: Rating, opponent: Opposition, score: float) -> Rating:
        after = after_period(rating, [(opponent.value, opponent.deviation, score)])
        return replace(after, deviation=max(after.deviation, MINIMUM_DEVIATION))

    assert mean_score(after_game) < mean_score(plain) - 0.04


def test_wins_and_losses_in_turn_are_no_surprise() -> None:
    """Alternating wins and losses keep a rating settled, also after an absence."""
    rating = replace(SETTLED, deviation=MINIMUM_DEVIATION)
    for number in range(20):
        rating = after_game(rating, Opposition(rating.value), LOSS if number % 2 else WIN)
        assert not is_provisional(rating)
    assert after_absence(rating, WEEK).surprise == rating.surprise
