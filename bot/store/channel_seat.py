"""The seat that no single person has."""

from __future__ import annotations

THE_CHANNEL = -2
"""Sits where a whole channel plays: whoever is in it votes on each move. Discord gives nobody this
id."""
