"""The real program on a stand-in for Discord, and people who play on it."""
