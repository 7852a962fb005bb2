"""Measurements; run one with `python -m benchmarks.NAME` or all with `python -m benchmarks`."""
