"""The parts that cards share: words that fit, headings, faces, icons, and results as shapes.

A result is never shown by colour alone: wins are full and round, draws full and
square, losses open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from renderers.card_scene import Face, Result, Tally
from renderers.paint import shapes
from renderers.paint.canvas import Anchor, Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, legible
from renderers.paint.theme import MARGIN, WIDTH, Theme, Tone

ROOM = WIDTH - 2 * MARGIN
"""The width of a card's content, in pixels."""

SMALL = 28
"""The usual smallest type: on a card at most 777 high its capitals are nine pixels high where
Discord shows it in a window of 350 pixels."""

DENSE = 22
"""The smallest type of lines that have no room for a second one of `SMALL` type."""

LEAST = 8
"""The smallest type: nothing is ever left out."""

LIP = 7
"""The thickness of a plate below its face."""

HEADING = 116
"""The height of a title and the line below it."""

BAR = 22
"""The height of a bar of results."""

_FINE = 4

_FACES = (Tone.FACE_1, Tone.FACE_2, Tone.FACE_3, Tone.FACE_4)


class Words(NamedTuple):
    """Words that were fitted into a width."""

    lines: tuple[str, ...]
    font: Font


def fitted(
    words: str, room: int, size: int, *, bold: bool = False, lines: int = 1, small: int = SMALL
) -> Words:
    """Fit words into a width, without ever leaving any out.

    They shrink to the type of the size `small`, then take a second line if there may be one, and
    only then shrink further.
    """
    words = legible(words)
    for smaller in range(size, small - 1, -1):
        if (font := Font(smaller, bold)).width(words) <= room:
            return Words((words,), font)
    for soft in (True, False) if lines > 1 else ():
        for smaller in range(min(size, small), (20 if soft else LEAST) - 1, -1):
            font = Font(smaller, bold)
            cuts = [
                cut
                for cut in _cuts(words, soft=soft)
                if max(font.width(part) for part in cut) <= room
            ]
            if cuts:
                return Words(min(cuts, key=lambda cut: abs(len(cut[0]) - len(cut[1]))), font)
    smaller = min(size, small)
    while smaller > LEAST and Font(smaller, bold).width(words) > room:
        smaller -= 1
    return Words((words,), Font(smaller, bold))


def _cuts(words: str, *, soft: bool) -> Iterator[tuple[str, str]]:
    """The ways to break words in two: at a space or sign and before a capital, or anywhere."""
    for at in range(1, len(words)):
        is_soft = words[at - 1] in " -_" or (words[at - 1].islower() and words[at].isupper())
        # No line begins or ends with a separator.
        if (is_soft and words[at] != "·") or not soft:
            yield words[:at].strip().removesuffix(" ·"), words[at:].strip()


def write(
    canvas: Canvas,
    words: str,
    x: int,
    middle: int,
    size: int,
    ramp: Ramp,
    *,
    bold: bool = False,
    anchor: Anchor = "left",
    room: int = ROOM,
    lines: int = 1,
    small: int = SMALL,
) -> None:
    """Write words on a ground of one colour, as `fitted` fits them."""
    found = fitted(words, room, size, bold=bold, lines=lines, small=small)
    height = found.font.size + 2
    for index, line in enumerate(found.lines):
        drop = (2 * index - len(found.lines) + 1) * height // 2
        canvas.write(line, x, middle + drop, found.font, ramp, anchor)


def ink(tone: Tone, ground: Tone = Tone.BACKGROUND) -> Ramp:
    """Return the ramp of words in a colour."""
    return Ramp(ground, tone)


def draw_heading(canvas: Canvas, title: str, subtitle: str) -> None:
    """Write the title of a card and the line below it."""
    write(canvas, title, MARGIN + 4, 42, 40, ink(Tone.TEXT), bold=True, room=ROOM - 8)
    muted = ink(Tone.MUTED_TEXT)
    write(canvas, subtitle, MARGIN + 4, 86, SMALL, muted, room=ROOM - 8, lines=2, small=DENSE)


