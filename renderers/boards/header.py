"""The header of every board: a plate for each player, and at the end one banner for the result.

The player to move has the one bright plate, with a lip and a pointer in the colour of their discs.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from PIL import Image

from engine.core.game import Player
from renderers.boards.layout import EDGE, PLATE, TOP, Box
from renderers.boards.style import PaintToken
from renderers.paint import shapes
from renderers.paint.canvas import Anchor, Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, is_writable, legible
from renderers.paint.theme import WIDTH, Theme, Tone
from renderers.scene import MAX_STARS, Banner, BoardScene, Task

_GAP = 14

_WIDTH = (WIDTH - 2 * EDGE - _GAP) // 2
"""The width of a plate."""

_LIP, _CORNER = 7, 22

_FACE = PLATE - _LIP

_TOKEN = 54

_INDENT = 82
"""Where the words on a plate begin."""

_ROOM = _WIDTH - _INDENT - 16

_STAR = 34
"""The size of a star of a difficulty."""

_POINTER = 17
"""Half the width of the pointer below a plate."""

_ONE_LINE = tuple(Font(size, bold=True) for size in range(29, 23, -1))
_TWO_LINES = tuple(Font(size, bold=True) for size in range(24, 19, -1))
_LEAST_LINES = tuple(Font(size, bold=True) for size in range(20, 15, -1))
"""The sizes of a name on one line, of one on two, and of one on three."""

_DETAIL = (22, 21, 20)

_TITLE = tuple(Font(size, bold=True) for size in range(34, 23, -1))

_PAPER = ((0, 16, 20), (1, 50, -35), (0, 28, 60), (1, 56, 15), (0, 12, 70))
"""The confetti on a banner: its colour, its height and how it is turned, over and over."""

_BREAKS = " -_"


class Name(NamedTuple):
    """A name as it is written: complete, on as many lines as it takes."""

    lines: tuple[str, ...]
    font: Font


def names_of(scene: BoardScene) -> tuple[Name, Name]:
    """Make both names fit into their plates.

    A name is never cut: a long one takes two or three lines. One that takes more, or that the
    typeface cannot write, is replaced by the player's stand-in.
    """
    first, second = (
        _name(short or name, other)
        for short, name, other in zip(scene.plates, scene.names, scene.stand_ins, strict=True)
    )
    return first, second


def _name(name: str, other: str) -> Name:
    words = legible(name) if is_writable(name) else legible(other)
    return fitted(words, _ROOM) or fitted(legible(other), _ROOM) or Name(("",), _ONE_LINE[0])


def fitted(words: str, room: int) -> Name | None:
    """Write words of a plate as large as their room allows, or return None where they do not fit.

    They break at a space, a sign or a capital if they can, and anywhere if not.
    """
    for font in _ONE_LINE:
        if font.width(words) <= room:
            return Name((words,), font)
    for soft in (True, False):
        for count, fonts in ((2, _TWO_LINES), (3, _LEAST_LINES)):
            if soft and count > 2:
                continue
            for font in fonts:
                lines = _broken(words, room, font, count, soft=soft)
                if lines:
                    return Name(lines, font)
    return None


def _broken(words: str, room: int, font: Font, count: int, *, soft: bool) -> tuple[str, ...]:
    """Break words into `count` lines of about the same length, if they fit so."""
    if count == 1:
        return (words,) if font.width(words) <= room else ()
    cuts = sorted(
        (i for i in range(1, len(words)) if not soft or _may_break(words, i)),
        key=lambda i: abs(len(words) / count - i),
    )
    for cut in cuts:
        head = words[:cut].strip()
        if head and font.width(head) <= room:
            rest = _broken(words[cut:].strip(), room, font, count - 1, soft=soft)
            if rest:
                return (head, *rest)
    return ()


def _may_break(words: str, index: int) -> bool:
    before, after = words[index - 1], words[index]
    return before in _BREAKS or after == " " or (before.islower() and after.isupper())


def fit_detail(words: str, room: int, *, bold: bool) -> tuple[str, Font]:
    """Write a second line as large as its room allows, leaving out its last parts if it must."""
    parts = legible(words).split(" · ")
    while parts:
        for size in _DETAIL:
            font = Font(size, bold=bold)
            if font.width(" · ".join(parts)) <= room:
                return " · ".join(parts), font
        parts.pop()
    return "", Font(_DETAIL[0], bold=bold)


def draw_header(canvas: Canvas, scene: BoardScene, paint_token: PaintToken) -> None:
    """Draw both players' plates, the banner of a game that is over, or a task.

    Args:
        canvas: Where to draw; a blank page, as far as the header reaches.
        scene: What to show.
        paint_token: Paints the token beside a player's name.
    """
    if scene.task is not None and scene.active is not None:
        _draw_task(canvas, scene.task, scene.active, paint_token)
        return
    if scene.banner is not None:
        _draw_banner(canvas, scene.banner, scene.winner, paint_token)
        return
    for player, name, detail in zip(Player, names_of(scene), scene.details, strict=True):
        lit = player in (scene.active, scene.winner)
        points = player is scene.active
        left, _, _, _ = plate_box(player)
        canvas.put(_plate_sprite(player, lit, points, canvas.theme, paint_token), left, TOP)
        if player is scene.winner:
            _draw_crown(canvas, left + 42)
        _write_name(canvas, left + _INDENT, name, detail, lit=lit)


def _write_name(canvas: Canvas, x: int, name: Name, detail: str, *, lit: bool) -> None:
    ground = Tone.PANEL_LIT if lit else Tone.PANEL
    ink = Ramp(ground, Tone.PANEL_LIT_TEXT if lit else Tone.TEXT)
    middle, lines = TOP + _FACE // 2, name.lines
    words, font = fit_detail(detail, _ROOM, bold=lit)
    if len(lines) > 1:
        _write_lines(canvas, name, (x, middle), 30 if len(lines) == 2 else 22, ink)
    elif words:
        canvas.write(lines[0], x, middle - 14, name.font, ink)
        muted = Tone.PANEL_LIT_MUTED if lit else Tone.MUTED_TEXT
        canvas.write(words, x, middle + 17, font, Ramp(ground, muted))
    else:
        canvas.write(lines[0], x, middle, name.font, ink)


def _write_lines(
    canvas: Canvas,
    name: Name,
    place: tuple[int, int],
    step: int,
    ink: Ramp,
    anchor: Anchor = "left",
) -> None:
    """Write the lines of a name around a middle, `step` pixels from one to the next."""
    x, middle = place
    for index, line in enumerate(name.lines):
        drop = round((index - (len(name.lines) - 1) / 2) * step)
        canvas.write(line, x, middle + drop, name.font, ink, anchor)


def plate_box(player: Player) -> Box:
    """Return the box of a player's plate, in pixels, without its pointer."""
    left = EDGE if player is Player.FIRST else WIDTH - EDGE - _WIDTH
    return left, TOP, left + _WIDTH, TOP + PLATE


