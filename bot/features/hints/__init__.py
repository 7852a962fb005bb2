"""Hints: what the engine would play, in three levels."""
