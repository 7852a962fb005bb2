"""What people learn from: reviews, analyses, hints, puzzles."""
