"""Pictures in another theme than the default."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import pytest

from renderers import CLASSIC, Theme, Tone
from renderers.paint.palette import palette_of
from tests.renderers.example_cards import CARDS
from tests.renderers.eyes import See
from tests.renderers.pictures import pictures

KINDS = ("connect4", "boom", "gato", *CARDS, "review")
PAPER = Theme(
    "paper",
    {tone: f"#{0xFFFFFF - int(colour[1:], 16):06X}" for tone, colour in CLASSIC.colours.items()},
)
"""The complements of the default colours: none is one of the default theme's."""


def empty_caches() -> None:
    """Clear the sprite caches, as in a new process."""
    for name, module in sys.modules.items():
        if name.startswith("renderers."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


@pytest.fixture(scope="module")
def on_paper() -> Mapping[str, bytes]:
    """Pictures of every kind in the other theme."""
    return pictures(PAPER)


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_has_only_the_colours_of_its_theme(
    see: See, on_paper: Mapping[str, bytes], kind: str
) -> None:
    """No colour of the default theme remains, not even in a chart."""
    found = {colour for _, colour in see(on_paper[kind]).getcolors(1 << 20) or []}
    assert PAPER.rgb(Tone.BACKGROUND) in found
    assert CLASSIC.rgb(Tone.BACKGROUND) not in found
    assert found <= set(palette_of(PAPER).colours)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_is_the_ground_of_the_whole_picture(
    see: See, on_paper: Mapping[str, bytes], kind: str
) -> None:
    """All four corners have the colour of the theme's page."""
    picture = see(on_paper[kind])
    right, bottom = picture.width - 1, picture.height - 1
    corners = {picture.getpixel((x, y)) for x in (0, right) for y in (0, bottom)}
    assert corners == {PAPER.rgb(Tone.BACKGROUND)}


def test_cached_sprites_never_mix_themes() -> None:
    """Pictures are the same whether or not another theme's sprites are already cached."""
    empty_caches()
    classic, paper_after_it = pictures(CLASSIC), pictures(PAPER)
    empty_caches()
    paper, classic_after_it = pictures(PAPER), pictures(CLASSIC)
    assert (classic_after_it, paper_after_it) == (classic, paper)
