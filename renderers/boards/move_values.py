"""The values of moves, as chips above the columns or on the squares, under a line of advice.

A win is full and round with a tick, a draw full and square with an equals sign, a loss hollow with
a cross, and an estimate a plain panel: no colour is needed to tell them apart. The best move has a
bright rim.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PIL import Image

from renderers.boards.layout import EDGE, VALUE, Layout
from renderers.boards.style import PaintToken
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.shapes import Pen
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import WIDTH, Theme, Tone
from renderers.scene import BoardScene, MoveValue, Outlook

_WORDS = tuple(Font(size, bold=True) for size in (22, 21, 20))
_NUMBER = Font(27, bold=True)
_ADVICE = tuple(Font(size, bold=True) for size in range(36, 23, -1))
_VERDICT = tuple(Font(size, bold=True) for size in range(30, 21, -1))
_LEGEND = Font(24, bold=True)
_FULL = Font(22)

_POINTER = 18
"""The height of a chip's pointer with a rim."""

_RIM, _HOLLOW = 4, 3

_HEAD = 46
"""The middle of the line of advice."""

_TOKEN = 54

_TONES = {
    Outlook.WIN: (Tone.CHIP_WIN, Tone.CHIP_WIN_TEXT),
    Outlook.DRAW: (Tone.CHIP_DRAW, Tone.CHIP_DRAW_TEXT),
    Outlook.LOSS: (Tone.CHIP_LOSS, Tone.CHIP_LOSS_TEXT),
    Outlook.UNKNOWN: (Tone.PANEL, Tone.TEXT),
}
"""The colours of a chip and of what is on it."""

_VERDICTS = {Outlook.WIN: Tone.GOOD, Outlook.LOSS: Tone.BAD}


def needs_legend(scene: BoardScene, plan: Layout) -> bool:
    """Whether the words of values are too wide for their chips, so that a legend explains them."""
    room = plan.value_width - 6
    return bool(scene.legend) and any(
        _WORDS[-1].width(legible(word)) > room
        for _, words in scene.legend
        for word in words.split()
    )


