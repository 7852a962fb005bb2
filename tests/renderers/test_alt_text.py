"""The alternative texts of boards and cards: sufficient to play by, within the limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.game import Cell, Player, Square
from renderers import (
    AltPhrases,
    BoardScene,
    Movement,
    MoveValue,
    Outlook,
    ThreatMark,
    Turn,
    board_alt_text,
)

LIMIT = 1024
PHRASES = AltPhrases(
    players="{first} is 1, {second} is 2, 0 is empty.",
    lettered="{first} is {one}, {second} is {two}.",
    row="Row {row}: {cells}.",
    stones="{sign}: {squares}.",
    free="The others are free.",
    all_free="All are free.",
    empty_row="Row {row}: empty.",
    empty_rows="Rows {first} to {last}: empty.",
    bombs="A and B are bombs of 1 and 2.",
    last="Last move by {name}: {moves}.",
    then=", then ",
    act="{word} at {square}",
    line="Winning squares: {squares}.",
    square="column {column} row {row}",
    hint="Hint: {square}.",
    worths="Values: {values}.",
    marked="Marked: {squares}.",
    threats="Threats of {name}: {squares}.",
    now="{square} (now)",
)
words = st.text(max_size=120)
cells = st.sampled_from(list(Cell))


def turn(player: Player, *movements: Movement) -> Turn:
    """The latest turn of a game."""
    return Turn(player, movements)


def test_a_position_is_read_from_the_bottom(scene: BoardScene) -> None:
    """Rows are counted and read from the bottom; the engine's figures are left out."""
    scene = replace(scene, turn=turn(Player.SECOND, Movement(Square(2, 3))))
    assert board_alt_text(scene, PHRASES) == (
        "Ángela Ñúñez is 1, Cuatro (medio) is 2, 0 is empty. Ángela Ñúñez to move. "
        "Row 1: 0 1 2 1 2 2 1. Row 2: 0 0 2 1 1 2 0. Row 3: 0 0 1 1 2 0 0. Row 4: 0 0 0 2 0 0 0. "
        "Rows 5 to 6: empty. Last move by Cuatro (medio): column 4 row 4."
    )


def test_a_finished_game_has_its_line(
    make_scene: Callable[..., BoardScene],
) -> None:
    """The winning squares are listed from the bottom."""
    scene = make_scene(
        "....\n1...\n12..\n121.\n1222",
        active=None,
        status="Ana wins!",
        names=("Ana", "Bo"),
        footer="0.1 s",
        turn=turn(Player.FIRST, Movement(Square(1, 0))),
        line=frozenset(Square(row, 0) for row in range(1, 5)),
    )
    assert board_alt_text(scene, PHRASES) == (
        "Ana is 1, Bo is 2, 0 is empty. Ana wins! Row 1: 1 2 2 2. Row 2: 1 2 1 0. Row 3: 1 2 0 0. "
        "Row 4: 1 0 0 0. Row 5: empty. Last move by Ana: column 1 row 4. Winning squares: "
        "column 1 row 1, column 1 row 2, column 1 row 3, column 1 row 4."
    )


def test_squares_are_called_by_their_names(make_scene: Callable[..., BoardScene]) -> None:
    """If rows have names, nothing is described by rows: squares are called by their names."""
    scene = make_scene(
        "....\n....\n....\n1...",
        column_labels=("a", "b", "c", "d"),
        row_labels=("4", "3", "2", "1"),
        hint=frozenset({Square(3, 2)}),
        marked=frozenset({Square(3, 1)}),
    )
    text = board_alt_text(scene, PHRASES)
    assert "to move. 1: a1. The others are free. Hint: c1. Marked: b1." in text


def test_squares_have_names_if_rows_have(
    make_scene: Callable[..., BoardScene],
) -> None:
    """If rows have names, the last move and the winning squares are called by square names."""
    scene = make_scene(
        "1...\n21..\n2.1.\n2..1",
        column_labels=("a", "b", "c", "d"),
        row_labels=("1", "2", "3", "4"),
        turn=turn(Player.FIRST, Movement(Square(1, 1))),
        line=frozenset(Square(index, index) for index in range(4)),
    )
    text = board_alt_text(scene, PHRASES)
    assert "Last move by Ángela Ñúñez: b2. Winning squares: a1, b2, c3, d4." in text


def test_letters_are_listed_with_their_squares(make_scene: Callable[..., BoardScene]) -> None:
    """If stones have letters, the squares of each are listed, and an empty board says so."""
    scene = make_scene(
        "....\n.12.\n....\n....",
        column_labels=("a", "b", "c", "d"),
        row_labels=("1", "2", "3", "4"),
        names=("Ana", "Bo"),
        marks=("X", "O"),
        turn=turn(Player.SECOND, Movement(Square(1, 2))),
    )
    assert board_alt_text(scene, PHRASES) == (
        "Ana is X, Bo is O. Ángela Ñúñez to move. X: b2. O: c2. The others are free. "
        "Last move by Bo: c2."
    )
    empty = replace(scene, cells=((Cell.EMPTY,) * 4,) * 4, turn=None)
    assert board_alt_text(empty, PHRASES).endswith("to move. All are free.")
    full = replace(scene, cells=((Cell.FIRST,) * 4,) * 4)
    assert "free" not in board_alt_text(full, PHRASES)


