"""People whose data have been deleted."""

from __future__ import annotations

FORMER_PLAYER = -1
"""Stands in other people's games for everybody who has had their data deleted. All share it, so
that nothing connects the games of one of them; Discord gives nobody this id."""
