"""Runs all measurements, one after the other."""

from benchmarks import engine, hints, loop_lag, pictures, startup, threats

for benchmark in (engine, pictures, startup, loop_lag, hints, threats):
    benchmark.main()
    print()
