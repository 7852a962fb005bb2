"""The compiled rules of Conecta-4 BOOM compared with the plain ones."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.compiled.bits import ONE, U
from engine.core.game import Move
from engine.games.boom.compiled.rules import (
    BOARD,
    fours_at,
    in_line,
    landing_squares,
    moved,
    movements_left,
    two_puts,
    wins_this_turn,
)
from engine.games.boom.kernel import words_of
from engine.games.boom.rules import BOOM, Boom, BoomPosition, squares_in_line
from tests.builders import RandomPosition


def wins_by(position: BoomPosition, most: int, *, puts_only: bool = False) -> int:
    """The fewest movements of this turn, at most `most`, that complete a line; 0 if none do."""
    following = [
        position.play(move) for move in position.legal_moves() if not (puts_only and move == BOOM)
    ]
    mover = position.to_move
    for after in following:
        if after.outcome and after.outcome.squares and after.outcome.winner is mover:
            return 1
    same_turn = [after for after in following if not after.outcome and after.to_move is mover]
    twice = most > 1 and any(wins_by(after, 1, puts_only=puts_only) for after in same_turn)
    return 2 if twice else 0


def compiled_move(position: BoomPosition, move: Move) -> tuple[int, ...]:
    """The compiled words after a move, for the player to move then."""
    own, opp, mine, theirs = words_of(position)
    bit = mine
    if move != BOOM:
        column = landing_squares(own | opp) & (U(0xFF) << U(8 * move))
        bit = U(column)
    words = moved(own, opp, mine, theirs, position.ply, bit)
    first, second, third, fourth = (int(word) for word in words)
    passes = position.ply % 2 == 0
    return (second, first, fourth, third) if passes else (first, second, third, fourth)


@pytest.mark.parametrize("variant", Boom.VARIANTS)
def test_compiled_movements_are_those_of_the_plain_rules(variant: str) -> None:
    """Over thousands of random movements, both rules give the same boards, turns and lines."""
    rng, movements, explosions = Random(variant), 0, 0
    while movements < 2500 or explosions < 60:
        position = Boom.from_variant(variant).start()
        while position.outcome is None:
            moves = position.legal_moves()
            move = BOOM if BOOM in moves and rng.random() < 0.2 else rng.choice(moves)
            after, words = position.play(move), compiled_move(position, move)
            assert words == tuple(int(word) for word in words_of(after))
            for player, stones in ((after.to_move, words[0]), (after.to_move.other, words[1])):
                line = bool(squares_in_line(after.columns, player))
                assert in_line(U(stones)) == line
            position, movements, explosions = after, movements + 1, explosions + (move == BOOM)


def test_a_win_in_this_turn_is_seen(
    boom_positions: list[BoomPosition], random_position: RandomPosition
) -> None:
    """A line completed by one or two movements of a turn is found, by stones and explosions."""
    rng, seen = Random(12), {0: 0, 1: 0, 2: 0}
    random = [random_position(Boom(), rng, rng.randrange(50)) for _ in range(150)]
    for position in [*boom_positions[::3], *random]:
        assert isinstance(position, BoomPosition)
        left = 2 if position.ply % 2 else 1
        expected = wins_by(position, left)
        words = words_of(position)
        assert wins_this_turn(*words, position.ply) == expected
        assert movements_left(position.ply) == left
        seen[expected] += 1
    assert min(seen.values()) > 10


def test_two_stones_in_a_row_are_seen(boom_positions: list[BoomPosition]) -> None:
    """A line completed by two stones put one after the other is found without playing them."""
    seen = {True: 0, False: 0}
    for position in boom_positions[::3]:
        if position.ply % 2 and not position.puts_bomb:
            own, opp, _, _ = words_of(position)
            expected = bool(wins_by(position, 2, puts_only=True))
            assert bool(two_puts(own, landing_squares(own | opp))) == expected
            seen[expected] += 1
    assert min(seen.values()) > 10


def test_squares_that_complete_a_line_are_found(boom_positions: list[BoomPosition]) -> None:
    """A landing square counts exactly if a stone there gives its side four in line."""
    for position in boom_positions:
        own, opp, _, _ = words_of(position)
        landing = landing_squares(own | opp)
        found = int(fours_at(own, landing))
        for number in range(56):
            bit = ONE << U(number)
            if landing & bit:
                assert bool(found >> number & 1) == bool(in_line(own | bit))
        assert found & ~int(landing) == 0
        assert int(landing) & ~int(BOARD) == 0


@pytest.mark.parametrize(("ply", "left"), [(0, 1), (1, 2), (2, 1), (197, 2), (198, 1), (199, 1)])
def test_a_turn_has_two_movements_but_for_the_first_and_the_last(ply: int, left: int) -> None:
    """Movement 1 is a turn of its own, and movement 200 is the last one."""
    assert movements_left(ply) == left