def test_every_movement_of_a_turn_is_in_one_sentence(
    make_scene: Callable[..., BoardScene],
) -> None:
    """Movements are listed in order; one that puts no stone has a word for its effect."""
    done = (Movement(Square(3, 2)), Movement(Square(2, 1), "BOOM"))
    scene = make_scene("....\n....\n....\n1122", turn=turn(Player.FIRST, *done))
    expected = "Last move by Ángela Ñúñez: column 3 row 1, then BOOM at column 2 row 2."
    assert expected in board_alt_text(scene, PHRASES)
    nowhere = replace(scene, turn=turn(Player.FIRST, Movement(None, "BOOM")))
    assert "Last move by Ángela Ñúñez: BOOM." in board_alt_text(nowhere, PHRASES)


def test_of_several_winning_lines_the_longest_is_listed(
    make_scene: Callable[..., BoardScene],
) -> None:
    """If there are several winning lines, only the longest is listed."""
    across = {Square(3, column) for column in range(5)}
    slanting = {Square(row, row) for row in range(4)}
    scene = make_scene("1....\n.1...\n..1..\n11111", line=frozenset(across | slanting))
    squares = ", ".join(f"column {column} row 1" for column in range(1, 6))
    assert f"Winning squares: {squares}." in board_alt_text(scene, PHRASES)
    equal = replace(scene, line=frozenset(slanting | (across - {Square(3, 4)})))
    squares = ", ".join(f"column {column} row 1" for column in range(1, 5))
    assert f"Winning squares: {squares}." in board_alt_text(equal, PHRASES)


def test_bombs_are_explained_where_there_are_any(make_scene: Callable[..., BoardScene]) -> None:
    """A single bomb adds the sentence that explains A and B; without bombs it is left out."""
    assert PHRASES.bombs in board_alt_text(make_scene("....\n....\n...B\n1122"), PHRASES)
    assert PHRASES.bombs not in board_alt_text(make_scene("....\n....\n...2\n1122"), PHRASES)


def test_a_remark_follows_the_status(scene: BoardScene) -> None:
    """The remark comes before the board, and is cut if it is very long."""
    text = board_alt_text(replace(scene, remark="bomb in 2 turns"), PHRASES)
    assert "to move. bomb in 2 turns. Row 1: 0 1 2 1 2 2 1." in text
    endless = board_alt_text(replace(scene, remark="on and on " * 200), PHRASES)
    assert len(endless) <= LIMIT
    assert "… Row 1: 0 1 2 1 2 2 1." in endless
    assert "Rows 5 to 6: empty." in endless


def test_an_empty_board_is_one_sentence(make_scene: Callable[..., BoardScene]) -> None:
    """Rows without stones are summed up in one sentence."""
    scene = make_scene(".......\n" * 6, footer="")
    assert board_alt_text(scene, PHRASES).endswith("to move. Rows 1 to 6: empty.")


@pytest.fixture
def crowded(make_scene: Callable[..., BoardScene]) -> BoardScene:
    """The largest board: full, with the longest names and everything marked."""
    return make_scene(
        "12211221\n" * 8,
        names=("Ñ" * 160, "W" * 160),
        active=None,
        status=f"{'Ñ' * 160} wins!",
        footer="a footer " * 30,
        turn=turn(Player.FIRST, Movement(Square(0, 0)), Movement(Square(1, 1))),
        line=frozenset(Square(row, row) for row in range(8)),
        hint=frozenset({Square(0, 7)}),
    )


def test_a_crowded_text_keeps_its_rows_and_shortens_names(crowded: BoardScene) -> None:
    """With names of 160 characters, a full 8x8 board keeps its rows, marks and status."""
    text = board_alt_text(crowded, PHRASES)
    assert len(text) <= LIMIT
    assert all(f"Row {row}: 1 2 2 1 1 2 2 1." in text for row in range(1, 9))
    assert "wins!" in text
    assert "…: column 1 row 8, then column 2 row 7." in text
    assert "column 8 row 1" in text
    assert "footer" not in text


def test_values_are_listed_with_their_moves(make_scene: Callable[..., BoardScene]) -> None:
    """Values are listed by column, or by square if rows have names, in words."""
    values = (
        MoveValue(Square(0, 0), "win in 4", Outlook.WIN),
        MoveValue(Square(1, 2), "draw", Outlook.DRAW),
        MoveValue(Square(3, 3), "52%", Outlook.UNKNOWN),
    )
    scene = make_scene("....\n....\n....\n....", values=values)
    assert board_alt_text(scene, PHRASES).endswith("Values: 1: win in 4, 3: draw, 4: 52%.")
    named = replace(scene, row_labels=("w", "x", "y", "z"))
    assert board_alt_text(named, PHRASES).endswith("Values: 1w: win in 4, 3x: draw, 4z: 52%.")


