"""Agents that play as earlier student programs did: opponents with a character of their own."""
