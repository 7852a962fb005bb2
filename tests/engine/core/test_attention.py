"""Overlooked lines: which lines players overlook, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from engine.core.attention import STEPS, Sight, overlooked
from engine.core.boards import bit_of
from engine.core.game import Player, Position, replay
from engine.core.limits import Limit, Stop
from engine.core.registry import game_called, package_of
from engine.core.search import SMALL_TABLE, analyse
from engine.core.values import is_decided
from engine.games.boom.rules import Boom
from engine.games.connect4.rules import Connect4
from tests.builders import RandomPosition

NOTHING = (1 << 63, *(0,) * 7)
"""Hides only a line that no board has: the code of the blind search, with nothing overlooked."""
DRAWS = 4000
QUIET_PLIES = {"boom": 8, "gato": 12}
"""The plies before which BOOM has no bombs, and before which Gato's board is not full."""


def sight_of(position: Position) -> Sight:
    """A position as seen by a player who overlooks lines."""
    sight = package_of(position.game).sight
    assert sight is not None
    return sight(position)


def share_hidden(sight: Sight, line: int, blind: float = 0.5) -> float:
    """The share of draws in which a line of the first player is overlooked."""
    lowest = line & -line
    step = ((line ^ lowest) & -(line ^ lowest)).bit_length() - lowest.bit_length()
    rng, word = Random(3), STEPS.index(step)
    only = replace(sight, lines=(line,))
    return sum(bool(overlooked(only, blind, rng)[word] & lowest) for _ in range(DRAWS)) / DRAWS


def squares(*places: tuple[int, int]) -> int:
    """A word of squares by column and height."""
    return sum(bit_of(*place) for place in places)


LEVEL = squares(*((column, 0) for column in range(4)))
COLUMN_LINE = squares(*((0, height) for height in range(4)))
RISING = squares(*((step, step) for step in range(4)))
FALLING = squares(*((step, 3 - step) for step in range(4)))


def threes(line: int) -> Sight:
    """The opponent's three stones of a line, without information on when they were put."""
    return Sight((line,), line & (line - 1), 0, Player.SECOND, ())


def test_diagonals_are_overlooked_most_and_upright_lines_least() -> None:
    """A horizontal line is overlooked with the set probability, diagonals more and columns less."""
    upright, level, rising, falling = (
        share_hidden(threes(line), line) for line in (COLUMN_LINE, LEVEL, RISING, FALLING)
    )
    assert level == pytest.approx(0.5, abs=0.03)
    assert upright < level - 0.1
    assert rising > level + 0.1
    assert falling == pytest.approx(rising, abs=0.03)


def test_without_falling_stones_columns_are_as_hard_to_see_as_rows() -> None:
    """In Gato, columns are as hard to see as rows, and only diagonals differ."""
    upright, level, rising = (
        share_hidden(replace(threes(line), falling=False), line)
        for line in (COLUMN_LINE, LEVEL, RISING)
    )
    assert upright == pytest.approx(level, abs=0.03)
    assert rising > level + 0.1


def test_recent_lines_are_overlooked_least() -> None:
    """A line is overlooked less if its gap is near the last stone or it holds a latest stone."""
    stones = squares((1, 0), (2, 0), (3, 0))

    def share(*latest: tuple[int, int]) -> float:
        known = tuple(bit_of(*place) for place in latest)
        return share_hidden(Sight((LEVEL,), stones, 0, Player.SECOND, known), LEVEL)

    own, near, far = share((1, 0)), share((1, 1)), share((6, 5))
    assert own < near - 0.1 < far - 0.2
    assert share((6, 5), (2, 0)) < far - 0.1


def test_threes_are_seen_before_twos() -> None:
    """A line with two gaps is overlooked more than one with one; harmless lines never are."""
    two = Sight((LEVEL,), squares((0, 0), (1, 0)), 0, Player.SECOND, ())
    one = Sight((LEVEL,), squares((0, 0)), 0, Player.SECOND, ())
    assert share_hidden(two, LEVEL) > share_hidden(threes(LEVEL), LEVEL) + 0.05
    assert share_hidden(one, LEVEL) == 0
    assert share_hidden(replace(two, second=squares((3, 0))), LEVEL) == 0


def test_own_lines_are_seen_first() -> None:
    """A line of one's own is overlooked far less often than the same line of the opponent."""
    theirs = threes(LEVEL)
    mine = replace(theirs, mover=Player.FIRST)
    for blind, own in ((0.5, 0.02), (0.9, 0.15)):
        assert share_hidden(mine, LEVEL, blind) == pytest.approx(own, abs=0.02)
        assert share_hidden(theirs, LEVEL, blind) == pytest.approx(blind, abs=0.03)


def test_higher_settings_overlook_more_lines(random_position: RandomPosition) -> None:
    """A higher setting overlooks more lines, and the same seed overlooks the same ones."""
    sights = [sight_of(random_position(Connect4(), Random(seed), 16)) for seed in range(40)]
    counts = Counter[float]()
    for blind in (0.0, 0.2, 0.5, 0.9):
        for seed, sight in enumerate(sights):
            hidden = overlooked(sight, blind, Random(seed))
            assert hidden == overlooked(sight, blind, Random(seed))
            counts[blind] += sum(word.bit_count() for word in hidden)
    assert 0 == counts[0.0] < counts[0.2] < counts[0.5] < counts[0.9]


