"""The cautious agent that counts open threes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

import pytest

from engine.core.compiled.scores import WIN
from engine.core.game import Move, Position, replay
from engine.games.connect4.agents.tuples import Tuples
from engine.games.connect4.rules import Connect4, Connect4Position
from tests.builders import RandomPosition

LOST = "512556753323727"
"""A game on 6x7 after which every column loses within three plies."""


def at(moves: str, size: str = "6x7") -> Connect4Position:
    """The position after a game."""
    game = Connect4.from_variant(size)
    return replay(game, game.moves(moves))  # type: ignore[return-value]


def labels(position: Position, moves: Sequence[Move]) -> str:
    """Moves as the table writes them."""
    return " ".join(position.game.label(move) for move in moves)


@pytest.mark.parametrize("fixed", [True, False])
def test_the_values_are_those_of_the_original(
    fixed: bool, student_tables: Mapping[str, list[dict[str, str]]]
) -> None:
    """On every row of the table, position, columns and choices have their values, fixed or not."""
    assert len(student_tables["tuples"]) == 120
    for row in student_tables["tuples"]:
        position = at(row["moves"])
        seen = Tuples(3, fixed).explain(position)
        values = " ".join(str(seen.values.get(Move(m), ".")) for m in range(7))
        explained = (str(seen.leaf), values, labels(position, seen.choices))
        assert explained == (row["leaf"], row["values"], row["choices"])


@pytest.mark.parametrize("fixed", [True, False])
def test_only_choices_of_the_original_are_played(
    fixed: bool, student_tables: Mapping[str, list[dict[str, str]]]
) -> None:
    """With any random numbers, the move made is one of the table's choices."""
    for row in student_tables["tuples"]:
        position = at(row["moves"])
        for seed in range(5):
            move = Tuples(3, fixed).choose(position, rng=Random(seed)).move
            assert position.game.label(move) in row["choices"].split()


@pytest.mark.parametrize(
    ("size", "moves", "depth", "expected", "score"),
    [
        # No player can have three in a line after three plies of an empty board.
        pytest.param("6x7", "", 3, "1234567", 0, id="nothing to choose by: chance, no centre"),
        pytest.param("5x4", "", 3, "1234", 0, id="on four columns"),
        pytest.param("6x7", "112233", 3, "4", WIN - 7, id="a win at once, by move 7"),
        pytest.param("8x8", "4455", 3, "36", WIN - 7, id="an open three wins by move 7"),
        # One ply: three in a row on columns 3-5 or 4-6 with stones of the other above two of them;
        # its empty ends on columns 2 and 6, or 3 and 7, are anchors: +1 each. The other has two in
        # a row only.
        pytest.param("6x7", "4455", 1, "36", 1 + 1, id="two anchors at one ply"),
        # The first player has columns 1-3 of the second row. Its open end in column 4 becomes an
        # anchor, -100, once a stone lies below it; nothing else counts yet.
        pytest.param("6x7", "3112273", 1, "123567", 0, id="not under the opponent's three"),
        pytest.param("6x7", "41315", 3, "1234567", 7 - WIN, id="lost by move 7 wherever it plays"),
    ],
)
def test_choices_by_hand(size: str, moves: str, depth: int, expected: str, score: int) -> None:
    """The agent plays the best move by its tuples, with the score that they sum up to."""
    position = at(moves, size)
    results = [Tuples(depth).choose(position, rng=Random(seed)) for seed in range(90)]
    assert {position.game.label(result.move) for result in results} == set(expected)
    assert {result.score.points for result in results} == {score}