def draw_panel(
    canvas: Canvas,
    left: int,
    top: int,
    width: int,
    height: int,
    tone: Tone = Tone.PANEL,
    radius: int = 22,
    lip: Tone | None = None,
) -> None:
    """Draw a panel with round corners; with a lip its thickness shows below it.

    In themes of lines the panel is outlined.
    """
    shape = shapes.panel(width, height, radius)
    if lip is not None:
        canvas.cover(shape, left, top + LIP, lip)
    if canvas.theme.is_outlined and tone is not Tone.PANEL_LIT:
        canvas.cover(shape, left, top, Tone.OUTLINE)
        inner = shapes.panel(width - 6, height - 6, radius - 3)
        canvas.cover(inner, left + 3, top + 3, tone)
    else:
        canvas.cover(shape, left, top, tone)


def draw_face(canvas: Canvas, face: Face, x: int, y: int, radius: int, *, rim: bool) -> None:
    """Draw a member's initial on one of four calm colours, around a middle."""
    tone = _FACES[face.key % len(_FACES)]
    if rim:
        _circle(canvas, x, y, radius + 3, Tone.PANEL_LIT)
    _circle(canvas, x, y, radius, tone)
    initial = legible(face.name, "?")[0].upper()
    font = Font(round(radius * 1.05) if radius > 30 else SMALL, bold=True)
    canvas.write(initial, x, y, font, Ramp(tone, Tone.FACE_TEXT), "middle")


