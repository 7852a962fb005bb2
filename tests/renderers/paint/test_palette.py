"""The colours of a picture, and the ramps and shades between them."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from renderers import CLASSIC, THEMES, Theme, Tone
from renderers.paint.palette import LIMIT, Palette, Ramp, mix, palette_of
from tests.renderers.pictures import pictures


@pytest.mark.parametrize(
    "ramp",
    [
        Ramp(Tone.BACKGROUND, Tone.TEXT),
        Ramp(Tone.HOLE, Tone.DISC_2),
        Ramp(Tone.BACKGROUND, Tone.BAD),
    ],
)
def test_a_ramp_leads_from_one_colour_to_the_other(ramp: Ramp) -> None:
    """No coverage gives one colour, full coverage the other, and there is a shade between."""
    palette = palette_of(CLASSIC)
    steps = palette.ramp(ramp)
    assert (steps[0], steps[255]) == (palette.index(ramp.under), palette.index(ramp.over))
    assert len(set(steps)) == 3
    assert sum(one != other for one, other in pairwise(steps)) == 2


def test_a_shade_lies_between_the_two_colours_that_meet() -> None:
    """Over another shade it lies between the upper colour of that shade and its own."""
    palette = Palette(CLASSIC)
    board, hole, disc = map(palette.index, (Tone.BOARD, Tone.HOLE, Tone.DISC_1))
    edge = palette.shade(board, hole)
    assert palette.colours[edge] == mix(palette.colours[board], palette.colours[hole])
    assert palette.shade(edge, disc) == palette.shade(hole, disc) != edge
    assert palette.shade(hole, hole) == hole


def test_a_full_palette_has_hard_edges() -> None:
    """When a palette has no index left, the colour on top takes the place of a new shade."""
    palette = Palette(CLASSIC)
    for one, other in product(range(40), repeat=2):
        palette.shade(one, other)
    assert len(palette.colours) == LIMIT
    assert palette.shade(LIMIT - 1, 1) in range(LIMIT)
    assert palette.shade(39, 41) == 41


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_kind_of_picture_fits_into_the_palette_of_its_theme(theme: Theme) -> None:
    """All pictures of a theme together leave room for more shades, so no edge is hard."""
    pictures(theme)
    assert len(palette_of(theme).colours) < LIMIT
