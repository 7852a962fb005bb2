"""One database, SQLite or PostgreSQL; knows no game."""
