"""The sixteen colours of a picture, and the ramps between them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from renderers import CHARCOAL, Tone
from renderers.paint.palette import SIZE, Ramp, palette_of


def test_a_palette_holds_sixteen_different_colours_with_the_page_first() -> None:
    """Every colour fits into four bits, and index 0 is the page."""
    colours = palette_of(CHARCOAL).colours
    assert len(colours) == len(set(colours)) == SIZE
    assert colours[0] == CHARCOAL.rgb(Tone.PAGE)


@pytest.mark.parametrize("ramp", [Ramp(Tone.PAGE, Tone.TEXT), Ramp(Tone.HOLE, Tone.SECOND)])
def test_a_ramp_leads_from_one_colour_to_the_other(ramp: Ramp) -> None:
    """No coverage gives one colour, full coverage the other, and there are shades between."""
    palette = palette_of(CHARCOAL)
    steps = palette.ramp(ramp)
    assert (steps[0], steps[255]) == (palette.index(ramp.under), palette.index(ramp.over))
    assert len(set(steps)) >= 3
    assert sum(one != other for one, other in pairwise(steps)) == len(set(steps)) - 1
