"""Compiled Gato: lines, symmetry, alpha-beta and perft."""
