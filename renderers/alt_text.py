"""Pictures in words, for those who listen to them: enough to play by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from engine.game import Cell, Square
from renderers.scene import BoardScene, CardScene, Figure, Table

LIMIT = 1024
"""How many characters an alternative text may have."""
_ELLIPSIS = "…"
_ENDS = ".!?…。\uff01\uff1f؟।"
"""What ends a sentence in one script or another, so that no full stop is added."""


@dataclass(frozen=True, slots=True)
class AltPhrases:
    """The sentences of a board's alternative text, as templates for `str.format`.

    The named fields of each template are all given to it; a template may leave some out.
    """

    players: str
    """Who is who; `{first}` and `{second}` are names. It should also say that 0 is empty."""
    row: str
    """One row that is not empty; `{row}` and `{cells}`, the digits of its squares."""
    empty_row: str
    """One row with no stones; `{row}`."""
    empty_rows: str
    """Several rows below each other with no stones; `{first}` and `{last}`."""
    bombs: str
    """What A and B are; said only when a bomb is on the board. It has no fields."""
    last: str
    """The last move; `{column}` and `{row}`."""
    last_square: str
    """The last move where rows have names too; `{square}`, such as `b3`."""
    line: str
    """The winning squares; `{squares}`, a list of them."""
    square: str
    """One square in that list where rows have no names; `{column}` and `{row}`."""
    hint: str
    """The suggested move; `{column}` and `{row}`."""
    hint_square: str
    """The suggested move where rows have names too; `{square}`."""


def board_alt_text(scene: BoardScene, phrases: AltPhrases) -> str:
    """Tell a board in at most 1,024 characters.

    Rows come from the top. Where the scene names its rows, squares are told by their names. When
    the text would be too long, the footer goes first, then the panel, then names, status and
    remark are cut short; the rows, and what their signs mean, are never left out.

    Args:
        scene: What the picture shows.
        phrases: The sentences, in the listener's language.
    """
    rows = _bombs(scene, phrases) + _rows(scene, phrases)
    marks = _marks(scene, phrases)
    panel = [] if scene.panel is None else [_sentence(scene.panel.title)]
    panel += [] if scene.panel is None else _figures(scene.panel.figures)
    for room in (LIMIT, 48, 24, 12):
        names = [_shorten(_flat(name), room) for name in scene.names]
        players = _sentence(phrases.players.format(first=names[0], second=names[1]))
        lines = [_shorten(_sentence(line), room * 4) for line in (scene.status, scene.remark)]
        head = [players, *lines, *rows, *marks]
        for tail in ([*panel, _sentence(scene.footer)], panel, []):
            text = _join([*head, *tail])
            if len(text) <= LIMIT:
                return text
    return _cut(rows + marks, " ")


def card_alt_text(scene: CardScene) -> str:
    """Tell a card in at most 1,024 characters: its figures, and its table row by row.

    A longer text ends after a whole item, with an ellipsis.
    """
    items = [_sentence(scene.title), _sentence(scene.subtitle), *_figures(scene.figures)]
    if scene.table is not None:
        items += _table(scene.table)
    return _cut([*items, _sentence(scene.note), _sentence(scene.footer)], " ")


def _bombs(scene: BoardScene, phrases: AltPhrases) -> list[str]:
    there = any(cell.is_bomb for row in scene.cells for cell in row)
    return [_sentence(phrases.bombs)] if there else []


def _rows(scene: BoardScene, phrases: AltPhrases) -> list[str]:
    sentences: list[str] = []
    indices = range(scene.rows)
    for empty, group in groupby(indices, lambda row: set(scene.cells[row]) <= {Cell.EMPTY}):
        run = list(group)
        if not empty:
            sentences += [_row(scene, phrases, row) for row in run]
        elif len(run) == 1:
            sentences.append(_sentence(phrases.empty_row.format(row=_row_name(scene, run[0]))))
        else:
            first, last = _row_name(scene, run[0]), _row_name(scene, run[-1])
            sentences.append(_sentence(phrases.empty_rows.format(first=first, last=last)))
    return sentences


def _row(scene: BoardScene, phrases: AltPhrases, row: int) -> str:
    # The spaces keep a screen reader from reading seven squares as one large number.
    digits = " ".join("0" if cell is Cell.EMPTY else cell.value for cell in scene.cells[row])
    return _sentence(phrases.row.format(row=_row_name(scene, row), cells=digits))


def _marks(scene: BoardScene, phrases: AltPhrases) -> list[str]:
    last, square, hint = phrases.last, phrases.square, phrases.hint
    if scene.row_labels:
        last, square, hint = phrases.last_square, "{square}", phrases.hint_square
    sentences = [_place(scene, last, place) for place in sorted(scene.last)]
    if scene.line:
        squares = [_place(scene, square, place) for place in sorted(scene.line)]
        sentences.append(phrases.line.format(squares=", ".join(squares)))
    sentences += [_place(scene, hint, place) for place in sorted(scene.hint)]
    return [_sentence(sentence) for sentence in sentences]


def _place(scene: BoardScene, template: str, square: Square) -> str:
    column, row = scene.column_labels[square.column], _row_name(scene, square.row)
    return template.format(column=column, row=row, square=column + row)


def _row_name(scene: BoardScene, row: int) -> str:
    return scene.row_labels[row] if scene.row_labels else str(row + 1)


def _figures(figures: Iterable[Figure]) -> list[str]:
    return [_sentence(f"{figure.label}: {figure.value}") for figure in figures]


def _table(table: Table) -> list[str]:
    return [
        _sentence(
            ", ".join(
                f"{header}: {cell}" if header else cell
                for header, cell in zip(table.headers, row, strict=True)
            )
        )
        for row in table.rows
    ]


def _flat(text: str) -> str:
    return " ".join(text.split())


def _sentence(text: str) -> str:
    text = _flat(text)
    ended = not text or text[-1] in _ENDS
    return text if ended else f"{text}."


def _shorten(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + _ELLIPSIS


def _join(sentences: Iterable[str]) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _cut(items: list[str], gap: str) -> str:
    """Join as many whole items as fit, with an ellipsis for the rest."""
    items = [item for item in items if item]
    text = gap.join(items)
    while len(text) > LIMIT and len(items) > 1:
        items.pop()
        text = gap.join([*items, _ELLIPSIS])
    return _shorten(text, LIMIT)
