"""Compiled Connect 4: alpha-beta, its evaluation, and perft."""
