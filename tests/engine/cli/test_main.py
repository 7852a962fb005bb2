"""The engine's command line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from io import StringIO

import pytest

from engine.cli.main import main
from engine.core.game import UnknownVariant
from engine.core.registry import game_called, game_of
from engine.games.connect4.rules import Connect4
from engine.strength.agent import Strength
from engine.strength.ladder import ladder_of
from engine.strength.roster import LEVELS
from tests.builders import ROOT, Output


def status_of(arguments: list[str]) -> int | str | None:
    """The exit status of a command, whether it returns or raises SystemExit."""
    try:
        return main(arguments)
    except SystemExit as leaving:
        return leaving.code


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the engine in a process of its own."""
    command = [sys.executable, "-m", "engine", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, cwd=ROOT
    )


def test_perft_prints_a_line_a_depth(capsys: Output) -> None:
    """`perft` prints each depth from 0 with its number of move sequences."""
    assert main(["perft", "6x7", "8"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["0 1", "1 7", "2 49"]
    assert lines[-1] == "8 5673234"
    assert len(lines) == 9


def test_the_engine_runs_as_a_program() -> None:
    """`python -m engine` runs the command line and returns its exit status."""
    found = program("perft", "4x4", "3")
    assert (found.returncode, found.stdout, found.stderr) == (0, "0 1\n1 4\n2 16\n3 64\n", "")
    found = program("move", "6x7", "8")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "python -m engine: '8' is not a move: expected 1-7\n"


@pytest.mark.parametrize("level", [name for name in LEVELS if name != "easy"])
def test_move_prints_its_choice_as_json(level: str, capsys: Output) -> None:
    """`move` prints one JSON object with the move, its score and the effort."""
    assert main(["move", "6x7", "112233", "--level", level, "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    answer = json.loads(out)
    assert list(answer) == ["move", "score", "depth", "nodes", "seconds", "line", "proven"]
    assert answer["move"] == "4"
    assert answer["score"] == 10_000 - 7
    assert answer["line"] == ["4"]
    assert answer["depth"] >= 1
    assert answer["nodes"] >= 0
    assert 0 <= answer["seconds"] < 60
    assert answer["proven"] is (level == "perfect")


def test_move_answers_on_an_empty_board(capsys: Output) -> None:
    """An empty string of moves is the start of the game; `hard` searches to its rung's depth."""
    assert main(["move", "5×4", ""]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["move"] in {"1", "2", "3", "4"}
    hard = ladder_of(Connect4(5, 4)).named("hard").agent
    assert isinstance(hard, Strength)
    assert answer["depth"] == hard.depth
    assert answer["line"][0] == answer["move"]
    assert answer["nodes"] > 0


def test_a_seed_makes_a_move_repeatable(capsys: Output) -> None:
    """The same seed always gives the same move; other seeds give other moves."""
    chosen = []
    for seed in [*range(10), *range(10)]:
        assert main(["move", "6x7", "", "--level", "easy", "--seed", str(seed)]) == 0
        chosen.append(json.loads(capsys.readouterr().out)["move"])
    assert chosen[:10] == chosen[10:]
    assert len(set(chosen)) > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["move", "3x3", ""], "'3x3' is not a variant"),
        (["move", "", ""], "'' is not a variant"),
        (["perft", "6x7x8", "2"], "'6x7x8' is not a variant"),
        (["play", "9x9"], "'9x9' is not a variant"),
        (["move", "6x7", "48"], "'8' is not a move: expected 1-7"),
        (["move", "6x7", "4a"], "'a' is not a move: expected 1-7"),
        (["move", "4x4", "11111"], "move 1 is not allowed: the column is full"),
        (["move", "6x7", "12121212"], "move 2 is not allowed: the game is over"),
        (["move", "6x7", "1212121"], "the game is over"),
        (["move", "4x4", "1113233214423442"], "the game is over"),
        (["perft", "6x7", "-1"], "-1"),
        (["perft", "6x7", "two"], "'two' is not a whole number"),
        (["move", "6x7", "", "--level", "grand"], "grand"),
        (["move", "6x7", "", "--seed", "x"], "seed"),
        (["dance"], "dance"),
        ([], "COMMAND"),
    ],
    ids=" ".join,
)
def test_input_that_cannot_be_used_exits_with_2(
    arguments: list[str], message: str, capsys: Output
) -> None:
    """Unusable input prints only a message on standard error, and the exit status is 2."""
    assert status_of(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert "Traceback" not in printed.err


def test_solve_answers_line_by_line(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """`solve` prints moves, score, nodes and microseconds of each game on standard input."""
    monkeypatch.setattr("sys.stdin", StringIO("274552224131661\n\n  5455174361263362 7\n"))
    assert main(["solve", "6x7"]) == 0
    lines = [line.split(" ") for line in capsys.readouterr().out.splitlines()]
    assert [line[:2] for line in lines] == [["274552224131661", "0"], ["5455174361263362", "-1"]]
    assert all(len(line) == 4 and int(line[2]) > 0 and int(line[3]) > 0 for line in lines)


def test_solve_prints_the_scores_of_all_columns(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `--all` there is a score for each column from the left, and a dot for a full one."""
    monkeypatch.setattr("sys.stdin", StringIO("1111\n"))
    assert main(["solve", "4x4", "--all"]) == 0
    line = capsys.readouterr().out.split()
    assert line[0] == "1111"
    assert line[1] == "."
    assert len(line) == 1 + 4 + 2
    assert max(map(int, line[2:5])) == 0


@pytest.mark.parametrize("threads", ["0", "65", "two"])
def test_solve_refuses_a_useless_number_of_threads(threads: str, capsys: Output) -> None:
    """Of 1 to 64 threads any number may share a position; others are refused before any work."""
    assert status_of(["solve", "4x4", "--threads", threads]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"not {threads}" in printed.err or f"'{threads}'" in printed.err


def test_solve_continues_after_a_bad_line(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unusable lines are named on standard error; the others are answered."""
    monkeypatch.setattr("sys.stdin", StringIO("112\n9\n11111\n12121212\n1212121\n4x\n223\n"))
    assert main(["solve", "4x4"]) == 2
    printed = capsys.readouterr()
    assert [line.split()[0] for line in printed.out.splitlines()] == ["112", "223"]
    errors = printed.err.splitlines()
    assert [line.split(": ")[1] for line in errors] == [f"line {n}" for n in (2, 3, 4, 5, 6)]
    assert "'9' is not a move: expected 1-4" in errors[0]
    assert "the game is over" in errors[3]


def test_bench_prints_its_signature(capsys: Output) -> None:
    """`bench` prints the nodes of each position, their sum for each game, and the speed."""
    assert main(["bench"]) == 0
    printed = capsys.readouterr().out.splitlines()
    totals: dict[str, int] = {}
    for line in printed:
        found = re.fullmatch(r"(\w+) .* depth +\d+ +([\d,]+) nodes +[\d,]+ nodes/s", line)
        if found:
            totals[found[1]] = totals.get(found[1], 0) + int(found[2].replace(",", ""))
    *signatures, rate = printed[-len(totals) - 1 :]
    assert len(totals) > 1
    assert signatures == [f"signature {game} {nodes}" for game, nodes in totals.items()]
    assert re.fullmatch(r"nodes/s [\d,]+", rate)


@pytest.mark.parametrize("second", [False, True])
def test_play_is_a_game_to_the_end(
    second: bool, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`play` runs to the end of the game against the named level, whichever side begins."""
    monkeypatch.setattr("sys.stdin", StringIO("1\n2\n3\n4\n" * 20))
    arguments = ["play", "4x4", "--level", "easy", *(["--second"] if second else [])]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"You are {2 if second else 1} against easy.")
    assert any(line.removeprefix("> ").startswith("easy plays ") for line in lines)
    assert lines[-1] in {"A draw.", "You win.", "You lose."}


def test_play_can_be_quit(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typing q ends the game with status 0."""
    monkeypatch.setattr("sys.stdin", StringIO("4\nq\n"))
    assert main(["play", "6x7"]) == 0
    out = capsys.readouterr().out
    assert "You are 1 against medium." in out
    assert not re.search("You win|You lose|A draw", out)


@pytest.mark.parametrize("command", ["perft", "move", "solve", "explain", "bench", "play", "book"])
def test_every_command_explains_itself(command: str, capsys: Output) -> None:
    """The general help lists each command, and each command has its own help."""
    assert status_of(["--help"]) == 0
    assert command in capsys.readouterr().out
    assert status_of([command, "--help"]) == 0
    assert f"python -m engine {command}" in capsys.readouterr().out


def test_replay_prints_a_state_a_line(capsys: Output) -> None:
    """`replay` prints one JSON object for the start and each move."""
    assert main(["replay", "gato", "a1b2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["ply"] for line in lines] == [0, 1, 2]
    assert json.loads(lines[-1])["board"] == "1.../.2../..../...."
    assert lines[0].startswith('{"ply":0,"board":"..../..../..../....","to_move":1,"legal":["a1",')


def test_replay_reports_an_illegal_move(capsys: Output) -> None:
    """After an illegal move `replay` prints an error and exits with status 2."""
    assert main(["replay", "boom", "4B"]) == 2
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 2
    assert "not allowed: you have no bomb on the board" in captured.err


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (["perft", "boom", "3"], "3 343"),
        (["perft", "boom:7x7-draw", "2", "44"], "2 49"),
        (["perft", "gato", "3"], "3 3360"),
        (["perft", "gato", "2", "a1"], "2 210"),
        (["perft", "6x7", "2", "444444"], "2 36"),
    ],
)
def test_perft_counts_any_game_from_any_position(
    arguments: list[str], last: str, capsys: Output
) -> None:
    """`perft` takes any game and an optional list of moves to begin from."""
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[-1] == last


def test_an_argument_names_a_game() -> None:
    """On the command line a game's key means its usual variant, and a bare size means Connect 4."""
    assert game_called("boom") == game_of("boom", "7x7")
    assert game_called("boom:7x7-draw").variant == "7x7-draw"
    assert game_called("5x4") == game_of("connect4", "5x4")
    for text in ("chess", "gato:5x5", "boom:", ""):
        with pytest.raises(UnknownVariant):
            game_called(text)
