"""The cautious agent that counts open threes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from engine.connect4 import Connect4
from engine.game import Game, Position, replay
from engine.kernels.scores import WIN
from engine.seeds.tuples import Tuples, urgent

Wander = Callable[[Game, Random, int], Position]


@pytest.mark.parametrize(
    ("size", "moves", "expected"),
    [
        pytest.param("6x7", "", "", id="nothing is urgent"),
        pytest.param("6x7", "112233", "4", id="a win"),
        pytest.param("6x7", "1122334", "", id="over"),
        pytest.param("6x7", "2172737", "7", id="a win goes before a block"),
        pytest.param("6x7", "11223", "4", id="a block"),
        pytest.param("6x7", "41315", "26", id="two blocks, of which one is too late"),
        pytest.param("5x4", "12121", "1", id="a block up a column"),
        pytest.param("8x8", "4455", "", id="a win in two is not urgent"),
    ],
)
def test_what_is_urgent(size: str, moves: str, expected: str) -> None:
    """Wins at once come first, then blocks of the opponent's; then there is nothing urgent."""
    game = Connect4.from_variant(size)
    position = replay(game, game.moves(moves))
    assert "".join(game.label(move) for move in urgent(position)) == expected


@pytest.mark.parametrize("depth", [3, 5, 7])
def test_urgent_moves_are_played(depth: int, wander: Wander) -> None:
    """On random positions of every size, where something is urgent nothing else is played."""
    rng, agent, seen = Random(depth), Tuples(depth), 0
    while seen < 60:
        game = Connect4.from_variant(rng.choice(Connect4.SIZES))
        position = wander(game, rng, rng.randrange(5, 30))
        if position.outcome is None and urgent(position):
            seen += 1
            assert agent.choose(position, rng=rng).move in urgent(position)


@pytest.mark.parametrize(
    ("size", "moves", "depth", "expected", "score"),
    [
        # No player can have three in a line after three plies of an empty board.
        pytest.param("6x7", "", 3, "1234567", 0, id="nothing to choose by: chance, no centre"),
        pytest.param("5x4", "", 3, "1234", 0, id="on four columns"),
        pytest.param("6x7", "112233", 3, "4", WIN - 7, id="a win at once, by move 7"),
        pytest.param("8x8", "4455", 3, "36", WIN - 7, id="an open three wins by move 7"),
        # One ply: three in a row on columns 3-5 or 4-6 with stones of the other above two of
        # them; its empty ends on columns 2 and 6, or 3 and 7, are playable: +1 each. The other
        # has two in a row only.
        pytest.param("6x7", "4455", 1, "36", 1 + 1, id="two 3-tuples at one ply"),
        # The first player has columns 1-3 of the second row. Its open end in column 4 becomes
        # playable, -100, once a stone lies below it; nothing else counts yet.
        pytest.param("6x7", "3112273", 1, "123567", 0, id="not under the opponent's three"),
        pytest.param("6x7", "41315", 3, "26", 7 - WIN, id="lost by move 7, yet it blocks"),
    ],
)
def test_choices_by_hand(size: str, moves: str, depth: int, expected: str, score: int) -> None:
    """The agent plays what its tuples promise, with the score that they sum up to."""
    game = Connect4.from_variant(size)
    position = replay(game, game.moves(moves))
    results = [Tuples(depth).choose(position, rng=Random(seed)) for seed in range(60)]
    assert {game.label(result.move) for result in results} == set(expected)
    assert {result.score for result in results} == {score}


def test_a_lost_game_is_resisted_as_long_as_possible() -> None:
    """Where every move loses, the one that loses latest is played, as a search to it sees."""
    game = Connect4()
    position = replay(game, game.moves("12452642544"))
    assert not urgent(position)
    # Column 3 loses by move 13, every other column by move 15.
    assert Tuples(5).choose(position.play(game.parse("3")), rng=Random(1)).score == WIN - 13
    counts: Counter[str] = Counter()
    for seed in range(300):
        result = Tuples(5).choose(position, rng=Random(seed))
        assert result.score == 15 - WIN
        counts[game.label(result.move)] += 1
    assert counts.keys() == set("124567")
    assert all(count > 20 for count in counts.values())


def test_the_name_tells_the_depth() -> None:
    """Agents of different depths have names of their own; the original's three plies are usual."""
    assert [Tuples(depth).name for depth in (3, 5, 7)] == ["tuples-3", "tuples-5", "tuples-7"]
    assert Tuples().name == "tuples-3"


def test_a_depth_of_nothing_is_refused() -> None:
    """An agent looks at least one ply ahead."""
    with pytest.raises(ValueError, match="at least 1"):
        Tuples(0)
