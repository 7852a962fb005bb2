"""Connect 4 on boards of 4 to 8 rows and columns."""
