"""Other programs' ways of playing, as agents."""
