"""The evaluation of quiet Conecta-4 BOOM positions, counted line by line."""

from __future__ import annotations

from engine.core.compiled.scores import WON_BOUND
from engine.core.game import Player
from engine.games.boom.compiled.evaluation import (
    W_BOMB,
    W_CENTRE,
    W_NEAR_THREE,
    W_NEAR_TWO,
    W_ONE,
    W_READY,
    W_THREE,
    W_TWO,
    evaluate,
)
from engine.games.boom.kernel import words_of
from engine.games.boom.rules import Boom, BoomPosition, bomb_of, lines


def line_value(stones: int, distances: list[int], *, upright: bool) -> int:
    """The value of a line by its own stones and its gaps' heights above the landing squares."""
    near = max(distances) <= 1
    ready = near if upright else max(distances) == 0
    if stones == 1:
        return W_ONE * ready
    value = (W_TWO if stones == 2 else W_THREE) + W_READY * ready
    return value + near * (W_NEAR_TWO if stones == 2 else W_NEAR_THREE)


def side_value(position: BoomPosition, player: Player) -> int:
    """The value of a player's stones, line by line and stone by stone."""
    owners = {
        (column, height): cell.owner
        for column, cells in enumerate(position.columns)
        for height, cell in enumerate(cells)
    }
    value = W_BOMB * (bomb_of(position.columns, player) is not None)
    for line in lines():
        held = [owners.get(square) for square in line]
        if player in held and player.other not in held:
            gaps = [square for square in line if square not in owners]
            distances = [height - len(position.columns[column]) for column, height in gaps]
            upright = len({column for column, _ in line}) == 1
            value += line_value(held.count(player), distances, upright=upright)
    for (column, _), owner in owners.items():
        value += W_CENTRE * min(column, 6 - column) * (owner is player)
    return value


def test_the_evaluation_is_the_sum_of_lines_places_and_bombs(
    boom_positions: list[BoomPosition],
) -> None:
    """The evaluation is the sum over lines, by stones and nearness of gaps, places and bombs."""
    for position in boom_positions:
        mover, other = position.to_move, position.to_move.other
        expected = side_value(position, mover) - side_value(position, other)
        assert evaluate(*words_of(position)) == expected


def test_mirror_images_have_the_same_evaluation(
    boom_positions: list[BoomPosition],
) -> None:
    """A position and its mirror image have the same evaluation."""
    for position in boom_positions[::2]:
        mirrored = BoomPosition(Boom(), position.columns[::-1], position.ply)
        assert evaluate(*words_of(mirrored)) == evaluate(*words_of(position))


def test_evaluations_stay_within_their_bounds() -> None:
    """Even if every line counted in full, an evaluation stays within the bound of proven scores."""
    line = W_THREE + W_READY + W_NEAR_THREE
    assert len(lines()) * line + 49 * 3 * W_CENTRE + W_BOMB <= WON_BOUND
