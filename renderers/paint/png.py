"""The encoder for the one kind of PNG in use: palette indices of four or eight bits, no filter.

Pillow writes such files too, but takes twice as long and makes them a third larger.
"""

from __future__ import annotations

import zlib
from struct import pack

from PIL import Image

EFFORT, GREATER_EFFORT = 7, 8
"""How hard to compress, from 1 to 9: usually, and a picture that would be large, which takes three
times as long."""

LARGE = 24_000
"""The bytes of pixels from which a picture is large."""

_FEW = 16
"""Colours that fit into four bits."""


def encode(indices: Image.Image, palette: bytes) -> bytes:
    """Encode an image as PNG; equal pictures give equal bytes for any order of the palette.

    Args:
        indices: An image of mode L whose values are palette indices.
        palette: Red, green and blue of each colour; those that are not used are left out.
    """
    width, height = indices.size
    colours, table = _used(indices, palette)
    bits, rows = (8, _wide_rows) if len(colours) > _FEW else (4, _rows)
    header = pack(">IIBBBBB", width, height, bits, 3, 0, 0, 0)
    shaded = rows(indices.point(table))
    pixels = zlib.compress(shaded, EFFORT)
    if len(pixels) > LARGE:
        pixels = zlib.compress(shaded, GREATER_EFFORT)
    shown = b"".join(colours)
    chunks = (b"IHDR", header), (b"PLTE", shown), (b"IDAT", pixels), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _used(indices: Image.Image, palette: bytes) -> tuple[list[bytes], list[int]]:
    """The colours that an image has, and the place of each index among them."""
    found = {
        index: palette[3 * index : 3 * index + 3]
        for index, count in enumerate(indices.histogram())
        if count
    }
    colours = sorted(set(found.values()))
    places = {colour: place for place, colour in enumerate(colours)}
    return colours, [places[found[index]] if index in found else 0 for index in range(256)]


def _wide_rows(indices: Image.Image) -> bytes:
    # A pixel of index 0 before each row is the zero byte that means "no filter".
    wide = Image.new("L", (indices.width + 1, indices.height))
    wide.paste(indices, (1, 0))
    return wide.tobytes()


def _rows(indices: Image.Image) -> bytes:
    # Two more pixels of index 0 before each row make the zero byte that means "no filter".
    wide = Image.new("L", (indices.width + 2, indices.height))
    wide.paste(indices, (2, 0))
    wide.putpalette(b"\0\0\0")  # Only a palette image can be packed.
    return wide.tobytes("raw", "P;4")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))
