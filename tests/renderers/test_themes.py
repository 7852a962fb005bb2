"""Pictures in another theme than the default."""

from __future__ import annotations

import sys

import pytest

from renderers import CHARCOAL, Theme, Tone
from renderers.paint.palette import palette_of
from tests.renderers.eyes import See
from tests.renderers.pictures import pictures

KINDS = ("connect4", "boom", "gato", "card", "report", "review")
PAPER = Theme(
    page="#FAF7F0",
    surface="#E4DED0",
    board="#3B5BA5",
    hole="#FFFFFF",
    text="#161616",
    muted="#5A5A5A",
    first="#D7263D",
    first_mark="#5E0B15",
    second="#F2C200",
    second_mark="#6B5600",
    hint="#00795C",
    loss="#B3261E",
)
"""Red and yellow on white: no colour is one of the default theme's."""


def empty_caches() -> None:
    """Clear the sprite caches, as in a new process."""
    for name, module in sys.modules.items():
        if name.startswith("renderers."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_has_only_the_colours_of_its_theme(see: See, kind: str) -> None:
    """No colour of the default theme remains, not even in a chart."""
    found = {colour for _, colour in see(pictures(PAPER)[kind]).getcolors(1 << 20) or []}
    assert PAPER.rgb(Tone.PAGE) in found
    assert CHARCOAL.rgb(Tone.PAGE) not in found
    assert found <= set(palette_of(PAPER).colours)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_is_the_ground_of_the_whole_picture(see: See, kind: str) -> None:
    """All four corners have the colour of the theme's page."""
    picture = see(pictures(PAPER)[kind])
    right, bottom = picture.width - 1, picture.height - 1
    corners = {picture.getpixel((x, y)) for x in (0, right) for y in (0, bottom)}
    assert corners == {PAPER.rgb(Tone.PAGE)}


def test_cached_sprites_never_mix_themes() -> None:
    """Pictures are the same whether or not another theme's sprites are already cached."""
    empty_caches()
    charcoal, paper_after_it = pictures(CHARCOAL), pictures(PAPER)
    empty_caches()
    paper, charcoal_after_it = pictures(PAPER), pictures(CHARCOAL)
    assert (charcoal_after_it, paper_after_it) == (charcoal, paper)
