"""Gato for a player who overlooks lines, compared with a search without cutoffs or table."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.attention import STEPS, directed
from engine.core.boards import bit_of
from engine.core.compiled.scores import WIN
from engine.core.game import Move, replay
from engine.games.connect4.rules import Connect4
from engine.games.gato.compiled.lines import W_ONE, W_THREE, W_TWO
from engine.games.gato.kernel import COLUMN_WORD_LINES, load, sight
from engine.games.gato.rules import FULL, LINES, Gato, GatoPosition
from tests.builders import RandomPosition

Seen = tuple[tuple[int, ...], tuple[int, ...]]
"""The lines that are not overlooked, of the first player and of the second."""
WEIGHTS = (0, W_ONE, W_TWO, W_THREE)


def hidden_of(seen: Seen) -> tuple[int, ...]:
    """The lines that are overlooked, as `engine.core.attention.Hidden`."""
    words = [0] * (2 * len(STEPS))
    for player, lines in enumerate(seen):
        for line, (_, start, kind) in zip(LINES, directed(COLUMN_WORD_LINES), strict=True):
            if line not in lines:
                words[len(STEPS) * player + kind] |= start
    return tuple(words)


def squares_of(word: int) -> Iterator[int]:
    """The single squares of a word."""
    return (1 << bit for bit in range(16) if word >> bit & 1)


def gaps(own: int, other: int, lines: tuple[int, ...]) -> set[int]:
    """The empty squares that complete one of the lines."""
    missing = {line & ~own for line in lines if not line & other}
    return {gap for gap in missing if gap.bit_count() == 1}


def value(own: int, other: int, ply: int, depth: int, seen: Seen) -> int:
    """The value of a position for a player who overlooks the lines outside `seen`."""
    mine, theirs = seen if ply % 2 == 0 else seen[::-1]
    if gaps(own, other, mine):
        return WIN - (ply + 1)
    threats = gaps(other, own, theirs)
    if len(threats) > 1:
        return ply + 2 - WIN
    if depth == 0:
        return weight(own, other, mine) - weight(other, own, theirs)
    moves = threats or set(squares_of(FULL & ~(own | other)))
    return max((-value(other, own | m, ply + 1, depth - 1, seen) for m in moves), default=0)


def weight(own: int, other: int, lines: tuple[int, ...]) -> int:
    """The value of the open lines that are seen."""
    return sum(WEIGHTS[(line & own).bit_count()] for line in lines if not line & other)


@settings(max_examples=80)
@given(
    seed=st.integers(0, 2**32),
    moves=st.integers(0, 15),
    depth=st.integers(1, 3),
    share=st.sampled_from((0.0, 0.2, 0.6, 1.0)),
)
def test_a_search_ignores_overlooked_lines(
    random_position: RandomPosition, seed: int, moves: int, depth: int, share: float
) -> None:
    """Each score is that of a game without the overlooked lines."""
    rng = Random(seed)
    position = random_position(Gato(), rng, max(moves, 3 * depth - 5))
    check(position, depth, some_lines(share, rng))


@pytest.mark.parametrize("seed", range(10))
def test_images_of_a_position_are_not_taken_for_one(seed: int) -> None:
    """If the lines of one corner are overlooked, the corners have different values."""
    check(Gato().start(), 2, some_lines(0.5, Random(seed)))


def some_lines(share: float, rng: Random) -> Seen:
    """All lines except a random share of them."""
    first, second = (tuple(line for line in LINES if rng.random() >= share) for _ in range(2))
    return first, second


def check(position: GatoPosition, depth: int, seen: Seen) -> None:
    """Compare the compiled scores with the plain ones."""
    kernel = load(position, 8)
    kernel.allow(None)
    kernel.hide(hidden_of(seen))
    order = position.legal_moves()
    found = kernel.score_moves(depth, 2 * WIN, order, np.zeros(1, np.uint8))
    stones = position.first, position.second
    own, other = stones if position.ply % 2 == 0 else stones[::-1]
    wins = gaps(own, other, seen[position.ply % 2])
    assert found == {
        move: WIN - (position.ply + 1)
        if 1 << move in wins
        else -value(other, own | 1 << move, position.ply + 1, depth - 1, seen)
        for move in order
    }


def test_a_line_that_is_overlooked_can_be_finished_on_a_full_board() -> None:
    """A player who overlooks every line scores each full board as a draw."""
    game = Gato()
    position = replay(game, game.moves("a1a2b1b2c1c2d2d1a3d3b3c3c4a4d4"))
    assert position.legal_moves() == (Move(13),)
    kernel = load(position, 4)
    kernel.allow(None)
    kernel.hide(hidden_of(((), ())))
    assert kernel.score_moves(1, 0, position.legal_moves(), np.zeros(1, np.uint8)) == {13: 0}


def test_attention_sees_the_lines_of_connect_4() -> None:
    """Attention sees the same ten lines as on Connect 4's board of that size."""
    game = Gato()
    seen = sight(replay(game, game.moves("a4b1d3")))  # type: ignore[arg-type]
    assert set(seen.lines) == set(Connect4(4, 4).fours)
    assert seen.first == bit_of(0, 0) | bit_of(3, 1)
    assert seen.second == bit_of(1, 3)
    assert seen.latest == (bit_of(3, 1), bit_of(1, 3))
    assert not seen.falling
