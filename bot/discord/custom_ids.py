"""What stands in the ids of buttons and menus, and within which bounds.

Discord checks that a pressed button exists, but not everything that speaks to the bot need be
Discord's own client: whatever an id says is bounded here before it is read.
"""

from __future__ import annotations

import re

from engine.core.registry import games

FAMILY = "|".join(map(re.escape, games()))
"""The key of a family of games."""
ROW = "[0-9]{1,15}"
"""The id of something stored: far more of them than there will ever be, and within 64 bits."""
SMALL = "[0-9]{1,4}"
"""A number of moves or pages."""
SNOWFLAKE = "[0-9]{1,19}"
"""An id of Discord's own. It may exceed 64 bits: compare it with a known one before storing it."""
NAME = "[A-Za-z0-9_-]{1,32}"
"""The name of an agent."""
SIZE = "[A-Za-z0-9_-]{1,16}"
"""The name of a size class."""
MOVE = "[^:]{1,16}"
"""A move as players write it."""
CODE = "[0-9a-z]{4,30}"
"""A position's code."""
WAY = "[0-9a-z]{0,45}"
"""Moves from there, as `bot.table.trail` writes them."""
NOTHING = 0
"""The id of no row."""


def row_id(text: str) -> int:
    """The id that a menu's value names; NOTHING for what is none."""
    return int(text) if re.fullmatch(ROW, text) else NOTHING
