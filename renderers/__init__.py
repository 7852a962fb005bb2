"""Pictures of games and their alternative texts: plain values in, PNG bytes and text out.

Nothing here depends on a chat service, does I/O or keeps any state but cached sprites, so every
function may be called from any thread.

Importing this package does not load Pillow; the first function that draws does.

The scenes describe the content of a picture, `alt_text` turns them into text, and `drawing` has the
functions that draw: `boards` and `cards` make whole pictures with the tools in `paint`.
"""

from renderers.alt_text import (
    AltPhrases,
    animation_alt_text,
    board_alt_text,
    card_alt_text,
    review_alt_text,
)
from renderers.boards.layout import Layout, layout
from renderers.card_scene import (
    CardScene,
    Course,
    Face,
    Figure,
    HistoryScene,
    Leader,
    LeadersScene,
    LeagueRow,
    LeagueScene,
    LevelResults,
    PairScene,
    PanelsScene,
    PastGameRow,
    ReportScene,
    Result,
    SmallBoard,
    StatisticsScene,
    Tally,
)
from renderers.drawing import (
    draw,
    draw_animation,
    draw_card,
    draw_flash,
    draw_review,
    is_writable,
    load,
)
from renderers.paint.theme import CLASSIC, THEMES, Theme, Tone
from renderers.scene import (
    Banner,
    BoardScene,
    Movement,
    MoveValue,
    Outlook,
    ReviewedPly,
    ReviewScene,
    Task,
    ThreatLegend,
    ThreatMark,
    Turn,
)

__all__ = [
    "CLASSIC",
    "THEMES",
    "AltPhrases",
    "Banner",
    "BoardScene",
    "CardScene",
    "Course",
    "Face",
    "Figure",
    "HistoryScene",
    "Layout",
    "Leader",
    "LeadersScene",
    "LeagueRow",
    "LeagueScene",
    "LevelResults",
    "MoveValue",
    "Movement",
    "Outlook",
    "PairScene",
    "PanelsScene",
    "PastGameRow",
    "ReportScene",
    "Result",
    "ReviewScene",
    "ReviewedPly",
    "SmallBoard",
    "StatisticsScene",
    "Tally",
    "Task",
    "Theme",
    "ThreatLegend",
    "ThreatMark",
    "Tone",
    "Turn",
    "animation_alt_text",
    "board_alt_text",
    "card_alt_text",
    "draw",
    "draw_animation",
    "draw_card",
    "draw_flash",
    "draw_review",
    "is_writable",
    "layout",
    "load",
    "review_alt_text",
]
