"""The measurements of openings on large boards and of when moves are proven."""

from __future__ import annotations

from benchmarks.large import Truth, answered, game_against, openings
from benchmarks.proofs import by_number_of_discs, in_games
from engine.core.game import Move, Player, replay
from engine.core.limits import Limit
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.strength.perfect import Perfect

GAME = Connect4(7, 8)


def after(moves: str) -> Connect4Position:
    """The position after some moves."""
    return replay(GAME, GAME.moves(moves))


def test_all_small_openings_and_a_sample_of_others_are_answered() -> None:
    """Up to three discs there are 209 openings up to mirror image; samples are reproducible."""
    assert [len(openings(GAME, discs, 10, 1)) for discs in range(5)] == [1, 4, 32, 172, 10]
    assert openings(GAME, 4, 10, 1) == openings(GAME, 4, 10, 1)
    assert openings(GAME, 4, 10, 1) != openings(GAME, 4, 10, 2)


def test_moves_are_compared_with_published_values() -> None:
    """Up to three discs it is known whether a move lost the result or only distance."""
    truth = Truth.of(GAME)
    assert truth.lost_result(after("2"), Move(2)) is True
    assert truth.lost_result(after("2"), Move(3)) is False
    assert truth.lost_distance(after("1"), Move(3)) is False
    assert truth.lost_result(after("1"), Move(4)) is True
    assert truth.lost_result(after("3"), Move(0)) is False
    assert truth.lost_distance(after("3"), Move(0)) is True


def test_of_moves_with_four_discs_only_some_are_known() -> None:
    """A move to a position that a worse opening also reaches has lost; others may be unknown."""
    truth, seen = Truth.of(GAME), set[bool | None]()
    for position in openings(GAME, 4, 60, 1):
        found = {truth.lost_result(position, move) for move in position.legal_moves()}
        assert found != {True}
        seen |= found
    assert seen == {True, False, None}
    assert truth.lost_result(after("11223"), Move(0)) is None


def test_the_book_loses_nothing() -> None:
    """With its book `perfect` keeps result and distance in every opening with two discs."""
    tally = answered(openings(GAME, 2, 200, 1), Truth.of(GAME), 0.05, search_only=False)
    assert (tally.known, tally.result_lost, tally.distance_lost) == (32, 0, 0)
    alone = answered(openings(GAME, 1, 200, 1), Truth.of(GAME), 0.05, search_only=True)
    assert len(alone.depths) == 4


def test_every_move_on_a_small_board_is_proven() -> None:
    """The row of 5x4 counts the moves of `perfect`, none of them found by a search."""
    found = in_games(Connect4(5, 4), 2, Perfect(seconds=60.0), 1)
    assert (found.moves, found.searched, found.share) == (18, 0, "100.0 %")
    assert (found.half, found.most, found.all) == (1, 1, 1)
    assert found.in_book + found.proven == found.moves


def test_proofs_are_counted_by_discs() -> None:
    """Every number of discs of the games has a row, and all positions of 4x4 are proven."""
    rows = [list(row) for row in by_number_of_discs(Connect4(4, 4), 2, 10**6, 1)]
    assert [row[0] for row in rows] == list(range(len(rows)))
    assert all(row[1] == row[2] for row in rows)


def test_perfect_plays_a_search_from_a_seat() -> None:
    """On 5x4 `perfect` loses from neither seat against a search."""
    limit = Limit(nodes=1000)
    for seat in Player:
        played = game_against(Connect4(5, 4), seat, Perfect(seconds=60.0), limit, 1)
        position = replay(Connect4(5, 4), Connect4(5, 4).moves(played[2]))
        assert position.outcome is not None
        winner = position.outcome.winner
        assert played[:2] == (seat.name.lower(), "draw" if winner is None else "won")
        assert winner in {None, seat}
