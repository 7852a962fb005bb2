"""The picture of a board: the parts that all games share.

These are the header, the board with its labels, the chain around a winning line, and the lines of
text below the board. A `Style` paints the cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from PIL import Image

from engine.core.game import Cell, Square
from renderers.boards.blast import draw_blasts, draw_lanes
from renderers.boards.header import draw_confetti, draw_header, fit_detail
from renderers.boards.layout import EDGE, LEGEND, LIP, Box, Layout, layout
from renderers.boards.move_values import draw_advice, draw_values, needs_legend
from renderers.boards.style import Look, Style, look_of
from renderers.boards.threat_marks import draw_threats
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

_LABEL = Font(25, bold=True)

_REMARK = tuple(Font(size, bold=True) for size in range(26, 19, -1))

Tones = tuple[Tone, Tone]
"""The colours of a label's ground and of the label."""

PLAIN, LAST = (Tone.BOARD, Tone.BOARD_TEXT), (Tone.LAST_MOVE, Tone.LAST_MOVE_TEXT)
_HINTED = (Tone.ACCENT, Tone.ACCENT_TEXT)
"""Those usually, for the last move, and for a hint."""

_CORNER = 26
"""The radius of the board's corners."""

_LIT = 3
"""The width of the light on the upper edge of a board."""

_SHADOW = (6, 8)
"""How much narrower a board's shadow is on each side, and how much lower than the lip."""

_OUTLINE = 4
"""The width of the line around a board without depth."""


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


def layout_of(scene: BoardScene, style: Style) -> Layout:
    """Return the layout of a scene's picture.

    Raises:
        ValueError: when the board has fewer than 4 or more than 8 rows or columns.
    """
    above = scene.has_values and not scene.row_labels

    def place(*, legend: bool) -> Layout:
        return layout(
            scene.rows,
            scene.columns,
            largest_cell=style.largest_cell,
            row_labels=bool(scene.row_labels),
            remark=scene.has_remark or bool(scene.remark or scene.threat_legend),
            values=above,
            legend=legend,
        )

    plan = place(legend=False)
    if above and needs_legend(scene, plan):
        plan = place(legend=True)
    return plan


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


