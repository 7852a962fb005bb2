"""Access to one database, SQLite or PostgreSQL, independent of games."""
