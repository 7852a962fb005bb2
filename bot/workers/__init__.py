"""Access to the engine: threads, a cluster, and preparing both."""