def test_threats_are_told_by_player(make_scene: Callable[..., BoardScene]) -> None:
    """Each player's threats are listed; those that can be played now are marked as such."""
    marks = (
        ThreatMark(Square(5, 0), (Player.FIRST,), is_playable=True, is_odd=True),
        ThreatMark(Square(1, 4), (Player.FIRST, Player.SECOND), is_odd=True),
    )
    text = board_alt_text(make_scene(names=("Ana", "Bo"), threats=marks), PHRASES)
    assert "Threats of Ana: column 1 row 1 (now), column 5 row 5." in text
    assert "Threats of Bo: column 5 row 5." in text
    bare = replace(marks[0], is_odd=None, square=Square(0, 3))
    grid = make_scene("12..\n.12.\n....\n....", row_labels=("1", "2", "3", "4"), threats=(bare,))
    assert ": 41." in board_alt_text(grid, PHRASES)


def test_a_full_board_of_bombs_fits_whole_in_longer_words(
    make_scene: Callable[..., BoardScene],
) -> None:
    """In texts as long as the Spanish ones, a full 7x7 board with four lines is complete."""
    phrases = AltPhrases(
        players="{first} es 1, {second} es 2, 0 es vacío; filas desde abajo.",
        lettered="{first} es {one}, {second} es {two}.",
        row="Fila {row}: {cells}.",
        stones="{sign}: {squares}.",
        free="Las demás casillas están libres.",
        all_free="Todas las casillas están libres.",
        empty_row="Fila {row}: vacía.",
        empty_rows="Filas {first} a {last}: vacías.",
        bombs="A y B son bombas de 1 y de 2.",
        last="Última jugada de {name}: {moves}.",
        then=", después ",
        act="{word} en {square}",
        line="Línea ganadora: {squares}.",
        square="columna {column} fila {row}",
        hint="Pista: {square}.",
        worths="Valores: {values}.",
        marked="Marcadas: {squares}.",
        threats="Amenazas de {name}: {squares}.",
        now="{square} (ya)",
    )
    scene = make_scene(
        "12A1B21\n" * 7,
        names=("Ñ" * 32, "W" * 32),
        status=f"Le toca a {'Ñ' * 32}",
        remark="jugada 1 de 2 · bomba en 2 turnos",
        turn=turn(Player.FIRST, Movement(Square(0, 0)), Movement(Square(3, 5), "BOOM")),
        line=frozenset(Square(row, column) for row in range(4) for column in (0, 1, row + 2)),
        hint=frozenset({Square(0, 3)}),
    )
    text = board_alt_text(scene, phrases)
    assert len(text) <= LIMIT
    assert all(f"Fila {row}: 1 2 A 1 B 2 1." in text for row in range(1, 8))
    for part in (*scene.names, scene.status, scene.remark, phrases.bombs, "columna 1 fila 7"):
        assert part in text
    assert f"Última jugada de {'Ñ' * 32}: columna 1 fila 7, después BOOM en columna 6" in text
    assert "Pista: columna 4 fila 7." in text


@settings(max_examples=60)
@given(data=st.data(), rows=st.integers(4, 8), columns=st.integers(4, 8))
def test_no_board_exceeds_the_limit(data: st.DataObject, rows: int, columns: int) -> None:
    """The text of any board with any players has at most 1,024 characters."""
    squares = st.frozensets(
        st.builds(Square, st.integers(0, rows - 1), st.integers(0, columns - 1)), max_size=8
    )
    placed = st.builds(Square, st.integers(0, rows - 1), st.integers(0, columns - 1))
    movements = st.builds(Movement, st.none() | placed, st.sampled_from(("", "BOOM")))
    named = data.draw(st.booleans())
    scene = BoardScene(
        cells=tuple(tuple(data.draw(cells) for _ in range(columns)) for _ in range(rows)),
        column_labels=tuple(str(column + 1) for column in range(columns)),
        names=(data.draw(words), data.draw(words)),
        active=Player.SECOND,
        status=data.draw(words),
        footer=data.draw(words),
        turn=Turn(Player.FIRST, tuple(data.draw(st.lists(movements, max_size=2)))),
        line=data.draw(squares),
        row_labels=tuple(str(row + 1) for row in range(rows)) if named else (),
        remark=data.draw(words),
        hint=data.draw(squares),
        marked=data.draw(squares),
    )
    text = board_alt_text(scene, PHRASES)
    assert len(text) <= LIMIT
    for row in () if named else scene.cells:
        if set(row) != {Cell.EMPTY}:
            assert " ".join("0" if cell is Cell.EMPTY else cell for cell in row) in text


def test_braces_in_names_are_kept(scene: BoardScene) -> None:
    """Names that look like a template are not changed."""
    text = board_alt_text(replace(scene, names=("{first}", "{0}")), PHRASES)
    assert text.startswith("{first} is 1, {0} is 2")
