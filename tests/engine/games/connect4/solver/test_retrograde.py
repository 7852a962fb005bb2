"""All positions of an opening, and scores from the layer below."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.game import Player, replay
from engine.core.values import Ends
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.book import keys_of
from engine.games.connect4.solver.retrograde import Layer, back_up, list_layers

CLASSIC, SMALL = Connect4(6, 7), Connect4(4, 4)


def nothing(layer: Layer) -> Ends:
    """No ends at all: every position is a draw."""
    return np.zeros(layer.keys.size, np.int64)


def positions(game: Connect4, layer: Layer) -> list[Connect4Position]:
    """The positions of a layer."""
    return [
        Connect4Position(game, first, second)
        for first, second in zip(layer.firsts.tolist(), layer.seconds.tolist(), strict=True)
    ]


def played_out(position: Connect4Position, known: dict[Connect4Position, int]) -> int:
    """The end of a game by playing all games to their end."""
    if position.outcome is not None:
        winner = position.outcome.winner
        sign = {None: 0, Player.FIRST: 1, Player.SECOND: -1}[winner]
        return sign * position.ply
    if position not in known:
        ends = [played_out(position.play(move), known) for move in position.legal_moves()]
        sign = 1 if position.to_move is Player.FIRST else -1
        won = [end for end in ends if sign * end > 0]
        lost = [end for end in ends if sign * end < 0]
        known[position] = min(won, key=abs) if won else 0 if 0 in ends else max(lost, key=abs)
    return known[position]


def test_layers_hold_one_of_each_mirror_pair() -> None:
    """Layers with 0 to 6 stones on 6x7 have the known sizes, counting mirror images once."""
    layers = list_layers(CLASSIC, 6)
    assert [layer.keys.size for layer in layers] == [1, 4, 25, 121, 568, 2144, 8231]
    assert [layer.ply for layer in layers] == list(range(7))


@pytest.mark.parametrize(("size", "plies"), [("6x7", 4), ("4x4", 8), ("5x4", 7), ("8x8", 3)])
def test_layers_hold_every_position_without_a_four(size: str, plies: int) -> None:
    """Playing all games by the rules finds exactly these positions, keys and immediate wins."""
    game = Connect4.from_variant(size)
    reached = {game.start()}
    for layer in list_layers(game, plies):
        assert layer.keys.tolist() == sorted({min(keys_of(position)) for position in reached})
        for position, key, wins in zip(
            positions(game, layer), layer.keys.tolist(), layer.wins.tolist(), strict=True
        ):
            assert position in reached
            assert min(keys_of(position)) == key
            following = [position.play(move).outcome for move in position.legal_moves()]
            assert wins == any(outcome is not None for outcome in following)
        following = {position.play(move) for position in reached for move in position.legal_moves()}
        reached = {position for position in following if position.outcome is None}


def test_a_whole_board_is_solved_by_backing_up() -> None:
    """Backed up from the full board, 4x4 is a draw, and positions end as plain search says."""
    layers = list_layers(SMALL, 16)
    ends = back_up(layers, nothing)
    assert ends[0].tolist() == [0]
    known: dict[Connect4Position, int] = {}
    for ply in (12, 13):
        expected = [played_out(position, known) for position in positions(SMALL, layers[ply])]
        assert ends[ply].tolist() == expected
        assert {np.sign(end) for end in expected} == {-1, 0, 1}


@pytest.mark.parametrize(
    ("made_up", "end"),
    [
        ((-10, -20, -40, -30), -40),
        ((-10, 0, -40, -30), 0),
        ((-10, 0, 13, 11), 11),
        ((41, 39, 41, 41), 39),
    ],
)
def test_the_first_players_best_end_is_chosen(made_up: tuple[int, ...], end: int) -> None:
    """The empty board takes the best end of its four different moves for the first player."""
    ends = back_up(list_layers(CLASSIC, 1), lambda _: np.array(made_up))
    assert ends[0].tolist() == [end]
    assert ends[1].tolist() == list(made_up)


def test_the_second_players_best_end_is_chosen() -> None:
    """After the middle move the second player takes the best end from their point of view."""
    layers = list_layers(CLASSIC, 2)
    below = {
        min(keys_of(replay(CLASSIC, CLASSIC.moves("4" + reply)))): end
        for reply, end in {"1": 35, "2": 39, "3": 37, "4": 41}.items()
    }
    middle = layers[1].keys.tolist().index(min(keys_of(CLASSIC.start().play(3))))

    def ends(layer: Layer) -> Ends:
        return np.array([below.get(key, -42) for key in layer.keys.tolist()])

    assert back_up(layers, ends)[1][middle] == 41
    below[min(below)] = -40
    below[max(below)] = -38
    assert back_up(layers, ends)[1][middle] == -38
    assert back_up(layers, ends)[0].tolist() == [-42]


def test_an_immediate_win_ignores_the_layer_below() -> None:
    """Positions with an immediate win end with the next stone, ignoring the deepest layer."""
    layers = list_layers(SMALL, 7)
    for depth in (6, 7):
        some = layers[: depth + 1]
        ends = back_up(some, lambda layer: np.full(layer.keys.size, 16 - layer.ply, np.int64))
        wins = some[-1].wins
        assert wins.any()
        assert set(ends[-1][wins].tolist()) == {depth + 1 if depth % 2 == 0 else -depth - 1}
        assert set(ends[-1][~wins].tolist()) == {16 - depth}
