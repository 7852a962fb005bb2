"""Text: the characters that can be written, and fitting text into a width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers.paint.text import ELLIPSIS, Font, fit, legible, line

FONT = Font(24)


@pytest.mark.parametrize(
    "text",
    ["Ana", "Ángela Ñúñez", "¿Quién?", "3 \u00d7 4 · 5", "Łódź", "Ελένη", "Дмитрий", "a-b_c…"],
)
def test_characters_of_the_typeface_are_kept(text: str) -> None:
    """Accented letters, other European alphabets and common signs are kept."""
    assert legible(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Ana 🦊", "Ana"),
        ("🎲Bo🎲", "Bo"),
        ("王Li", "Li"),
        ("A\u0301na", "Ána"),
        ("\U0001d400\U0001d427\U0001d41a", "Ana"),
        ("A\u0335\u0336na", "Ana"),
        ("\u202eAna\u200b", "Ana"),
        (" Ana \n\t Bo ", "Ana Bo"),
    ],
)
def test_missing_characters_are_dropped_or_replaced(text: str, left: str) -> None:
    """Emoji, unknown scripts, stacked marks and invisible characters are dropped or replaced."""
    assert legible(text) == left


def test_the_fallback_replaces_empty_text() -> None:
    """The fallback is returned if no legible character remains."""
    assert legible("🦊🎲", "2") == "2"
    assert legible("", "2") == "2"
    assert legible("🦊") == ""


@given(st.text(max_size=60))
def test_legible_text_stays_as_it_is(text: str) -> None:
    """Making a text legible a second time changes nothing."""
    assert legible(legible(text)) == legible(text)


@given(st.text(max_size=80), st.integers(40, 400))
def test_fitted_text_fits(text: str, width: int) -> None:
    """Fitted text is at most as wide as requested, and begins like the original."""
    text = legible(text)
    fitted, font = fit(text, width, Font(30), FONT)
    assert font.width(fitted) <= width
    assert text.startswith(fitted.removesuffix(ELLIPSIS))


def test_text_is_made_smaller_before_it_is_cut() -> None:
    """The first font in which the whole text fits is used, otherwise the last."""
    large, small = Font(40), Font(24)
    width = small.width("Ángela Ñúñez")
    assert fit("Ana", width, large, small) == ("Ana", large)
    assert fit("Ángela Ñúñez", width, large, small) == ("Ángela Ñúñez", small)
    cut, font = fit("Ángela Ñúñez!", width, large, small)
    assert (cut[-1], font) == (ELLIPSIS, small)


def test_a_line_is_as_wide_as_it_measures() -> None:
    """A line is drawn in the measured width, and different words give different shapes."""
    assert line("Ana", FONT).width == FONT.width("Ana")
    assert line("Ana", FONT).tobytes() != line("Ena", FONT).tobytes()
