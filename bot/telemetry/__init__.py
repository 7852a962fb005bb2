"""What any room may say about itself: figures to be counted, and what its log lines are about."""

from bot.telemetry.meter import SILENT, Meter
from bot.telemetry.timed_search import TimedSearch
from bot.telemetry.whereabouts import Whereabouts, about, here, note

__all__ = ["SILENT", "Meter", "TimedSearch", "Whereabouts", "about", "here", "note"]
