"""The colours of a picture by their roles, in four themes, and the measures all pictures share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

Rgb = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


class Tone(StrEnum):
    """The role of a colour; every theme has a colour for each."""

    BACKGROUND = "background"
    """The page."""
    PANEL = "panel"
    """Waiting plates, rows and tiles."""
    PANEL_EDGE = "panel_edge"
    """The lower edge of panels."""
    OUTLINE = "outline"
    """Lines around panels; where it is the colour of `text`, lines take the place of depth."""
    PANEL_LIT = "panel_lit"
    """The one lit plate or row of a picture."""
    PANEL_LIT_TEXT = "panel_lit_text"
    """Words on it."""
    PANEL_LIT_MUTED = "panel_lit_muted"
    """A second line on it."""
    TEXT = "text"
    """Words on the page or on a panel."""
    MUTED_TEXT = "muted_text"
    """Words that matter less."""
    BOARD = "board"
    """The face of a board."""
    BOARD_LIGHT = "board_light"
    """Its lit upper edge."""
    BOARD_SIDE = "board_side"
    """Its thickness below."""
    BOARD_SHADOW = "board_shadow"
    """Its flat shadow."""
    BOARD_TEXT = "board_text"
    """Column numbers on its rim."""
    HOLE = "hole"
    """An empty hole, and the gap around a disc."""
    HOLE_SHADE = "hole_shade"
    """The shaded upper rim of a hole; dark outlines."""
    HOLE_LIGHT = "hole_light"
    """The lit lower rim of a hole."""
    DISC_1 = "disc_1"
    """The face of the first player's discs: deep, with a pale diamond."""
    DISC_1_LIGHT = "disc_1_light"
    """Its lit upper edge."""
    DISC_1_EDGE = "disc_1_edge"
    """Its rim, and the quiet mark at the end of a game."""
    DISC_1_MARK = "disc_1_mark"
    """Its diamond."""
    DISC_2 = "disc_2"
    """The face of the second player's discs: bright, with a dark star."""
    DISC_2_LIGHT = "disc_2_light"
    """Its lit upper edge."""
    DISC_2_EDGE = "disc_2_edge"
    """Its rim, and the quiet mark at the end of a game."""
    DISC_2_MARK = "disc_2_mark"
    """Its star."""
    BANNER_1 = "banner_1"
    """The banner of the first player's win."""
    BANNER_1_TEXT = "banner_1_text"
    """Words on it."""
    BANNER_2 = "banner_2"
    """The banner of the second player's win."""
    BANNER_2_TEXT = "banner_2_text"
    """Words on it."""
    LAST_MOVE = "last_move"
    """The ring around the last disc, and the pill of its column."""
    LAST_MOVE_TEXT = "last_move_text"
    """The number on that pill."""
    WINNING_RING = "winning_ring"
    """The chain around a winning line."""
    WINNING_TRAY = "winning_tray"
    """The ground of the discs in it."""
    HINT = "hint"
    """The square of a hint."""
    ACCENT = "accent"
    """The column of a hint; links."""
    ACCENT_TEXT = "accent_text"
    """Words on it."""
    CHIP_WIN = "chip_win"
    """The value of a move that wins."""
    CHIP_WIN_TEXT = "chip_win_text"
    """Words on it."""
    CHIP_DRAW = "chip_draw"
    """The value of a move that draws."""
    CHIP_DRAW_TEXT = "chip_draw_text"
    """Words on it."""
    CHIP_LOSS = "chip_loss"
    """The value of a move that loses."""
    CHIP_LOSS_TEXT = "chip_loss_text"
    """Its rim, and words on it."""
    GOOD = "good"
    """Gains and wins."""
    BAD = "bad"
    """Losses."""
    NEUTRAL = "neutral"
    """Draws, and what did not change."""
    BOMB = "bomb"
    """A bomb's cap and fuse."""
    SPARK = "spark"
    """The heart of its spark."""
    BLAST = "blast"
    """What a bomb would remove; an explosion."""
    BLAST_CORE = "blast_core"
    """The heart of an explosion."""
    CHART_LINE = "chart_line"
    """The course of a number."""
    CHART_FILL = "chart_fill"
    """The ground of placement games."""
    GRID = "grid"
    """The lines of a chart."""
    FACE_1 = "face_1"
    """The ground of a member's initial, as are the next three."""
    FACE_2 = "face_2"
    FACE_3 = "face_3"
    FACE_4 = "face_4"
    FACE_TEXT = "face_text"
    """The initial on it."""
    GOLD = "gold"
    """The first rank, and a crown."""
    SILVER = "silver"
    """The second rank."""
    BRONZE = "bronze"
    """The third rank."""
    MEDAL_TEXT = "medal_text"
    """The number on a rank."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture.

    Raises:
        ValueError: when a role has no colour, or one that is not written as `#RRGGBB`.
    """

    name: str
    """The name by which people choose it."""
    colours: Mapping[Tone, str] = field(hash=False, repr=False)
    """The colour of every role, as `#RRGGBB`."""

    def __post_init__(self) -> None:
        for tone in Tone:
            text = self.colours.get(tone, "")
            if not _COLOUR.fullmatch(text):
                raise ValueError(f"{tone} needs a colour such as #141B36, not {text!r}")

    def rgb(self, tone: Tone) -> Rgb:
        """Return one colour as red, green and blue, each from 0 to 255."""
        red, green, blue = bytes.fromhex(self.colours[tone][1:])
        return red, green, blue

    @property
    def is_outlined(self) -> bool:
        """Whether lines show what depth shows in other themes."""
        return self.colours[Tone.BOARD] == self.colours[Tone.HOLE]


