"""The colours of a picture, and the ramps between them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from renderers import CHARCOAL, Tone
from renderers.paint.palette import SIZE, Ramp, palette_of


def test_all_but_the_colours_of_losses_fit_into_four_bits() -> None:
    """Without the colours of losses, the palette has sixteen different colours."""
    palette = palette_of(CHARCOAL)
    assert len(palette.colours) == len(set(palette.colours))
    assert palette.colours[0] == CHARCOAL.rgb(Tone.PAGE)
    others = [colour for colour in Tone if colour is not Tone.LOSS]
    assert all(palette.index(colour) < SIZE for colour in others)
    assert palette.index(Tone.LOSS) == SIZE
    for under in others:
        for over in others:
            assert max(palette.ramp(Ramp(under, over))) < SIZE


@pytest.mark.parametrize(
    "ramp",
    [Ramp(Tone.PAGE, Tone.TEXT), Ramp(Tone.HOLE, Tone.SECOND), Ramp(Tone.PAGE, Tone.LOSS)],
)
def test_a_ramp_leads_from_one_colour_to_the_other(ramp: Ramp) -> None:
    """No coverage gives one colour, full coverage the other, and there are shades between."""
    palette = palette_of(CHARCOAL)
    steps = palette.ramp(ramp)
    assert (steps[0], steps[255]) == (palette.index(ramp.under), palette.index(ramp.over))
    assert len(set(steps)) >= 3
    assert sum(one != other for one, other in pairwise(steps)) == len(set(steps)) - 1
