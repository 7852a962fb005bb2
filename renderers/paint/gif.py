"""The encoder for the one kind of GIF in use: palette indices, and frames that change a rectangle.

Pillow compresses the pixels. It could also write whole files, but it finds changes by comparing
whole pictures in full colour, which takes twenty times as long as drawing them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from struct import pack

from PIL import Image

from renderers.paint import palette

UNCHANGED = palette.LIMIT
"""The index of pixels that are unchanged since the frame before."""

_BITS = 8
"""A palette and `UNCHANGED` fit into indices of eight bits."""

_KEEP = 1 << 2 | 1
"""The flags of every frame: it stays under the next one, and has an index for unchanged pixels."""

_FOR_EVER = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"


@dataclass(frozen=True, slots=True)
class Pixels:
    """A compressed rectangle of palette indices."""

    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Frame:
    """A simultaneous change of an animation."""

    pixels: Pixels
    left: int
    top: int
    milliseconds: int
    """The time until the next frame, in whole hundredths of a second."""


def compressed(indices: Image.Image) -> Pixels:
    """Compress an image of mode L whose values are palette indices or `UNCHANGED`."""
    data = indices.tobytes("gif", "L", _BITS, 0)
    return Pixels(indices.width, indices.height, bytes([_BITS]) + data + b"\0")


def encode(
    width: int, height: int, colours: bytes, frames: Iterable[Frame], *, repeats: bool = True
) -> bytes:
    """Encode an animation that is repeated for ever, or shown once.

    Args:
        width: Its width; the first frame fills it.
        height: Its height.
        colours: Red, green and blue of each colour.
        frames: What is shown, one over the other.
        repeats: Whether it begins again at its end.
    """
    screen = pack("<6sHHBBB", b"GIF89a", width, height, 0xF0 | _BITS - 1, 0, 0)
    table = colours[: 3 * UNCHANGED].ljust(3 << _BITS, b"\0")
    looping = _FOR_EVER if repeats else b""
    return b"".join([screen, table, looping, *map(_block, frames), b"\x3b"])


def _block(frame: Frame) -> bytes:
    control = pack("<4sHBB", bytes([0x21, 0xF9, 4, _KEEP]), frame.milliseconds // 10, UNCHANGED, 0)
    pixels = frame.pixels
    place = pack("<BHHHHB", 0x2C, frame.left, frame.top, pixels.width, pixels.height, 0)
    return control + place + pixels.data
