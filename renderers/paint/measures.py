"""The measures that every picture shares, in pixels."""

from __future__ import annotations

WIDTH = 680
"""Sharp at double density when a picture is shown 340 wide."""
MARGIN = 18
