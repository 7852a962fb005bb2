"""The colours of a picture by their roles, and the measures that every picture shares."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

Rgb = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


class Tone(StrEnum):
    """The role of a colour; each is a field of `Theme`."""

    PAGE = "page"
    SURFACE = "surface"
    BOARD = "board"
    HOLE = "hole"
    TEXT = "text"
    MUTED = "muted"
    FIRST = "first"
    FIRST_MARK = "first_mark"
    SECOND = "second"
    SECOND_MARK = "second_mark"
    HINT = "hint"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture, each as `#RRGGBB`.

    Raises:
        ValueError: when a field is no such colour.
    """

    page: str
    """The background of the whole picture; also the text on pale backgrounds."""
    surface: str
    """Pills, tiles and rows that stand out from the page."""
    board: str
    """The face of the board, between its holes."""
    hole: str
    """An empty hole or tile, and the gap around a stone."""
    text: str
    """Text, and the marks of the last move, of the winning line and of squares at risk."""
    muted: str
    """Secondary text."""
    first: str
    """The first player's stones or crosses."""
    first_mark: str
    """The signs engraved on them."""
    second: str
    """The second player's stones or circles."""
    second_mark: str
    """The signs engraved on them."""
    hint: str
    """The marker of a suggested move, and the values of moves that win."""
    loss: str
    """The values of moves that lose."""

    def __post_init__(self) -> None:
        for tone in Tone:
            text: str = getattr(self, tone)
            if not _COLOUR.fullmatch(text):
                raise ValueError(f"{text!r} is not a colour such as #1B1D21")

    def rgb(self, tone: Tone) -> Rgb:
        """Return one colour as red, green and blue, each from 0 to 255."""
        text: str = getattr(self, tone)
        red, green, blue = bytes.fromhex(text[1:])
        return red, green, blue


CHARCOAL = Theme(
    page="#1C1917",
    surface="#382E27",
    board="#5A4433",
    hole="#120F0D",
    text="#FAF3E7",
    muted="#B9AB9A",
    first="#F0E442",
    first_mark="#735F00",
    second="#0072B2",
    second_mark="#C4E7FB",
    hint="#4FE0AE",
    loss="#FF8370",
)
"""Yellow and blue stones in walnut on warm charcoal.

The stones differ enough in luminance to be distinguished without colour.
"""

WIDTH = 680
"""The width of every picture in pixels: sharp at double density when it is shown 340 wide."""

MARGIN = 18
"""Pixels between the edge of a card and its content."""
