"""Bombs on a whole board: the row that one would clear, and an explosion."""

from __future__ import annotations

from functools import cache

from PIL import Image

from engine.core.game import Player, Square
from renderers.boards.layout import BAND, Layout
from renderers.boards.stones import HOLE, paint_piece
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.shapes import Pen
from renderers.paint.theme import Tone
from renderers.scene import BoardScene

_LENS = ((50, Tone.HOLE_SHADE), (40, Tone.BLAST), (17, Tone.BLAST_CORE))
"""Half the height of an explosion's layers, on a cell of `_USUAL`."""

_USUAL = 80

_SHARDS = ((-40, -33), (-14, -50), (30, -42), (-36, 38), (16, 50))
"""The places of the pieces of a disc around its middle, on a cell of `_USUAL`."""


def draw_lanes(canvas: Canvas, plan: Layout, scene: BoardScene) -> None:
    """Mark the rows that announced explosions would clear: lines along them, arrows in the rim."""
    for row in {square.row for square in scene.at_risk}:
        left, top, right, bottom = plan.frame
        _, y = plan.middle(Square(row, 0))
        first, above, _, below = plan.cell_box(Square(row, 0))
        lane = _lane(plan.columns * plan.cell - 8)
        for middle in (above + 1, below - 1):
            canvas.cover(lane, first + 4, middle - 2, Tone.BLAST)
        if not scene.row_labels and top + BAND < bottom:
            arrow = _arrow()
            canvas.cover(arrow, left + 2, y - 11, Tone.BLAST)
            flipped = arrow.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
            canvas.cover(flipped, right - 2 - arrow.width, y - 11, Tone.BLAST)


def draw_blasts(canvas: Canvas, plan: Layout, scene: BoardScene) -> None:
    """Draw explosions along the rows that lose discs; those that stay are drawn over them."""
    rows: dict[int, list[Square]] = {}
    for square in sorted(scene.removed):
        rows.setdefault(square.row, []).append(square)
    for row, gone in rows.items():
        bombs = [square for square in gone if scene.cells[row][square.column].is_bomb]
        left, _, right, _ = plan.frame
        x, y = plan.middle((bombs or gone)[0])
        scale = plan.cell / _USUAL
        width, half = right - left - 8, round(56 * scale)
        for reach, tone in _LENS:
            lens = _lens(width, half, x - left - 4, reach * scale)
            canvas.cover(lens, left + 4, y - half, tone)
        for index, square in enumerate(gone):
            size = 58 if square in bombs else 42
            outer, inner = _burst(round(size * scale), index)
            at, _ = plan.middle(square)
            for shape, tone in ((outer, Tone.BLAST), (inner, Tone.BLAST_CORE)):
                canvas.cover(shape, at - shape.width // 2, y - shape.height // 2, tone)
        _draw_rest(canvas, plan, scene, row)
        for square in gone:
            _draw_shards(canvas, plan, scene, square)


def _draw_rest(canvas: Canvas, plan: Layout, scene: BoardScene, row: int) -> None:
    """Draw the discs of a row that an explosion leaves on the board."""
    for column, cell in enumerate(scene.cells[row]):
        if cell.owner is None or Square(row, column) in scene.removed:
            continue
        x, y = plan.middle(Square(row, column))
        half = plan.cell // 2
        ground = _hole(plan.cell)
        canvas.cover(ground, x - half, y - half, Tone.HOLE)
        paint_piece(canvas, cell, (x, y), plan.cell)


def _draw_shards(canvas: Canvas, plan: Layout, scene: BoardScene, square: Square) -> None:
    cell = scene.cells[square.row][square.column]
    if cell.owner is None or cell.is_bomb:
        return
    first = cell.owner is Player.FIRST
    face, edge = (Tone.DISC_1, Tone.DISC_1_EDGE) if first else (Tone.DISC_2, Tone.DISC_2_EDGE)
    x, y = plan.middle(square)
    scale = plan.cell / _USUAL
    for right, down in _SHARDS:
        for rim, tone in ((2, edge), (0, face)):
            shape = _shard(right, rim)
            half = shape.width // 2
            canvas.cover(
                shape, x + round(right * scale) - half, y + round(down * scale) - half, tone
            )


@cache
def _lane(width: int) -> Image.Image:
    return shapes.panel(width, 4, 2)


@cache
def _arrow() -> Image.Image:
    return shapes.shape(13, 22, lambda pen: pen.polygon([(0, 0), (0, 22), (13, 11)]))


@cache
def _hole(size: int) -> Image.Image:
    return shapes.shape(size, size, lambda pen: pen.circle(size / 2, size / 2, size * HOLE))


@cache
def _shard(turn: int, rim: float) -> Image.Image:
    corners = shapes.spikes(14, 14, 9, 5, 3, turn)
    return shapes.shape(28, 28, lambda pen: pen.polygon(corners, rim))


def _lens(width: int, half: int, x: int, reach: float) -> Image.Image:
    """A lens over the whole board, widest at `x`; every position of a bomb has another."""
    corners = [(3.0, half), (x, half - reach), (width - 3.0, half), (x, half + reach)]
    return shapes.shape(width, 2 * half, lambda pen: pen.polygon(corners, 3))


@cache
def _burst(radius: int, index: int) -> tuple[Image.Image, Image.Image]:
    """An explosion and its heart, in the middle of an image."""
    half = round(radius * 1.1)
    turn = 0.2 * index

    def star(outer: float, inner: float, more: float, rim: float) -> Image.Image:
        corners = shapes.spikes(half, half, outer, inner, 10, turn + more)

        def draw(pen: Pen) -> None:
            pen.polygon(corners, rim)

        return shapes.shape(2 * half, 2 * half, draw)

    outer = star(radius, radius * 0.6, 0, radius * 0.04)
    return outer, star(radius * 0.62, radius * 0.34, 0.3, radius * 0.04)
