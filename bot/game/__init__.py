"""One game as a value: its session, its clock, reading it from its record, and refusals."""
