"""What is above every board: who plays, whose turn it is and how the game stands."""

from __future__ import annotations

from functools import cache

from PIL import Image

from engine.game import Player
from renderers.boards.layout import Box
from renderers.boards.style import PaintToken
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import Theme, Tone
from renderers.scene import BoardScene

_TOP = 20
_HEIGHT = 72
_GAP = 16
_PILL = (WIDTH - 2 * MARGIN - _GAP) // 2
_TOKEN = 56
_INSET = (_HEIGHT - _TOKEN) // 2
_POINTER = (32, 14)
_STATUS_MIDDLE = 137
_STATUS_FONTS = (Font(34, bold=True), Font(30, bold=True), Font(26, bold=True))
_REMARK_MIDDLE = 180
_REMARK_FONTS = (Font(28), Font(26), Font(24))


def draw_header(canvas: Canvas, scene: BoardScene, paint_token: PaintToken) -> None:
    """Draw both names with their tokens, the status and the remark.

    Args:
        canvas: Where to draw; a blank page, as far as the header reaches.
        scene: What to show.
        paint_token: Paints the token beside a player's name.
    """
    for player, name in zip(Player, scene.names, strict=True):
        pill = _pill_sprite(player, scene.active is player, canvas.theme, paint_token)
        canvas.put(pill, *pill_box(player)[:2])
        _write_name(canvas, player, legible(name, str(player.value)), scene.active is player)
    _write_line(canvas, scene.status, _STATUS_MIDDLE, _STATUS_FONTS)
    _write_line(canvas, scene.remark, _REMARK_MIDDLE, _REMARK_FONTS)


def pill_box(player: Player) -> Box:
    """Return the box of a player's pill, in pixels."""
    left = MARGIN if player is Player.FIRST else WIDTH - MARGIN - _PILL
    return left, _TOP, left + _PILL, _TOP + _HEIGHT


def _write_line(canvas: Canvas, words: str, middle: int, fonts: tuple[Font, ...]) -> None:
    words, font = fit(legible(words), WIDTH - 2 * MARGIN, *fonts)
    canvas.write(words, WIDTH // 2, middle, font, Ramp(Tone.PAGE, Tone.TEXT), "middle")


def _write_name(canvas: Canvas, player: Player, name: str, active: bool) -> None:
    first = player is Player.FIRST
    left, top, right, bottom = pill_box(player)
    ramp = Ramp(Tone.TEXT, Tone.PAGE) if active else Ramp(Tone.SURFACE, Tone.TEXT)
    inward = _INSET + _TOKEN + 14
    room = _PILL - inward - 26
    name, font = fit(name, room, Font(28, active), Font(24, active))
    x = left + inward if first else right - inward
    canvas.write(name, x, (top + bottom) // 2, font, ramp, "left" if first else "right")


@cache
def _pill_sprite(
    player: Player, active: bool, theme: Theme, paint_token: PaintToken
) -> Image.Image:
    ground = Tone.TEXT if active else Tone.SURFACE
    canvas = Canvas.blank(_PILL, _HEIGHT + _POINTER[1], theme, Tone.PAGE)
    ramp = Ramp(Tone.PAGE, ground)
    canvas.paint(shapes.panel(_PILL, _HEIGHT, _HEIGHT / 2), 0, 0, ramp)
    if active:
        # The pointer shows whose turn it is to people who cannot tell the pills' colours apart.
        left = (_PILL - _POINTER[0]) // 2
        canvas.paint(shapes.pointer(*_POINTER), left, _HEIGHT, ramp)
    left = _INSET if player is Player.FIRST else _PILL - _INSET - _TOKEN
    paint_token(canvas, player, left, _INSET, _TOKEN, ground)
    return canvas.image
