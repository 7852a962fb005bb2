"""Does `auto` give people even games, on every board? `python -m benchmarks.adaptive --out DIR`."""