@pytest.mark.parametrize("depth", [3, 5, 7])
def test_immediate_wins_are_played_and_prevented(
    depth: int, random_position: RandomPosition
) -> None:
    """On random positions of every size, it takes the first immediate win, else prevents one."""
    rng, agent, seen = Random(depth), Tuples(depth), Counter[str]()
    for _ in range(120):
        game = Connect4.from_variant(rng.choice(Connect4.SIZES))
        position = random_position(game, rng, rng.randrange(5, 30))
        after = {move: position.play(move) for move in position.legal_moves()}
        wins = [m for m, p in after.items() if p.outcome and p.outcome.winner]
        quiet = [
            m
            for m, p in after.items()
            if not any((q := p.play(reply).outcome) and q.winner for reply in p.legal_moves())
        ]
        move = agent.choose(position, rng=rng).move
        if wins:
            assert move == wins[0]
            seen["won"] += 1
        elif quiet:
            assert move in quiet
            seen["prevented"] += len(quiet) < len(after)
    assert min(seen["won"], seen["prevented"]) >= 5


def test_all_wins_have_the_same_value() -> None:
    """All wins count 4000: like the original, the agent may delay one."""
    position = at("515242")
    # Column 6 wins by move 9, column 5 by move 11.
    seen = Tuples(5).explain(position)
    assert labels(position, seen.choices) == "5 6"
    assert [seen.values[move] for move in seen.choices] == [4000, 4000]
    results = [Tuples(5).choose(position, rng=Random(seed)) for seed in range(40)]
    assert {result.score.points for result in results} == {WIN - 9, WIN - 11}


def test_a_lost_game_is_resisted_as_long_as_possible() -> None:
    """If every move loses, the one that loses latest is played, by a search that sees it."""
    position = at("12452642544")
    # Column 3 loses by move 13, every other column by move 15.
    assert (
        Tuples(5).choose(position.play(position.game.parse("3")), rng=Random(1)).score.points
        == WIN - 13
    )
    counts: Counter[str] = Counter()
    for seed in range(300):
        result = Tuples(5).choose(position, rng=Random(seed))
        assert result.score.points == 15 - WIN
        counts[position.game.label(result.move)] += 1
    assert counts.keys() == set("124567")
    assert all(count > 20 for count in counts.values())


def test_equal_losing_moves_remain_choices() -> None:
    """In a lost position all moves have equal values; the fix affects only the choice."""
    seen = Tuples(5).explain(at("12452642544"))
    assert set(seen.values.values()) == {-4000}
    assert len(seen.choices) == 7
    assert seen.chances == dict.fromkeys((0, 1, 3, 4, 5, 6), 1 / 6)


def test_the_original_prefers_moves_to_the_right() -> None:
    """The original plays the last of equal moves half of the time, also of those that lose."""
    for moves in ("", LOST):
        position = at(moves)
        agent = Tuples(3, fixed=False)
        seen = agent.explain(position)
        assert len(seen.choices) == 7
        assert seen.chances == {
            0: 1 / 64,
            1: 1 / 64,
            2: 1 / 32,
            3: 1 / 16,
            4: 1 / 8,
            5: 1 / 4,
            6: 1 / 2,
        }
        rng = Random(1)
        counts = Counter(agent.choose(position, rng=rng).move for _ in range(400))
        assert abs(counts.most_common()[0][1] - 200) < 40
        assert abs(counts.most_common()[1][1] - 100) < 35
        assert [move for move, _ in counts.most_common(2)] == [6, 5]


def test_a_finished_game_is_judged_but_has_no_moves() -> None:
    """A line of four counts 4000 and a full board 0, and neither has moves."""
    won, drawn = Tuples().explain(at("1212121")), Tuples().explain(at("1113233214423442", "4x4"))
    assert (won.leaf, won.values, won.choices, won.chances) == (-4000, {}, (), {})
    assert (drawn.leaf, drawn.values, drawn.choices) == (0, {}, ())


def test_the_name_includes_the_depth() -> None:
    """Agents of different depths have different names; the original's three plies are usual."""
    assert [Tuples(depth).name for depth in (3, 5, 7)] == ["tuples-3", "tuples-5", "tuples-7"]
    assert Tuples().name == "tuples-3"
    assert Tuples(fixed=False).name == "tuples-3-original"
