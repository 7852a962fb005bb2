"""Solving a position step by step; shared by reviews, lessons and puzzles."""
