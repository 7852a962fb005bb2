"""One game as a value: its session, seats and clock, the orders for it, and refusals."""
