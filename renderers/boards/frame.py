"""A board's picture, with what all games share: header, labels, rim, small print and panel."""

from __future__ import annotations

from functools import cache, lru_cache

from PIL import Image

from engine.game import Cell, Square
from renderers.blocks.small_print import draw_small_print
from renderers.boards.header import draw_header
from renderers.boards.layout import Box, Layout, layout
from renderers.boards.panel import panel_block
from renderers.boards.style import Look, Style
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.measures import WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.png import QUICK, THOROUGH
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import Theme, Tone
from renderers.scene import BoardScene

_LABEL = Font(30, bold=True)
_CHIP = (64, 44)
_RIM = 28


def plan_of(scene: BoardScene, style: Style) -> Layout:
    """Return where the parts of a scene's picture are.

    Raises:
        ValueError: when the board has fewer than 4 or more than 8 rows or columns.
    """
    return layout(
        scene.rows,
        scene.columns,
        largest_cell=style.largest_cell,
        row_labels=bool(scene.row_labels),
        remark=bool(scene.remark),
    )


def draw_framed(scene: BoardScene, theme: Theme, style: Style) -> bytes:
    """Draw a board in a game's style with its players, status, footer and panel.

    Args:
        scene: What to show; 4 to 8 rows and columns.
        theme: The colours.
        style: What the game's cells look like.

    Returns:
        A PNG, `WIDTH` pixels wide.

    Raises:
        ValueError: when the board is smaller or larger than that.
    """
    plan = plan_of(scene, style)
    panel = panel_block(scene.panel)
    height = plan.height + panel.height
    empty = _empty_board(plan, scene.column_labels, scene.row_labels, height, theme, style)
    canvas = Canvas.over(empty, theme)
    draw_header(canvas, scene, style.paint_token)
    _draw_cells(canvas, plan, scene, style)
    _draw_hinted_labels(canvas, plan, scene)
    draw_small_print(canvas, scene.footer, plan.footer)
    panel.draw(canvas, plan.height)
    return canvas.png(QUICK if scene.panel is None else THOROUGH)


def _draw_cells(canvas: Canvas, plan: Layout, scene: BoardScene, style: Style) -> None:
    marked = scene.last | scene.line | scene.hint
    for row, cells in enumerate(scene.cells):
        for column, cell in enumerate(cells):
            square = Square(row, column)
            if cell is Cell.EMPTY and square not in marked:
                continue
            look = Look(cell, square in scene.last, square in scene.line, square in scene.hint)
            left, top, _, _ = plan.cell_box(square)
            canvas.put(style.cell_sprite(look, plan.cell, canvas.theme), left, top)


def _draw_hinted_labels(canvas: Canvas, plan: Layout, scene: BoardScene) -> None:
    ramp = Ramp(Tone.HINT, Tone.PAGE)
    labels = [
        (plan.label_box(column), scene.column_labels[column])
        for column in {square.column for square in scene.hint}
    ]
    if scene.row_labels:
        labels += [
            (plan.row_label_box(row), scene.row_labels[row])
            for row in {square.row for square in scene.hint}
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
    canvas = Canvas.blank(width, height, theme, Tone.PAGE)
    canvas.paint(shapes.panel(width, height, height / 2), 0, 0, Ramp(Tone.PAGE, Tone.HINT))
    return canvas.image


@lru_cache(maxsize=16)
def _empty_board(
    plan: Layout,
    column_labels: tuple[str, ...],
    row_labels: tuple[str, ...],
    height: int,
    theme: Theme,
    style: Style,
) -> Image.Image:
    canvas = Canvas.blank(WIDTH, height, theme, Tone.PAGE)
    left, top, right, bottom = plan.frame
    rim = shapes.panel(right - left, bottom - top, _RIM)
    canvas.paint(rim, left, top, Ramp(Tone.PAGE, Tone.BOARD))
    quiet = Ramp(Tone.PAGE, Tone.MUTED)
    for row, label in enumerate(row_labels):
        _write_label(canvas, plan.row_label_box(row), label, quiet)
    for column, label in enumerate(column_labels):
        _write_label(canvas, plan.label_box(column), label, quiet)
        for row in range(plan.rows):
            left, top, _, _ = plan.cell_box(Square(row, column))
            canvas.put(style.cell_sprite(Look(Cell.EMPTY), plan.cell, theme), left, top)
    return canvas.image
