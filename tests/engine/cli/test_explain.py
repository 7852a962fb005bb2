"""The command `python -m engine explain`."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from tests.builders import Output
from tests.engine.tables import rows_of

DATA = Path(__file__).parents[1] / "data" / "students"
Explain = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def explain(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> Explain:
    """Run the command on lines of input and return its lines of output."""

    def run(game: str, agent: str, *lines: str, status: int = 0) -> list[dict[str, Any]]:
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))
        assert main(["explain", game, "--agent", agent]) == status
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def text_of(values: list[int | str | None]) -> str:
    """Values in the notation of the tables."""
    return " ".join("." if value is None else str(value) for value in values)


def test_greedy_agrees_with_its_table(explain: Explain) -> None:
    """Every row of `greedy`'s table is a line of output, with the same decimals."""
    rows = rows_of(DATA / "greedy.csv")
    answers = explain("6x7", "greedy", *(row["moves"] or "-" for row in rows))
    assert [answer["moves"] for answer in answers] == [row["moves"] or "-" for row in rows]
    assert [text_of(answer["values"]) for answer in answers] == [row["values"] for row in rows]
    assert [answer["choices"] for answer in answers] == [[row["choices"]] for row in rows]


@pytest.mark.parametrize("agent", ["tuples", "tuples-3", "tuples-3-original"])
def test_tuples_agree_with_their_tables(agent: str, explain: Explain) -> None:
    """Every row of a `tuples` table is a line of output: position, columns and choices."""
    rows = rows_of(DATA / "tuples.csv")
    answers = explain("6x7", agent, *(row["moves"] or "-" for row in rows))
    found = [
        (str(answer["leaf"]), text_of(answer["values"]), " ".join(answer["choices"]))
        for answer in answers
    ]
    assert found == [(row["leaf"], row["values"], row["choices"]) for row in rows]


def test_tokens_agree_with_their_table(explain: Explain) -> None:
    """Every row of `tokens`' table is a line of output with both players' values."""
    rows = rows_of(DATA / "tokens.csv")
    answers = explain("boom", "tokens-2", *(row["moves"] or "-" for row in rows))
    expected = [[int(row["first"]), int(row["second"])] for row in rows]
    assert [answer["leaf"] for answer in answers] == expected
    for row, answer in zip(rows, answers, strict=True):
        assert (answer["choices"] == []) == (row["winner"] != "0")


def test_a_line_has_these_fields(explain: Explain) -> None:
    """A line repeats the moves as given, and has a value or null for every move of the game."""
    (answer,) = explain("6x7", "tuples-1", "333333")
    assert list(answer) == ["moves", "leaf", "values", "choices", "chances"]
    assert (answer["moves"], answer["leaf"]) == ("333333", 0)
    assert answer["values"] == [0, 0, None, 0, 0, 0, 0]
    assert answer["chances"] == {column: pytest.approx(1 / 6) for column in "124567"}
    (boom,) = explain("boom", "tokens-3", "355552174526")
    assert boom["choices"] == ["B"]
    assert None not in boom["values"]
    assert len(boom["values"]) == 8
    (gato,) = explain("gato", "lines-2", "a1")
    assert len(gato["values"]) == 16
    assert gato["values"].count(None) == 1


def test_the_empty_board_is_a_dash_or_an_empty_line(explain: Explain) -> None:
    """Each line of input has a line of output; surrounding spaces are ignored."""
    answers = explain("6x7", "greedy", "-", "", " 4 ")
    assert [answer["moves"] for answer in answers] == ["-", "", "4"]
    assert answers[0]["values"] == answers[1]["values"]


@pytest.mark.parametrize("agent", ["window-2", "medium", "rung-1", "perfect"])
def test_other_agents_use_the_engines_scale(agent: str, explain: Explain) -> None:
    """Levels, rungs and `window` give whole numbers on the engine's scale, wins included."""
    (answer,) = explain("5x4", agent, "112233")
    assert answer["values"][3] == 10_000 - 7
    assert answer["choices"] == ["4"]


def test_an_invalid_game_is_reported_and_skipped(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An invalid game is reported and gives status 2, and the other lines are answered."""
    monkeypatch.setattr("sys.stdin", StringIO("4\n8\n1111111\n44\n"))
    assert main(["explain", "6x7", "--agent", "greedy"]) == 2
    printed = capsys.readouterr()
    assert [json.loads(line)["moves"] for line in printed.out.splitlines()] == ["4", "44"]
    assert "line 2: '8' is not a move" in printed.err
    assert "line 3: move 1 is not allowed: the column is full" in printed.err


@pytest.mark.parametrize(
    ("game", "agent"),
    [("6x7", "nobody"), ("gato", "greedy"), ("6x7", "rung-99"), ("6x7", "tuples-0"), ("6x7", "")],
)
def test_an_unknown_agent_is_reported(game: str, agent: str, capsys: Output) -> None:
    """An agent that this game does not have exits with 2 and a list of the game's agents."""
    assert main(["explain", game, "--agent", agent]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert repr(agent) in printed.err
    assert "hard" in printed.err
