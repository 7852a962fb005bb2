"""Hints: the best move, and the values of all moves that are proven."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.game import Move, Position
from engine.core.registry import package_of
from engine.core.values import is_decided
from engine.study.hints import Adviser, blocks
from tests.builders import after


@pytest.mark.parametrize(("kind", "moves"), [("5x4", "12341122"), ("6x7", "445"), ("gato", "a1b2")])
def test_a_proven_hint_has_all_values(kind: str, moves: str) -> None:
    """A hint is a best move, with the values of all legal moves in the order of the buttons."""
    position = after(kind, moves)
    found = Adviser().choose(position, rng=Random(1))
    proof = package_of(position.game).prove(position, seconds=5.0)
    assert proof is not None
    assert found.proven
    assert found.exact == tuple((move, proof.scores[move]) for move in position.legal_moves())
    assert dict(found.exact)[found.move] == proof.top


def test_unproven_moves_have_no_value() -> None:
    """In BOOM, which has no solver, only moves that a search has decided have values."""
    quiet = Adviser(seconds=0.2).choose(after("boom", ""), rng=Random(1))
    assert (quiet.exact, quiet.proven) == ((), False)
    won = Adviser(seconds=0.2).choose(after("boom", "4113344"), rng=Random(1))
    assert won.move in dict(won.exact)
    assert all(is_decided(score) for _, score in won.exact)
    assert (Move(6), -9989) in won.exact


def test_a_game_that_is_over_has_no_hint() -> None:
    """A finished game raises ValueError."""
    with pytest.raises(ValueError, match="over"):
        Adviser().choose(after("4x4", "1212121"), rng=Random(1))


def lost(kind: str, rng: Random) -> Position:
    """A random position in which the other side completes a line next and the mover cannot."""
    while True:
        position = after(kind, "")
        while position.outcome is None:
            position = position.play(rng.choice(position.legal_moves()))
            if position.outcome is None and blocks(position):
                wins = (position.play(move).outcome for move in position.legal_moves())
                if not any(wins):
                    return position


@pytest.mark.parametrize("kind", ["5x4", "6x7", "gato", "boom"])
def test_a_hint_in_a_lost_position_blocks_a_four(kind: str) -> None:
    """Where every move loses, the move is one that blocks a four, if a best one does.

    In Connect 4 and Gato one always does: nothing loses sooner than a four that is not blocked.
    """
    rng, found = Random(7), 0
    while found < (2 if kind == "boom" else 12):
        position = lost(kind, rng)
        hint = Adviser(seconds=0.05).choose(position, rng=rng)
        if not hint.is_loss:
            continue
        found += 1
        values = dict(hint.exact)
        best = [move for move in blocks(position) if values.get(move) == hint.score.points]
        assert best or kind == "boom"
        assert not best or hint.move in best, position
