"""A whole game as an animation: the board once, then only what each move changes.

At its end the winning line flashes and stays. It flashes once a second, well below the three times
from which flashes can harm (WCAG 2.2, success criterion 2.3.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from renderers.boards.changes import Change, Reel
from renderers.boards.drawings import DRAWINGS
from renderers.paint import gif
from renderers.paint.palette import palette_of
from renderers.paint.theme import CHARCOAL, Theme
from renderers.scene import BoardScene

IDEAL, SLOWEST, QUICKEST = 16_000, 700, 400
"""Milliseconds: how long a game lasts, and the bounds within which each of its moves is then shown.

Moves that were shown more quickly could be seen as flashes themselves.
"""
FLASHES, FLASH = 2, 500
"""How often the winning line goes out and on again, and the milliseconds of each of the two."""
HOLD = 3_000
"""Milliseconds for which the end stays before the game begins again."""
BLINK = 40
"""Milliseconds from one part of a change to the next; some viewers make 100 of 10."""


def draw_animation(game_key: str, scenes: Sequence[BoardScene], theme: Theme = CHARCOAL) -> bytes:
    """Draw a game as an animation that is repeated for ever.

    Args:
        game_key: The game's key, such as `connect4`.
        scenes: What to show, one after the other: the board before the first move, after each
            move, and the end. They differ in what is on the board and who has won, not in words.
            If the last one has a winning line, that flashes.
        theme: The colours.

    Returns:
        A GIF, as wide and as high as the pictures of the scenes.

    Raises:
        KeyError: when no drawing has that key.
        ValueError: when there is no scene, when the drawing does not support the board's size,
            or when the scenes' pictures are not equally large.
    """
    if not scenes:
        raise ValueError("an animation needs a scene")
    reel = Reel(DRAWINGS[game_key], theme, scenes[0])
    pace = min(max(IDEAL // len(scenes) // 10 * 10, QUICKEST), SLOWEST)
    frames = [gif.Frame(gif.compressed(reel.first), 0, 0, pace)]
    for before, after in pairwise(scenes):
        frames += _frames(reel.changes(before, after), pace)
    frames += _ending(reel, scenes[-1])
    return gif.encode(reel.first.width, reel.first.height, palette_of(theme).bytes, frames)


def _ending(reel: Reel, end: BoardScene) -> Iterator[gif.Frame]:
    """What follows once the end is there: its line flashes, and it stays for a while."""
    if end.line:
        dark = replace(end, line=frozenset())
        goes_out, goes_on = reel.changes(end, dark), reel.changes(dark, end)
        for _ in range(FLASHES):
            yield from _frames(goes_out, FLASH)
            yield from _frames(goes_on, FLASH)
    yield from _frames(reel.changes(end, end), HOLD)


def _frames(changes: Sequence[Change], milliseconds: int) -> Iterator[gif.Frame]:
    """The parts of a change, which take so long in all with the time that their result is shown."""
    for number, change in enumerate(changes, 1):
        left = milliseconds - BLINK * (len(changes) - 1) if number == len(changes) else BLINK
        yield gif.Frame(change.pixels, change.left, change.top, left)
