"""Whether somebody has got better without help, in one sentence."""

from __future__ import annotations

from bot.rating.progress import BEFORE, FEWEST, RECENTLY, Progress
from bot.words import Say


def progress_line(progress: Progress, say: Say) -> str:
    """What somebody's own moves give away, then and now, and whether that may be chance."""
    change = progress.change
    if change is None:
        return say(
            "progress.too_little",
            fewest=FEWEST,
            weeks=RECENTLY,
            earlier=BEFORE,
            now=progress.now,
            before=progress.before,
        )
    kind = "better" if change.difference < 0 else "worse"
    return say(
        f"progress.{kind if change.is_certain else 'unclear'}",
        now=_percent(change.now, say),
        before=_percent(change.before, say),
        difference=_percent(abs(change.difference), say),
        margin=_percent(change.margin, say),
        weeks=RECENTLY,
        earlier=BEFORE,
    )


def _percent(share: float, say: Say) -> str:
    return say.number(100 * share, 1)
