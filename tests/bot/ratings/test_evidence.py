"""Evidence of strength from moves."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from bot.ratings.glicko import DRAW, LOSS, WIN
from bot.ratings.rated import evidence_from, evidence_of
from engine.core.game import Move, Player
from engine.core.package import Calibration
from engine.core.registry import game_of, package_of
from engine.core.registry import games as all_games
from engine.strength.judging import Judgement, judge
from engine.strength.ladder import ladder_of, size_class
from tests.builders import CLASSIC


def played(strong: str, weak: str, seed: int) -> list[Move]:
    """A game of two rungs, the stronger one first."""
    rng, position, moves = Random(seed), CLASSIC.start(), list[Move]()
    ladder = ladder_of(CLASSIC)
    agents = (ladder.named(strong).agent, ladder.named(weak).agent)
    while position.outcome is None:
        moves.append(agents[position.to_move - 1].choose(position, rng=rng).move)
        position = position.play(moves[-1])
    return moves


def judged(strong: str, weak: str, seed: int) -> Judgement:
    """The judgement of such a game."""
    return judge(CLASSIC, played(strong, weak, seed))


def test_better_moves_are_evidence_of_more_strength() -> None:
    """Over a few games a medium player's moves are rated above those of the weakest rung."""
    games = [judged("medium", "rung-1", seed) for seed in range(6)]
    found = [evidence_of(CLASSIC, game, tuple(Player), None) for game in games]
    means = {side: fmean(one[side].elo for one in found if side in one) for side in Player}
    assert means[Player.FIRST] > means[Player.SECOND] + 100


def test_only_the_sides_asked_for_are_judged() -> None:
    """Against an agent only the person is judged, with the same result as if both sides were."""
    moves = played("medium", "easy", 1)
    both = evidence_of(CLASSIC, judge(CLASSIC, moves), tuple(Player), Player.FIRST)
    own = judge(CLASSIC, moves, [Player.SECOND])
    alone = evidence_of(CLASSIC, own, [Player.SECOND], Player.FIRST)
    assert alone == {Player.SECOND: both[Player.SECOND]}


def test_winning_is_no_evidence_of_better_moves() -> None:
    """The same moves are weaker evidence in a won game, in which good moves are easier to find."""
    game = judged("medium", "easy", 1)
    won, drawn, lost = (
        evidence_of(CLASSIC, game, [Player.FIRST], winner)[Player.FIRST].elo
        for winner in (Player.FIRST, None, Player.SECOND)
    )
    assert won < drawn < lost


def test_a_few_moves_say_nothing() -> None:
    """A game of very few moves gives no evidence."""
    short = judge(CLASSIC, played("medium", "easy", 1)[:4])
    assert evidence_of(CLASSIC, short, tuple(Player), None) == {}


@pytest.mark.parametrize("value", [0.0, 0.02, 0.5])
@pytest.mark.parametrize("score", [LOSS, DRAW, WIN])
@pytest.mark.parametrize("family", all_games())
def test_evidence_is_corrected_by_what_is_known_of_people(
    family: str, score: float, value: float
) -> None:
    """On every ladder the estimate is corrected by the bias measured in people's games."""
    for variant in all_games()[family].variants:
        game = game_of(family, variant)
        calibration, ladder = package_of(game).calibrations[size_class(game)], ladder_of(game)
        found = evidence_from(game, value, score, 20)
        ends = (rung.elo for rung in (ladder.rungs[0], ladder.rungs[-1]))
        low, high = (calibration.corrected(elo, score, 20) for elo in ends)
        assert low - 1e-6 <= found.elo <= high + 1e-6
        assert found.deviation == calibration.deviation


def test_estimates_are_stretched_where_the_ladder_clips_them() -> None:
    """With a slope below 1, low estimates mean lower ratings still, and high ones higher."""
    calibration = Calibration(base=500.0, won=100.0, short=0.0, deviation=300.0, slope=0.5)
    assert calibration.corrected(600.0, LOSS, 20) == 200
    assert calibration.corrected(1600.0, LOSS, 20) == 2200
    assert calibration.corrected(1600.0, WIN, 20) == 2000
