"""The picture of a reviewed game: one curve of who was ahead after each move.

Where the curve is high, the first player is ahead. Each player's name and marks are on their side
of the plot, so colour is never needed to distinguish them.
"""

from __future__ import annotations

from typing import NamedTuple

from PIL import Image

from engine.core.game import Drawing, Player
from renderers.boards.drawings import DRAWINGS
from renderers.boards.style import Style
from renderers.cards.parts import (
    DENSE,
    HEADING,
    ROOM,
    SMALL,
    blank,
    draw_circle,
    draw_footer,
    draw_heading,
    draw_panel,
    ink,
    path,
    write,
)
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, legible
from renderers.paint.theme import CLASSIC, MARGIN, WIDTH, Theme, Tone
from renderers.scene import ReviewScene

SHOWN = ("??", "?")
"""The marks that are drawn; lesser ones are in the list of all moves."""

_ROW = 56
"""The height of a row with a player's name."""

_TOP = HEADING + _ROW
_HEIGHT = 290
"""The top and the height of the plot."""

_LANE = 46
"""The height of the lane at the top of the plot and of that at its bottom, in which marks are."""

_PAD = 24

_AXIS = 44

_TOKEN = 42

_MARK = Font(SMALL, bold=True)

_APART = 4


class _Mark(NamedTuple):
    """A mark and the space that it takes in its lane."""

    text: str
    player: Player
    left: int
    right: int

    def meets(self, other: _Mark) -> bool:
        return self.player is other.player and (
            self.left < other.right + _APART and other.left < self.right + _APART
        )


def draw_review(drawing: Drawing, scene: ReviewScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a reviewed game.

    Args:
        drawing: How the game is drawn; players have the tokens of its board.
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide and at least 510 high.
    """
    below = _TOP + _HEIGHT + _AXIS
    canvas = blank(below + _ROW + (56 if scene.footer else 12), theme)
    draw_heading(canvas, scene.title, scene.subtitle)
    draw_panel(canvas, MARGIN, _TOP, ROOM, _HEIGHT)
    style = DRAWINGS[drawing]
    _draw_player(canvas, scene, Player.FIRST, HEADING + _ROW // 2, style)
    _draw_player(canvas, scene, Player.SECOND, below + _ROW // 2, style)
    for left in range(MARGIN + 16, WIDTH - MARGIN - 24, 18):
        dash = Image.new("L", (10, 2), 255)
        canvas.cover(dash, left, _TOP + _HEIGHT // 2 - 1, Tone.MUTED_TEXT)
    if scene.turning is not None:
        line = Image.new("L", (4, _HEIGHT - 12), 255)
        canvas.cover(line, round(_x(scene, scene.turning)) - 2, _TOP + 6, Tone.ACCENT)
    points = [(_x(scene, i), _y(ply.expected)) for i, ply in enumerate(scene.plies)]
    if len(points) > 1:
        canvas.cover(path(WIDTH, _TOP + _HEIGHT, points, 6), 0, 0, Tone.CHART_LINE)
    marks = _fitting(scene)
    for index, (x, y) in enumerate(points):
        if scene.plies[index].mark in SHOWN or index in (scene.turning, len(points) - 1):
            draw_circle(canvas, round(x), round(y), 11, Tone.PANEL)
            draw_circle(canvas, round(x), round(y), 8, Tone.CHART_LINE)
    for mark in marks:
        middle = _TOP + _LANE // 2 + 2
        if mark.player is Player.SECOND:
            middle = _TOP + _HEIGHT - _LANE // 2 - 2
        # A mark may lie on the line of the turning point.
        ground = Image.new("L", (mark.right - mark.left + 8, _LANE - 12), 255)
        canvas.cover(ground, mark.left - 4, middle - _LANE // 2 + 6, Tone.PANEL)
        canvas.write(mark.text, mark.left, middle, _MARK, Ramp(Tone.PANEL, Tone.BAD))
    _write_numbers(canvas, scene, _TOP + _HEIGHT + _AXIS // 2 + 2)
    if scene.footer:
        draw_footer(canvas, scene.footer, below + _ROW + 22)
    return canvas.png()


def _x(scene: ReviewScene, index: int) -> float:
    left, right = MARGIN + _PAD, WIDTH - MARGIN - _PAD
    last = len(scene.plies) - 1
    return left + (right - left) * (index / last if last else 0.5)


def _y(expected: float) -> float:
    top, bottom = _TOP + _LANE + 12, _TOP + _HEIGHT - _LANE - 12
    return bottom - (bottom - top) * expected


def _fitting(scene: ReviewScene) -> list[_Mark]:
    """The marks that fit, choosing those with the most weight first."""
    order = sorted(range(len(scene.plies)), key=lambda index: -scene.plies[index].weight)
    kept: list[_Mark] = []
    for index in order:
        ply = scene.plies[index]
        if ply.mark in SHOWN:
            width = _MARK.width(ply.mark)
            left = round(_x(scene, index)) - width // 2
            left = min(max(left, MARGIN + 8), WIDTH - MARGIN - 8 - width)
            mark = _Mark(ply.mark, ply.player, left, left + width)
            if not any(mark.meets(other) for other in kept):
                kept.append(mark)
    return kept


def _write_numbers(canvas: Canvas, scene: ReviewScene, middle: int) -> None:
    """Write the numbers of the first move and the last, and that of the turning point."""
    taken = list[tuple[int, int]]()
    for index in dict.fromkeys((scene.turning, 0, len(scene.plies) - 1)):
        if index is None:
            continue
        turns = index == scene.turning
        font = Font(SMALL, bold=turns)
        width = font.width(str(index + 1))
        left = round(_x(scene, index)) - width // 2
        left = min(max(left, MARGIN), WIDTH - MARGIN - width)
        if all(left > end + 12 or left + width + 12 < start for start, end in taken):
            tone = Tone.ACCENT if turns else Tone.MUTED_TEXT
            canvas.write(str(index + 1), left, middle, font, ink(tone))
            taken.append((left, left + width))


def _draw_player(
    canvas: Canvas, scene: ReviewScene, player: Player, middle: int, style: Style
) -> None:
    """Draw a player's token and name, and their accuracy on the right."""
    style.paint_token(canvas, player, MARGIN, middle - _TOKEN // 2, _TOKEN, Tone.BACKGROUND)
    figure, right = legible(scene.accuracies[player - 1]), WIDTH - MARGIN
    write(canvas, figure, right, middle, SMALL, ink(Tone.TEXT), anchor="right", room=240)
    left = MARGIN + _TOKEN + 12
    room = right - left - 16 - min(Font(SMALL).width(figure), 240)
    write(canvas, scene.names[player - 1], left, middle, 30, ink(Tone.TEXT), bold=True,
          room=room, lines=2, small=DENSE)  # fmt: skip
