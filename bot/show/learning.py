"""Whether somebody has got better without help, in one sentence."""

from __future__ import annotations

from bot.rating.learning import BEFORE, FEWEST, RECENTLY, Learning
from bot.words import Say


def learning_line(learning: Learning, say: Say) -> str:
    """What somebody's own moves give away, then and now, and whether that may be chance."""
    change = learning.change
    if change is None:
        return say(
            "learning.too_little",
            fewest=FEWEST,
            weeks=RECENTLY,
            earlier=BEFORE,
            now=learning.now,
            before=learning.before,
        )
    kind = "better" if change.difference < 0 else "worse"
    return say(
        f"learning.{kind if change.is_certain else 'unclear'}",
        now=_percent(change.now, say),
        before=_percent(change.before, say),
        difference=_percent(abs(change.difference), say),
        margin=_percent(change.margin, say),
        weeks=RECENTLY,
        earlier=BEFORE,
    )


def _percent(share: float, say: Say) -> str:
    return say.number(100 * share, 1)
