"""The check of the solver against every position, on the smallest board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.exhaustive import check, describe, drawing, main
from benchmarks.exhaustive_truth import Truth
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.compiled.rules import ALL

GAME = Connect4(4, 4)
BITS = 10


@pytest.fixture(scope="module")
def truth() -> Truth:
    """Every position with its score, as the benchmark lists them."""
    return Truth.of(GAME)


def key_of(position: Connect4Position) -> int:
    """The key of a position: five bits for each column, the highest set one being the guard."""
    key = 0
    for move in GAME.columns_as_moves:
        first = (position.first >> (8 * move)) & 0xFF
        key |= (first | (1 << position.height(move))) << (5 * move)
    return key


def position_of(key: int) -> Connect4Position:
    """The position of a key, in which no side has won."""
    first = second = 0
    for move in GAME.columns_as_moves:
        column = (key >> (5 * move)) & 0x1F
        stones = (1 << (column.bit_length() - 1)) - 1
        first |= (column & stones) << (8 * move)
        second |= (stones & ~column) << (8 * move)
    return replace(GAME.start(), first=first, second=second)


def falsified(truth: Truth, key: int) -> Truth:
    """The same truth with the score of one position one too high."""
    scores = truth.scores.copy()
    scores[key] += 1
    return Truth(truth.game, truth.board, truth.layers, scores, truth.won)


def test_scores_follow_from_the_rules_of_the_game(truth: Truth) -> None:
    """A position has the score of its best child; a four loses, and a full board is a draw."""
    rng = np.random.default_rng(1)
    assert truth.layers[0].tolist() == [key_of(GAME.start())]
    for stones, layer in enumerate(truth.layers[:-1]):
        following = set(truth.layers[stones + 1].tolist())
        for key in rng.choice(layer, min(100, layer.size), replace=False).tolist():
            position = position_of(key)
            assert (position.ply, key_of(position)) == (stones, key)
            best = -99
            for child in (position.play(move) for move in position.legal_moves()):
                score = int(truth.scores[key_of(child)])
                won = child.outcome is not None and child.outcome.winner is not None
                assert (key_of(child) in following) is not won
                if child.outcome is not None:
                    assert score == (-((16 + 2 - child.ply) // 2) if won else 0)
                best = max(best, -score)
            assert truth.scores[key] == best


def test_there_are_as_many_positions_as_published(truth: Truth) -> None:
    """Including won positions there are 161,029, the published count for this board."""
    assert (truth.positions, truth.positions + truth.won) == (139_625, 161_029)
    assert [layer.size for layer in truth.layers] == [
        *(1, 4, 16, 52, 160, 436, 1128, 2452, 5036, 8756),
        *(14352, 19498, 24710, 23804, 20894, 12990, 5336),
    ]


def test_no_answer_is_wrong(truth: Truth) -> None:
    """Every unfinished position is queried at least twice, and all results are right."""
    tallies = list(check(truth, ALL, BITS))
    assert [tally.positions for tally in tallies] == [layer.size for layer in truth.layers[:-1]]
    assert all(2 * tally.positions <= tally.asked <= 4 * tally.positions for tally in tallies)
    assert not any(tally.wrong for tally in tallies)


@pytest.mark.parametrize("stones", [0, 7, 15])
def test_one_wrong_score_is_found(truth: Truth, stones: int) -> None:
    """A position with a different score than the solver's is reported."""
    layer = truth.layers[stones]
    key = int(layer[layer.size // 2])
    other = falsified(truth, key)
    tallies = list(check(other, ALL, BITS))
    assert [tally.stones for tally in tallies if tally.wrong] == [stones]
    fault = tallies[stones].fault
    assert fault
    assert fault[0] == key
    assert f"is worth {other.scores[key]};" in describe(other, tallies[stones])


def test_a_position_is_printed() -> None:
    """A printed position shows the stones of both players from the top."""
    position = GAME.start()
    for move in GAME.moves("1123"):
        position = position.play(move)
    expected = ". . . .\n. . . .\nO . . .\nX X O ."
    assert drawing(GAME, key_of(position)) == expected


def test_the_command_prints_a_line_per_layer_and_the_sum(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """If no answer is wrong the exit status is 0; `--rules` leaves out each rule once."""
    assert main(["4x4", "--rules", "--table-bits", str(BITS)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "4x4: 139,625 positions without a four, 21,404 with one"
    assert "| 15 | 12,990 | 0 |" in lines
    assert sum(line.startswith("without ") for line in lines) == 10
    assert lines[-1].startswith("134,289 positions, 3,724,842 questions, 0 wrong, ")


def test_the_command_fails_if_an_answer_is_wrong(
    truth: Truth, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit status is 1, and the position is printed."""
    other = falsified(truth, int(truth.layers[0][0]))
    monkeypatch.setattr(Truth, "of", lambda game, report: other)
    assert main(["4x4", "--table-bits", str(BITS)]) == 1
    assert "is worth 1; wrong when asked if it is worth more than 0" in capsys.readouterr().out


def test_boards_that_do_not_fit_into_memory_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command says so instead of trying."""
    with pytest.raises(SystemExit):
        main(["4x7"])
    assert "4x7 has too many positions" in capsys.readouterr().err
