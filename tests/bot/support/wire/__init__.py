"""The real program on a simulated Discord, and simulated players."""
