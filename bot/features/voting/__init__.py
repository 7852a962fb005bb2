"""Channel votes and guesses."""
