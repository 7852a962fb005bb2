"""Pictures of games and their alternative texts: plain values in, PNG bytes and text out.

Nothing here depends on a chat service, does I/O or keeps any state but cached sprites, so every
function may be called from any thread.

Importing this package loads neither Pillow nor Matplotlib; the first function that draws does.

The scenes describe the content of a picture, `alt_text` turns them into text, and `drawing` has the
functions that draw: `boards` and `cards` make whole pictures, from the parts in `blocks`, the
charts in `charts` and the tools in `paint`.
"""

from renderers.alt_text import (
    AltPhrases,
    animation_alt_text,
    board_alt_text,
    card_alt_text,
    report_alt_text,
    review_alt_text,
)
from renderers.boards.layout import Layout, layout
from renderers.drawing import (
    draw,
    draw_animation,
    draw_card,
    draw_report,
    draw_review,
    is_writable,
    load,
)
from renderers.paint.theme import CLASSIC, THEMES, Theme, Tone
from renderers.report_scene import BarsScene, LinesScene, Points, ReportScene, ScatterScene, Series
from renderers.scene import (
    Align,
    Banner,
    BoardScene,
    CardScene,
    Course,
    Figure,
    Form,
    Movement,
    MoveValue,
    Outlook,
    Result,
    ReviewedPly,
    ReviewScene,
    Table,
    Turn,
)

__all__ = [
    "CLASSIC",
    "THEMES",
    "Align",
    "AltPhrases",
    "Banner",
    "BarsScene",
    "BoardScene",
    "CardScene",
    "Course",
    "Figure",
    "Form",
    "Layout",
    "LinesScene",
    "MoveValue",
    "Movement",
    "Outlook",
    "Points",
    "ReportScene",
    "Result",
    "ReviewScene",
    "ReviewedPly",
    "ScatterScene",
    "Series",
    "Table",
    "Theme",
    "Tone",
    "Turn",
    "animation_alt_text",
    "board_alt_text",
    "card_alt_text",
    "draw",
    "draw_animation",
    "draw_card",
    "draw_report",
    "draw_review",
    "is_writable",
    "layout",
    "load",
    "report_alt_text",
    "review_alt_text",
]
