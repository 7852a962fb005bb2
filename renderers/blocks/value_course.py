"""The course of a game's value: each player's share after each move, and marks of bad moves.

Below the edge lies the first player's share of the point, above it the second player's. Each
player's name and marks are on their side of the plot, so colour is never needed to distinguish
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PIL import Image, ImageDraw

from engine.core.game import Player
from renderers.blocks.text import Block
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import MARGIN, WIDTH, Tone
from renderers.scene import ReviewedPly, ReviewScene

_MARK = Font(26, bold=True)
"""Narrow enough that each of 42 moves has space for `??`."""

_NUMBER = Font(28)

_TURNING = Font(28, bold=True)

_NAMES = (Font(32, bold=True), Font(28, bold=True))

_ROW = 48
"""The height of a row with a player's name."""

_LANE = 40
"""The height of the lane above the plot and of that below it, in which marks are written."""

_PLOT = 248

_AXIS = 38

_PLOT_WIDTH = WIDTH - 2 * MARGIN

_EDGE = 4
"""The thickness of the line between the two shares."""

_APART = 2
"""The least distance between two marks in a lane."""

_TOKEN = 40

_GAP = 12

_DASH, _SPACE = 10, 8

PaintToken = Callable[[Canvas, Player, int, int, int, Tone], None]
"""Paints a player's token; see `renderers.boards.style`."""


class _Step(NamedTuple):
    """The position of one move on the plot, in pixels from its left and top edge."""

    left: int
    right: int
    height: int

    @property
    def middle(self) -> int:
        return (self.left + self.right) // 2


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


def value_course_block(scene: ReviewScene, paint_token: PaintToken) -> Block:
    """Return the course of a game's value as a block; players have the tokens of their game."""
    height = 2 * (_ROW + _LANE) + _PLOT + _AXIS
    return Block(height, lambda canvas, top: _draw(canvas, scene, top, paint_token))


