"""Review of a finished game."""
