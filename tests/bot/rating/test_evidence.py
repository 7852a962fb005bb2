"""What moves say about strength."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from bot.rating.evidence import MINIMUM_DEVIATION, evidence_from, evidence_of
from engine.game import Move, Player
from engine.games import game_of
from engine.judgement import Judgement
from engine.ladder import ladder_of
from engine.quality import judge

CLASSIC = game_of("connect4", "6x7")


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
    """Over a few games, a medium player's moves are rated above those of the weakest rung."""
    games = [judged("medium", "rung-1", seed) for seed in range(6)]
    found = [evidence_of(CLASSIC, game, tuple(Player)) for game in games]
    means = {side: fmean(one[side].elo for one in found if side in one) for side in Player}
    assert means[Player.FIRST] > means[Player.SECOND] + 100


def test_only_the_sides_asked_for_are_judged() -> None:
    """Against an agent only the person is judged, and with the same result as if both were."""
    moves = played("medium", "easy", 1)
    both = evidence_of(CLASSIC, judge(CLASSIC, moves), tuple(Player))
    alone = evidence_of(CLASSIC, judge(CLASSIC, moves, [Player.SECOND]), [Player.SECOND])
    assert alone == {Player.SECOND: both[Player.SECOND]}


def test_the_evidence_of_one_game_is_limited() -> None:
    """However steady the moves, the deviation of the evidence has a floor."""
    found = evidence_of(CLASSIC, judged("medium", "easy", 1), tuple(Player))
    assert all(one.deviation >= MINIMUM_DEVIATION for one in found.values())
    assert set(found) == set(Player)


def test_a_few_moves_say_nothing() -> None:
    """A game of hardly any moves is no evidence."""
    short = judge(CLASSIC, played("medium", "easy", 1)[:4])
    assert evidence_of(CLASSIC, short, tuple(Player)) == {}


@pytest.mark.parametrize("value", [0.0, 0.02, 0.5])
def test_evidence_lies_on_the_ladder(value: float) -> None:
    """Whatever the quality, the estimate lies between the weakest and the strongest rung."""
    ladder = ladder_of(CLASSIC)
    found = evidence_from(ladder, value)
    assert found is not None
    assert ladder.rungs[0].elo <= found.elo <= ladder.rungs[-1].elo
