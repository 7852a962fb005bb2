"""The arithmetic behind the benchmark of the adaptive opponent."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from benchmarks.adaptive_careers import FiveGames, Outcomes
from benchmarks.adaptive_draws import Drawn, draw, table_of
from benchmarks.adaptive_games import GAME, Outcome, strength
from benchmarks.adaptive_glicko import Many, Seen, Tuning, after_games, fitting_rungs
from benchmarks.adaptive_report import games_until_met
from benchmarks.adaptive_types import PlayerType
from bot.rating.difficulty import fitting_rung
from bot.rating.ratings import Evidence, Opposition, after_game
from bot.store import Rating
from engine.ladder import ladder_of

LADDER = ladder_of(GAME)


def a_player(rng: Random) -> Rating:
    """A random rating."""
    deviation, volatility = rng.uniform(40, 350), rng.uniform(0.04, 0.2)
    return Rating(rng.uniform(300, 2300), deviation, volatility, games=3)


def many_of(ratings: list[Rating]) -> Many:
    """The same ratings as arrays."""
    columns = zip(*((r.value, r.deviation, r.volatility, r.surprise) for r in ratings), strict=True)
    return Many(*(np.array(column) for column in columns))


def test_many_ratings_change_as_one_does() -> None:
    """The arithmetic on arrays is that of the bot, with evidence and without."""
    rng = Random(1)
    players = [a_player(rng) for _ in range(300)]
    elos = [rng.uniform(500, 2000) for _ in players]
    scores = [rng.choice((0.0, 0.5, 1.0)) for _ in players]
    told = [rng.choice((None, Evidence(rng.uniform(500, 2000), 200.0))) for _ in players]
    one_by_one = [
        after_game(player, Opposition(elo), score, evidence)
        for player, elo, score, evidence in zip(players, elos, scores, told, strict=True)
    ]
    seen = Seen(
        np.array(elos),
        np.array(scores),
        np.array([evidence.elo if evidence else np.nan for evidence in told]),
        np.array([evidence.deviation if evidence else np.nan for evidence in told]),
    )
    together, expected = after_games(many_of(players), seen, Tuning()), many_of(one_by_one)
    np.testing.assert_allclose(together.value, expected.value)
    np.testing.assert_allclose(together.deviation, expected.deviation)
    np.testing.assert_allclose(together.volatility, expected.volatility)


def test_many_meet_whom_one_meets() -> None:
    """The choice of rungs on arrays is that of the bot."""
    rng = Random(2)
    players = [a_player(rng) for _ in range(300)]
    last = [rng.randrange(len(LADDER.rungs)) for _ in players]
    found = fitting_rungs(LADDER, many_of(players), np.array(last), Tuning())
    assert found.tolist() == [
        fitting_rung(LADDER, player, LADDER.rungs[at].name).number - LADDER.rungs[0].number
        for player, at in zip(players, last, strict=True)
    ]


def outcome(rung: int, score: float) -> Outcome:
    """A game whose moves were not judged."""
    return Outcome("somebody", rung, 0, score, None, "", "")


@pytest.mark.parametrize(
    ("scores", "level"),
    [
        ((1, 1, 1, 1), "easy"),
        ((1, 1, 1, 0, 1), "medium"),
        ((1, 1, 1, 0, 0.5), "easy"),
        ((1,) * 5 + (1,) * 4, "medium"),
        ((1,) * 10, "hard"),
        ((1,) * 10 + (0, 0, 0, 0.5, 1), "medium"),
        ((0,) * 5, "easy"),
    ],
)
def test_the_seeds_rule_moves_by_the_last_five_games(scores: tuple[float, ...], level: str) -> None:
    """Four wins in five raise the level, one or none lowers it, and a new level starts afresh."""
    rule = FiveGames(LADDER)
    for score in scores:
        rule.note(outcome(rule.next(), score))
    assert LADDER.rungs[LADDER.place_of(rule.next())].name == level


def test_a_strength_is_where_scores_are_as_expected() -> None:
    """A style that scores a half against a rung, and evenly around it, is as strong as the rung."""
    elos = [1000.0, 1200.0, 1400.0]
    even = [outcome(rung, score) for rung in (1, 2, 3) for score in (0.0, 1.0)]
    assert strength(even, elos) == pytest.approx(1200, abs=1)
    better = [*even, *(outcome(2, 1.0) for _ in range(4))]
    assert 1200 < strength(better, elos) < 1500


def always(score: float) -> Outcomes:
    """Games of a player who always scores the same."""
    return {("somebody", rung.number): [outcome(rung.number, score)] for rung in LADDER.rungs}


@pytest.mark.parametrize("score", [1.0, 0.0])
def test_results_lead_along_the_ladder(score: float) -> None:
    """Drawn careers of wins lead to ever stronger rungs, those of losses to ever weaker ones."""
    player = PlayerType("somebody", "kind", ("somebody", "somebody"), lambda _game: 0.0)
    drawn = draw([player], LADDER, table_of(LADDER, always(score)), careers=3, seed=1)
    assert drawn.scores.shape == (1, 3, 30)
    assert (drawn.scores == score).all()
    steps = np.diff(drawn.elos[0, 0])
    assert (steps >= 0 if score else steps <= 0).all()
    assert abs(drawn.elos[0, 0, -1] - drawn.elos[0, 0, 0]) > 300


def test_when_an_improved_player_is_met_again() -> None:
    """From the first game after the change with an even mean score, or with a near opponent."""
    scores, elos = np.ones((1, 2, 30)), np.full((1, 2, 30), 1000.0)
    scores[0, 0, 18:] = 0.0
    elos[0, :, 20:] = 1350.0
    drawn = Drawn(scores, elos, elos)
    assert games_until_met(drawn, 0, 1400.0) == (4, 6)
    assert games_until_met(drawn, 0, 2000.0) == (4, None)
