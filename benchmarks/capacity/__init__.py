"""Measures the costs on one machine, from which `benchmarks.simulation` computes."""
