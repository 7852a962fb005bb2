"""A whole game as an animation: the board once, then only the differences between scenes.

At the end the winning line flashes and stays. It flashes once a second, well below the three times
from which flashes can be harmful (WCAG 2.2, success criterion 2.3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from PIL import Image, ImageChops

from engine.core.game import Drawing, Square
from renderers.boards.drawings import DRAWINGS
from renderers.boards.frame import (
    LAST,
    PLAIN,
    Tones,
    label_sprite,
    layout_of,
    paint_framed,
    size_of,
)
from renderers.boards.layout import Box
from renderers.boards.style import Look, Style, look_of
from renderers.paint import gif
from renderers.paint.palette import palette_of
from renderers.paint.theme import CLASSIC, Theme
from renderers.scene import BoardScene

IDEAL, SLOWEST, QUICKEST = 16_000, 700, 400
"""Milliseconds: the intended length of a game, and the bounds for the time of a single move.

Moves shown faster than that could be seen as flashes themselves.
"""

FLASHES, FLASH = 2, 500
"""How often the winning line turns off and on, and the milliseconds of each phase."""

HOLD = 3_000
"""Milliseconds of the last picture before the animation begins again."""

_MOST_CELLS = 4
"""The most cells that are changed one after the other; more are changed at once."""

_SAME = bytes([255] + [0] * 255)
"""Maps the difference of two pixels to 255 if there is none, otherwise to 0."""

BLINK = 40
"""Milliseconds from one part of a change to the next; some viewers turn 10 into 100."""


def draw_animation(drawing: Drawing, scenes: Sequence[BoardScene], theme: Theme = CLASSIC) -> bytes:
    """Draw a game as an animation that is repeated for ever.

    Args:
        drawing: How the game is drawn.
        scenes: What to show, one after the other: the board before the first move, after each
            move, and the end. They differ in what is on the board and who has won, not in words.
            If the last one has a winning line, that flashes.
        theme: The colours.

    Returns:
        A GIF, as wide and as high as the pictures of the scenes.

    Raises:
        ValueError: when there is no scene, when the drawing does not support the board's size,
            or when the scenes' pictures are not equally large.
    """
    if not scenes:
        raise ValueError("an animation needs a scene")
    reel = Reel(DRAWINGS[drawing], theme, scenes[0])
    pace = min(max(IDEAL // len(scenes) // 10 * 10, QUICKEST), SLOWEST)
    frames = [gif.Frame(gif.compressed(reel.first), 0, 0, pace)]
    for before, after in pairwise(scenes):
        frames += _frames(reel.changes(before, after), pace)
    frames += _ending(reel, scenes[-1])
    return gif.encode(reel.first.width, reel.first.height, palette_of(theme).table, frames)


def draw_flash(
    drawing: Drawing, scene: BoardScene, flash: BoardScene, theme: Theme = CLASSIC
) -> bytes:
    """Draw a board on which another scene, such as an explosion, appears once.

    Its first picture is the board too, as viewers without animations show only that one.

    Args:
        drawing: How the game is drawn.
        scene: The board.
        flash: What appears: the same board and words, but other cells and marks.
        theme: The colours.

    Returns:
        A GIF that is not repeated, as wide and as high as the picture of the scene.

    Raises:
        ValueError: as for `draw_animation`.
    """
    reel = Reel(DRAWINGS[drawing], theme, scene)
    frames = [gif.Frame(gif.compressed(reel.first), 0, 0, BLINK)]
    frames += _frames(reel.changes(scene, flash), FLASH)
    frames += _frames(reel.changes(flash, scene), FLASH)
    size = reel.first.width, reel.first.height
    return gif.encode(*size, palette_of(theme).table, frames, repeats=False)


def _ending(reel: Reel, end: BoardScene) -> Iterator[gif.Frame]:
    """The end of the animation: the winning line flashes, and the last picture stays a while."""
    if end.line:
        dark = replace(end, line=frozenset())
        line_off, line_on = reel.changes(end, dark), reel.changes(dark, end)
        for _ in range(FLASHES):
            yield from _frames(line_off, FLASH)
            yield from _frames(line_on, FLASH)
    yield from _frames(reel.changes(end, end), HOLD)


def _frames(changes: Sequence[Change], milliseconds: int) -> Iterator[gif.Frame]:
    """The frames of a change, with a total length of `milliseconds`."""
    for number, change in enumerate(changes, 1):
        left = milliseconds - BLINK * (len(changes) - 1) if number == len(changes) else BLINK
        yield gif.Frame(change.pixels, change.left, change.top, left)


class Change(NamedTuple):
    """A rectangle of a picture that is replaced by another."""

    pixels: gif.Pixels
    left: int
    top: int

    def moved(self, box: Box) -> Change:
        """Return the change of a box, from that of a picture that fills the box."""
        return self._replace(left=box[0] + self.left, top=box[1] + self.top)


class Reel:
    """Pictures of one game, one after the other, with the same parts in the same places."""

    def __init__(self, style: Style, theme: Theme, first: BoardScene) -> None:
        """Begin with a scene.

        Raises:
            ValueError: when its board has fewer than 4 or more than 8 rows or columns.
        """
        self._style = style
        self._theme = theme
        self._plan = layout_of(first, style)
        self._words = _words(first)
        self.first = self._painted(first)
        """The picture of the first scene, in palette indices."""

    def changes(self, before: BoardScene, after: BoardScene) -> list[Change]:
        """Return the changes from one scene to another, in the order in which they are drawn.

        Where nothing differs, that is a rectangle in which nothing changes.

        Raises:
            ValueError: when the later scene has another board or other words than the first.
        """
        if _words(after) != self._words:
            raise ValueError("the scenes of an animation differ in their words or boards")
        squares = _changed_squares(before, after)
        if len(squares) > _MOST_CELLS or _around_cells(before) != _around_cells(after):
            return self._painted_changes(before, after)
        found = []
        # The mark is removed from the previous move before the new stone appears.
        for square in sorted(squares, key=lambda s: (s in after.last, s)):
            looks = look_of(before, square), look_of(after, square)
            box = self._plan.cell_box(square)
            change = _cell_change(*looks, self._plan.cell, self._theme, self._style)
            found.append(change.moved(box))
        return [*found, *self._label_changes(before, after)] or [_nothing()]

    def _label_changes(self, before: BoardScene, after: BoardScene) -> Iterator[Change]:
        """The changes of the labels of the last move: of columns, and of rows that have names."""
        plan = self._plan
        sides: list[tuple[Callable[[int], Box], tuple[str, ...], str]]
        sides = [(plan.label_box, after.column_labels, "column")]
        if after.row_labels:
            sides.append((plan.row_label_box, after.row_labels, "row"))
        for box_of, labels, side in sides:
            old, new = ({getattr(s, side) for s in scene.last} for scene in (before, after))
            for index in sorted(old ^ new, key=lambda i: (i in new, i)):
                box = box_of(index)
                tones = (LAST, PLAIN) if index in old else (PLAIN, LAST)
                yield _label_change(labels[index], size_of(box), *tones, self._theme).moved(box)

    def _painted_changes(self, before: BoardScene, after: BoardScene) -> list[Change]:
        """The differences of two pictures: above, on and below the board."""
        one, other = self._painted(before), self._painted(after)
        _, top, _, bottom = self._plan.frame
        bands = [
            (0, above, one.width, below) for above, below in pairwise((0, top, bottom, one.height))
        ]
        return [c for c in (_change(one, other, band) for band in bands) if c] or [_nothing()]

    def _painted(self, scene: BoardScene) -> Image.Image:
        return _painted(scene, self._theme, self._style)


@lru_cache(maxsize=2)
def _painted(scene: BoardScene, theme: Theme, style: Style) -> Image.Image:
    """The picture of a scene; cached because one change begins where the one before it ends."""
    # Discs without light would cost half as many bytes again, so all keep theirs.
    return paint_framed(scene, theme, style, quieting=False).image


def _words(scene: BoardScene) -> tuple[object, ...]:
    labels = scene.column_labels, scene.row_labels
    words = scene.remark, scene.footer, scene.details, scene.has_remark
    return scene.rows, scene.names, scene.plates, scene.stand_ins, words, labels


def _around_cells(scene: BoardScene) -> tuple[object, ...]:
    """The parts of a picture outside of cells, or over them."""
    marks = scene.line, scene.hint, scene.marked, scene.at_risk, scene.removed
    return scene.active, scene.winner, scene.banner, *marks


def _changed_squares(before: BoardScene, after: BoardScene) -> frozenset[Square]:
    """The squares on which the boards or the marks of the last move differ."""
    rows = enumerate(zip(before.cells, after.cells, strict=True))
    return (before.last ^ after.last).union(
        Square(row, column)
        for row, (old, new) in rows
        if old != new
        for column in range(len(new))
        if old[column] is not new[column]
    )


@lru_cache(maxsize=512)
def _cell_change(before: Look, after: Look, size: int, theme: Theme, style: Style) -> Change:
    """The change of one cell, cached because the same few changes make up every game."""
    one, other = (style.cell_sprite(look, size, theme) for look in (before, after))
    return _change(one, other, (0, 0, size, size)) or _nothing()


@lru_cache(maxsize=512)
def _label_change(
    label: str, size: tuple[int, int], before: Tones, after: Tones, theme: Theme
) -> Change:
    """The change of one label, cached like those of cells."""
    one, other = (label_sprite(label, size, tones, theme) for tones in (before, after))
    return _change(one, other, (0, 0, *size)) or _nothing()


def _change(before: Image.Image, after: Image.Image, box: Box) -> Change | None:
    """The change of a box from one picture to another, in few bytes; None if it is the same."""
    one, other = before.crop(box), after.crop(box)
    inner = ImageChops.difference(one, other).getbbox()
    if inner is None:
        return None
    one, other = one.crop(inner), other.crop(inner)
    sparse = other.copy()
    sparse.paste(gif.UNCHANGED, (0, 0), ImageChops.difference(one, other).point(_SAME))
    ways = gif.compressed(sparse), gif.compressed(other)
    pixels = min(ways, key=lambda way: len(way.data))
    return Change(pixels, box[0] + inner[0], box[1] + inner[1])


def _nothing() -> Change:
    """A rectangle without a change, so that time passes."""
    return Change(gif.compressed(Image.new("L", (1, 1), gif.UNCHANGED)), 0, 0)
