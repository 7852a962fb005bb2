"""Whether any external input breaks its reader: `python -m benchmarks.fuzz --count 100000`.

Options of commands, ids of buttons, typed lines and settings are read from random texts, and must
be accepted or refused as documented. The test suite tries a few hundred of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.bot.support.fuzz_targets import fuzz

MAX_SHOWN = 5
"""Tracebacks that are printed."""


def main(arguments: Sequence[str] = ()) -> int:
    """Print a Markdown table; returns 1 if a reader failed in an undocumented way."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz")
    parser.add_argument("--count", type=int, default=10_000, help="inputs in all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    tallies = fuzz(options.count, options.seed)
    print("| random input | tried | accepted | refused as documented | other exceptions |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, tally in tallies.items():
        tried = tally.accepted + tally.refused + len(tally.broken)
        print(f"| {name} | {tried} | {tally.accepted} | {tally.refused} | {len(tally.broken)} |")
    broken = [text for tally in tallies.values() for text in tally.broken]
    print(f"| all | {options.count} | | | {len(broken)} |")
    for text in broken[:MAX_SHOWN]:
        print(text, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
