"""Both ways to choose among equal moves are compared."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import stdev

import pytest

from benchmarks.adaptive.characters import CHARACTERS
from benchmarks.adaptive.people import STYLES
from benchmarks.perfect_choice import (
    HELD_OUT,
    Tally,
    compared,
    described,
    erring,
    error_of,
    given_up,
    learned,
    moves_of,
    points,
    rating_of,
    several,
    starts,
    three_ways,
)
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
    scored = {points(start, way, moves_of(rung.agent), "1", tally) for _ in range(2)}
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


def test_held_out_players_teach_nothing() -> None:
    """Players who measure the choice are no rungs, and none of those to whom habits are fitted."""
    assert set(HELD_OUT) <= set(CHARACTERS)
    assert not set(HELD_OUT) & set(STYLES)


def test_players_are_rated_by_their_games() -> None:
    """A stronger player gets a higher rating, and the same games give the same one."""
    ratings = [rating_of(GAME, CHARACTERS[name], Random(1)) for name in ("toddler", "patient")]
    assert ratings[0] < ratings[1]
    assert rating_of(GAME, CHARACTERS["toddler"], Random(1)) == ratings[0]


def test_more_games_rate_more_exactly() -> None:
    """Four times as many games against all rungs halve the interval of a rating."""
    rungs = len(erring(GAME))
    once, more = (error_of(GAME, 1000.0, games) for games in (rungs, 4 * rungs))
    assert more == pytest.approx(once / 2)


def test_a_player_shows_as_many_moves_as_asked_for() -> None:
    """Each player shows equally many moves, all of them legal, with one rating."""
    players = [STYLES["casual"], STYLES["reader"]]
    found = list(learned(GAME, players, 20, Random(2)))
    assert len(found) == 20
    assert all(one.move in one.position.legal_moves() for one in found)
    assert len({one.elo for one in found[:10]}) == len({one.elo for one in found[10:]}) == 1


def test_both_models_are_compared_with_any_best_move() -> None:
    """The rise of each model and its interval are within pairs of the same game."""
    scores = [(0.0, 1.0, 0.5), (0.5, 1.0, 0.5), (1.0, 1.0, 1.0)]
    cells = three_ways(scores, [GAME.start()] * 3).split(" | ")
    assert cells[:3] == ["50.0", "100.0", "+50.0"]
    assert cells[4:6] == ["66.7", "+16.7"]
    rises = [1.0, 0.5, 0.0]
    assert float(cells[3]) == pytest.approx(196 * stdev(rises) / 3**0.5, abs=0.1)


def test_games_from_one_start_are_alike() -> None:
    """Repeating every game from its start makes no interval smaller."""
    first, second = starts(GAME, "drawn", 2, 1)
    pairs = [(0.0, 1.0), (1.0, 1.0)]
    once = compared(pairs, [first, second])
    assert compared(pairs * 9, [first, second] * 9) == once
    assert compared(pairs * 9) != once


def test_few_different_starts_are_repeated() -> None:
    """Where a board has too few different starts, those that were found are used again."""
    found = several(GAME, "lost", 12, 1)
    assert len(found) == 12
    assert all(position.ply for position in found)
    assert several(GAME, "second", 3, 1) == [GAME.start()] * 3
