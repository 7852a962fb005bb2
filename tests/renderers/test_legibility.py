"""Every picture is legible as Discord shows it, on a desktop and on a phone.

The smallest type is that of details: what matters is larger.
"""

from __future__ import annotations

from typing import Any

import pytest
from PIL import Image

from renderers.paint.canvas import Canvas
from renderers.paint.text import Font, line
from tests.renderers.eyes import See
from tests.renderers.kinds import PICTURES

DESKTOP = (550, 350)
PHONE = 360
LEAST_ON_DESKTOP, LEAST_ON_PHONE = 5.7, 7.4
"""The least height of letters as shown, in pixels; on a desktop, a press enlarges the picture."""
LEAST_SIZE = 20
"""The least size of type as drawn, which a phone shows in more than ten pixels."""


def height_of(font: Font) -> int:
    """The height of figures and capitals as drawn, in pixels."""
    heights = []
    for letter in "0H":
        box = line(letter, font).getbbox()
        assert box is not None
        heights.append(box[3] - box[1])
    return min(heights)


@pytest.fixture
def fonts(monkeypatch: pytest.MonkeyPatch) -> set[Font]:
    """Every font in which text is drawn from now on."""
    seen: set[Font] = set()
    write = Canvas.write

    def on_canvas(self: Canvas, words: str, x: int, middle: int, font: Font, *rest: Any) -> None:
        if words:
            seen.add(font)
        write(self, words, x, middle, font, *rest)

    monkeypatch.setattr(Canvas, "write", on_canvas)
    return seen


def smallest(image: Image.Image, fonts: set[Font]) -> tuple[float, float]:
    """The height of the smallest letters on a desktop and on a phone."""
    high = min(map(height_of, fonts))
    desktop = min(DESKTOP[0] / image.width, DESKTOP[1] / image.height, 1)
    return high * desktop, high * min(PHONE / image.width, 1)


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_is_legible_and_no_strip(see: See, fonts: set[Font], kind: str) -> None:
    """No type is smaller than ten pixels on a phone, and no letter lost on a desktop.

    The ratio of a picture's sides is between 3 to 4 and 3 to 2, so Discord does not shrink it.
    """
    image = see(PICTURES[kind]())
    # Some pictures are without words.
    if fonts:
        desktop, phone = smallest(image, fonts)
        assert desktop >= LEAST_ON_DESKTOP
        assert phone >= LEAST_ON_PHONE
        assert min(font.size for font in fonts) >= LEAST_SIZE
    assert 3 / 4 <= image.width / image.height <= 3 / 2
