"""Contrasts of the colours, by the Web Content Accessibility Guidelines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderers import CHARCOAL, Tone


def luminance(tone: Tone) -> float:
    """Return the relative luminance of one of the default colours, from 0 to 1."""
    parts = [part / 255 for part in CHARCOAL.rgb(tone)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Tone, other: Tone) -> float:
    """Return the contrast ratio of two of the default colours, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Tone.FIRST, Tone.SECOND),
        (Tone.FIRST, Tone.HOLE),
        (Tone.SECOND, Tone.HOLE),
        (Tone.FIRST, Tone.PAGE),
        (Tone.SECOND, Tone.PAGE),
        (Tone.FIRST, Tone.FIRST_MARK),
        (Tone.SECOND, Tone.SECOND_MARK),
        (Tone.TEXT, Tone.HOLE),
        (Tone.TEXT, Tone.BOARD),
        (Tone.HINT, Tone.HOLE),
        (Tone.HINT, Tone.PAGE),
    ],
)
def test_shapes_differ_in_luminance(one: Tone, other: Tone) -> None:
    """Stones have a contrast of at least 3 with their signs, their background and each other."""
    assert contrast(one, other) >= 3


@pytest.mark.parametrize("words", [Tone.TEXT, Tone.MUTED])
@pytest.mark.parametrize("ground", [Tone.PAGE, Tone.SURFACE])
def test_text_is_readable(words: Tone, ground: Tone) -> None:
    """Text has a contrast of at least 4.5 with its background."""
    assert contrast(words, ground) >= 4.5


def test_the_stones_have_the_colours_that_were_chosen_for_colour_blind_people() -> None:
    """The stones have the colours chosen for colour-blind people: yellow and blue."""
    assert (CHARCOAL.first, CHARCOAL.second) == ("#F0E442", "#0072B2")


@pytest.mark.parametrize("text", ["red", "#12345", "#12345G", "1234567", "#12_345", "#+12345"])
def test_a_colour_is_six_hexadecimal_digits(text: str) -> None:
    """A theme refuses text that is not a colour as `#RRGGBB`."""
    with pytest.raises(ValueError, match="not a colour"):
        replace(CHARCOAL, page=text)
