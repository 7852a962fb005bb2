"""All tests. This is a package so that another installed `tests` is not imported instead."""
