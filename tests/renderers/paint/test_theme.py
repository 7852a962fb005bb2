"""The four themes: contrasts by WCAG 2.2, and discs that all people can tell apart."""

from __future__ import annotations

import pytest

from renderers import CLASSIC, THEMES, Theme, Tone
from tests.renderers.colours import SIGHTS, ciede2000, contrast, difference

SHAPES = (
    "disc_1 disc_2",
    "disc_1 hole",
    "disc_2 hole",
    "disc_1|hole board",
    "disc_2|hole board",
    "disc_1_mark disc_1",
    "disc_2_mark disc_2",
    "board|board_light background",
    "last_move disc_1",
    "last_move hole",
    "winning_ring|hole_shade board",
    "winning_ring winning_tray",
    "hint hole",
    "bomb hole",
    "spark hole",
    "blast hole",
    "chart_line panel",
    "chart_line background",
    "gold winning_tray",
)
"""Colours of shapes that meet, of which `a|b` is the stronger of two."""
WORDS = (
    *(
        f"{ink} {ground}"
        for ink in ("text", "muted_text", "good", "bad", "neutral")
        for ground in ("background", "panel")
    ),
    "panel_lit_text panel_lit",
    "panel_lit_muted panel_lit",
    "board_text board",
    "last_move_text last_move",
    "banner_1_text banner_1",
    "banner_2_text banner_2",
    "accent_text accent",
    "chip_win_text chip_win",
    "chip_draw_text chip_draw",
    "chip_loss_text chip_loss",
    *(f"face_text face_{number}" for number in (1, 2, 3, 4)),
    *(f"medal_text {metal}" for metal in ("gold", "silver", "bronze")),
    *(
        f"{ink} {ground}"
        for ink in ("good", "bad", "neutral")
        for ground in ("background", "panel")
    ),
)
"""Colours of words, each with its ground."""

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


def of(theme: Theme, pair: str) -> float:
    """The contrast of a pair."""
    one, other = pair.split()
    ground = theme.rgb(Tone(other))
    return max(contrast(theme.rgb(Tone(tone)), ground) for tone in one.split("|"))


def test_the_names_of_the_themes_are_fixed() -> None:
    """Stored preferences name a theme, and without a choice it is the classic one."""
    assert tuple(THEMES) == ("classic", "dark", "high-contrast", "colour-blind-safe")
    assert THEMES["classic"] is CLASSIC
    assert all(theme.name == name for name, theme in THEMES.items())


@every_theme
def test_shapes_differ_in_luminance(theme: Theme) -> None:
    """Discs have a contrast of at least 3 with their marks, their ground and each other."""
    assert {pair: of(theme, pair) for pair in SHAPES if of(theme, pair) < 3} == {}


@every_theme
def test_text_is_readable(theme: Theme) -> None:
    """All text has a contrast of at least 4.5 with its ground."""
    assert {pair: of(theme, pair) for pair in WORDS if of(theme, pair) < 4.5} == {}


@every_theme
@pytest.mark.parametrize("sight", SIGHTS)
def test_the_discs_differ_for_everybody(theme: Theme, sight: str) -> None:
    """The discs differ by at least 20 in CIEDE2000, with every kind of colour blindness."""
    assert difference(theme.rgb(Tone.DISC_1), theme.rgb(Tone.DISC_2), sight) >= 20


@every_theme
def test_the_first_players_disc_is_the_deeper_one(theme: Theme) -> None:
    """In every theme the first player has the darker disc with the paler mark."""
    black = (0, 0, 0)
    one, other, mark, star = (
        contrast(theme.rgb(tone), black)
        for tone in (Tone.DISC_1, Tone.DISC_2, Tone.DISC_1_MARK, Tone.DISC_2_MARK)
    )
    assert star < one < other
    assert one < mark


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (58.0, 24.0, 15.0), 19.4535),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_difference_of_colours_is_the_published_one(
    one: tuple[float, float, float], other: tuple[float, float, float], expected: float
) -> None:
    """CIEDE2000 is computed as in the test data of its authors."""
    assert ciede2000(one, other) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("text", ["red", "#12345", "#12345G", "1234567", "#12_345", "#+12345"])
def test_a_colour_is_six_hexadecimal_digits(text: str) -> None:
    """A theme refuses text that is not a colour as `#RRGGBB`, and a role without a colour."""
    with pytest.raises(ValueError, match="background needs a colour"):
        Theme("odd", {**CLASSIC.colours, Tone.BACKGROUND: text})
    with pytest.raises(ValueError, match="needs a colour"):
        Theme("empty", {})
