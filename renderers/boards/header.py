"""The header of every board: the players, and whose turn it is or who has won."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from PIL import Image

from engine.core.game import Player
from renderers.boards.layout import PILLS, Box, Layout
from renderers.boards.style import PaintToken
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, is_writable, legible, wrap_whole
from renderers.paint.theme import MARGIN, WIDTH, Theme, Tone
from renderers.scene import BoardScene

_GAP = 12

_PILL = (WIDTH - 2 * MARGIN - _GAP) // 2

_TOKEN = 62

_INSET = 10

_ROOM = _PILL - _INSET - _TOKEN - 10 - 18
"""The width for a name in its pill."""

_POINTER = (40, 22)

_STAR = 22

_EDGE = 4
"""How much lower the shaded edge of a pill is."""

_FONTS = (
    (Font(38, bold=True), 1),
    (Font(35, bold=True), 2),
    (Font(33, bold=True), 3),
    (Font(33), 3),
)
"""The fonts for a name, each with the most lines that a name may take in it."""

_LINE_HEIGHT = 38

_MOST_LINES = len(PILLS)


class Name(NamedTuple):
    """A name as it is written: complete, on as many lines as it takes."""

    lines: tuple[str, ...]
    font: Font


def names_of(scene: BoardScene) -> tuple[Name, Name]:
    """Make both names fit into their pills.

    A name is never cut: a long one takes up to three lines. One that takes more, or that the
    typeface cannot write, is replaced by the player's stand-in.
    """
    first, second = (
        _name(name, other) for name, other in zip(scene.names, scene.stand_ins, strict=True)
    )
    return first, second


def _name(name: str, other: str) -> Name:
    words = legible(name) if is_writable(name) else legible(other)
    fitted = _fitted(words)
    return fitted if len(fitted.lines) <= _MOST_LINES else _fitted(legible(other))


def _fitted(words: str) -> Name:
    """Choose the largest type in which no word breaks, or else in which all words fit."""
    ways = [(Name(wrap_whole(words, _ROOM, font), font), most) for font, most in _FONTS]
    fitting = [way for way, most in ways if len(way.lines) <= most]
    whole = [way for way in fitting if " ".join(way.lines) == words]
    return [*whole, *fitting, ways[-1][0]][0]


def draw_header(
    canvas: Canvas,
    scene: BoardScene,
    names: tuple[Name, Name],
    plan: Layout,
    paint_token: PaintToken,
) -> None:
    """Draw both names with their tokens, and highlight the player to move or the winner.

    Args:
        canvas: Where to draw; a blank page, as far as the header reaches.
        scene: What to show.
        names: The names as they are written.
        plan: Where the parts of the picture are.
        paint_token: Paints the token beside a player's name.
    """
    for player, name in zip(Player, names, strict=True):
        lit = player in (scene.active, scene.winner)
        height = plan.pill
        sprite = _pill_sprite(
            player, lit, scene.winner is player, height, canvas.theme, paint_token
        )
        left, top, _, bottom = pill_box(player, plan)
        canvas.put(sprite, left, top)
        ramp = Ramp(Tone.TEXT, Tone.BACKGROUND) if lit else Ramp(Tone.PANEL, _quiet(scene))
        x = left + _INSET + _TOKEN + 10
        middle = (top + bottom) // 2
        for index, line in enumerate(name.lines):
            drop = (2 * index - len(name.lines) + 1) * _LINE_HEIGHT // 2
            canvas.write(line, x, middle + drop, name.font, ramp)


def _quiet(scene: BoardScene) -> Tone:
    """The colour of a name that is not highlighted: it is dimmed once the other player has won."""
    return Tone.TEXT if scene.winner is None else Tone.MUTED_TEXT


def pill_box(player: Player, plan: Layout) -> Box:
    """Return the box of a player's pill, in pixels."""
    left = MARGIN if player is Player.FIRST else WIDTH - MARGIN - _PILL
    top, bottom = plan.pills
    return left, top, left + _PILL, bottom


@cache
def _pill_sprite(
    player: Player, lit: bool, won: bool, height: int, theme: Theme, paint_token: PaintToken
) -> Image.Image:
    ground = Tone.TEXT if lit else Tone.PANEL
    canvas = Canvas.blank(_PILL, height + _STAR + 2, theme, Tone.BACKGROUND)
    radius = min(height / 2, 44)
    body = shapes.panel(_PILL, height - _EDGE, radius)
    edge = Tone.MUTED_TEXT if lit else Tone.HOLE
    canvas.paint(body, 0, _EDGE, Ramp(Tone.BACKGROUND, edge))
    canvas.paint(body, 0, 0, Ramp(edge if lit else Tone.BACKGROUND, ground))
    if won:
        for place in (-1, 0, 1):
            star = shapes.star(_STAR, _STAR / 2, _STAR / 4.4, 5)
            canvas.paint(
                star,
                _PILL // 2 + place * 34 - _STAR // 2,
                height + 3,
                Ramp(Tone.BACKGROUND, Tone.TEXT),
            )
    elif lit:
        # The pointer shows whose turn it is to people who cannot tell the pills' colours apart.
        left = (_PILL - _POINTER[0]) // 2
        canvas.paint(shapes.pointer(*_POINTER), left, height - _EDGE, Ramp(edge, ground))
    paint_token(canvas, player, _INSET, (height - _EDGE - _TOKEN) // 2, _TOKEN, ground)
    return canvas.image
