"""Running games: every way in which one changes, and the work that it waits for."""
