"""The scale of scores that all searches of all games share.

An evaluation lies within +-WON_BOUND. A win completed by move number n of the game scores WIN - n
and a loss by it n - WIN: a nearer win is better, a later loss is better, and the number does not
depend on the position where the search began.
"""

from __future__ import annotations

WIN = 10_000

WON_BOUND = 9_000
"""Scores beyond this, either way, are proven."""

INFINITE = 20_000
"""Beyond every score."""

UNKNOWN = -30_000
"""The root score of a move outside the requested margin."""

MOST_DEPTH = 63
"""The deepest search that a table entry can record, in plies."""
