"""Running games: their changes, deadlines, searches and ratings."""
