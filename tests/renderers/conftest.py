"""Fixtures for the tests of pictures: positions to draw, and a decoder for pictures."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image

from engine.core.game import Cell, Player, Square
from renderers import BoardScene

MIDGAME = """
.......
.......
...2...
..112..
..2112.
.121221
"""


def cells(text: str) -> tuple[tuple[Cell, ...], ...]:
    """Read a board from text, rows from the top."""
    return tuple(tuple(Cell(character) for character in row) for row in text.split())


@pytest.fixture
def make_scene() -> Callable[..., BoardScene]:
    """Make scenes from boards in text, with realistic words; any field can be overridden."""

    def make(board: str = MIDGAME, **fields: object) -> BoardScene:
        rows = cells(board)
        usual: dict[str, object] = {
            "cells": rows,
            "column_labels": tuple(str(column + 1) for column in range(len(rows[0]))),
            "names": ("Ángela Ñúñez", "Cuatro (medio)"),
            "active": Player.FIRST,
            "status": "Ángela Ñúñez to move",
            "footer": "depth 8 · 12,345 nodes · 0.03 s",
        }
        return BoardScene(**{**usual, **fields})  # type: ignore[arg-type]

    return make


@pytest.fixture
def scene(make_scene: Callable[..., BoardScene]) -> BoardScene:
    """A game in progress, which most tests use."""
    return make_scene(last=frozenset({Square(2, 3)}))


@pytest.fixture
def see() -> Callable[[bytes], Image.Image]:
    """Decode pictures into red, green and blue."""

    def decode(png: bytes) -> Image.Image:
        with Image.open(BytesIO(png), formats=["PNG"]) as image:
            return image.convert("RGB")

    return decode
