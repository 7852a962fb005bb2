"""The winner after every move of a game under perfect play."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.analysis import Verdict
from engine.core.exact import winners_of_game
from engine.core.game import Move
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.exact import Connect4Solver
from tests.builders import PlayPerfectly


def verdicts(positions: list[Connect4Position], nodes: int | None = None) -> list[Verdict | None]:
    """The winners after every move of positions of one board, by the shipped book and a search."""
    game = positions[0].game if positions else Connect4()
    return winners_of_game(Connect4Solver(game, nodes=nodes, all_books=False), positions)


def random_game(game: Connect4, rng: Random) -> list[Connect4Position]:
    """The undecided positions of a random game."""
    found, position = [], game.start()
    while position.outcome is None:
        found.append(position)
        position = position.play(rng.choice(position.legal_moves()))
    return found


def shares(scores: dict[Move, int]) -> Verdict:
    """Scores as shares of a point."""
    return {move: 0.5 if score == 0 else float(score > 0) for move, score in scores.items()}


@pytest.mark.parametrize(("size", "since"), [("4x4", 7), ("4x5", 11), ("5x4", 11), ("6x7", 33)])
def test_a_verdict_agrees_with_enumeration(
    size: str, since: int, play_perfectly: PlayPerfectly
) -> None:
    """Every move of every position has the result that plain enumeration gives."""
    rng = Random(size)
    for _ in range(6):
        positions = random_game(Connect4.from_variant(size), rng)[since:]
        found = verdicts(positions)
        assert len(found) == len(positions)
        for position, verdict in zip(positions, found, strict=True):
            assert verdict == shares(play_perfectly(position))


def test_the_classic_opening_is_known() -> None:
    """The first player wins by the middle column, draws beside it and loses at the edges."""
    (verdict,) = verdicts([Connect4().start()])
    assert verdict == dict(enumerate((0, 0, 0.5, 1, 0.5, 0, 0)))


def test_positions_beyond_the_node_limit_are_left_out() -> None:
    """Once the nodes are used up, earlier positions have no verdict, except those in the book."""
    positions = random_game(Connect4(), Random(4))
    whole = verdicts(positions)
    assert None not in whole
    short = verdicts(positions, 3000)
    lost = [ply for ply, verdict in enumerate(short) if verdict is None]
    assert lost
    assert lost == list(range(8, lost[-1] + 1))
    assert all(one in (None, other) for one, other in zip(short, whole, strict=True))
    assert verdicts(positions, 3000) == short


def test_a_game_without_moves_has_no_verdicts() -> None:
    """A game without positions has no verdicts."""
    assert verdicts([]) == []
