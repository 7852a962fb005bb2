"""Undo, draw and swap."""
