"""The evaluation of quiet positions, counted line by line."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.compiled.bits import board_word, winning_squares
from engine.core.compiled.scores import WON_BOUND
from engine.games.connect4.compiled.evaluation import (
    W_PARITY,
    W_THREAT,
    WEIGHT_SCALE,
    evaluate,
    value_of_lines,
)
from engine.games.connect4.compiled.memory import W_ONE, W_TWO, new_memory, use_weights
from engine.games.connect4.kernel import words_of
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.weights import KINDS, in_order, names, weights_of
from tests.builders import SIZES, RandomPosition


def compiled(position: Connect4Position) -> tuple[int, int]:
    """The compiled weight of the lines, and the whole evaluation, for the side to move."""
    game = position.game
    memory = new_memory(game.rows, game.columns, 0)
    own, opp, _ = words_of(position)
    empty = np.uint64(board_word(game.rows, game.columns)) & ~(own | opp)
    wins = winning_squares(own) & empty, winning_squares(opp) & empty
    whole = evaluate(own, opp, position.ply, *wins, memory)
    lines = int(value_of_lines(np.uint64(position.first), np.uint64(position.second), memory))
    return lines if position.ply % 2 == 0 else -lines, int(whole)


def counted(position: Connect4Position) -> tuple[int, int]:
    """The same two values, counted line by line and square by square."""
    lines, threats = 0, 0
    game = position.game
    sides = ((position.first, position.second, 1), (position.second, position.first, -1))
    for stones, others, sign in sides:
        gaps: set[int] = set()
        for four in game.fours:
            if not four & others:
                held = (four & stones).bit_count()
                lines += sign * {1: W_ONE, 2: W_TWO}.get(held, 0)
                if held == 3:
                    gaps.add(four & ~stones)
        for gap in gaps:
            threats += sign * W_THREAT
            odd_row = (game.rows - game.squares(gap)[0].row) % 2 == 1
            if game.rows % 2 == 0 and odd_row == (sign == 1):
                threats += sign * W_PARITY
    sign = 1 if position.ply % 2 == 0 else -1
    return sign * lines, sign * (lines + threats)


@settings(max_examples=200)
@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.integers(0, 60))
def test_the_evaluation_is_the_sum_of_lines_and_threats(
    random_position: RandomPosition, game: Connect4, seed: int, moves: int
) -> None:
    """Open lines of one and two count, and each threat, more on the rows that favour its owner."""
    position = random_position(game, Random(seed), moves)
    assert compiled(position) == counted(position)


@pytest.mark.parametrize("game", SIZES, ids=Connect4.SIZES)
def test_mirror_images_have_the_same_evaluation(
    game: Connect4, random_position: RandomPosition
) -> None:
    """A position and its mirror image have the same evaluation."""
    rng = Random(game.variant)
    for _ in range(20):
        position, mirrored = random_position(game, rng, rng.randrange(20)), 0
        flipped = [
            sum((word >> 8 * c & 0xFF) << 8 * (game.columns - 1 - c) for c in range(game.columns))
            for word in (position.first, position.second)
        ]
        mirrored = compiled(Connect4Position(game, *flipped))
        assert compiled(position) == mirrored


def test_evaluations_stay_within_their_bounds(random_position: RandomPosition) -> None:
    """However many lines are open, an evaluation stays within the bound of proven scores."""
    game = Connect4(8, 8)
    every = sum(1 for _ in game.fours) * W_TWO + 64 * (W_THREAT + W_PARITY)
    assert every <= WON_BOUND
    assert compiled(game.start()) == (0, 0)
    assert compiled(game.start().play(game.parse("4")))[1] < 0


LARGE = [Connect4.from_variant(size) for size in ("7x7", "7x8", "8x8")]
"""The boards with a fitted evaluation."""


def fitted(position: Connect4Position, weights: dict[str, int]) -> int:
    """The compiled evaluation by weights, for the first player."""
    game = position.game
    memory = new_memory(game.rows, game.columns, 0)
    use_weights(in_order(weights), memory)
    own, opp, _ = words_of(position)
    empty = np.uint64(board_word(game.rows, game.columns)) & ~(own | opp)
    wins = winning_squares(own) & empty, winning_squares(opp) & empty
    value = int(evaluate(own, opp, position.ply, *wins, memory))
    return value if position.ply % 2 == 0 else -value


def weighed(position: Connect4Position, weights: dict[str, int]) -> int:
    """The same, counted line by line and square by square."""
    game = position.game
    score = weights["constant"] + weights["tempo"] * (1 if position.ply % 2 == 0 else -1)
    gaps: list[set[tuple[int, int]]] = [set(), set()]
    sides = ((position.first, position.second), (position.second, position.first))
    for player, (stones, others) in enumerate(sides):
        sign = 1 - 2 * player
        for four in game.fours:
            held = (four & stones).bit_count()
            if four & others or not 1 <= held <= 3:
                continue
            squares = [(bit // 8, bit % 8) for bit in range(64) if four >> bit & 1]
            columns, heights = ({square[i] for square in squares} for i in (0, 1))
            kind = KINDS[0 if len(columns) == 1 else 1 if len(heights) == 1 else 2]
            score += sign * weights[f"{kind} {min(heights) + 1} {held} of {player + 1}"]
            if held == 3:
                gaps[player] |= {one for one in squares if not stones >> 8 * one[0] + one[1] & 1}
        score += sign * sum(weights[f"square {row + 1} of {player + 1}"] for _, row in gaps[player])
    for player in range(2):
        above = {(column, row + 1) for column, row in gaps[1 - player]}
        score += (1 - 2 * player) * weights["blocked"] * len(gaps[player] & above)
    return score // WEIGHT_SCALE


@settings(max_examples=100)
@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.integers(0, 60))
def test_a_fitted_evaluation_is_the_sum_of_its_weights(
    random_position: RandomPosition, game: Connect4, seed: int, moves: int
) -> None:
    """Lines count by kind, height, discs and player, completing squares by height and player."""
    rng = Random(seed)
    weights = {name: rng.randrange(-300, 300) for name, _ in names()}
    position = random_position(game, rng, moves)
    assert fitted(position, weights) == weighed(position, weights)


@pytest.mark.parametrize("game", SIZES, ids=Connect4.SIZES)
def test_fitted_evaluations_stay_within_their_bounds(game: Connect4) -> None:
    """Three boards have fitted weights, and no position's evaluation can look like a proven win."""
    weights = weights_of(game)
    assert bool(weights) is (game in LARGE)
    if weights:
        lines = max(map(abs, weights)) * (sum(1 for _ in game.fours) + 2 * 64 + 3)
        assert lines // WEIGHT_SCALE <= WON_BOUND
