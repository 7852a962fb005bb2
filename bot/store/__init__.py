"""What the core stores: games, people, ratings, processes."""
