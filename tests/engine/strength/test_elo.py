"""Ratings from the results of many games at once."""

from __future__ import annotations

import numpy as np
import pytest

from engine.strength.elo import expected, fit

TRUE = np.array([-300.0, -120.0, 0.0, 130.0, 290.0])


def results(games: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Points and games of a tournament of players with known ratings."""
    rng, count = np.random.default_rng(seed), len(TRUE)
    points = np.zeros((count, count))
    for i in range(count):
        for j in range(i):
            won = rng.binomial(games, float(expected(TRUE[i] - TRUE[j])))
            points[i, j], points[j, i] = won, games - won
    return points, games * (1 - np.eye(count))


def test_a_difference_means_a_score() -> None:
    """Equal players share the points, 400 points ahead score 10 of 11, and scores sum to one."""
    assert expected(0.0) == pytest.approx(0.5)
    assert expected(400.0) == pytest.approx(10 / 11)
    assert expected(150.0) + expected(-150.0) == pytest.approx(1.0)


def test_known_ratings_are_recovered() -> None:
    """From 2,000 games of each pair, ratings are recovered within their errors."""
    found = fit(*results(2000))
    assert found.elo.sum() == pytest.approx(0, abs=1e-6)
    assert np.all(np.abs(found.elo - (TRUE - TRUE.mean())) < 2 * found.errors)
    assert found.errors.max() < 15


def test_errors_cover_the_truth_95_times_in_100() -> None:
    """Over 200 tournaments about 95 % of the intervals include the true rating."""
    inside = [
        np.abs((found := fit(*results(100, seed))).elo - (TRUE - TRUE.mean())) < found.errors
        for seed in range(200)
    ]
    assert 0.92 < np.mean(inside) < 0.98


def test_more_games_make_smaller_errors() -> None:
    """Four times as many games halve the errors."""
    few, many = fit(*results(100)), fit(*results(400))
    assert few.errors / many.errors == pytest.approx(np.full(len(TRUE), 2.0), rel=0.2)


def test_turning_the_table_turns_the_ratings() -> None:
    """If all results were reversed, all ratings would change their sign."""
    points, games = results(100)
    assert fit(points.T, games).elo == pytest.approx(-fit(points, games).elo, abs=1e-6)


def test_an_undefeated_player_has_a_finite_rating() -> None:
    """A player without a loss is rated far ahead, with a wide error."""
    points, games = np.array([[0.0, 20.0], [0.0, 0.0]]), np.array([[0.0, 20.0], [20.0, 0.0]])
    found = fit(points, games)
    assert 300 < found.elo[0] - found.elo[1] < 2000
    assert found.errors[0] > 100
