"""Lists the measurements, or runs one: `python -m benchmarks --list`, `... benchmarks NAME`."""

from __future__ import annotations

import argparse
import runpy
import sys

from benchmarks.printing import row
from benchmarks.registry import MEASUREMENTS


def main() -> None:
    """Print the list, or run the measurement with the remaining arguments."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", nargs="?", choices=[one.name for one in MEASUREMENTS])
    parser.add_argument("--list", action="store_true", help="print all measurements")
    options = parser.parse_args(sys.argv[1:2])
    if options.name is None:
        print(row(("name", "question", "minutes", "machine", "document")))
        print(row(("---", "---", "---:", "---", "---")))
        for one in MEASUREMENTS:
            minutes = f"{one.minutes:g}"
            print(row((one.name, one.question, minutes, one.machine, f"docs/{one.document}")))
        return
    del sys.argv[1]
    runpy.run_module(f"benchmarks.{options.name}", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
