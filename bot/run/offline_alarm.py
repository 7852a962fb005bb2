"""An alarm for the offline Discord, which would take its timer for work that is still to come."""

from __future__ import annotations

from bot.play.alarm import Alarm


class OfflineAlarm(Alarm):
    """Rings when it is looked at and a time has come, and sets no timer.

    The offline Discord calls an action done once nothing more is about to happen by itself, and a
    timer that rings within a minute counts as that: people would wait for it at every move.
    """

    def look(self) -> bool:
        """Ring if it is time; whether it was."""
        is_due = self._at is not None and self._at <= self._clock()
        if is_due:
            self._due()
        return is_due

    def _wait(self, seconds: float) -> None:
        """Wait for whoever looks."""
