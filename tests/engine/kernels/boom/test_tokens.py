"""The search of the agent `tokens`: its evaluation by hand, its choice by plain minimax."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from engine.boom import BOOM, Boom, BoomPosition
from engine.game import Move, replay
from engine.kernels.boom.kernel import words_of
from engine.kernels.boom.memory import ABORTED, TABLE, new_memory
from engine.kernels.boom.tokens import END, stones_score, tokens_root, tokens_value


def at(moves: str) -> BoomPosition:
    """The position after a game string."""
    game = Boom()
    return replay(game, game.moves(moves))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("moves", "own", "opp"),
    [
        ("", 0, 0),
        ("4", 0, 4),
        # The second player's stones stand in columns 4 and 5 and touch at a corner.
        ("445", 4, 4 + 3 + 20),
        # In columns 4 and 2, which do not touch, against two in column 1, which do.
        ("4112", 4 + 2, 1 + 1 + 20),
        # Then column 5 beside the 4, and the other's columns 4 and 3, which touch at a corner.
        ("4112543", 4 + 2 + 3 + 20, 1 + 1 + 20 + 4 + 3 + 20),
    ],
)
def test_stones_count_by_column_and_by_what_they_touch(moves: str, own: int, opp: int) -> None:
    """A stone is worth 1 2 3 4 3 2 1 by its column, and 10 for each own stone around it."""
    words = words_of(at(moves))
    assert (stones_score(words[0]), stones_score(words[1])) == (own, opp)


@pytest.mark.parametrize(
    ("moves", "stones", "effect"),
    [
        # Six stones for 15 with three pairs that touch, against seven for 16 with seven pairs.
        ("553366746541", 15 + 60 - 16 - 140, 100),
        ("562712234552325", None, -100),
        ("332124134246", None, 100),
        ("355552174526", None, 0),
        ("35555217452", None, 0),
    ],
    ids=["wins", "loses", "both lines: wins", "only removes", "no bomb"],
)
def test_a_bomb_counts_by_what_it_would_do_now(moves: str, stones: int | None, effect: int) -> None:
    """The mover's bomb is worth 100 if exploding it wins, -100 if it loses, 0 otherwise."""
    own, opp, mine, theirs = words_of(at(moves))
    plain = stones_score(own) - stones_score(opp)
    if stones is not None:
        assert plain == stones
    assert tokens_value(own, opp, mine, theirs) == plain + effect


@lru_cache(maxsize=100_000)
def minimax(position: BoomPosition, depth: int) -> int:
    """The value for the player to move, by the plain rules and without any cut."""
    if depth == 0:
        return int(tokens_value(*words_of(position)))
    return max(worth(position, move, depth) for move in position.legal_moves())


def worth(position: BoomPosition, move: Move, depth: int) -> int:
    """What a move is worth to its maker; an end counts the same however near it is."""
    after = position.play(move)
    if after.outcome is not None:
        winner = after.outcome.winner
        return 0 if winner is None else END if winner is position.to_move else -END
    found = minimax(after, depth - 1)
    return found if after.to_move is position.to_move else -found


@pytest.mark.parametrize(("depth", "step"), [(1, 9), (2, 16), (3, 40), (4, 160)])
def test_the_choice_is_that_of_minimax(
    depth: int, step: int, boom_positions: list[BoomPosition]
) -> None:
    """The move is the first of the best ones at full depth, and the value is minimax's."""
    flag = np.zeros(1, np.uint8)
    for position in boom_positions[::step]:
        memory = new_memory(position.game.stuck_is_draw, 10)
        move, value = tokens_root(*words_of(position), position.ply, depth, memory, flag)
        values = {m: worth(position, m, depth) for m in position.legal_moves()}
        best = max(values.values())
        assert value == best
        assert move == next(m for m in values if values[m] == best)


def test_the_bomb_is_a_move_like_others() -> None:
    """On a full board BOOM is found as the only move there is."""
    position = at("63215421747257B4314515364374B622144166637277B7154336526275")
    memory, flag = new_memory(False, 4), np.zeros(1, np.uint8)
    words = words_of(position)
    assert tokens_root(*words, position.ply, 8, memory, flag) == (BOOM, END)


def test_a_stopped_search_finds_and_stores_nothing() -> None:
    """Stopped before its first node, it has no move, and its table stays empty."""
    start, memory, flag = Boom().start(), new_memory(False, 4), np.ones(1, np.uint8)
    assert tokens_root(*words_of(start), 0, 8, memory, flag)[0] == -1
    assert memory[ABORTED] == 1
    assert not memory[TABLE:].any()
