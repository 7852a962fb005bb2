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
from engine.core.registry import game_called
from engine.core.values import Score

Play = Callable[..., list[str]]


@dataclass
class Prepared:
    """An agent that plays prepared moves."""

    moves: str
    name: str = "prepared"
    left: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        self.left = iter(self.moves.split() if " " in self.moves else self.moves)

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """The next prepared move."""
        move: Move = position.game.parse(next(self.left))
        return SearchResult(
            move, Score.from_stored(0, Player.FIRST, proven=False), 3, 0, 0.0, (move,)
        )


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Play a game with prepared input on both sides and return the printed lines."""

    def run(typed: str, prepared: str, *, size: str = "4x4", **options: bool) -> list[str]:
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        options = {"engine_first": False, **options}
        play_in_terminal(game_called(size), Prepared(prepared), **options)
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
    assert lines[-2].startswith("1 ")
    results = {"You win.", "You lose.", "A draw."}
    assert sum(line in results for line in lines) == 1


def test_the_board_has_coordinates_and_the_last_move_is_marked(play: Play) -> None:
    """Columns are numbered above, rows from the bottom; the last turn is in brackets."""
    lines = play("2\nq\n", "3", size="4x5")
    assert lines[2:8] == [
        "",
        "   1  2  3  4  5",
        "4  .  .  .  .  .",
        "3  .  .  .  .  .",
        "2  .  .  .  .  .",
        "1  .  .  .  .  .",
    ]
    assert "> prepared plays 3." in lines
    assert lines[-2] == "1  .  1 [2] .  ."


def test_squares_have_their_names_in_gato(play: Play) -> None:
    """Gato's rows are numbered from the top, so a1 is the corner at the top left."""
    lines = play("a1\nq\n", "b2 ", size="gato")
    assert lines[-6:-1] == [
        "   a  b  c  d",
        "1  1  .  .  .",
        "2  . [2] .  .",
        "3  .  .  .  .",
        "4  .  .  .  .",
    ]


def test_the_winning_line_is_marked(play: Play) -> None:
    """At the end the brackets are around the four in a row."""
    lines = play("1\n1\n1\n1\n", "222")
    assert [line[2:5] for line in lines[-5:-1]] == ["[1]"] * 4
    assert lines[-2] == "1 [1] 2  .  ."


def test_the_person_is_shown_their_side(play: Play) -> None:
    """The first line says which discs are the person's, against whom, and what can be typed."""
    assert play("q\n", "1")[0] == (
        "You are 1 against prepared. Type a move such as 1, or: hint, undo, help, quit."
    )
    assert play("q\n", "1", engine_first=True)[0].startswith("You are 2 against prepared.")


@pytest.mark.parametrize(
    ("size", "sign"), [("4x4", "\x1b[1;31m●\x1b[0m"), ("gato", "\x1b[1;31mX\x1b[0m")]
)
def test_discs_are_coloured(play: Play, size: str, sign: str) -> None:
    """In a terminal with colours discs and marks are coloured signs."""
    first = {"4x4": "1", "gato": "a4"}[size]
    lines = play(f"{first}\nq\n", "4 " if size == "4x4" else "d4 ", size=size, has_colours=True)
    assert lines[0].startswith(f"You are {sign} against")
    assert lines[-2].startswith(("1  " if size == "4x4" else "4  ") + sign)
    assert "\x1b[1;33m" in lines[-2]


def test_a_bomb_is_explained_and_has_a_sign(play: Play) -> None:
    """BOOM begins with its rules; each move of a turn and the state of the bomb are said."""
    typed = "1\n1\n1\n2\n2\n2\n3\nq\n"
    lines = play(typed, "7 7 7 6 6 6 5 5 ", size="boom")
    assert lines[1].startswith("Get four of your discs in a row. The first player begins")
    assert "Move 1 of 1. Turns until your next bomb: 3." in lines
    assert "Move 2 of 2. Turns until your next bomb: 2." in lines
    assert "Move 1 of 2. This disc is a bomb." in lines
    assert "Move 2 of 2. You can set off your bomb: type boom." in lines


@pytest.mark.parametrize(
    ("size", "typed", "prepared", "said"),
    [
        ("4x4", "x\n", "", "I don't understand 'x'. Type a move (1, 2, 3, 4), or: hint, undo, "),
        ("4x4", "9\n", "", "I don't understand '9'."),
        ("4x4", "1\n1\n1\n", "11", "You cannot play 1: the column is full. You can play 2, 3, 4."),
        ("gato", "a1\na1\n", "b2 ", "You cannot play a1: the square is taken. You can play b1, "),
        ("boom", "boom\n", "", "You cannot play B: you have no bomb on the board. You can play 1"),
    ],
)
def test_a_bad_move_is_refused_in_words(
    play: Play, size: str, typed: str, prepared: str, said: str
) -> None:
    """Text that is not a legal move is answered with why, and with what can be typed."""
    lines = play(f"{typed}\nq\n", prepared, size=size)
    assert any(line.removeprefix("> ").startswith(said) for line in lines)


def test_a_turn_is_taken_back(play: Play) -> None:
    """`undo` goes back to the person's previous move; before the first there is none."""
    lines = play("undo\n1\n2\nundo\nundo\nq\n", "34")
    assert "> There is no move of yours to take back." in lines
    assert lines.count("> Your last move is taken back.") == 2
    assert lines[-5:-1] == [f"{row}  .  .  .  ." for row in "4321"]


def test_a_hint_is_a_winning_move(play: Play) -> None:
    """`hint` names a good move, and says if it wins or if every move loses."""
    lines = play("1\n1\n1\nhint\nq\n", "234")
    assert "> Hint: 1. It wins." in lines
    lines = play("3\n4\n4\nhint\nq\n", "2131", engine_first=True, size="4x5")
    assert any(line.startswith("> Hint: ") for line in lines)


def test_help_explains_the_rules(play: Play) -> None:
    """`help` says the rules, all moves, and what else can be typed."""
    lines = play("help\nq\n", "", size="gato")
    assert "> Take an empty square. Get four of yours in a row, a column or a diagonal." in lines
    assert any(line.startswith("Moves: a1, b1, ") for line in lines)


@pytest.mark.parametrize(
    "typed", ["q\n", " q \n", "quit\n", "", "1\n"], ids=["q", " q ", "quit", "end", "end later"]
)
def test_the_person_can_quit(play: Play, typed: str) -> None:
    """Typing q, or the end of the input, ends the game without a result."""
    lines = play(typed, "2")
    assert lines[-1] == "> "
    assert not {"You win.", "You lose.", "A draw."} & set(lines)