def draw_advice(canvas: Canvas, scene: BoardScene, paint_token: PaintToken) -> None:
    """Draw the line of advice, with the token of the player to move and the value of the move."""
    x, edge = EDGE + 4, WIDTH - EDGE
    player = scene.active or scene.winner
    if player is not None:
        paint_token(canvas, player, x + 1, _HEAD - _TOKEN // 2, _TOKEN, Tone.BACKGROUND)
        x = 94
    verdict, font = fit(legible(scene.verdict), 240, *_VERDICT)
    best = next((value.outlook for value in scene.values if value.is_best), Outlook.UNKNOWN)
    ink = _VERDICTS.get(best, Tone.TEXT)
    canvas.write(verdict, edge, _HEAD, font, Ramp(Tone.BACKGROUND, ink), "right")
    room = edge - x - (font.width(verdict) + 24 if verdict else 0)
    advice, font = fit(legible(scene.advice), room, *_ADVICE)
    canvas.write(advice, x, _HEAD, font, Ramp(Tone.BACKGROUND, Tone.TEXT))


def draw_values(canvas: Canvas, plan: Layout, scene: BoardScene) -> None:
    """Draw the values of a scene: on the squares of games that name their rows, else above.

    Threats on the squares take their place.
    """
    on_squares = bool(scene.row_labels)
    if on_squares and scene.threats:
        return
    # Where all moves are equally good, none is highlighted.
    equal = all(value.is_best for value in scene.values)
    for value in scene.values:
        square = value.square
        middle = plan.middle(square) if on_squares else _middle_above(plan, square.column)
        is_best = value.is_best and not equal
        _draw_chip(canvas, middle, plan, value, is_best=is_best, on_square=on_squares)
    if scene.values and not on_squares and scene.full:
        known = {value.square.column for value in scene.values}
        for column in range(plan.columns):
            if column not in known and all(row[column].owner for row in scene.cells):
                words, font = fit(legible(scene.full), plan.cell - 4, _FULL, Font(20))
                ramp = Ramp(Tone.BACKGROUND, Tone.MUTED_TEXT)
                canvas.write(words, *_middle_above(plan, column), font, ramp, "middle")
    if plan.legend and any(value.outlook in dict(scene.legend) for value in scene.values):
        _draw_legend(canvas, plan, scene)


def _middle_above(plan: Layout, column: int) -> tuple[int, int]:
    left, top, right, bottom = plan.value_box(column)
    return (left + right) // 2, (top + bottom) // 2


def _draw_chip(
    canvas: Canvas,
    middle: tuple[int, int],
    plan: Layout,
    value: MoveValue,
    *,
    is_best: bool,
    on_square: bool,
) -> None:
    x, y = middle
    width = min(100, plan.cell - 28) if on_square else plan.value_width
    bare = plan.legend and value.outlook is not Outlook.UNKNOWN
    first, _, second = legible(value.text).partition(" ")
    number = legible(value.number)
    icon = (30 if number else 44, 18) if bare else (20, 14)
    sprite = _chip_sprite(width, value.outlook, is_best, on_square, icon, canvas.theme)
    canvas.put(sprite, x - sprite.width // 2, y - VALUE // 2 - _RIM)
    ramp, top, room = Ramp(*_TONES[value.outlook]), y - VALUE // 2, width - 6
    if bare:
        canvas.write(number, x, top + 66, _NUMBER, ramp, "middle")
        return
    if value.outlook is Outlook.UNKNOWN:
        words, font = fit(legible(value.text), room, *_WORDS)
        canvas.write(words, x, y, font, ramp, "middle")
        return
    for line, down in ((first, 47), (second, 71)) if second else ((first, 58),):
        words, font = fit(line, room, *_WORDS)
        canvas.write(words, x, top + down, font, ramp, "middle")


@cache
def _chip_sprite(
    width: int,
    outlook: Outlook,
    is_best: bool,
    on_square: bool,
    icon: tuple[int, int],
    theme: Theme,
) -> Image.Image:
    """Draw a chip without words, `_RIM` below the top of its image."""
    face, ink = _TONES[outlook]
    edge = ink if outlook is Outlook.LOSS else Tone.OUTLINE if theme.is_outlined else face
    edge = face if outlook is Outlook.WIN else edge
    wide, high = width + 2 * _RIM, VALUE + _RIM + (_RIM if on_square else _POINTER)
    canvas = Canvas.blank(wide, high, theme, Tone.HOLE if on_square else Tone.BACKGROUND)
    corner, middle, top, low = 8 if outlook is Outlook.DRAW else 20, wide / 2, _RIM, _RIM + VALUE

    def cover(draw: Callable[[Pen], None], tone: Tone) -> None:
        canvas.cover(shapes.shape(wide, high, draw), 0, 0, tone)

    def tip(half: float, above: float, below: float) -> list[tuple[float, float]]:
        return [(middle - half, low - above), (middle + half, low - above), (middle, low + below)]

    if is_best:
        if not on_square:
            cover(lambda pen: pen.polygon(tip(17, 0, 18)), Tone.TEXT)
        cover(lambda pen: pen.box((0, 0, wide, low + _RIM), corner + _RIM), Tone.TEXT)
    if not on_square:
        cover(lambda pen: pen.polygon(tip(11, 2, 11)), edge)
    cover(lambda pen: pen.box((_RIM, top, wide - _RIM, low), corner), edge)
    if edge is not face:
        near = _RIM + _HOLLOW
        inner = (near, near, wide - near, low - _HOLLOW)
        cover(lambda pen: pen.box(inner, corner - _HOLLOW), face)
    down, radius = icon
    cover(lambda pen: _draw_icon(pen, outlook, middle, top + down, radius), ink)
    return canvas.image


def _draw_icon(pen: Pen, outlook: Outlook, x: float, y: float, radius: float) -> None:
    """Draw a tick, an equals sign or a cross around a point; nothing for an estimate."""
    width = radius * 0.34
    if outlook is Outlook.WIN:
        corners = ((-0.55, 0.05), (-0.12, 0.48), (0.6, -0.42))
        pen.path([(x + radius * a, y + radius * b) for a, b in corners], width)
    elif outlook is Outlook.DRAW:
        for down in (-0.28, 0.28):
            level = y + radius * down
            pen.path([(x - radius * 0.5, level), (x + radius * 0.5, level)], width)
    elif outlook is Outlook.LOSS:
        reach = radius * 0.45
        for rise in (-reach, reach):
            pen.path([(x - reach, y - rise), (x + reach, y + rise)], width)


def _draw_legend(canvas: Canvas, plan: Layout, scene: BoardScene) -> None:
    """Draw what the icons mean, below the board."""
    words = [(outlook, legible(text)) for outlook, text in scene.legend]
    widths = [32 + _LEGEND.width(text) for _, text in words]
    gap = min((WIDTH - 2 * EDGE - sum(widths)) // max(len(words), 1), 40)
    x = (WIDTH - sum(widths) - gap * (len(words) - 1)) // 2
    inks = {Outlook.WIN: Tone.GOOD, Outlook.LOSS: Tone.BAD}
    for (outlook, text), width in zip(words, widths, strict=True):
        canvas.cover(_icon(outlook), x, plan.below - 14, inks.get(outlook, Tone.TEXT))
        ramp = Ramp(Tone.BACKGROUND, Tone.TEXT)
        canvas.write(text, x + 32, plan.below, _LEGEND, ramp)
        x += width + gap


@cache
def _icon(outlook: Outlook) -> Image.Image:
    return shapes.shape(28, 28, lambda pen: _draw_icon(pen, outlook, 12, 14, 14))
