"""Study material: reviews, analyses, hints, puzzles, exercises."""