def test_positions_know_their_latest_stones() -> None:
    """A position knows its latest stones, the last one first, but they do not affect equality."""
    game = Connect4()
    one, other = (replay(game, game.moves(text)) for text in ("1234", "3412"))
    assert one == other
    assert sight_of(one).latest == (bit_of(3, 0), bit_of(2, 0))
    assert sight_of(game.start()).latest == ()
    boom = Boom()
    assert sight_of(replay(boom, boom.moves("1122"))).latest == tuple(
        bit_of(*place) for place in ((1, 1), (1, 0), (0, 1), (0, 0))
    )


@pytest.mark.parametrize("text", ["6x7", "8x8", "5x4", "gato", "boom"])
def test_without_overlooked_lines_scores_are_the_usual_ones(
    text: str, random_position: RandomPosition
) -> None:
    """If no line is overlooked, the blind search has the scores of the ordinary search.

    In BOOM this holds until there are bombs, because the blind search does not foresee a stone and
    an explosion that win together.
    """
    game = game_called(text)
    for seed in range(60):
        position = random_position(game, Random(seed), seed % QUIET_PLIES.get(text, 18))
        assert position.outcome is None
        plain = analyse(position, Limit(depth=2), margin=40_000)
        seen = analyse(position, Limit(depth=2), margin=40_000, hidden=NOTHING)
        assert seen.scores == plain.scores


def all_hidden(position: Position, players: Sequence[int]) -> tuple[int, ...]:
    """Every line of some players, 0 for the first and 1 for the second."""
    found = [0] * 8
    for line in sight_of(position).lines:
        lowest = line & -line
        step = ((line ^ lowest) & -(line ^ lowest)).bit_length() - lowest.bit_length()
        for player in players:
            found[4 * player + STEPS.index(step)] |= lowest
    return tuple(found)


@pytest.mark.parametrize(
    ("text", "moves"), [("6x7", "121212"), ("gato", "b1a2c1b2d1d2"), ("boom", "1771166")]
)
def test_an_overlooked_win_does_not_count(text: str, moves: str) -> None:
    """A win in one that is overlooked does not count as a win."""
    game = game_called(text)
    position = replay(game, game.moves(moves))
    assert position.play(position.legal_moves()[0]).outcome is not None
    mover = position.to_move - 1
    seen = analyse(
        position, Limit(depth=1), margin=40_000, hidden=all_hidden(position, [1 - mover])
    )
    blind = analyse(position, Limit(depth=1), margin=40_000, hidden=all_hidden(position, [0, 1]))
    assert is_decided(seen.top)
    assert not is_decided(blind.top)


@pytest.mark.parametrize(("text", "moves"), [("6x7", "12121"), ("gato", "b1a2c1b2d1")])
def test_an_overlooked_threat_does_not_count(text: str, moves: str) -> None:
    """A loss in one that is overlooked does not count as a loss."""
    game = game_called(text)
    position = replay(game, game.moves(moves))
    seen = analyse(position, Limit(depth=1), margin=40_000, hidden=NOTHING)
    assert [move for move, score in seen.scores.items() if not is_decided(score)] == [0]
    blind = analyse(position, Limit(depth=1), margin=40_000, hidden=all_hidden(position, [0]))
    assert not any(is_decided(score) for score in blind.scores.values())


@pytest.mark.parametrize(("text", "ply"), [("6x7", 18), ("gato", 9)])
def test_single_lines_are_overlooked_in_the_search(
    text: str, ply: int, random_position: RandomPosition
) -> None:
    """With some lines hidden, wins in one are those of the visible lines."""
    game, seen = game_called(text), 0
    for seed in range(300):
        position = random_position(game, Random(seed), ply)
        if position.outcome is not None:
            continue
        sight = sight_of(position)
        hidden = overlooked(sight, 0.7, Random(seed))
        if not any(hidden):
            continue
        kernel = package_of(game).load(position, SMALL_TABLE)
        kernel.allow(None)
        kernel.hide(hidden)
        scores = kernel.score_moves(1, 40_000, position.legal_moves(), Stop().flag)
        for move in position.legal_moves():
            after = sight_of(position.play(move))
            filled = (after.first, after.second)[position.to_move - 1]
            visible = [
                line
                for line in sight.lines
                if line & filled == line and not _is_hidden(line, hidden, position.to_move - 1)
            ]
            won = scores[move] == 10_000 - (position.ply + 1)
            assert won == bool(visible)
            seen += won
    assert seen > 10


def _is_hidden(line: int, hidden: Sequence[int], player: int) -> bool:
    lowest = line & -line
    step = ((line ^ lowest) & -(line ^ lowest)).bit_length() - lowest.bit_length()
    return bool(hidden[4 * player + STEPS.index(step)] & lowest)
