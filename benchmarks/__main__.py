"""Runs all measurements, one after the other."""

from benchmarks import engine, loop_lag, pictures, startup

for benchmark in (engine, pictures, startup, loop_lag):
    benchmark.main()
    print()