_NAMES = ("classic", "dark", "high-contrast", "colour-blind-safe")

# The first player's discs are the deeper ones in every theme, and the second player's the brighter.
_COLOURS = {
    Tone.BACKGROUND: "#141B36 #1B1C20 #000000 #211D1A",
    Tone.PANEL: "#222C52 #2B2D33 #141414 #332D28",
    Tone.PANEL_EDGE: "#0C1126 #101114 #000000 #141110",
    Tone.OUTLINE: "#3A4677 #464A54 #FFFFFF #564C43",
    Tone.PANEL_LIT: "#FFFFFF #F2F3F5 #FFFFFF #FFF9EE",
    Tone.PANEL_LIT_TEXT: "#141B36 #1B1C20 #000000 #211D1A",
    Tone.PANEL_LIT_MUTED: "#55608A #5B606B #333333 #6B6055",
    Tone.TEXT: "#FFFFFF #F2F3F5 #FFFFFF #FFF9EE",
    Tone.MUTED_TEXT: "#AAB6DE #A9AFBA #E0E0E0 #BFB3A5",
    Tone.BOARD: "#2460D8 #31353E #000000 #D8C7AC",
    Tone.BOARD_LIGHT: "#6C9DFF #747C8C #FFFFFF #FFF6E2",
    Tone.BOARD_SIDE: "#143E9C #202329 #000000 #9A8666",
    Tone.BOARD_SHADOW: "#0B1024 #0F1012 #000000 #12100E",
    Tone.BOARD_TEXT: "#FFFFFF #E3E6EB #FFFFFF #3A2F22",
    Tone.HOLE: "#0D1430 #141518 #000000 #1D1916",
    Tone.HOLE_SHADE: "#070B1E #0B0B0D #000000 #0F0D0B",
    Tone.HOLE_LIGHT: "#4B82F2 #5A616F #8C8C8C #F6EAD2",
    Tone.DISC_1: "#E0312E #EB403B #2373F5 #0B79BD",
    Tone.DISC_1_LIGHT: "#FF9488 #FF9D93 #A9CBFF #8CCBF2",
    Tone.DISC_1_EDGE: "#9A1620 #9C1F24 #10439C #064A78",
    Tone.DISC_1_MARK: "#FFD9D2 #FFDDD8 #FFFFFF #DDF1FF",
    Tone.DISC_2: "#FFD534 #FFE04A #FFEE33 #F6E63A",
    Tone.DISC_2_LIGHT: "#FFF3B0 #FFF6BF #FFFBC8 #FFFBC4",
    Tone.DISC_2_EDGE: "#C98A00 #C59400 #B8A400 #B59A00",
    Tone.DISC_2_MARK: "#8A5200 #7E5600 #000000 #6E5600",
    Tone.BANNER_1: "#E0312E #D5322F #1A63E0 #0B79BD",
    Tone.BANNER_1_TEXT: "#FFFFFF #FFFFFF #FFFFFF #FFFFFF",
    Tone.BANNER_2: "#FFD534 #FFE04A #FFEE33 #F6E63A",
    Tone.BANNER_2_TEXT: "#2A1B00 #241A00 #000000 #241C00",
    Tone.LAST_MOVE: "#FFFFFF #FFFFFF #FFFFFF #FFFFFF",
    Tone.LAST_MOVE_TEXT: "#141B36 #1B1C20 #000000 #211D1A",
    Tone.WINNING_RING: "#FFFFFF #FFFFFF #FFFFFF #FFFFFF",
    Tone.WINNING_TRAY: "#0D1430 #141518 #000000 #1D1916",
    Tone.HINT: "#4DE8A4 #5BE3A0 #3DFF9E #4FE0C0",
    Tone.ACCENT: "#4DE8A4 #5BE3A0 #3DFF9E #4FE0C0",
    Tone.ACCENT_TEXT: "#06281A #062717 #000000 #04261F",
    Tone.CHIP_WIN: "#4DE8A4 #5BE3A0 #3DFF9E #4FE0C0",
    Tone.CHIP_WIN_TEXT: "#06281A #062717 #000000 #04261F",
    Tone.CHIP_DRAW: "#47548C #50555F #4A4A4A #635749",
    Tone.CHIP_DRAW_TEXT: "#FFFFFF #FFFFFF #FFFFFF #FFF9EE",
    Tone.CHIP_LOSS: "#222C52 #2B2D33 #000000 #332D28",
    Tone.CHIP_LOSS_TEXT: "#FF9A8F #FF9A92 #FFB3AB #FFA88A",
    Tone.GOOD: "#4DE8A4 #5BE3A0 #3DFF9E #4FE0C0",
    Tone.BAD: "#FF8A80 #FF8F86 #FF9C92 #FFA07E",
    Tone.NEUTRAL: "#AAB6DE #A9AFBA #E0E0E0 #BFB3A5",
    Tone.BOMB: "#C6CDE6 #C9CDD5 #FFFFFF #E8DCC8",
    Tone.SPARK: "#FFF6C9 #FFF6C9 #FFFFFF #FFF9D0",
    Tone.BLAST: "#FFB02E #FFB02E #FFB02E #F58A1F",
    Tone.BLAST_CORE: "#FFF6C9 #FFF6C9 #FFFFFF #FFF9D0",
    Tone.CHART_LINE: "#FFD534 #FFE04A #FFEE33 #F6E63A",
    Tone.CHART_FILL: "#2C3866 #363942 #2A2A2A #42392F",
    Tone.GRID: "#3A4677 #464A54 #6A6A6A #564C43",
    Tone.FACE_1: "#2F6BE0 #2F6BE0 #2F6BE0 #2F6BE0",
    Tone.FACE_2: "#A83A5B #A83A5B #A83A5B #A83A5B",
    Tone.FACE_3: "#237A5E #237A5E #237A5E #237A5E",
    Tone.FACE_4: "#7A4FC0 #7A4FC0 #7A4FC0 #7A4FC0",
    Tone.FACE_TEXT: "#FFFFFF #FFFFFF #FFFFFF #FFFFFF",
    Tone.GOLD: "#FFC83D #FFC83D #FFD23C #FFCB45",
    Tone.SILVER: "#CBD5EC #CDD3DD #E6E6E6 #DAD6CE",
    Tone.BRONZE: "#E39A63 #E39A63 #FFB07A #E5A06B",
    Tone.MEDAL_TEXT: "#241A00 #241A00 #241A00 #241A00",
}
"""The colour of every role in the themes of `_NAMES`, in their order."""


def _theme(index: int) -> Theme:
    colours = {tone: row.split()[index] for tone, row in _COLOURS.items()}
    return Theme(_NAMES[index], MappingProxyType(colours))


THEMES: Mapping[str, Theme] = MappingProxyType(
    {name: _theme(index) for index, name in enumerate(_NAMES)}
)
"""The themes by their names: the blue board that people know, a dark one, one whose lines replace
shades, and one whose colours people with any kind of colour vision can tell apart."""

CLASSIC = THEMES["classic"]
"""The theme of pictures for which none was chosen."""

WIDTH = 680
"""The width of every picture in pixels: sharp at double density when it is shown 340 wide."""

MARGIN = 18
"""Pixels between the edge of a picture and its content."""