def _circle(canvas: Canvas, x: int, y: int, radius: float, tone: Tone) -> None:
    side = 2 * round(radius) + 4
    canvas.cover(shapes.disc(side, radius), x - side // 2, y - side // 2, tone)


def draw_circle(canvas: Canvas, x: int, y: int, radius: float, tone: Tone) -> None:
    """Draw a filled circle around a middle."""
    _circle(canvas, x, y, radius, tone)


def draw_icon(canvas: Canvas, name: str, x: int, y: int, radius: int, tone: Tone) -> None:
    """Draw an icon around a middle: `won`, `drawn`, `lost`, `up`, `down` or `same`."""
    shape = _icon(name, radius)
    canvas.cover(shape, x - shape.width // 2, y - shape.height // 2, tone)


@cache
def _icon(name: str, r: int) -> Image.Image:
    side, stroke = 2 * r + 8, r * 0.34
    if name == Result.WON:
        return shapes.curve(
            side, [(-r * 0.55, r * 0.05), (-r * 0.12, r * 0.48), (r * 0.6, -r * 0.42)], stroke
        )
    if name == Result.LOST:
        return shapes.cross(side, r * 0.64, stroke)
    if name == Result.DRAWN:
        image = Image.new("L", (side, side))
        for drop in (-r * 0.28, r * 0.28):
            bar = shapes.curve(side, [(-r * 0.5, drop), (r * 0.5, drop)], stroke)
            image.paste(255, (0, 0), bar)
        return image
    if name == "same":
        return shapes.curve(side, [(-r * 0.5, 0), (r * 0.5, 0)], stroke)
    triangle = shapes.pointer(round(r * 1.4), round(r * 1.1))
    flipped = triangle.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    return flipped if name == "up" else triangle


def draw_badge(canvas: Canvas, result: Result | None, x: int, y: int, radius: int) -> None:
    """Draw a result: a full disc with a tick, a full square with bars, or an open ring.

    A game without a result of the person gets a dash.
    """
    if result is None:
        draw_icon(canvas, "same", x, y, radius, Tone.NEUTRAL)
    elif result is Result.WON:
        _circle(canvas, x, y, radius, Tone.GOOD)
        draw_icon(canvas, result, x, y, round(radius * 0.85), Tone.ACCENT_TEXT)
    elif result is Result.DRAWN:
        side = round(radius * 1.8)
        square = shapes.panel(side, side, radius * 0.35)
        canvas.cover(square, x - side // 2, y - side // 2, Tone.NEUTRAL)
        draw_icon(canvas, result, x, y, round(radius * 0.85), Tone.BACKGROUND)
    else:
        side = 2 * radius + 4
        canvas.cover(
            shapes.ring(side, radius, radius * 0.76), x - side // 2, y - side // 2, Tone.BAD
        )
        draw_icon(canvas, result, x, y, round(radius * 0.72), Tone.BAD)


def draw_change(
    canvas: Canvas,
    change: int,
    right: int,
    middle: int,
    size: int,
    ground: Tone,
    tone: Tone | None = None,
) -> None:
    """Draw a change as a triangle and a number that ends at `right`; no change is a dash."""
    if not change:
        draw_icon(canvas, "same", right - 12, middle, 11, tone or Tone.NEUTRAL)
        return
    tone = tone or (Tone.GOOD if change > 0 else Tone.BAD)
    font, words = Font(size, bold=True), str(abs(change))
    canvas.write(words, right, middle, font, Ramp(ground, tone), "right")
    name = "up" if change > 0 else "down"
    draw_icon(canvas, name, right - font.width(words) - 17, middle, 11, tone)


def draw_bar(
    canvas: Canvas, counts: Sequence[int], left: int, top: int, width: int, height: int = BAR
) -> None:
    """Draw won, drawn and lost games as one bar: full, square and hollow."""
    parts = [(kind, n) for kind, n in zip(Result, counts, strict=True) if n]
    room, total = width - 6 * (len(parts) - 1), sum(counts)
    widths = [max(round(room * n / total), height) for _, n in parts]
    if parts:
        widths[widths.index(max(widths))] += room - sum(widths)
    for (kind, _), wide in zip(parts, widths, strict=True):
        if kind is Result.LOST:
            outer, inner = shapes.panel(wide, height, height / 2), _inset(wide, height)
            image = Image.composite(Image.new("L", outer.size), outer, inner)
            canvas.cover(image, left, top, Tone.BAD)
        else:
            radius = height / 2 if kind is Result.WON else 5
            tone = Tone.GOOD if kind is Result.WON else Tone.NEUTRAL
            canvas.cover(shapes.panel(wide, height, radius), left, top, tone)
        left += wide + 6


def _inset(width: int, height: int) -> Image.Image:
    image = Image.new("L", (width, height))
    image.paste(shapes.panel(width - 8, height - 8, height / 2 - 4), (4, 4))
    return image


def draw_tally(canvas: Canvas, tally: Tally, middle: int) -> None:
    """Write won, drawn and lost games in a row, each after its shape."""
    widths = [Font(SMALL, bold=True).width(legible(text)) + 44 for text in tally.texts]
    if sum(widths) > ROOM - 24:
        widths = [(ROOM - 24) // 3] * 3
    gap = (ROOM - sum(widths)) // 2
    left = MARGIN
    for kind, text, wide in zip(Result, tally.texts, widths, strict=True):
        draw_badge(canvas, kind, left + 16, middle, 16)
        write(canvas, text, left + 44, middle, SMALL, ink(Tone.TEXT), bold=True, room=wide - 44,
              lines=2)  # fmt: skip
        left += wide + gap


def draw_footer(canvas: Canvas, words: str, middle: int) -> None:
    """Write the small line at the bottom of a card."""
    write(canvas, words, WIDTH // 2, middle, SMALL, ink(Tone.MUTED_TEXT), anchor="middle", lines=2)


def path(
    width: int, height: int, points: Sequence[tuple[float, float]], stroke: float
) -> Image.Image:
    """Return a line with round joints through points of an image, as coverage."""
    large = Image.new("L", (width * _FINE, height * _FINE))
    pen, places = ImageDraw.Draw(large), [(x * _FINE, y * _FINE) for x, y in points]
    pen.line(places, fill=255, width=round(stroke * _FINE), joint="curve")
    radius = stroke * _FINE / 2
    for x, y in places:
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    return large.reduce(_FINE)


_LEAST_HEIGHT = 510
"""The least height of a card: Discord would show a lower one small."""


def blank(height: int, theme: Theme) -> Canvas:
    """Return an empty card of a height, or of the least height."""
    return Canvas.blank(WIDTH, max(height, _LEAST_HEIGHT), theme, Tone.BACKGROUND)
