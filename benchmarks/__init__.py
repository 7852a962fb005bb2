"""Measurements; run one with `python -m benchmarks.NAME`, list all with `python -m benchmarks`."""
