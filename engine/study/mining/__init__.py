"""Making puzzles, from games between rungs to files with ratings (docs/puzzles.md)."""
