"""Players' ratings: which games count, what a result changes, and opponents for `auto`."""
