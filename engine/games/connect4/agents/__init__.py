"""Agents that play like earlier student programs, each in its own style."""
