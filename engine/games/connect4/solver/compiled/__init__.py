"""The compiled exact solver of Connect 4."""
