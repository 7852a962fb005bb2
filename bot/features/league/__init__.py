"""Games between agents on a server."""
