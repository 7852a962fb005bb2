"""The games that ship with the engine, each a package of its own."""
