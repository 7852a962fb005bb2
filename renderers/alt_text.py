"""Alternative texts of boards, cards and reviewed games.

A board is described completely enough to play by it, and a card with all its numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.core.game import Cell, Player, Square
from renderers.card_scene import (
    CardScene,
    HistoryScene,
    LeadersScene,
    PairScene,
    PanelsScene,
    PastGameRow,
    ReportScene,
    StatisticsScene,
)
from renderers.scene import BoardScene, Movement, MoveValue, ReviewScene
from renderers.sentences import LIMIT, cut, flat, join, sentence, shorten

NUMBERS = ("1", "2")
"""The marks of games whose stones are called by the number of their player."""

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
    threats: str
    """A player's threats: `{name}` and `{squares}`, a list of them."""
    now: str
    """A square of that list which can be filled now, where others cannot: `{square}`."""


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
        marks += _threats(scene, phrases, names)
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
    """Describe a card in at most 1,024 characters; a longer text ends after a whole item."""
    if isinstance(scene, PanelsScene):
        return cut([sentence(scene.alt_text)])
    items = [scene.title]
    if isinstance(scene, PairScene):
        pairs = zip(scene.captions, scene.details, strict=True)
        items += [f"{caption}: {detail}" for caption, detail in pairs]
        return cut(sentence(item) for item in items)
    items.append(scene.subtitle)
    if isinstance(scene, StatisticsScene):
        items += _statistics(scene)
    elif isinstance(scene, ReportScene):
        items.append(f"{scene.number.value} {scene.number.label}")
        items += [f"{level.name}: {level.text}" for level in scene.levels]
        items += [", ".join(scene.tally.texts), scene.footer]
    elif isinstance(scene, LeadersScene):
        rows = (*scene.rows, *([scene.own] if scene.own else ()))
        items += [f"{row.rank}: {row.name}, {row.number}{_change(row.change)}" for row in rows]
    elif isinstance(scene, HistoryScene):
        items += [
            f"{_numbered(row)}{row.title}, {row.details}{_change(row.change) or _after(row.remark)}"
            for row in scene.rows
        ]
    else:
        _, results, share = scene.headers
        items += [
            f"{place}: {row.name}, {results}: {row.results}, {share}: {row.text}"
            for place, row in enumerate(scene.rows, scene.first)
        ]
    return cut(sentence(item) for item in items)


def _statistics(scene: StatisticsScene) -> Iterator[str]:
    change = "" if scene.change is None else f" ({_signed(scene.change)}{scene.change_text})"
    yield f"{scene.number.label}: {scene.number.value}{change}"
    if scene.rank is not None:
        yield f"{scene.rank.label}: {scene.rank.value}"
    yield scene.course.summary if scene.course is not None else scene.note
    yield ", ".join(scene.tally.texts)
    yield scene.footer


def _change(change: int | None) -> str:
    return "" if change is None else f", {_signed(change)}{abs(change)}"


def _numbered(row: PastGameRow) -> str:
    return f"{row.number}: " if row.number else ""


def _after(words: str) -> str:
    return f", {words}" if words else ""


def _signed(change: int) -> str:
    """A plus or a minus; nothing for no change."""
    return "+" if change > 0 else "-" if change < 0 else ""


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


def _threats(scene: BoardScene, phrases: AltPhrases, names: Sequence[str]) -> list[str]:
    """The squares on which each player completes a line, if the picture marks any."""
    found = []
    for player in Player:
        squares = []
        for mark in (one for one in scene.threats if player in one.players):
            square = _place(scene, phrases, mark.square)
            is_now = mark.is_playable and mark.is_odd is not None
            squares.append(phrases.now.format(square=square) if is_now else square)
        if squares:
            listed = ", ".join(squares)
            found.append(sentence(phrases.threats.format(name=names[player - 1], squares=listed)))
    return found


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


def review_alt_text(scene: ReviewScene) -> str:
    """Describe a review in at most 1,024 characters; a longer text ends after a whole sentence."""
    rated = zip(scene.names, scene.accuracies, strict=True)
    sides = [f"{name}: {accuracy}" if accuracy else name for name, accuracy in rated]
    items = [scene.title, scene.subtitle, *sides, *scene.sentences]
    return cut(sentence(item) for item in items)
