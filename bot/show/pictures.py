"""Pictures that are asked for again and again, kept until what they show changes.

A scene is a value: the same figures give the same scene, and the same scene the same picture.
"""

from __future__ import annotations

from functools import lru_cache

from engine.core.game import Drawing
from renderers import CardScene, ReportScene, ReviewScene, draw_card, draw_report, draw_review

KEPT = 64
"""Pictures of each kind that are kept: a few megabytes."""


@lru_cache(maxsize=KEPT)
def card_picture(scene: CardScene) -> bytes:
    """The PNG of a card; may be called from any thread."""
    return draw_card(scene)


@lru_cache(maxsize=KEPT)
def report_picture(scene: ReportScene) -> bytes:
    """The PNG of a report; may be called from any thread."""
    return draw_report(scene)


@lru_cache(maxsize=KEPT)
def review_picture(drawing: Drawing, scene: ReviewScene) -> bytes:
    """The PNG of a reviewed game; may be called from any thread."""
    return draw_review(drawing, scene)
