"""Alternative texts of boards, cards, reports and reviewed games.

A board is described completely enough to play by it; of a report, the table and the charts are
described.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from engine.core.game import Cell, Square
from renderers.report_scene import BarsScene, LinesScene, Points, ReportScene, ScatterScene
from renderers.scene import (
    BoardScene,
    CardScene,
    Course,
    Figure,
    Movement,
    MoveValue,
    ReviewScene,
    Table,
)
from renderers.sentences import LIMIT, cut, flat, join, sentence, shorten

NUMBERS = ("1", "2")
"""The marks of games whose stones are called by the number of their player."""

_SPANS = 4
"""The most spans of games in the summary of a line in a report."""

IN_LINE = ((0, 1), (-1, 0), (-1, 1), (-1, -1))
"""The directions of lines from the bottom, in rows down and columns to the right per step."""


@dataclass(frozen=True, slots=True)
class AltPhrases:
    """The sentences of a board's alternative text, as templates for `str.format`.

    Each template may use any of the fields named with it.
    """

    players: str
    """The players: `{first}` and `{second}` are names. It should also say that 0 is empty."""
    lettered: str
    """The players where stones have letters: `{first}`, `{second}` and their `{one}` and
    `{two}`."""
    row: str
    """A row with stones: `{row}` and `{cells}`, the signs of its squares."""
    stones: str
    """The squares with one kind of stones, where squares have names: `{sign}` and `{squares}`."""
    free: str
    """The other squares, where squares have names. It has no fields."""
    all_free: str
    """A board without stones, where squares have names. It has no fields."""
    empty_row: str
    """A row without stones: `{row}`."""
    empty_rows: str
    """Several adjacent rows without stones: `{first}` and `{last}`."""
    bombs: str
    """The meaning of A and B, used only when there is a bomb on the board. It has no fields."""
    last: str
    """The latest turn: `{name}` and `{moves}`."""
    then: str
    """The separator between two movements of a turn. It has no fields."""
    act: str
    """A movement that does more than put a stone: `{word}` and its place, `{square}`."""
    line: str
    """The winning squares: `{squares}`, a list of them."""
    square: str
    """A square where rows have no names: `{column}` and `{row}`."""
    hint: str
    """The suggested move: `{square}`."""
    worths: str
    """The values of moves for the player to move: `{values}`, each a move and its value."""
    marked: str
    """The squares that the text beside the picture is about: `{squares}`, a list of them."""


def board_alt_text(scene: BoardScene, phrases: AltPhrases) -> str:
    """Describe a board in at most 1,024 characters.

    Rows are counted and read from the bottom, and only one winning line is described. If the scene
    names its rows, squares are called by their names instead. The footer is left out: it is about
    the engine. If the text would be too long, names, status and remark are shortened. The stones,
    and the meaning of their signs, are never left out.

    Args:
        scene: What the picture shows.
        phrases: The sentences, in the listener's language.
    """
    stones = _squares if scene.row_labels else _rows
    rows = _bombs(scene, phrases) + stones(scene, phrases)
    for room in (LIMIT, 48, 24, 12):
        names = [shorten(flat(name), room) for name in scene.names]
        lines = [shorten(sentence(line), room * 4) for line in (scene.status, scene.remark)]
        marks = [*_last(scene, phrases, names), *_marks(scene, phrases)]
        head = [_players(scene, phrases, names), *lines, *rows, *marks]
        text = join(head)
        if len(text) <= LIMIT:
            return text
    return cut(rows + marks)


def animation_alt_text(end: BoardScene, summary: str, phrases: AltPhrases) -> str:
    """Describe a whole game in at most 1,024 characters: a summary of it, and its last board.

    The board is never shortened in favour of the summary.

    Args:
        end: The last scene of the animation.
        summary: A sentence about the game, such as its moves.
        phrases: The board's sentences, in the listener's language.
    """
    board = board_alt_text(end, phrases)
    room = LIMIT - len(board) - 1
    return join([shorten(sentence(summary), room) if room > 0 else "", board])


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
    text = course.summary.format(label=course.label, first=first, low=low, high=high, last=last)
    return sentence(text)


def _bombs(scene: BoardScene, phrases: AltPhrases) -> list[str]:
    has_bombs = any(cell.is_bomb for row in scene.cells for cell in row)
    return [sentence(phrases.bombs)] if has_bombs else []


def _rows(scene: BoardScene, phrases: AltPhrases) -> list[str]:
    sentences: list[str] = []
    indices = reversed(range(scene.rows))
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
    signs = " ".join("0" if cell is Cell.EMPTY else cell.value for cell in scene.cells[row])
    return sentence(phrases.row.format(row=_row_name(scene, row), cells=signs))


def _squares(scene: BoardScene, phrases: AltPhrases) -> list[str]:
    """The squares with stones by their names, for each kind of stone."""
    found: dict[Cell, list[str]] = {cell: [] for cell in Cell if cell.owner is not None}
    for row, cells in enumerate(scene.cells):
        for column, cell in enumerate(cells):
            if cell in found:
                found[cell].append(_place(scene, phrases, Square(row, column)))
    sentences = [
        phrases.stones.format(sign=_sign(scene, cell), squares=", ".join(squares))
        for cell, squares in found.items()
        if squares
    ]
    rest = phrases.free if sentences else phrases.all_free
    is_full = all(cell in found for row in scene.cells for cell in row)
    return [sentence(text) for text in (*sentences, *([] if is_full else [rest]))]


def _sign(scene: BoardScene, cell: Cell) -> str:
    assert cell.owner is not None, "an empty square has no sign"
    return cell.value if cell.is_bomb else scene.marks[cell.owner - 1]


def _players(scene: BoardScene, phrases: AltPhrases, names: Sequence[str]) -> str:
    template = phrases.players if scene.marks == NUMBERS else phrases.lettered
    one, two = scene.marks
    return sentence(template.format(first=names[0], second=names[1], one=one, two=two))


def _last(scene: BoardScene, phrases: AltPhrases, names: Sequence[str]) -> list[str]:
    """The player who moved last, and the movements of that turn."""
    if scene.turn is None:
        return []
    moves = phrases.then.join(_movement(scene, phrases, m) for m in scene.turn.movements)
    return [sentence(phrases.last.format(name=names[scene.turn.player - 1], moves=moves))]


def _movement(scene: BoardScene, phrases: AltPhrases, movement: Movement) -> str:
    if movement.square is None:
        return movement.word
    square = _place(scene, phrases, movement.square)
    return phrases.act.format(word=movement.word, square=square) if movement.word else square


def _marks(scene: BoardScene, phrases: AltPhrases) -> list[str]:
    """The winning line, the hint, the values and the marked squares."""
    parts = [
        phrases.hint.format(square=_place(scene, phrases, square))
        for square in _ordered(scene, scene.hint)
    ]
    if scene.line:
        squares = [_place(scene, phrases, square) for square in _one_line(scene)]
        parts.insert(0, phrases.line.format(squares=", ".join(squares)))
    if scene.values:
        parts.append(
            phrases.worths.format(values=", ".join(_value(scene, v) for v in scene.values))
        )
    if scene.marked:
        squares = [_place(scene, phrases, square) for square in _ordered(scene, scene.marked)]
        parts.append(phrases.marked.format(squares=", ".join(squares)))
    return [sentence(text) for text in parts]


def _value(scene: BoardScene, value: MoveValue) -> str:
    column = scene.column_labels[value.square.column]
    row = scene.row_labels[value.square.row] if scene.row_labels else ""
    return f"{column}{row}: {value.text}"


def _ordered(scene: BoardScene, squares: Iterable[Square]) -> list[Square]:
    """Squares from the bottom, or from the top where they have names."""
    if scene.row_labels:
        return sorted(squares)
    return sorted(squares, key=lambda square: (-square.row, square.column))


def _one_line(scene: BoardScene) -> list[Square]:
    """The longest winning line, from its first end; of two, the first."""
    lines, squares = [], scene.line
    for square in _ordered(scene, squares):
        for down, right in IN_LINE:
            line, following = [square], Square(square.row + down, square.column + right)
            while following in squares:
                line.append(following)
                following = Square(following.row + down, following.column + right)
            lines.append(line)
    line = max(lines, key=len)
    return _ordered(scene, line) if scene.row_labels else line


def _place(scene: BoardScene, phrases: AltPhrases, square: Square) -> str:
    column, row = scene.column_labels[square.column], _row_name(scene, square.row)
    return column + row if scene.row_labels else phrases.square.format(column=column, row=row)


def _row_name(scene: BoardScene, row: int) -> str:
    return scene.row_labels[row] if scene.row_labels else str(scene.rows - row)


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


def report_alt_text(scene: ReportScene) -> str:
    """Describe a report in at most 1,024 characters; a longer text ends after a whole item.

    The table is read column by column, with the name of every level. A line of percentages becomes
    the means of up to four spans of games, and a cloud the range at every level. The bars come
    last, since the table usually says the same.
    """
    items = [
        scene.title,
        scene.subtitle,
        scene.note,
        *_table_by_columns(scene.table),
        *_lines(scene.lines),
    ]
    items += [*_scatter(scene.scatter), *_bars(scene.bars), scene.footer]
    return cut(sentence(item) for item in items)


def _table_by_columns(table: Table) -> Iterator[str]:
    """Each column of a table after the first, with the name at the beginning of each row."""
    if not table.rows or not table.headers:
        return
    levels, *columns = zip(*table.rows, strict=True)
    for header, cells in zip(table.headers[1:], columns, strict=True):
        yield _listed(header, zip(levels, cells, strict=True))


def _bars(scene: BarsScene) -> Iterator[str]:
    if scene.empty:
        return
    yield scene.title
    for series in scene.series:
        pairs = zip(scene.groups, series.values, strict=True)
        yield _listed(series.label, ((g, f"{v:.0f}") for g, v in pairs if v is not None))


def _lines(scene: LinesScene) -> Iterator[str]:
    if scene.empty:
        return
    yield scene.title
    last = max(number for line in scene.lines for number, _ in line.places)
    for line in scene.lines:
        yield _listed(line.label, _spans(line, last))


def _spans(line: Points, last: int) -> Iterator[tuple[str, str]]:
    count = min(_SPANS, last)
    for span, group in groupby(line.places, lambda place: (place[0] - 1) * count // last):
        mean = fmean(value for _, value in group)
        # Span s holds the games n with (n - 1) * count // last == s.
        low, high = -(-span * last // count) + 1, -(-(span + 1) * last // count)
        yield (f"{low}–{high}" if low < high else str(low)), f"{mean:.0f}"


def _scatter(scene: ScatterScene) -> Iterator[str]:
    if scene.empty:
        return
    yield scene.title
    for cloud in scene.clouds:
        ranges: list[tuple[str, str]] = []
        for index, name in enumerate(scene.groups):
            values = [value for group, value in cloud.places if group == index]
            if values:
                low, high = f"{min(values):.0f}", f"{max(values):.0f}"
                ranges.append((name, low if low == high else f"{low}–{high}"))
        yield _listed(cloud.label, ranges)


def _listed(label: str, pairs: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> str:
    listed = ", ".join(f"{name} {value}" for name, value in pairs)
    if not listed:
        return ""
    return f"{label}: {listed}" if label else listed


def review_alt_text(scene: ReviewScene) -> str:
    """Describe a review in at most 1,024 characters; a longer text ends after a whole sentence."""
    sides = [f"{name}: {how}" for name, how in zip(scene.names, scene.accuracies, strict=True)]
    items = [scene.title, scene.subtitle, *sides, *scene.sentences]
    return cut(sentence(item) for item in items)
