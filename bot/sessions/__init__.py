"""Running games: every way a game can change, and the work it waits for."""
