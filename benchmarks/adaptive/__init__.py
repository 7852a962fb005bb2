"""Measures whether `auto` gives even games: `python -m benchmarks.adaptive --out FOLDER`."""
