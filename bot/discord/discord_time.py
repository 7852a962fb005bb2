"""Discord's own clock, read off the ids that it gives: this machine's may go wrong."""

from __future__ import annotations

from discord.utils import snowflake_time


class DiscordTime:
    """Knows the present time on Discord from the newest id that was seen."""

    def __init__(self) -> None:
        """Know nothing before the first id."""
        self._latest = 0

    def note(self, snowflake: int) -> None:
        """Note an id that Discord has given."""
        self._latest = max(self._latest, snowflake)

    def age(self, snowflake: int) -> float:
        """How many seconds before the newest id this one was given."""
        newest = max(self._latest, snowflake)
        return (snowflake_time(newest) - snowflake_time(snowflake)).total_seconds()
