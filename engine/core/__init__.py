"""Types and functions shared by all games; games import nothing else of the engine."""
