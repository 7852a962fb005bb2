"""What every game is built on; games import nothing else of the engine."""
