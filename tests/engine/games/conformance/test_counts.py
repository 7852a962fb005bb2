"""The numbers of move sequences of every registered game (perft)."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.game import Game, replay
from engine.core.package import GamePackage
from engine.core.registry import game_of, package_of
from engine.core.registry import games as all_games
from tests.builders import RandomPosition
from tests.engine.games.conformance.plain import count_plainly, played
from tests.engine.games.counts import counts_of

COUNTED = [key for key in all_games() if counts_of(key)]
MOST = 5_000_000_000
"""Sequences that are quickly counted."""


@pytest.mark.parametrize("key", COUNTED)
def test_counts_are_as_known(key: str) -> None:
    """There are exactly as many sequences as other programs and enumeration have found."""
    checked = 0
    for row in counts_of(key):
        game, known = game_of(key, row["variant"]), int(row["sequences"])
        if known <= MOST:
            position = replay(game, game.moves(row["moves"]))
            assert package_of(game).count_sequences(position, int(row["depth"])) == known, row
            checked += 1
    assert checked >= 10


def test_counts_from_the_start_are_those_of_the_plain_rules(game: Game) -> None:
    """Three moves deep, there are as many sequences as by the plain rules, in every variant."""
    for depth in range(4):
        counted = package_of(game).count_sequences(game.start(), depth)
        assert counted == count_plainly(game.start(), depth)


def test_counts_from_any_position_are_those_of_the_plain_rules(
    package: GamePackage, random_position: RandomPosition
) -> None:
    """From positions of whole games there are as many sequences as by the plain rules."""
    rng = Random(package.key)
    for _ in range(24):
        game = package.from_variant(rng.choice(package.variants))
        position = random_position(game, rng, rng.randrange(min(60, package.longest(game))))
        depth = rng.randint(2, 3) if len(position.legal_moves()) < 9 else 2
        assert package.count_sequences(position, depth) == count_plainly(position, depth)


@pytest.mark.parametrize("key", [key for key, one in all_games().items() if one.stones_stay])
def test_nothing_is_counted_beyond_the_last_square(
    key: str, random_position: RandomPosition
) -> None:
    """Late positions are counted to the last square, and no sequence is longer."""
    package, rng, full = all_games()[key], Random(key), 0
    for _ in range(16):
        game = package.from_variant(rng.choice(package.variants))
        position = random_position(game, rng, package.longest(game) - rng.randint(1, 6))
        left = package.longest(game) - position.ply
        if left <= 6:
            counts = [package.count_sequences(position, depth) for depth in range(left + 2)]
            assert counts == [count_plainly(position, depth) for depth in range(left + 2)]
            assert counts[-1] == 0
            full += counts[-2] > 0
    assert full > 4


def test_a_finished_game_has_only_the_empty_sequence(game: Game) -> None:
    """From a finished game there is one sequence of no moves and none of any other length."""
    over = played(game, 6)[-1]
    assert [package_of(game).count_sequences(over, depth) for depth in range(4)] == [1, 0, 0, 0]
