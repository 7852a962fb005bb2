"""Balanced openings: what is shipped, and the rule by which they were found."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random

import pytest

from engine.core.game import Position, replay
from engine.core.registry import game_called, package_of
from engine.study.balanced import balanced_openings, balanced_variants, is_balanced
from engine.study.mining.balanced import PLIES, find_openings
from engine.study.mining.miner import canonical

BOARDS = ("6x7", "5x4", "5x5")


@cache
def value(position: Position) -> int:
    """The result for the player to move if both play well, by trying everything."""
    if position.outcome is not None:
        return 0 if position.outcome.winner is None else -1
    return max(-value(position.play(move)) for move in position.legal_moves())


@pytest.mark.parametrize("board", BOARDS)
def test_openings_are_many_distinct_and_undecided(board: str) -> None:
    """Each of the boards has at least 200 openings of 4 to 8 discs, distinct up to the mirror."""
    game = game_called(f"connect4:{board}")
    positions = [replay(game, moves) for moves in balanced_openings(game)]
    assert len({canonical(one) for one in positions}) == len(positions) >= 200
    assert {one.ply for one in positions} <= set(PLIES)
    assert board in balanced_variants(package_of(game))


@pytest.mark.parametrize("board", BOARDS)
def test_openings_are_draws_with_a_choice(board: str) -> None:
    """An opening is a draw in which both sides have several moves that keep it."""
    game = game_called(f"connect4:{board}")
    solver = package_of(game).solver(game)
    openings = balanced_openings(game)
    checked = openings if board != "6x7" else openings[-5:]
    assert all(is_balanced(replay(game, moves), solver) for moves in checked)


def test_the_rule_agrees_with_trying_everything() -> None:
    """On 4x4 the rule gives what a search without any cleverness finds."""
    game, rng = game_called("connect4:4x4"), Random(5)
    solver = package_of(game).solver(game)
    seen = {True: 0, False: 0}
    while min(seen.values()) < 8:
        position = game.start()
        while position.ply < 8 and position.outcome is None:
            position = position.play(rng.choice(position.legal_moves()))
        if position.outcome is None:
            expected = keeps(position) >= 2 and all(
                keeps(position.play(move)) >= 2
                for move in position.legal_moves()
                if -value(position.play(move)) == 0
            )
            assert is_balanced(position, solver) == expected
            seen[expected] += 1


def keeps(position: Position) -> int:
    """How many moves keep a draw; 0 where the position is none."""
    values = [-value(position.play(move)) for move in position.legal_moves()]
    return values.count(0) if values and max(values) == 0 else 0


def test_openings_are_found_again() -> None:
    """The same seed finds the same openings, each once."""
    game = game_called("connect4:5x4")
    first, again = (list(islice(find_openings(game, Random(3)), 20)) for _ in range(2))
    assert first == again
    assert len({canonical(replay(game, moves)) for moves in first}) == 20


def test_a_game_without_openings_has_none() -> None:
    """Boards without a file have no openings."""
    assert balanced_openings(game_called("connect4:8x8")) == ()
    assert balanced_variants(package_of(game_called("gato:4x4"))) == ()
