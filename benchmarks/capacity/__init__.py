"""What one machine bears, measured: the figures from which `benchmarks.simulation` computes."""