def paint_framed(scene: BoardScene, theme: Theme, style: Style, *, quieting: bool = True) -> Canvas:
    """Paint the picture of `draw_framed`; without `quieting` all discs keep their light."""
    plan = layout_of(scene, style)
    empty = _empty_board(plan, scene.column_labels, scene.row_labels, theme, style)
    canvas = Canvas.over(empty, theme)
    if scene.has_values:
        draw_advice(canvas, scene, style.paint_token)
    else:
        draw_header(canvas, scene, style.paint_token)
    draw_confetti(canvas, scene)
    paint_cells(canvas, plan, scene, style, quieting=quieting)
    _draw_pills(canvas, plan, scene)
    draw_values(canvas, plan, scene)
    draw_threats(canvas, plan, scene, style.paint_token)
    remark, font = fit(legible(scene.remark), WIDTH - 2 * EDGE, *_REMARK)
    below = plan.below + LEGEND * plan.legend
    canvas.write(remark, WIDTH // 2, below - 2, font, Ramp(Tone.BACKGROUND, Tone.TEXT), "middle")
    footer, font = fit_detail(scene.footer, WIDTH - 2 * EDGE, bold=False)
    ramp = Ramp(Tone.BACKGROUND, Tone.MUTED_TEXT)
    canvas.write(footer, WIDTH // 2, plan.footer, font, ramp, "middle")
    return canvas


def paint_cells(
    canvas: Canvas, plan: Layout, scene: BoardScene, style: Style, *, quieting: bool = True
) -> None:
    """Paint what is on a board over its empty cells, and the marks that join several of them."""
    _draw_cells(canvas, plan, scene, style, quieting=quieting)
    draw_lanes(canvas, plan, scene)
    _draw_chain(canvas, plan, scene, style)
    draw_blasts(canvas, plan, scene)


def _draw_cells(
    canvas: Canvas, plan: Layout, scene: BoardScene, style: Style, *, quieting: bool
) -> None:
    striking = scene.last | scene.hint | scene.marked | scene.at_risk
    for row, cells in enumerate(scene.cells):
        for column, cell in enumerate(cells):
            square = Square(row, column)
            if cell is Cell.EMPTY and square not in striking:
                continue
            look = look_of(scene, square, quieting=quieting)
            if square in scene.removed:
                look = Look(Cell.EMPTY)
            left, top, _, _ = plan.cell_box(square)
            canvas.put(style.cell_sprite(look, plan.cell, canvas.theme), left, top)


def _draw_chain(canvas: Canvas, plan: Layout, scene: BoardScene, style: Style) -> None:
    """Draw the chain around a winning line, and its stones on top of that."""
    if not scene.line:
        return
    size, pairs = plan.cell, list(links(scene.line))
    for more, tone in ((_grown(size), Tone.HOLE_SHADE), (0, Tone.WINNING_RING)):
        around, width = _link_shape(style, size, more)
        for one, other in pairs:
            right, down = other.column - one.column, other.row - one.row
            band = _band_shape(size, right, down, width)
            (x1, y1), (x2, y2) = plan.middle(one), plan.middle(other)
            _cover(canvas, band, (x1 + x2) // 2, (y1 + y2) // 2, tone)
        for square in scene.line:
            _cover(canvas, around, *plan.middle(square), tone)
    for square in scene.line:
        middle = plan.middle(square)
        _cover(canvas, _tray_shape(style, size), *middle, Tone.WINNING_TRAY)
        cell = scene.cells[square.row][square.column]
        if cell.owner is not None:
            style.paint_piece(canvas, cell, middle, size)


def _grown(size: int) -> float:
    """How much larger the dark outline of a chain is than the chain, in pixels."""
    return max(size * 0.025, 2)


def _cover(canvas: Canvas, shape: Image.Image, x: int, y: int, tone: Tone) -> None:
    canvas.cover(shape, x - shape.width // 2, y - shape.height // 2, tone)


@cache
def _link_shape(style: Style, size: int, more: float) -> tuple[Image.Image, float]:
    return style.link(size, more)


@cache
def _tray_shape(style: Style, size: int) -> Image.Image:
    return style.tray(size)


@cache
def _band_shape(size: int, right: int, down: int, width: float) -> Image.Image:
    """Return a band between the middles of two cells, in the middle of an image."""
    side = 2 * size
    start = (size - right * size / 2, size - down * size / 2)
    end = (size + right * size / 2, size + down * size / 2)
    return shapes.shape(side, side, lambda pen: pen.bar(start, end, width))


def _draw_pills(canvas: Canvas, plan: Layout, scene: BoardScene) -> None:
    """Mark the labels of the last move and of a hint, and draw an arrow above a hinted column."""
    kinds = (
        # Above the values of moves, only the column to play is marked.
        (frozenset() if scene.has_values and not scene.row_labels else scene.last, LAST),
        (scene.hint, _HINTED),
    )
    columns: dict[int, Tones] = {}
    rows: dict[int, Tones] = {}
    for squares, tones in kinds:
        for square in squares:
            columns[square.column] = rows[square.row] = tones
    for column, tones in columns.items():
        _put_label(canvas, scene.column_labels[column], plan.label_box(column), tones)
    if scene.row_labels:
        for row, tones in rows.items():
            _put_label(canvas, scene.row_labels[row], plan.row_label_box(row), tones)
    elif not scene.has_values:
        for column in {square.column for square in scene.hint}:
            left, _, right, _ = plan.label_box(column)
            arrow = _arrow()
            x = (left + right - arrow.width) // 2
            canvas.cover(arrow, x, plan.frame[1] - arrow.height - 2, Tone.HINT)


@cache
def _arrow() -> Image.Image:
    return shapes.shape(32, 14, lambda pen: pen.polygon([(2, 0), (30, 0), (16, 14)]))


def _put_label(canvas: Canvas, label: str, box: Box, tones: Tones) -> None:
    canvas.put(label_sprite(label, size_of(box), tones, canvas.theme), *box[:2])


def size_of(box: Box) -> tuple[int, int]:
    """Return the width and height of a box."""
    return box[2] - box[0], box[3] - box[1]


@cache
def label_sprite(label: str, size: tuple[int, int], tones: Tones, theme: Theme) -> Image.Image:
    """Draw a label on a pill; one in the colour of the board is a label without a pill.

    Returns:
        An image of this size in palette indices. It is cached, so callers must not draw on it.
    """
    (width, height), (pill, ink) = size, tones
    canvas = Canvas.blank(width, height, theme, Tone.BOARD)
    canvas.cover(shapes.panel(width, height, height / 2), 0, 0, pill)
    words = legible(label)
    # Small letters without ascenders hang lower than digits.
    rise = 2 if words.islower() and not set(words) & set("bdfhklt") else 0
    canvas.write(words, width // 2, height // 2 - rise, _LABEL, Ramp(pill, ink), "middle")
    return canvas.image


@lru_cache(maxsize=32)
def _empty_board(
    plan: Layout,
    column_labels: tuple[str, ...],
    row_labels: tuple[str, ...],
    theme: Theme,
    style: Style,
) -> Image.Image:
    canvas = Canvas.blank(WIDTH, plan.height, theme, Tone.BACKGROUND)
    _paint_board(canvas, plan)
    for row, label in enumerate(row_labels):
        _put_label(canvas, label, plan.row_label_box(row), PLAIN)
    for column, label in enumerate(column_labels):
        _put_label(canvas, label, plan.label_box(column), PLAIN)
        for row in range(plan.rows):
            left, top, _, _ = plan.cell_box(Square(row, column))
            canvas.put(style.cell_sprite(Look(Cell.EMPTY), plan.cell, theme), left, top)
    return canvas.image


def _paint_board(canvas: Canvas, plan: Layout) -> None:
    """Paint a thick board: lit above, with its thickness and its shadow below, or outlined."""
    left, top, right, bottom = plan.frame
    width, height = right - left, bottom - top
    if canvas.theme.is_outlined:
        body = shapes.panel(width, height + LIP, _CORNER)
        canvas.cover(body, left, top, Tone.BOARD_LIGHT)
        inner = shapes.panel(width - 2 * _OUTLINE, height + LIP - 2 * _OUTLINE, _CORNER - _OUTLINE)
        canvas.cover(inner, left + _OUTLINE, top + _OUTLINE, Tone.BOARD)
        return
    aside, down = _SHADOW
    body = shapes.panel(width, height, _CORNER)
    shadow = shapes.panel(width - 2 * aside, height, _CORNER)
    canvas.cover(shadow, left + aside, top + LIP + down, Tone.BOARD_SHADOW)
    canvas.cover(body, left, top + LIP, Tone.BOARD_SIDE)
    canvas.cover(body, left, top, Tone.BOARD_LIGHT)
    face = shapes.panel(width, height - _LIT, _CORNER - 1)
    canvas.cover(face, left, top + _LIT, Tone.BOARD)
