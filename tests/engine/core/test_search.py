"""Limits, results, and the choice of a move from scores."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.core.analysis import Analysis, SearchResult, pick
from engine.core.compiled.scores import WIN, WON_BOUND
from engine.core.game import Move, Player
from engine.core.limits import Limit, Stop
from engine.core.values import Score, Value, is_decided


def score_of(points: int) -> Score:
    """A search's score for the first player."""
    return Score(points, Player.FIRST, exact=is_decided(points))


def explored(scores: dict[int, int]) -> Analysis:
    """An analysis with these scores."""
    moves = {Move(move): score for move, score in scores.items()}
    return Analysis(moves, {move: (move,) for move in moves}, 4, 100, 0.5)


def picks(scores: dict[int, int], noise: int = 0, times: int = 9000) -> Counter[Move]:
    """How often each move is picked."""
    rng = Random(5)
    return Counter(pick(explored(scores), Player.FIRST, rng, noise).move for _ in range(times))


@pytest.mark.parametrize(
    "fields",
    [{"depth": 0}, {"depth": -1}, {"seconds": 0}, {"seconds": -0.5}, {"nodes": 0}, {"nodes": -1}],
    ids=str,
)
def test_a_limit_allows_something(fields: dict[str, Any]) -> None:
    """A limit that would allow no search at all is refused with its name and value."""
    name, value = next(iter(fields.items()))
    with pytest.raises(ValueError, match=rf"{name} must be .*, not {value}"):
        Limit(**fields)


def test_the_smallest_limits_are_allowed() -> None:
    """One ply, one node and any positive time are limits; so is no limit at all."""
    assert Limit(depth=1, seconds=0.001, nodes=1) == Limit(1, 0.001, 1)
    assert Limit() == Limit(None, None, None)


def test_a_stop_is_set_once_and_for_all() -> None:
    """A stop flag is unset until it is set; flags do not share their state."""
    one, other = Stop(), Stop()
    assert not one.is_set
    one.set()
    one.set()
    assert one.is_set
    assert not other.is_set


@pytest.mark.parametrize(
    ("score", "win", "loss"),
    [
        (WIN - 7, True, False),
        (WON_BOUND + 1, True, False),
        (WON_BOUND, False, False),
        (0, False, False),
        (-WON_BOUND, False, False),
        (-WON_BOUND - 1, False, True),
        (8 - WIN, False, True),
    ],
)
def test_scores_beyond_the_bound_are_proofs(score: int, win: bool, loss: bool) -> None:
    """A result is a proven win or loss exactly if its score lies beyond the bound."""
    result = SearchResult(Move(0), score_of(score), 1, 1, 0.0, (Move(0),))
    assert (result.is_win, result.is_loss) == (win, loss)


def test_the_best_moves_of_an_analysis() -> None:
    """The best moves are all those with the highest score; a result has its move's score."""
    found = explored({2: 7, 0: 3, 5: 7})
    assert found.best() == (2, 5)
    assert found.result(Move(0), Player.FIRST) == SearchResult(
        Move(0), score_of(3), 4, 100, 0.5, (Move(0),)
    )


def test_known_worse_moves_score_below_the_others() -> None:
    """Moves that are known to be worse are put below the others, unless the end is in sight."""
    found = explored({2: 7, 0: 3, 5: 7, 6: -4})
    assert found.lowering((Move(2), Move(6))).scores == {2: 6, 0: 3, 5: 7, 6: -4}
    assert found.lowering((Move(2), Move(5))).best() == (0,)
    assert found.lowering(()) == found.lowering((Move(0), Move(2), Move(5), Move(6))) == found
    ending = explored({0: WIN - 7, 1: 12})
    assert ending.lowering((Move(1),)) == ending


def test_only_proven_analyses_have_verdicts() -> None:
    """A search has exact values only of decided moves; a proof has all, and the results."""
    searched = explored({0: WIN - 7, 1: 12, 2: 8 - WIN})
    values = [searched.value(Move(move), Player.FIRST) for move in range(3)]
    assert values == [Value(7), None, Value(-8)]
    with pytest.raises(ValueError, match="proven"):
        _ = searched.verdict
    proof = replace(explored({0: WIN - 7, 1: 0, 2: 8 - WIN}), proven=True)
    assert proof.value(Move(1), Player.FIRST) == Value(0)
    assert proof.verdict == {0: 1.0, 1: 0.5, 2: 0.0}
    assert proof.result(Move(0), Player.FIRST).proven
    assert not proof.result(Move(1), Player.FIRST).proven


def test_equal_best_moves_are_equally_likely() -> None:
    """Each of the best moves is picked about as often as the others, and no worse one ever."""
    counts = picks({0: 4, 1: 4, 2: 3, 3: 4})
    assert counts.keys() == {0, 1, 3}
    expected = 3000
    # Chi-square with two degrees of freedom: one fair chooser in 10,000 would exceed 18.4.
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 18.4


@pytest.mark.parametrize("noise", [0, 3])
def test_the_same_chance_picks_the_same_moves(noise: int) -> None:
    """The same seed picks the same move."""
    found = explored({0: 4, 1: 4, 2: 3, 3: 4})
    runs = [
        [pick(found, Player.FIRST, Random(seed), noise).move for seed in range(50)]
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert len(set(runs[0])) > 1


def test_the_order_of_the_search_does_not_matter() -> None:
    """The choice among equal moves does not depend on the order in which they were searched."""
    scores = {0: 4, 1: 4, 2: 3, 3: 4}
    turned = explored(dict(reversed(scores.items())))
    for seed in range(50):
        assert (
            pick(explored(scores), Player.FIRST, Random(seed)).move
            == pick(turned, Player.FIRST, Random(seed)).move
        )


def test_noise_is_uniform() -> None:
    """With one point of noise, a move one point behind is picked two times in nine."""
    counts = picks({0: 1, 1: 0}, noise=1)
    # Of nine equally likely pairs of errors one puts the worse move ahead and two make a tie.
    assert abs(counts[Move(1)] - 2000) < 4 * 40


def test_noise_never_exceeds_twice_its_size() -> None:
    """A move behind by twice the noise may still tie; one behind by more is never picked."""
    counts = picks({0: 4, 1: 0, 2: -1}, noise=2)
    assert 0 < counts[Move(1)] < counts[Move(0)]
    assert counts[Move(2)] == 0


@pytest.mark.parametrize("noise", [0, 1, 500])
@pytest.mark.parametrize(
    ("scores", "allowed"),
    [
        ({0: WIN - 9, 1: WIN - 11, 2: 400, 3: WIN - 9}, {0, 3}),
        ({0: 10 - WIN, 1: 12 - WIN, 2: 8 - WIN}, {1}),
        ({0: 10 - WIN, 1: -300, 2: 12 - WIN}, {1}),
    ],
    ids=["nearest win", "latest loss", "no loss"],
)
def test_noise_never_affects_a_proof(scores: dict[int, int], allowed: set[int], noise: int) -> None:
    """With any noise, the nearest win is taken, and a loss is avoided or delayed."""
    assert picks(scores, noise, times=300).keys() == allowed


def test_a_noisy_pick_reports_the_true_score() -> None:
    """A noisy choice reports the score of the search, without the noise."""
    results = {pick(explored({0: 1, 1: 0}), Player.FIRST, Random(seed), 1) for seed in range(40)}
    assert {(result.move, result.score.points) for result in results} == {(0, 1), (1, 0)}
