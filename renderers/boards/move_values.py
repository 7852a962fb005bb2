"""The values of moves: small plates with a value, above the columns or on the squares.

The sign of a value repeats its colour: green for a win, red for a loss. The best moves have a
bright rim.
"""

from __future__ import annotations

from functools import cache

from PIL import Image

from renderers.boards.layout import Box, Layout
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import Theme, Tone
from renderers.scene import BoardScene, MoveValue, Outlook

_FONTS = (Font(33, bold=True), Font(28, bold=True), Font(26, bold=True))

_HEIGHT = 46

_ON_SQUARE = 60

_APART = 3

_RIM = 4

_FACES: dict[Outlook, tuple[Tone, Tone]] = {
    Outlook.WIN: (Tone.HINT, Tone.BACKGROUND),
    Outlook.DRAW: (Tone.PANEL, Tone.TEXT),
    Outlook.LOSS: (Tone.BAD, Tone.BACKGROUND),
    Outlook.UNKNOWN: (Tone.HOLE, Tone.MUTED_TEXT),
}
"""The colours of a plate and of its text."""


def draw_values(canvas: Canvas, plan: Layout, scene: BoardScene) -> None:
    """Draw the values of a scene: on the squares of games that name their rows, else above."""
    for value in scene.values:
        if scene.row_labels:
            _draw(canvas, plan.cell_box(value.square), _ON_SQUARE, value, Tone.HOLE)
        else:
            _draw(canvas, plan.value_box(value.square.column), _HEIGHT, value, Tone.BACKGROUND)


def _draw(canvas: Canvas, box: Box, height: int, value: MoveValue, ground: Tone) -> None:
    """Draw a plate in the middle of a box."""
    left, top, right, bottom = box
    width = min(right - left - 2 * _APART, 76)
    x, y = (left + right) // 2, (top + bottom) // 2
    plate = _plate(width, height, value.outlook, value.is_best, ground, canvas.theme)
    canvas.put(plate, x - width // 2, y - height // 2)
    # A hyphen is easily overlooked, and there is no space for a per cent sign.
    words = legible(value.text.replace("-", "–").removesuffix("%"))
    text, font = fit(words, width - _RIM, *_FONTS)
    canvas.write(text, x, y, font, Ramp(*_FACES[value.outlook]), "middle")


@cache
def _plate(
    width: int, height: int, outlook: Outlook, is_best: bool, ground: Tone, theme: Theme
) -> Image.Image:
    face, _ = _FACES[outlook]
    canvas = Canvas.blank(width, height, theme, ground)
    radius = 12
    if is_best:
        canvas.paint(shapes.panel(width, height, radius), 0, 0, Ramp(ground, Tone.TEXT))
    inner = shapes.panel(width - 2 * _RIM, height - 2 * _RIM, radius - _RIM)
    canvas.paint(inner, _RIM, _RIM, Ramp(Tone.TEXT if is_best else ground, face))
    return canvas.image
