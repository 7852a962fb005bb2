"""A game in the terminal, with prepared input."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from random import Random

import pytest

from engine.cli.terminal import play_in_terminal
from engine.core.analysis import SearchResult
from engine.core.game import Move, Player, Position
from engine.core.limits import Stop
from engine.core.values import Score
from engine.games.connect4.rules import Connect4

Play = Callable[..., list[str]]


@dataclass
class Prepared:
    """An agent that plays prepared moves."""

    moves: str
    name: str = "prepared"
    left: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        self.left = iter(self.moves)

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """The next prepared move."""
        move: Move = position.game.parse(next(self.left))
        return SearchResult(
            move, Score.from_stored(0, Player.FIRST, proven=False), 3, 0, 0.0, (move,)
        )


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Play a game with prepared input on both sides and return the printed lines."""

    def run(
        typed: str, prepared: str, *, engine_first: bool = False, size: str = "4x4"
    ) -> list[str]:
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        game = Connect4.from_variant(size)
        play_in_terminal(game, Prepared(prepared), engine_first=engine_first)
        return capsys.readouterr().out.splitlines()

    return run


@pytest.mark.parametrize(
    ("typed", "prepared", "engine_first", "verdict"),
    [
        ("1\n1\n1\n1\n", "222", False, "You win."),
        ("1\n1\n3\n4\n", "2222", False, "You lose."),
        ("2\n2\n2\n2\n", "1113", True, "You win."),
        ("2\n2\n2\n", "1111", True, "You lose."),
        ("1\n1\n2\n3\n1\n4\n3\n4\n", "13324242", False, "A draw."),
    ],
)
def test_a_game_is_played_to_its_end(
    play: Play, typed: str, prepared: str, engine_first: bool, verdict: str
) -> None:
    """The game ends with the final board and the result."""
    lines = play(typed, prepared, engine_first=engine_first)
    assert lines[-1] == verdict
    assert lines[-2] == "1 2 3 4"
    assert sum("You " in line or "A draw" in line for line in lines) == 2


def test_the_board_is_shown_before_every_move(play: Play) -> None:
    """Each board is printed between an empty line and the labels of its columns."""
    lines = play("2\nq\n", "3", size="4x5")
    assert lines[0] == "You are 1. Type a move such as 1, or q."
    assert lines[1:7] == ["", *[". . . . ."] * 4, "1 2 3 4 5"]
    assert lines[7] == "> "
    assert lines[8:13] == [*[". . . . ."] * 3, ". 1 . . .", "1 2 3 4 5"]
    assert "prepared: 3 (depth 3)" in lines
    assert lines[-3:-1] == [". 1 2 . .", "1 2 3 4 5"]


def test_the_person_is_shown_their_side(play: Play) -> None:
    """If the engine begins, the person is called the second player."""
    assert play("q\n", "1", engine_first=True)[0].startswith("You are 2.")


def test_a_bad_move_is_asked_for_again(play: Play) -> None:
    """Text that is not a legal move is explained, and the question repeated."""
    lines = play("1\nx\n9\n\n1\n1\nq\n", "11")
    errors = [line.removeprefix("> ") for line in lines if "move" in line][1:]
    assert errors == [
        "'x' is not a move: expected 1-4",
        "'9' is not a move: expected 1-4",
        "'' is not a move: expected 1-4",
        "move 1 is not allowed: full",
    ]


@pytest.mark.parametrize("typed", ["q\n", " q \n", "", "1\n"], ids=["q", " q ", "end", "end later"])
def test_the_person_can_quit(play: Play, typed: str) -> None:
    """Typing q, or the end of the input, ends the game without a result."""
    lines = play(typed, "2")
    assert lines[-1] == "> "
    assert not {"You win.", "You lose.", "A draw."} & set(lines)
