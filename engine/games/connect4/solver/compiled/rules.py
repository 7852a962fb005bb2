"""The rules that the solver may use, one bit each, so that each can be measured separately."""

from __future__ import annotations

from enum import IntFlag

from llvmlite.binding import get_host_cpu_features


class Rule(IntFlag):
    """The parts of the search that can be switched off without changing any score."""

    FOLLOW = 1
    """Answering on top shows that a side cannot win."""
    THREAT = 2
    """Answering on top ends in a four of the follower."""
    PAIR = 4
    """Two columns with an odd number of empty squares are made even by one exchange."""
    TWO_PAIRS = 8
    """The same for four such columns."""
    NO_LINE = 16
    """A side without any open line cannot win."""
    CHAIN = 32
    """Forced replies are played before a position is searched."""
    PROBE = 64
    """The table is probed for every child before one is searched."""
    MERGE = 128
    """Stones in no open line are not distinguished in the table's key."""
    MIRROR = 256
    """A position and its mirror image share an entry."""
    ORDER = 512
    """Moves that leave good threats come first."""
    LANES = 1024
    """All moves of a position are settled at once, by vector instructions."""
    STEPS = 2048
    """Questions about a score come in small steps instead of halves."""
    KILLERS = 4096
    """A move that was decisive in other positions with as many stones comes earlier."""
    LINES = 8192
    """A move comes earlier by each open line that it gives a second stone."""
    SOON = 16384
    """A win with the second stone from now is found without a search."""
    REPLIES = 32768
    """A move that was decisive after the same move in other positions comes earlier."""
    CLAIM = 65536
    """Answering on top gives the follower a four of its own squares."""


ALL = sum(Rule)

FASTEST = ALL if get_host_cpu_features().get("avx512f") else ALL & ~Rule.LANES
"""All rules that save time on this processor: narrow vectors cost more than they save. Scores, and
the nodes that are searched, are the same with and without `LANES`."""
