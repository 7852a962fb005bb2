"""Where in Discord something is shown, in ids."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A message in a channel, or the channel itself."""

    guild_id: int | None
    """None for a direct message."""
    channel_id: int
    message_id: int | None
    """None where no message is known."""
