"""The search of the agent `tokens`: its evaluation by hand, its choice by plain minimax."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from engine.core.compiled.scores import UNKNOWN
from engine.core.game import Move, replay
from engine.games.boom.compiled.memory import ABORTED, TABLE, new_memory
from engine.games.boom.compiled.tokens import (
    END,
    stones_difference,
    stones_score,
    tokens_root,
    tokens_value,
)
from engine.games.boom.kernel import words_of
from engine.games.boom.rules import BOOM, Boom, BoomPosition


def at(moves: str) -> BoomPosition:
    """The position after a game string."""
    game = Boom()
    return replay(game, game.moves(moves))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("moves", "own", "opp"),
    [
        ("", 0, 0),
        ("4", 0, 4),
        # The second player's stones are in columns 4 and 5 and touch at a corner.
        ("445", 4, 4 + 3 + 10),
        # In columns 4 and 2, which do not touch, against two in column 1, which do.
        ("4112", 4 + 2, 1 + 1 + 10),
        # Then column 5 beside the 4, and the other's columns 4 and 3, which touch at a corner.
        ("4112543", 4 + 2 + 3 + 10, 1 + 1 + 10 + 4 + 3 + 10),
    ],
)
def test_stones_count_by_column_and_by_what_they_reach(moves: str, own: int, opp: int) -> None:
    """A stone counts 1 2 3 4 3 2 1 by its column, and each pair without a gap counts 10, once."""
    words = words_of(at(moves))
    assert (stones_score(words[0]), stones_score(words[1])) == (own, opp)
    assert stones_difference(words[0], words[1]) == own - opp


@pytest.mark.parametrize(
    ("squares", "reached"),
    [
        pytest.param([(0, 0), (1, 0), (2, 0)], 2 + 1, id="three across"),
        pytest.param([(0, 0), (0, 1), (0, 2)], 2 + 1, id="three up"),
        pytest.param([(0, 0), (1, 1), (2, 2)], 2 + 1, id="three rising"),
        pytest.param([(0, 2), (1, 1), (2, 0)], 2 + 1, id="three falling"),
        pytest.param([(0, 0), (2, 0), (3, 0)], 1, id="a gap"),
        pytest.param([(column, 0) for column in range(7)], 6 + 5 + 4 + 3 + 2 + 1, id="a row"),
        pytest.param([(0, 6), (1, 0)], 0, id="the top and the bottom of the next column"),
        pytest.param([(0, 0), (1, 6)], 0, id="the bottom and the top of the next column"),
    ],
)
def test_lines_without_gaps_count(squares: list[tuple[int, int]], reached: int) -> None:
    """In a line without gaps the first stone reaches all others, the second all after it."""
    stones = np.uint64(sum(1 << (8 * column + height) for column, height in squares))
    columns = sum(4 - abs(3 - column) for column, _ in squares)
    assert stones_score(stones) == columns + 10 * reached


@pytest.mark.parametrize(
    ("moves", "stones", "effect"),
    [
        # Six stones for 15 with three pairs that touch and a line of three, against six for 16 with
        # seven pairs and three lines of three.
        ("553366746541", 15 + 30 + 10 - 16 - 70 - 30, 100),
        ("562712234552325", None, -100),
        ("332124134246", None, 100),
        ("355552174526", None, 0),
        ("35555217452", None, 0),
    ],
    ids=["wins", "loses", "both lines: wins", "only removes", "no bomb"],
)
def test_a_bomb_counts_by_the_effect_of_exploding_it(
    moves: str, stones: int | None, effect: int
) -> None:
    """The mover's bomb counts 100 if exploding it wins, -100 if it loses, 0 otherwise."""
    own, opp, mine, theirs = words_of(at(moves))
    plain = stones_score(own) - stones_score(opp)
    if stones is not None:
        assert plain == stones
    assert tokens_value(own, opp, mine, theirs) == plain + effect


def searched(position: BoomPosition, depth: int, *, every: bool) -> dict[int, int]:
    """The values that the compiled search returns."""
    values, memory = np.full(8, UNKNOWN, np.int64), new_memory(position.game.stuck_is_draw, 10)
    flag = np.zeros(1, np.uint8)
    tokens_root(*words_of(position), position.ply, depth, every, values, memory, flag)
    return {move: int(value) for move, value in enumerate(values) if value != UNKNOWN}


@lru_cache(maxsize=100_000)
def minimax(position: BoomPosition, depth: int) -> int:
    """The value for the player to move, by the plain rules and without cutoffs."""
    if depth == 0:
        return int(tokens_value(*words_of(position)))
    return max(move_value(position, move, depth) for move in position.legal_moves())


def move_value(position: BoomPosition, move: Move, depth: int) -> int:
    """The value of a move for its maker; an end counts with its stones, at any distance."""
    after = position.play(move)
    if after.outcome is not None:
        own, opp, _, _ = words_of(after)
        sign = 1 if after.to_move is position.to_move else -1
        winner = after.outcome.winner
        end = 0 if winner is None else END if winner is position.to_move else -END
        return sign * int(stones_difference(own, opp)) + end
    found = minimax(after, depth - 1)
    return found if after.to_move is position.to_move else -found


@pytest.mark.parametrize(("depth", "step"), [(1, 9), (2, 16), (3, 40), (4, 160)])
def test_the_values_are_those_of_minimax(
    depth: int, step: int, boom_positions: list[BoomPosition]
) -> None:
    """The values equal minimax: of all moves, or of those that are better than all before."""
    for position in boom_positions[::step]:
        values = {m: move_value(position, m, depth) for m in position.legal_moves()}
        assert searched(position, depth, every=True) == values
        rising = searched(position, depth, every=False)
        seen = list(values.items())
        assert rising == {
            move: value
            for number, (move, value) in enumerate(seen)
            if all(value > earlier for _, earlier in seen[:number])
        }


def test_the_bomb_is_found_as_the_only_move() -> None:
    """On a full board BOOM is found as the only move."""
    position = at("63215421747257B4314515364374B622144166637277B7154336526275")
    assert searched(position, 8, every=False) == {BOOM: move_value(position, BOOM, 8)}
    assert move_value(position, BOOM, 8) > 9_000


def test_a_stopped_search_stores_nothing() -> None:
    """Stopped before its first node, the search has no move, and its table stays empty."""
    start, memory, flag = Boom().start(), new_memory(False, 4), np.ones(1, np.uint8)
    values = np.full(8, UNKNOWN, np.int64)
    tokens_root(*words_of(start), 0, 8, True, values, memory, flag)
    assert (values == UNKNOWN).all()
    assert memory[ABORTED] == 1
    assert not memory[TABLE:].any()
