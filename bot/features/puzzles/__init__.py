"""Rated puzzles."""
