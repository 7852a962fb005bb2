"""The agent that evaluates a whole tree by wins and by long runs."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from random import Random

import pytest

from engine.core.compiled.scores import WON_BOUND
from engine.core.game import Move, replay
from engine.games.connect4.agents.greedy import Greedy
from engine.games.connect4.rules import Connect4, Connect4Position


def at(moves: str, size: str = "6x7") -> Connect4Position:
    """The position after a game."""
    game = Connect4.from_variant(size)
    return replay(game, game.moves(moves))  # type: ignore[return-value]


def test_the_values_are_those_of_the_original(
    student_tables: Mapping[str, list[dict[str, str]]],
) -> None:
    """On every row of the table, all columns have their values and the same column is played."""
    assert len(student_tables["greedy"]) == 120
    for row in student_tables["greedy"]:
        position = at(row["moves"])
        seen = Greedy().explain(position)
        values = " ".join(str(seen.values.get(Move(m), ".")) for m in range(7))
        choices = [position.game.label(move) for move in seen.choices]
        played = Greedy().choose(position, rng=Random(1)).move
        assert (values, choices) == (row["values"], [row["choices"]])
        assert position.game.label(played) == row["choices"]


def test_the_example_of_the_original() -> None:
    """After 445 the agent plays column 3, whose value is -96000002.8."""
    position = at("445")
    move = Greedy().choose(position, rng=Random(1)).move
    assert position.game.label(move) == "3"
    assert Greedy().explain(position).values[move] == Decimal("-96000002.8")


def test_an_immediate_win_is_taken() -> None:
    """Four in line count 1,000,000,000, more than any runs elsewhere."""
    position = at("63254213731")
    seen = Greedy().explain(position)
    assert [position.game.label(move) for move in seen.choices] == ["3"]
    assert seen.values[seen.choices[0]] == 1_000_000_000
    after = position.play(Greedy().choose(position, rng=Random(1)).move)
    assert after.outcome is not None
    assert after.outcome.winner is position.to_move


def test_an_immediate_loss_is_prevented() -> None:
    """A win of the opponent costs a fifth of a win: the one move that prevents it is played."""
    position = at("11223")
    assert Greedy().choose(position, rng=Random(1)).move == 3


def test_of_equal_moves_the_first_is_played() -> None:
    """On an empty board columns 2 to 6 are equal, and column 2 is always played."""
    start = Connect4().start()
    seen = Greedy().explain(start)
    assert [str(value) for value in seen.values.values()] == ["-0.480", *["-0.192"] * 5, "-0.480"]
    assert {Greedy().choose(start, rng=Random(seed)).move for seed in range(20)} == {1}
    assert seen.chances == {1: 1.0}


@pytest.mark.parametrize(("moves", "score"), [("112233", WON_BOUND), ("445", -WON_BOUND)])
def test_scores_stay_within_the_bounds_of_evaluations(moves: str, score: int) -> None:
    """Sums of fifths of wins prove nothing: scores are clipped to an evaluation's bounds."""
    result = Greedy().choose(at(moves), rng=Random(1))
    assert result.score.points == score
    assert not result.is_win
    assert not result.is_loss


def test_four_plies_are_grown() -> None:
    """From an empty board of seven columns, all 2,800 nodes of four plies are evaluated."""
    result = Greedy().choose(Connect4().start(), rng=Random(1))
    assert (result.depth, result.nodes) == (4, 7 + 49 + 343 + 2401)


def test_the_highest_value_of_a_small_tree_by_hand() -> None:
    """Three squares before the end of 4x4, a win ends its branch, and the other one continues."""
    seen = Greedy().explain(at("1422324412413", "4x4"))
    # The kernel's tests derive these values.
    assert {move: str(value) for move, value in seen.values.items()} == {
        0: "1.720",
        2: "1000000000.000",
    }
    assert (seen.depth, seen.nodes) == (3, 4)


def test_a_finished_game_has_no_values() -> None:
    """A finished game has no values, because the agent does not evaluate positions."""
    seen = Greedy().explain(at("1212121"))
    assert (seen.values, seen.choices, seen.chances, seen.leaf) == ({}, (), {}, None)


def test_the_original_plays_what_its_floating_point_numbers_say(
    student_tables: Mapping[str, list[dict[str, str]]],
) -> None:
    """On every row of the table but the empty board, it plays the document's column.

    Its values differ from the exact ones by rounding only, which decides between equal ones: the
    program of the document plays column 4 on the empty board.
    """
    original = Greedy(fixed=False)
    for row in student_tables["greedy"]:
        position = at(row["moves"])
        seen = original.explain(position)
        exact = Greedy().explain(position).values
        assert all(abs(seen.values[move] - exact[move]) < Decimal("0.0001") for move in exact)
        column = position.game.label(original.choose(position, rng=Random(1)).move)
        assert column == (row["choices"] if row["moves"] else "4")


def test_the_original_prints_the_value_of_its_document() -> None:
    """After 445 the value of column 3 is -96000002.80000001, to the last digit."""
    seen = Greedy(fixed=False).explain(at("445"))
    assert seen.agent == "greedy-original"
    assert seen.choices == (2,)
    assert seen.values[Move(2)] == Decimal("-96000002.80000001")
