"""The picture of a board: the parts that all games share.

These are the header, the labels, the rim, the marks, the connected squares of a winning line, and
the lines of text below the board. A `Style` paints the cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from PIL import Image

from engine.core.game import Cell, Square
from renderers.blocks.text import small_print, write_lines
from renderers.boards.header import Name, draw_header, names_of
from renderers.boards.layout import FRAME, LINE, LIP, Box, Layout, layout
from renderers.boards.move_values import draw_values
from renderers.boards.style import Look, Style, look_of
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import WIDTH, Theme, Tone
from renderers.scene import BoardScene

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The directions of lines: steps down and to the right."""

_IN_LINE = 4
"""Stones that make a line."""

_LABEL, _WORDS = Font(33, bold=True), Font(33)

_CHIP = (64, 44)
"""The greatest width of the background of a marked label, and its height."""

_RIM = 28
"""The radius of the board's corners."""

_LIT = 3
"""The width of the highlight on the upper edge of a board."""

_REMARK_LINES = 2


def links(line: frozenset[Square]) -> Iterator[tuple[Square, Square]]:
    """Return the neighbours in every run of four or more; two lines may cross or touch."""
    for square in sorted(line):
        for down, right in _DIRECTIONS:
            if _step(square, -down, -right) in line:
                continue
            run = [square]
            while (following := _step(run[-1], down, right)) in line:
                run.append(following)
            if len(run) >= _IN_LINE:
                yield from pairwise(run)


def _step(square: Square, down: int, right: int) -> Square:
    return Square(square.row + down, square.column + right)


class Plan(NamedTuple):
    """The measures and the fitted texts of a board, which are the same for each of its pictures."""

    layout: Layout
    names: tuple[Name, Name]
    remark: tuple[str, ...]
    footer: tuple[str, ...]


def plan_of(scene: BoardScene, style: Style) -> Plan:
    """Return the layout of a scene's picture, and its text in lines.

    Raises:
        ValueError: when the board has fewer than 4 or more than 8 rows or columns.
    """
    names = names_of(scene)
    remark = small_print(scene.remark, _WORDS, _REMARK_LINES)
    footer = small_print(scene.footer, _WORDS, 3 - len(remark))
    place = layout(
        scene.rows,
        scene.columns,
        largest_cell=style.largest_cell,
        row_labels=bool(scene.row_labels),
        name_lines=max(len(name.lines) for name in names),
        lines=max(len(remark) + len(footer), 1),
        values=scene.has_values and not scene.row_labels,
    )
    return Plan(place, names, remark, footer)


def draw_framed(scene: BoardScene, theme: Theme, style: Style) -> bytes:
    """Draw a board in a game's style with its players, remark and footer.

    Args:
        scene: What to show; 4 to 8 rows and columns.
        theme: The colours.
        style: What the game's cells look like.

    Returns:
        A PNG, `WIDTH` pixels wide.

    Raises:
        ValueError: when the board is smaller or larger than that.
    """
    return paint_framed(scene, theme, style).png()


def paint_framed(scene: BoardScene, theme: Theme, style: Style, *, dimming: bool = True) -> Canvas:
    """Paint the picture of `draw_framed`; without `dimming` no stone is dimmed behind a line."""
    plan, names, remark, footer = plan_of(scene, style)
    empty = _empty_board(plan, scene.column_labels, scene.row_labels, theme, style)
    canvas = Canvas.over(empty, theme)
    draw_header(canvas, scene, names, plan, style.paint_token)
    _draw_cells(canvas, plan, scene, style, dimming=dimming)
    _draw_links(canvas, plan, scene, style)
    _draw_fuse(canvas, plan, scene)
    _draw_hinted_labels(canvas, plan, scene)
    draw_values(canvas, plan, scene)
    below = plan.below
    write_lines(canvas, remark, _WORDS, below, LINE, Tone.TEXT)
    write_lines(canvas, footer, _WORDS, below + len(remark) * LINE, LINE, Tone.MUTED_TEXT)
    return canvas


def _draw_cells(
    canvas: Canvas, plan: Layout, scene: BoardScene, style: Style, *, dimming: bool
) -> None:
    striking = scene.last | scene.line | scene.hint | scene.marked | scene.at_risk | scene.removed
    for row, cells in enumerate(scene.cells):
        for column, cell in enumerate(cells):
            square = Square(row, column)
            if cell is Cell.EMPTY and square not in striking:
                continue
            look = look_of(scene, square, dimming=dimming)
            left, top, _, _ = plan.cell_box(square)
            canvas.put(style.cell_sprite(look, plan.cell, canvas.theme), left, top)


def _draw_links(canvas: Canvas, plan: Layout, scene: BoardScene, style: Style) -> None:
    """Connect the squares of a winning line, so that they are one mark and not four."""
    half = plan.cell // 2
    for one, other in links(scene.line):
        left, top, right, bottom = plan.cell_box(one)
        x, y = (left + right) // 2, (top + bottom) // 2
        right_by, down_by = other.column - one.column, other.row - one.row
        bar = _link_shape(plan.cell, right_by, down_by, style.reach[bool(right_by and down_by)])
        x += round(right_by * plan.cell / 2) - half
        y += round(down_by * plan.cell / 2) - half
        canvas.paint_except(bar, x, y, Ramp(Tone.BOARD, Tone.TEXT), Tone.TEXT)


