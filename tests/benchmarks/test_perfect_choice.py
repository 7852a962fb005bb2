"""Both ways to choose among equal moves are compared."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from benchmarks.perfect_choice import Tally, described, given_up, points, starts
from engine.core.game import Player
from engine.core.registry import package_of
from engine.games.connect4.rules import Connect4
from engine.strength.ladder import ladder_of
from engine.strength.opponent import RatedOpponent
from engine.strength.perfect import Perfect

GAME = Connect4(5, 4)


def test_starts_have_the_value_of_their_kind() -> None:
    """Starts are drawn or lost for the side to move, different, and reproducible."""
    for kind, value in (("drawn", 0.5), ("lost", 0.0)):
        found = list(starts(GAME, kind, 2, 1))
        assert len(set(found)) == 2
        assert found == list(starts(GAME, kind, 2, 1))
        for position in found:
            proof = package_of(GAME).prove(position, seconds=60.0)
            assert proof is not None
            assert max(proof.verdict.values()) == value
    assert list(starts(GAME, "second", 2, 1)) == [GAME.start()] * 2


def test_games_are_counted_and_repeatable() -> None:
    """The same seeds give the same points; only one side's moves count, and none gives up value."""
    (start,) = starts(GAME, "drawn", 1, 2)
    rung, way = ladder_of(GAME).named("medium"), Perfect(seconds=60.0)
    way = replace(way, against=RatedOpponent(rung.elo))
    tally = Tally()
    scored = {points(start, way, rung.agent, "1", tally) for _ in range(2)}
    assert len(scored) == 1
    assert len(tally.seconds) % 2 == tally.given_up == tally.unproven == 0
    assert described(tally).startswith(f"{len(tally.seconds)} | 0 | 0 | 0 | ")


def test_value_that_is_given_up_is_found() -> None:
    """Some random moves give up value, counted for each side separately."""
    rng, positions = Random(3), [GAME.start()]
    while positions[-1].outcome is None:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves())))
    found = [given_up(positions, player) for player in Player]
    assert sum(map(len, found)) == len(positions) - 1
    assert sum(map(sum, found)) > 2
