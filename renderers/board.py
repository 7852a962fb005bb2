"""The picture of a board with holes that stones fall into, as Connect 4 has."""

from __future__ import annotations

from functools import cache, lru_cache

from PIL import Image

from engine.game import Cell, Square
from renderers import shapes
from renderers.canvas import Canvas
from renderers.header import draw_header
from renderers.layout import WIDTH, Layout, layout
from renderers.palette import Ramp
from renderers.panel import draw_panel, panel_height
from renderers.png import QUICK, SMALL
from renderers.scene import BoardScene
from renderers.small_print import draw_small_print
from renderers.stones import Look, cell_sprite
from renderers.text import Font, fit, legible
from renderers.theme import CHARCOAL, Theme, Tone

_LABEL = Font(30, bold=True)
_CHIP = (64, 44)
_RIM = 28


def draw_board(scene: BoardScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a board with its players, status, footer and panel.

    Args:
        scene: What to show; 4 to 8 rows and columns.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide: sharp at double density where it is shown 340 wide.

    Raises:
        ValueError: when the board is smaller or larger than that.
    """
    plan = layout(scene.rows, scene.columns)
    height = plan.height + panel_height(scene.panel)
    canvas = Canvas.over(_empty_board(plan, scene.column_labels, height, theme), theme)
    draw_header(canvas, scene, theme)
    _draw_cells(canvas, plan, scene, theme)
    _draw_hinted_labels(canvas, plan, scene, theme)
    draw_small_print(canvas, scene.footer, plan.footer)
    draw_panel(canvas, scene.panel, plan.height, theme)
    return canvas.png(QUICK if scene.panel is None else SMALL)


def _draw_cells(canvas: Canvas, plan: Layout, scene: BoardScene, theme: Theme) -> None:
    marked = scene.last | scene.line | scene.hint
    for row, cells in enumerate(scene.cells):
        for column, cell in enumerate(cells):
            square = Square(row, column)
            if cell is Cell.EMPTY and square not in marked:
                continue
            look = Look(cell, square in scene.last, square in scene.line, square in scene.hint)
            left, top, _, _ = plan.cell_box(square)
            canvas.put(cell_sprite(look, plan.cell, theme), left, top)


def _draw_hinted_labels(canvas: Canvas, plan: Layout, scene: BoardScene, theme: Theme) -> None:
    for column in {square.column for square in scene.hint}:
        left, top, right, _ = plan.label_box(column)
        canvas.put(_chip_sprite(theme), (left + right - _CHIP[0]) // 2, top)
        _write_label(canvas, plan, column, scene.column_labels[column], Ramp(Tone.HINT, Tone.PAGE))


def _write_label(canvas: Canvas, plan: Layout, column: int, label: str, ramp: Ramp) -> None:
    left, top, right, bottom = plan.label_box(column)
    text, font = fit(legible(label), right - left, _LABEL)
    canvas.write(text, (left + right) // 2, (top + bottom) // 2, font, ramp, "middle")


@cache
def _chip_sprite(theme: Theme) -> Image.Image:
    canvas = Canvas.blank(*_CHIP, theme, Tone.PAGE)
    canvas.paint(shapes.panel(*_CHIP, _CHIP[1] / 2), 0, 0, Ramp(Tone.PAGE, Tone.HINT))
    return canvas.image


@lru_cache(maxsize=16)
def _empty_board(plan: Layout, labels: tuple[str, ...], height: int, theme: Theme) -> Image.Image:
    canvas = Canvas.blank(WIDTH, height, theme, Tone.PAGE)
    left, top, right, bottom = plan.frame
    rim = shapes.panel(right - left, bottom - top, _RIM)
    canvas.paint(rim, left, top, Ramp(Tone.PAGE, Tone.BOARD))
    for column, label in enumerate(labels):
        _write_label(canvas, plan, column, label, Ramp(Tone.PAGE, Tone.MUTED))
        for row in range(plan.rows):
            left, top, _, _ = plan.cell_box(Square(row, column))
            canvas.put(cell_sprite(Look(Cell.EMPTY), plan.cell, theme), left, top)
    return canvas.image
