"""The core's tables and repositories: games, people, ratings, processes."""
