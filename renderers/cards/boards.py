"""Small boards without names and labels, and the pictures that are made of them."""

from __future__ import annotations

from functools import cache

from PIL import Image

from engine.core.game import Cell, Drawing, Player
from renderers.boards.drawings import DRAWINGS
from renderers.boards.frame import paint_cells
from renderers.boards.layout import BAND, Layout
from renderers.boards.style import Look
from renderers.card_scene import PairScene, PanelsScene, SmallBoard
from renderers.cards.parts import (
    ROOM,
    SMALL,
    blank,
    draw_circle,
    draw_panel,
    ink,
    path,
    write,
)
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.theme import CLASSIC, MARGIN, WIDTH, Theme, Tone
from renderers.scene import BoardScene

_FRAME = 14
"""The width of the rim of a board in a picture of two or three."""


def small_board_size(rows: int, columns: int, cell: int, frame: int) -> tuple[int, int]:
    """Return the width and the height of a small board, without its lower edge."""
    return columns * cell + 2 * frame, rows * cell + 2 * frame


def paint_small_board(
    canvas: Canvas,
    board: SmallBoard,
    left: int,
    top: int,
    cell: int,
    frame: int = _FRAME,
    *,
    plain: bool = False,
) -> None:
    """Paint a board; `plain` ones have flat stones without marks, for very small cells."""
    rows, columns = len(board.cells), len(board.cells[0])
    width, height = small_board_size(rows, columns, cell, frame)
    radius = 8 if plain else 18
    body = shapes.panel(width, height, radius)
    if not plain:
        canvas.cover(body, left, top + 8, Tone.BOARD_SIDE)
    canvas.cover(body, left, top, Tone.BOARD_LIGHT if not plain else Tone.BOARD)
    if not plain or canvas.theme.is_outlined:
        down = 2
        inner = shapes.panel(width - 2 * down, height - 2 * down, radius - down)
        if canvas.theme.is_outlined:
            canvas.cover(body, left, top, Tone.OUTLINE)
            canvas.cover(inner, left + down, top + down, Tone.BOARD)
        else:
            face = shapes.panel(width, height - down, radius)
            canvas.cover(face, left, top + down, Tone.BOARD)
    style = DRAWINGS[board.drawing]
    for row, cells in enumerate(board.cells):
        for column, sign in enumerate(cells):
            x, y = left + frame + column * cell, top + frame + row * cell
            if plain:
                canvas.put(_dot(board.drawing, sign, cell, canvas.theme), x, y)
            else:
                canvas.put(style.cell_sprite(Look(Cell.EMPTY), cell, canvas.theme), x, y)
    if not plain:
        # The measures of a board without labels, at this place.
        box = (left, top + frame - BAND, left + width, top + height)
        plan = Layout(rows, columns, cell, box, frame, remark=False, legend=False)
        paint_cells(canvas, plan, _scene(board), style)


def _scene(board: SmallBoard) -> BoardScene:
    """A board without names and labels as a scene."""
    labels = ("",) * len(board.cells[0])
    return BoardScene(
        board.cells,
        labels,
        ("", ""),
        None,
        "",
        last=board.last,
        line=board.line,
        hint=board.hint,
        at_risk=board.at_risk,
        removed=board.removed,
    )


@cache
def _dot(drawing: Drawing, sign: Cell, cell: int, theme: Theme) -> Image.Image:
    """Draw a flat cell: a hole or a disc, a tile with a cross or a ring."""
    canvas = Canvas.blank(cell, cell, theme, Tone.BOARD)
    owner = sign.owner
    tone = {None: Tone.HOLE, Player.FIRST: Tone.DISC_1, Player.SECOND: Tone.DISC_2}[owner]
    if drawing is Drawing.MARKS:
        canvas.cover(shapes.panel(cell - 2, cell - 2, 3), 1, 1, Tone.HOLE)
        if owner is Player.FIRST:
            canvas.cover(shapes.cross(cell, cell * 0.32, cell * 0.16), 0, 0, tone)
        elif owner is Player.SECOND:
            canvas.cover(shapes.ring(cell, cell * 0.34, cell * 0.19), 0, 0, tone)
        return canvas.image
    if theme.is_outlined and owner is None:
        canvas.cover(shapes.ring(cell, cell * 0.42, cell * 0.42 - 1), 0, 0, Tone.HOLE_LIGHT)
    else:
        canvas.cover(shapes.disc(cell, cell * 0.42), 0, 0, tone)
    if sign.is_bomb:
        canvas.cover(shapes.disc(cell, cell * 0.16), 0, 0, Tone.HOLE)
    return canvas.image


