"""One game as a value: its session, who sits at it, what is asked of it, and why it is refused."""
