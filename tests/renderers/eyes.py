"""Ways to judge pictures: where two differ, and which colours they have."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image, ImageChops

from renderers import CLASSIC, BoardScene, Tone

Box = tuple[int, int, int, int]
See = Callable[[bytes], Image.Image]
"""The type of the fixture that decodes a picture."""
MakeScene = Callable[..., BoardScene]
"""The type of the fixture that makes a scene with some fields changed."""


def changed(one: Image.Image, other: Image.Image) -> Box | None:
    """Return the box around all pixels that differ; None when none do."""
    return ImageChops.difference(one, other).getbbox()


def inside(inner: Box | None, outer: Box) -> bool:
    """Whether anything differs, and all of it within `outer`."""
    return (
        inner is not None
        and inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def differs_only_in(one: Image.Image, other: Image.Image, boxes: list[Box]) -> bool:
    """Whether every box differs and nothing outside the boxes does."""
    if any(changed(one.crop(box), other.crop(box)) is None for box in boxes):
        return False
    rest = one.copy()
    for box in boxes:
        rest.paste(other.crop(box), box[:2])
    return changed(rest, other) is None


def commonest(image: Image.Image) -> tuple[int, ...]:
    """Return the commonest colour."""
    counts = image.getcolors(1 << 20)
    assert counts is not None
    return max((count, colour) for count, colour in counts if isinstance(colour, tuple))[1]


def shows(image: Image.Image, tone: Tone) -> int:
    """Count the pixels in a colour of the default theme."""
    counts = image.getcolors(1 << 20)
    assert counts is not None
    return sum(count for count, colour in counts if colour == CLASSIC.rgb(tone))