def draw_pair(scene: PairScene, theme: Theme = CLASSIC) -> bytes:
    """Draw two boards side by side.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide and at least 510 high.
    """
    half = (ROOM - 16) // 2
    rows, columns = len(scene.boards[0].cells), len(scene.boards[0].cells[0])
    cell = min((half - 2 * _FRAME) // columns, 400 // rows) // 2 * 2
    width, height = small_board_size(rows, columns, cell, _FRAME)
    canvas = blank(200 + height + 74, theme)
    spare = (canvas.image.height - 200 - height - 74) // 2
    write(canvas, scene.title, MARGIN + 4, 50 + spare // 2, 40, ink(Tone.TEXT), bold=True,
          room=ROOM - 8)  # fmt: skip
    top = 178 + spare
    for index, board in enumerate(scene.boards):
        left = MARGIN + index * (half + 16)
        lit = not index
        plate = Tone.PANEL_LIT if lit else Tone.PANEL
        draw_panel(canvas, left, top - 78, half, 60, plate, 20)
        words = Tone.PANEL_LIT_TEXT if lit else Tone.TEXT
        write(canvas, scene.captions[index], left + half // 2, top - 48, SMALL,
              Ramp(plate, words), bold=True, anchor="middle", room=half - 24)  # fmt: skip
        paint_small_board(canvas, board, left + (half - width) // 2, top, cell)
        write(canvas, scene.details[index], left + half // 2, top + height + 44, SMALL,
              ink(Tone.TEXT if lit else Tone.MUTED_TEXT), anchor="middle", room=half,
              lines=2)  # fmt: skip
    return canvas.png()


def draw_panels(scene: PanelsScene, theme: Theme = CLASSIC) -> bytes:
    """Draw three small boards: two above and one below, or steps one below the other.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide and at least 510 high.
    """
    if scene.numbered:
        return _draw_steps(scene, theme)
    half = (ROOM - 20) // 2
    sizes = [_fitting(board, half, 300) for board in scene.boards]
    heights = [height for _, _, height in sizes]
    upper = max(heights[:2])
    canvas = blank(20 + upper + 36 + heights[2] + 30, theme)
    lower = 20 + upper + 36
    places = (
        (MARGIN + half // 2, 20 + upper // 2),
        (WIDTH - MARGIN - half // 2, 20 + upper // 2),
        (WIDTH // 2, lower + heights[2] // 2),
    )
    for board, (cell, width, height), (x, y) in zip(scene.boards, sizes, places, strict=True):
        paint_small_board(canvas, board, x - width // 2, y - height // 2, cell)
    return canvas.png()


def _fitting(board: SmallBoard, width: int, height: int) -> tuple[int, int, int]:
    """The largest cell of a board within a width and a height, and the board's size."""
    rows, columns = len(board.cells), len(board.cells[0])
    cell = min((width - 2 * _FRAME) // columns, (height - 2 * _FRAME) // rows, 64) // 2 * 2
    return (cell, *small_board_size(rows, columns, cell, _FRAME))


def _draw_steps(scene: PanelsScene, theme: Theme) -> bytes:
    sizes = [_fitting(board, ROOM - 160, 240) for board in scene.boards]
    gap, top = 46, 20
    canvas = blank(top + sum(height for _, _, height in sizes) + 2 * gap + 28, theme)
    for number, (board, (cell, width, height)) in enumerate(
        zip(scene.boards, sizes, strict=True), 1
    ):
        left = (WIDTH - width) // 2 + 30
        draw_circle(canvas, left - 60, top + height // 2, 30, Tone.PANEL_LIT)
        write(canvas, str(number), left - 60, top + height // 2, 36,
              Ramp(Tone.PANEL_LIT, Tone.PANEL_LIT_TEXT), bold=True, anchor="middle",
              room=60)  # fmt: skip
        paint_small_board(canvas, board, left, top, cell)
        top += height + gap
        if number < len(scene.boards):
            arrow = path(40, 24, [(6, 6), (20, 18), (34, 6)], 6)
            canvas.cover(arrow, left + width // 2 - 20, top - gap // 2 - 8, Tone.MUTED_TEXT)
    return canvas.png()
