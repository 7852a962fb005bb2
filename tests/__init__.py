"""All tests. Were this no package, another `tests` that is installed would be found instead."""