@cache
def _link_shape(cell: int, right: int, down: int, reach: float) -> Image.Image:
    """Return a bar between the marks of two cells, in the middle of a square as large as a cell."""
    whole = (right**2 + down**2) ** 0.5
    share = (whole / 2 - reach) / whole * cell
    ends = [(sign * right * share, sign * down * share) for sign in (-1, 1)]
    return shapes.bar(cell, ends[0], ends[1], cell * 0.28)


def _draw_fuse(canvas: Canvas, plan: Layout, scene: BoardScene) -> None:
    """Mark rows with squares at risk: a fuse between their holes, and an arrow at each end."""
    for row in {square.row for square in scene.at_risk}:
        dash = _dash_shape(plan.cell)
        _, top, _, bottom = plan.cell_box(Square(row, 0))
        middle = (top + bottom) // 2
        for column in range(1, plan.columns):
            left, _, _, _ = plan.cell_box(Square(row, column))
            canvas.paint(
                dash, left - dash.width // 2, middle - dash.height // 2, Ramp(Tone.BOARD, Tone.TEXT)
            )
        arrow = shapes.pointer(26, 12).transpose(Image.Transpose.ROTATE_90)
        left, right = plan.frame[0], plan.frame[2]
        ramp = Ramp(Tone.BOARD, Tone.TEXT)
        canvas.paint(arrow, left + 1, middle - 13, ramp)
        flipped = arrow.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        canvas.paint(flipped, right - FRAME + 1, middle - 13, ramp)


@cache
def _dash_shape(cell: int) -> Image.Image:
    return shapes.panel(round(cell * 0.09), round(cell * 0.07), 2)


def _draw_hinted_labels(canvas: Canvas, plan: Layout, scene: BoardScene) -> None:
    ramp = Ramp(Tone.HINT, Tone.BACKGROUND)
    labels = [
        (plan.label_box(column), scene.column_labels[column])
        for column in {square.column for square in scene.hint | scene.area}
    ]
    if scene.row_labels:
        labels += [
            (plan.row_label_box(row), scene.row_labels[row])
            for row in {square.row for square in scene.hint | scene.area}
        ]
    for box, label in labels:
        left, top, right, _ = box
        width = min(_CHIP[0], right - left)
        canvas.put(_chip_sprite(width, canvas.theme), (left + right - width) // 2, top)
        _write_label(canvas, box, label, ramp)


def _write_label(canvas: Canvas, box: Box, label: str, ramp: Ramp) -> None:
    left, top, right, bottom = box
    text, font = fit(legible(label), right - left, _LABEL)
    canvas.write(text, (left + right) // 2, (top + bottom) // 2, font, ramp, "middle")


@cache
def _chip_sprite(width: int, theme: Theme) -> Image.Image:
    height = _CHIP[1]
    canvas = Canvas.blank(width, height, theme, Tone.BACKGROUND)
    canvas.paint(shapes.panel(width, height, height / 2), 0, 0, Ramp(Tone.BACKGROUND, Tone.HINT))
    return canvas.image


@lru_cache(maxsize=16)
def _empty_board(
    plan: Layout,
    column_labels: tuple[str, ...],
    row_labels: tuple[str, ...],
    theme: Theme,
    style: Style,
) -> Image.Image:
    canvas = Canvas.blank(WIDTH, plan.height, theme, Tone.BACKGROUND)
    _paint_frame(canvas, plan.frame)
    quiet = Ramp(Tone.BACKGROUND, Tone.MUTED_TEXT)
    for row, label in enumerate(row_labels):
        _write_label(canvas, plan.row_label_box(row), label, quiet)
    for column, label in enumerate(column_labels):
        _write_label(canvas, plan.label_box(column), label, quiet)
        for row in range(plan.rows):
            left, top, _, _ = plan.cell_box(Square(row, column))
            canvas.put(style.cell_sprite(Look(Cell.EMPTY), plan.cell, theme), left, top)
    return canvas.image


def _paint_frame(canvas: Canvas, frame: Box) -> None:
    """Paint a raised board: lit above, with a lower edge and its shadow."""
    left, top, right, bottom = frame
    body = shapes.panel(right - left, bottom - top, _RIM)
    canvas.paint(body, left, top + LIP, Ramp(Tone.BACKGROUND, Tone.HOLE))
    canvas.paint(body, left, top + LIP // 2, Ramp(Tone.HOLE, Tone.PANEL))
    canvas.paint(body, left, top, Ramp(Tone.BACKGROUND, Tone.BOARD_LIGHT))
    face = shapes.panel(right - left, bottom - top - _LIT, _RIM)
    canvas.paint(face, left, top + _LIT, Ramp(Tone.BOARD_LIGHT, Tone.BOARD))
