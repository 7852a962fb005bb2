"""The command `python -m engine review`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.cli.main import main
from engine.core.game import replay
from engine.games.connect4.rules import Connect4
from engine.games.connect4.solver import Solver
from tests.builders import Output


def printed_lines(capsys: Output, *arguments: str) -> list[dict[str, Any]]:
    """Run the command and return its lines of output."""
    assert main(["review", *arguments, "--seconds", "20"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_line_a_move_and_both_accuracies(capsys: Output) -> None:
    """Each move has a line with its values; the last line has both accuracies."""
    *moves, last = printed_lines(capsys, "6x7", "445")
    assert moves == [
        expected_line("4", 1, 1, 1, ["4"], "best"),
        expected_line("4", 2, -1, -1, ["4"], "best"),
        expected_line("5", 1, -2, 1, ["4"], "blunder"),
    ]
    assert set(last) == {"accuracy"}
    first, second = last["accuracy"]
    assert 0 < first < second == 100


def expected_line(
    move: str, player: int, value: int, best: int, moves: list[str], kind: str
) -> Any:
    """The expected line of a proven move."""
    return {
        "move": move,
        "player": player,
        "value": value,
        "best": best,
        "best_moves": moves,
        "class": kind,
        "depth": None,
    }


def test_the_values_are_those_of_solve_all(capsys: Output) -> None:
    """The values of each move and of the best one are those that `solve --all` prints."""
    game, text = Connect4(5, 4), "1212344132"
    solver = Solver(game)
    for ply, line in enumerate(printed_lines(capsys, "5x4", text)[:-1]):
        position = replay(game, game.moves(text)[:ply])
        scores = {game.label(m): s.score for m, s in solver.solve_moves(position).items()}
        best = max(score for score in scores.values() if score is not None)
        assert (line["move"], line["player"]) == (text[ply], ply % 2 + 1)
        assert (line["value"], line["best"]) == (scores[text[ply]], best)
        assert line["best_moves"] == [move for move, score in scores.items() if score == best]


def test_unproven_values_are_null(capsys: Output) -> None:
    """Unproven values are null and come with their depth, as at the beginning of a BOOM game."""
    *moves, _ = printed_lines(capsys, "boom", "4433461461167")
    assert moves[0]["value"] is moves[0]["best"] is None
    assert moves[0]["depth"] > 3
    assert moves[11]["best"] == (200 + 2 - 13) // 2
    assert all(line["class"] for line in moves)


def test_gato_counts_in_its_own_stones(capsys: Output) -> None:
    """In Gato, a win with the seventh of sixteen stones is a win with the fifth last of eight."""
    *moves, _ = printed_lines(capsys, "gato", "a1b1a2b2a3c4a4")
    assert (moves[-1]["value"], moves[-1]["depth"]) == (5, None)


def test_a_game_without_moves_has_no_accuracies(capsys: Output) -> None:
    """For a game without moves only the last line is printed, with null accuracies."""
    assert printed_lines(capsys, "6x7", "") == [{"accuracy": [None, None]}]


@pytest.mark.parametrize("moves", ["9", "4444444"])
def test_bad_games_are_refused(moves: str, capsys: Output) -> None:
    """For an invalid game only an error is printed, and the status is 2."""
    assert main(["review", "6x7", moves]) == 2
    output = capsys.readouterr()
    assert (output.out, bool(output.err)) == ("", True)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "x"])
def test_seconds_must_be_a_time(seconds: str) -> None:
    """The parser refuses a time limit that is not a positive number."""
    with pytest.raises(SystemExit) as ended:
        main(["review", "6x7", "4", "--seconds", seconds])
    assert ended.value.code == 2