def _draw(canvas: Canvas, scene: ReviewScene, top: int, paint_token: PaintToken) -> None:
    steps, above = _steps(scene.plies), top + _ROW + _LANE
    canvas.paint(
        _rectangle(_PLOT_WIDTH, _PLOT), MARGIN, above, Ramp(Tone.BACKGROUND, Tone.DISC_2_EDGE)
    )
    _draw_shares(canvas, steps, above)
    _draw_middle(canvas, above)
    if scene.turning is not None:
        line = _rectangle(_EDGE, _PLOT)
        left = MARGIN + steps[scene.turning].middle - _EDGE // 2
        canvas.paint(line, left, above, Ramp(Tone.DISC_1_EDGE, Tone.HINT))
    _draw_edge(canvas, steps, above)
    _write_marks(canvas, scene, steps, above)
    below = above + _PLOT + _LANE
    _write_numbers(canvas, scene, steps, below + _AXIS // 2)
    for player, middle in (
        (Player.SECOND, top + _ROW // 2),
        (Player.FIRST, below + _AXIS + _ROW // 2),
    ):
        paint_token(canvas, player, MARGIN, middle - _TOKEN // 2, _TOKEN, Tone.BACKGROUND)
        _write_player(canvas, scene, player, middle)


def _steps(plies: tuple[ReviewedPly, ...]) -> list[_Step]:
    """A step for every move, all of about the same width."""
    edges = [round(_PLOT_WIDTH * index / len(plies)) for index in range(len(plies) + 1)]
    room = _PLOT - _EDGE
    return [
        _Step(edges[i], edges[i + 1], round(room * (1 - ply.expected)))
        for i, ply in enumerate(plies)
    ]


def _rectangle(width: int, height: int) -> Image.Image:
    return Image.new("L", (width, height), 255)


def _draw_shares(canvas: Canvas, steps: list[_Step], above: int) -> None:
    """Fill the area below the edge: the first player's share."""
    shape = Image.new("L", (_PLOT_WIDTH, _PLOT))
    pen = ImageDraw.Draw(shape)
    for step in steps:
        if step.right > step.left:
            pen.rectangle((step.left, step.height, step.right - 1, _PLOT - 1), fill=255)
    canvas.paint(shape, MARGIN, above, Ramp(Tone.DISC_2_EDGE, Tone.DISC_1_EDGE))


def _draw_middle(canvas: Canvas, above: int) -> None:
    """Draw dashes at the value at which neither player is ahead."""
    dash = _rectangle(_DASH, 2)
    for left in range(0, _PLOT_WIDTH - _DASH, _DASH + _SPACE):
        ramp = Ramp(Tone.DISC_2_EDGE, Tone.BACKGROUND)
        canvas.paint(dash, MARGIN + left, above + _PLOT // 2 - 1, ramp)


def _draw_edge(canvas: Canvas, steps: list[_Step], above: int) -> None:
    """Draw the line between the shares, with its vertical parts between two moves."""
    shape = Image.new("L", (_PLOT_WIDTH, _PLOT))
    pen, before = ImageDraw.Draw(shape), steps[0].height
    for step in steps:
        low, high = sorted((before, step.height))
        pen.rectangle((step.left, low, step.left + _EDGE - 1, high + _EDGE - 1), fill=255)
        right = max(step.right, step.left + _EDGE) - 1
        pen.rectangle((step.left, step.height, right, step.height + _EDGE - 1), fill=255)
        before = step.height
    canvas.paint(shape, MARGIN, above, Ramp(Tone.DISC_1_EDGE, Tone.TEXT))


def _write_marks(canvas: Canvas, scene: ReviewScene, steps: list[_Step], above: int) -> None:
    middles = {Player.SECOND: above - _LANE // 2, Player.FIRST: above + _PLOT + _LANE // 2}
    for mark in _fitting(scene, steps):
        middle = middles[mark.player]
        canvas.write(mark.text, mark.left, middle, _MARK, Ramp(Tone.BACKGROUND, Tone.TEXT))


def _fitting(scene: ReviewScene, steps: list[_Step]) -> list[_Mark]:
    """The marks that fit, choosing those with the most weight first."""
    order = sorted(range(len(steps)), key=lambda index: -scene.plies[index].weight)
    kept: list[_Mark] = []
    for index in order:
        ply = scene.plies[index]
        if ply.mark:
            mark = _mark(legible(ply.mark), ply.player, steps[index])
            if not any(mark.meets(other) for other in kept):
                kept.append(mark)
    return kept


def _mark(text: str, player: Player, step: _Step) -> _Mark:
    width = _MARK.width(text)
    left = min(max(MARGIN + step.middle - width // 2, MARGIN), MARGIN + _PLOT_WIDTH - width)
    return _Mark(text, player, left, left + width)


def _write_numbers(canvas: Canvas, scene: ReviewScene, steps: list[_Step], middle: int) -> None:
    """Write the numbers of the first move and the last, and that of the turning point."""
    taken = list[tuple[int, int]]()
    for index in dict.fromkeys((scene.turning, 0, len(steps) - 1)):
        if index is None:
            continue
        turns = index == scene.turning
        font = _TURNING if turns else _NUMBER
        width = font.width(str(index + 1))
        left = MARGIN + steps[index].middle - width // 2
        left = min(max(left, MARGIN), MARGIN + _PLOT_WIDTH - width)
        if all(left > end + _GAP or left + width + _GAP < start for start, end in taken):
            tone = Tone.HINT if turns else Tone.MUTED_TEXT
            canvas.write(str(index + 1), left, middle, font, Ramp(Tone.BACKGROUND, tone))
            taken.append((left, left + width))


def _write_player(canvas: Canvas, scene: ReviewScene, player: Player, middle: int) -> None:
    """Write a player's name beside their token, and their accuracy on the right."""
    figure, right = legible(scene.accuracies[player - 1]), MARGIN + _PLOT_WIDTH
    canvas.write(figure, right, middle, _NAMES[-1], Ramp(Tone.BACKGROUND, Tone.TEXT), "right")
    left = MARGIN + _TOKEN + _GAP
    room = right - left - _GAP - _NAMES[-1].width(figure)
    name, font = fit(legible(scene.names[player - 1]), room, *_NAMES)
    canvas.write(name, left, middle, font, Ramp(Tone.BACKGROUND, Tone.TEXT))