BANNER: Box = (EDGE, 0, WIDTH - EDGE, TOP + PLATE)
"""The box of a banner with its crown."""


@cache
def _plate_sprite(
    player: Player, lit: bool, points: bool, theme: Theme, paint_token: PaintToken
) -> Image.Image:
    canvas = Canvas.blank(_WIDTH, PLATE + _POINTER, theme, Tone.BACKGROUND)
    colour = Tone.DISC_1 if player is Player.FIRST else Tone.DISC_2
    low, face = (colour, Tone.PANEL_LIT) if lit else (Tone.PANEL_EDGE, Tone.PANEL)
    if points:
        x, below = _WIDTH / 2, PLATE - 1
        corners = [(x - _POINTER, below), (x + _POINTER, below), (x, below + 15)]
        pointer = shapes.shape(_WIDTH, PLATE + _POINTER, lambda pen: pen.polygon(corners, rim=1.5))
        canvas.cover(pointer, 0, 0, low)
    _paint_plate(canvas, 0, (face, low), outlined=theme.is_outlined and not lit)
    top = (_FACE - _TOKEN) // 2
    paint_token(canvas, player, 42 - _TOKEN // 2, top, _TOKEN, face)
    return canvas.image


def _paint_plate(
    canvas: Canvas, top: int, tones: tuple[Tone, Tone], *, outlined: bool = False
) -> None:
    """Paint a plate as wide as the canvas with its lip, or an outlined one."""
    width, (face, low) = canvas.image.width, tones
    if outlined:
        canvas.cover(shapes.panel(width, PLATE, _CORNER), 0, top, Tone.OUTLINE)
        canvas.cover(shapes.panel(width - 6, PLATE - 6, _CORNER - 3), 3, top + 3, face)
        return
    plate = shapes.panel(width, _FACE, _CORNER)
    canvas.cover(plate, 0, top + _LIP, low)
    canvas.cover(plate, 0, top, face)


def _draw_task(canvas: Canvas, task: Task, player: Player, paint_token: PaintToken) -> None:
    """Draw the one lit plate of an exercise: the task, the question, and stars."""
    left, width = EDGE, WIDTH - 2 * EDGE
    plate = _task_sprite(player, task.stars, canvas.theme, paint_token)
    canvas.put(plate, left, TOP)
    stars = (_STAR + 8) * MAX_STARS + 16 if task.stars else 16
    room, middle = width - _INDENT - stars, TOP + _FACE // 2
    title = fitted(legible(task.title), room) or Name((legible(task.title),), _LEAST_LINES[-1])
    ink = Ramp(Tone.PANEL_LIT, Tone.PANEL_LIT_TEXT)
    if len(title.lines) > 1:
        _write_lines(canvas, title, (left + _INDENT, middle), 28, ink)
        return
    words, font = fit_detail(task.question, room, bold=True)
    canvas.write(title.lines[0], left + _INDENT, middle - (14 if words else 0), title.font, ink)
    muted = Ramp(Tone.PANEL_LIT, Tone.PANEL_LIT_MUTED)
    canvas.write(words, left + _INDENT, middle + 18, font, muted)


@cache
def _task_sprite(player: Player, stars: int, theme: Theme, paint_token: PaintToken) -> Image.Image:
    width = WIDTH - 2 * EDGE
    canvas = Canvas.blank(width, PLATE, theme, Tone.BACKGROUND)
    low = Tone.DISC_1 if player is Player.FIRST else Tone.DISC_2
    _paint_plate(canvas, 0, (Tone.PANEL_LIT, low))
    top = (_FACE - _TOKEN) // 2
    paint_token(canvas, player, 42 - _TOKEN // 2, top, _TOKEN, Tone.PANEL_LIT)
    for index in range(MAX_STARS if stars else 0):
        x = width - 16 - (MAX_STARS - index) * (_STAR + 8)
        reach = _STAR / 2
        full = shapes.star(_STAR, reach, reach * 0.45)
        canvas.cover(full, x, top + (_TOKEN - _STAR) // 2, Tone.PANEL_LIT_MUTED)
        if index >= stars:
            hollow = shapes.star(_STAR, reach - 5, (reach - 5) * 0.42)
            canvas.cover(hollow, x, top + (_TOKEN - _STAR) // 2, Tone.PANEL_LIT)
    return canvas.image


def _draw_banner(
    canvas: Canvas, banner: Banner, winner: Player | None, paint_token: PaintToken
) -> None:
    left, _, right, _ = BANNER
    canvas.put(_banner_sprite(winner, canvas.theme, paint_token), left, 0)
    middle = TOP + _FACE // 2
    if winner is None:
        ground, x, room = Tone.PANEL_LIT, (left + right) // 2, right - left - 170
        ink, soft = Tone.PANEL_LIT_TEXT, Tone.PANEL_LIT_MUTED
        _write_banner(canvas, banner, (x, middle), room, (ground, ink, soft))
        return
    ground = Tone.BANNER_1 if winner is Player.FIRST else Tone.BANNER_2
    ink = Tone.BANNER_1_TEXT if winner is Player.FIRST else Tone.BANNER_2_TEXT
    edge, x = right - 16, left + 88
    if banner.change:
        edge -= _draw_change(canvas, banner.change, edge, middle, ground) + 16
    wide = _write_banner(canvas, banner, (x, middle), edge - x, (ground, ink, ink))
    _draw_paper(canvas, winner, x + wide + 24, edge - 8)


def _write_banner(
    canvas: Canvas,
    banner: Banner,
    place: tuple[int, int],
    room: int,
    tones: tuple[Tone, Tone, Tone],
) -> int:
    """Write a banner's words from a place on, or around it for a draw; return their width."""
    x, middle = place
    ground, ink, soft = tones
    anchor: Anchor = "middle" if ground is Tone.PANEL_LIT else "left"
    title = legible(banner.title)
    font = next((font for font in _TITLE if font.width(title) <= room), None)
    if font is None:
        # A long name takes the place of the second line.
        name = fitted(title, room) or Name((title,), _LEAST_LINES[-1])
        _write_lines(canvas, name, place, 28, Ramp(ground, ink), anchor)
        return max(map(name.font.width, name.lines))
    words, small = fit_detail(banner.subtitle, room, bold=True)
    canvas.write(title, x, middle - (14 if words else 0), font, Ramp(ground, ink), anchor)
    canvas.write(words, x, middle + 19, small, Ramp(ground, soft), anchor)
    return max(font.width(title), small.width(words))


def _draw_change(canvas: Canvas, change: str, right: int, middle: int, ground: Tone) -> int:
    """Draw a change of rating in a pill that ends at `right`; return the pill's width."""
    font = Font(30, bold=True)
    words = legible(change)
    width = font.width(words) + 62
    canvas.put(_pill_sprite(width, ground, canvas.theme), right - width, middle - 24)
    ink = Ramp(Tone.PANEL_LIT, Tone.PANEL_LIT_TEXT)
    canvas.write(words, right - 20, middle, font, ink, "right")
    return width


@cache
def _pill_sprite(width: int, ground: Tone, theme: Theme) -> Image.Image:
    canvas = Canvas.blank(width, 48, theme, ground)
    canvas.cover(shapes.panel(width, 48, 24), 0, 0, Tone.PANEL_LIT)
    corners = [(11.0, 3.0), (19.0, 17.0), (3.0, 17.0)]
    triangle = shapes.shape(22, 20, lambda pen: pen.polygon(corners))
    canvas.cover(triangle, 15, 14, Tone.PANEL_LIT_TEXT)
    return canvas.image


@cache
def _banner_sprite(winner: Player | None, theme: Theme, paint_token: PaintToken) -> Image.Image:
    left, top, right, bottom = BANNER
    width = right - left
    canvas = Canvas.blank(width, bottom - top, theme, Tone.BACKGROUND)
    if winner is None:
        _paint_plate(canvas, TOP, (Tone.PANEL_LIT, Tone.NEUTRAL))
        for player, x in ((Player.FIRST, 42), (Player.SECOND, width - 42)):
            above = TOP + (_FACE - _TOKEN) // 2
            paint_token(canvas, player, x - _TOKEN // 2, above, _TOKEN, Tone.PANEL_LIT)
        return canvas.image
    first = winner is Player.FIRST
    tones = (Tone.BANNER_1, Tone.DISC_1_EDGE) if first else (Tone.BANNER_2, Tone.DISC_2_EDGE)
    _paint_plate(canvas, TOP, tones)
    middle = TOP + _FACE // 2 + 1
    canvas.cover(shapes.disc(62, 31), 44 - 31, middle - 31, Tone.WINNING_TRAY)
    paint_token(canvas, winner, 44 - 26, middle - 26, 52, Tone.WINNING_TRAY)
    _draw_crown(canvas, 44)
    return canvas.image


def _draw_crown(canvas: Canvas, x: int) -> None:
    """Draw a crown on the upper edge of a plate or banner, around `x`."""
    for rim, tone in ((1.7, Tone.WINNING_TRAY), (0, Tone.GOLD)):
        canvas.cover(_crown_shape(rim), x - 24, TOP + 3 - 18, tone)


@cache
def _crown_shape(rim: float) -> Image.Image:
    shares = (
        (-0.5, -0.28),
        (-0.24, 0.06),
        (0, -0.5),
        (0.24, 0.06),
        (0.5, -0.28),
        (0.4, 0.5),
        (-0.4, 0.5),
    )
    corners = [(24 + 36 * right, 18 + 0.66 * 36 * down) for right, down in shares]
    return shapes.shape(48, 36, lambda pen: pen.polygon(corners, rim))


def _draw_paper(canvas: Canvas, winner: Player, start: int, end: int) -> None:
    """Draw confetti on a banner, only where no words are."""
    light, edge = (
        (Tone.DISC_1_LIGHT, Tone.DISC_1_EDGE)
        if winner is Player.FIRST
        else (Tone.DISC_2_LIGHT, Tone.DISC_2_EDGE)
    )
    for index in range((end - start) // 30):
        pale, y, turn = _PAPER[index % len(_PAPER)]
        shape = _paper(turn)
        x = start + 15 + 30 * index
        canvas.cover(
            shape, x - shape.width // 2, TOP + y - shape.height // 2, light if pale else edge
        )


@cache
def _paper(turn: int) -> Image.Image:
    """A piece of paper, turned by an angle in degrees."""
    shape = shapes.shape(24, 24, lambda pen: pen.box((4, 7.5, 20, 16.5), 2))
    return shape.rotate(-turn, Image.Resampling.BICUBIC)


@cache
def _dot() -> Image.Image:
    return shapes.disc(12, 5)


def draw_confetti(canvas: Canvas, scene: BoardScene) -> None:
    """Draw confetti between a winner's banner and the board."""
    if scene.banner is None or scene.winner is None:
        return
    tones = (Tone.DISC_1, Tone.DISC_2, Tone.ACCENT, Tone.TEXT)
    for index, x in enumerate(range(44, 650, 46)):
        y = 108 + index * 5 % 9 - 4
        shape = _paper(index * 50 % 180) if index % 3 else _dot()
        canvas.cover(shape, x - shape.width // 2, y - shape.height // 2, tones[index % 4])
