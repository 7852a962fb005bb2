"""Boards and cards in words, with enough for listeners to play by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from engine.game import Cell, Square
from renderers.scene import BoardScene, CardScene, Course, Figure, Table
from renderers.sentences import LIMIT, cut, flat, join, sentence, shorten


@dataclass(frozen=True, slots=True)
class AltPhrases:
    """The sentences of a board's alternative text, as templates for `str.format`.

    Each template may use any of the fields named with it.
    """

    players: str
    """Who is who: `{first}` and `{second}` are names. It should also say that 0 is empty."""
    row: str
    """A row with stones: `{row}` and `{cells}`, the signs of its squares."""
    empty_row: str
    """A row without stones: `{row}`."""
    empty_rows: str
    """Several adjacent rows without stones: `{first}` and `{last}`."""
    bombs: str
    """What A and B are, said only when there is a bomb on the board. It has no fields."""
    last: str
    """The last move: `{column}` and `{row}`."""
    last_square: str
    """The last move where rows have names too: `{square}`, such as `b3`."""
    line: str
    """The winning squares: `{squares}`, a list of them."""
    square: str
    """A square in that list where rows have no names: `{column}` and `{row}`."""
    hint: str
    """The suggested move: `{column}` and `{row}`."""
    hint_square: str
    """The suggested move where rows have names too: `{square}`."""


def board_alt_text(scene: BoardScene, phrases: AltPhrases) -> str:
    """Describe a board in at most 1,024 characters.

    Rows are read from the top. Where the scene names its rows, squares go by their names. When the
    text would be too long, the footer is dropped first; then names, status and remark are
    shortened. The rows, and what their signs mean, are never left out.

    Args:
        scene: What the picture shows.
        phrases: The sentences, in the listener's language.
    """
    rows = _bombs(scene, phrases) + _rows(scene, phrases)
    marks = _marks(scene, phrases)
    for room in (LIMIT, 48, 24, 12):
        names = [shorten(flat(name), room) for name in scene.names]
        players = sentence(phrases.players.format(first=names[0], second=names[1]))
        lines = [shorten(sentence(line), room * 4) for line in (scene.status, scene.remark)]
        head = [players, *lines, *rows, *marks]
        for tail in ([sentence(scene.footer)], []):
            text = join([*head, *tail])
            if len(text) <= LIMIT:
                return text
    return cut(rows + marks)


def card_alt_text(scene: CardScene) -> str:
    """Describe a card in at most 1,024 characters: figures, course, form, and the table by rows.

    A longer text ends in an ellipsis after a whole item.
    """
    items = [sentence(scene.title), sentence(scene.subtitle), *_figures(scene.figures)]
    if scene.course is not None:
        items.append(_course(scene.course))
    if scene.form is not None and scene.form.results:
        results = ", ".join(scene.form.word(result) for result in scene.form.results)
        items.append(sentence(f"{scene.form.label}: {results}"))
    if scene.table is not None:
        items += _table(scene.table)
    return cut([*items, sentence(scene.note), sentence(scene.footer)])


def _course(course: Course) -> str:
    values = course.values
    first, low, high, last = (
        f"{value:.0f}" for value in (values[0], min(values), max(values), values[-1])
    )
    text = course.told.format(label=course.label, first=first, low=low, high=high, last=last)
    return sentence(text)


def _bombs(scene: BoardScene, phrases: AltPhrases) -> list[str]:
    has_bombs = any(cell.is_bomb for row in scene.cells for cell in row)
    return [sentence(phrases.bombs)] if has_bombs else []


def _rows(scene: BoardScene, phrases: AltPhrases) -> list[str]:
    sentences: list[str] = []
    indices = range(scene.rows)
    for empty, group in groupby(indices, lambda row: set(scene.cells[row]) <= {Cell.EMPTY}):
        run = list(group)
        if not empty:
            sentences += [_row(scene, phrases, row) for row in run]
        elif len(run) == 1:
            sentences.append(sentence(phrases.empty_row.format(row=_row_name(scene, run[0]))))
        else:
            first, last = _row_name(scene, run[0]), _row_name(scene, run[-1])
            sentences.append(sentence(phrases.empty_rows.format(first=first, last=last)))
    return sentences


def _row(scene: BoardScene, phrases: AltPhrases, row: int) -> str:
    # The spaces keep a screen reader from reading seven squares as one large number.
    digits = " ".join("0" if cell is Cell.EMPTY else cell.value for cell in scene.cells[row])
    return sentence(phrases.row.format(row=_row_name(scene, row), cells=digits))


def _marks(scene: BoardScene, phrases: AltPhrases) -> list[str]:
    last, square, hint = phrases.last, phrases.square, phrases.hint
    if scene.row_labels:
        last, square, hint = phrases.last_square, "{square}", phrases.hint_square
    sentences = [_place(scene, last, place) for place in sorted(scene.last)]
    if scene.line:
        squares = [_place(scene, square, place) for place in sorted(scene.line)]
        sentences.append(phrases.line.format(squares=", ".join(squares)))
    sentences += [_place(scene, hint, place) for place in sorted(scene.hint)]
    return [sentence(text) for text in sentences]


def _place(scene: BoardScene, template: str, square: Square) -> str:
    column, row = scene.column_labels[square.column], _row_name(scene, square.row)
    return template.format(column=column, row=row, square=column + row)


def _row_name(scene: BoardScene, row: int) -> str:
    return scene.row_labels[row] if scene.row_labels else str(row + 1)


def _figures(figures: Iterable[Figure]) -> list[str]:
    return [sentence(f"{figure.label}: {figure.value}") for figure in figures]


def _table(table: Table) -> list[str]:
    return [
        sentence(
            ", ".join(
                f"{header}: {cell}" if header else cell
                for header, cell in zip(table.headers, row, strict=True)
            )
        )
        for row in table.rows
    ]
