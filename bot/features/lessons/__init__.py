"""Lessons and the game that ends each."""
