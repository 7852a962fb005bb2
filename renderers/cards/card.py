"""The one function that draws cards of all kinds."""

from __future__ import annotations

from renderers.card_scene import (
    CardScene,
    HistoryScene,
    LeadersScene,
    LeagueScene,
    PairScene,
    PanelsScene,
    ReportScene,
)
from renderers.cards.boards import draw_pair, draw_panels
from renderers.cards.lists import draw_history, draw_leaders, draw_league
from renderers.cards.statistics import draw_report, draw_statistics
from renderers.paint.theme import CLASSIC, Theme


def draw_card(scene: CardScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a card.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards, and 510 to 906 high.
    """
    if isinstance(scene, LeadersScene):
        return draw_leaders(scene, theme)
    if isinstance(scene, HistoryScene):
        return draw_history(scene, theme)
    if isinstance(scene, LeagueScene):
        return draw_league(scene, theme)
    if isinstance(scene, ReportScene):
        return draw_report(scene, theme)
    if isinstance(scene, PairScene):
        return draw_pair(scene, theme)
    if isinstance(scene, PanelsScene):
        return draw_panels(scene, theme)
    return draw_statistics(scene, theme)
