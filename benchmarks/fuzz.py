"""Whether anything from outside breaks what reads it: `python -m benchmarks.fuzz --count 100000`.

Options of commands, ids of buttons, typed lines and settings are read in turn, each from random
texts, and have to be accepted or refused as documented.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from benchmarks.fuzz_targets import TARGETS, Target
from benchmarks.fuzz_texts import Texts

MOST_SHOWN = 5
"""Tracebacks that are printed."""


@dataclass(slots=True)
class Tally:
    """How the inputs of one kind were taken."""

    accepted: int = 0
    refused: int = 0
    broken: list[str] = field(default_factory=list)
    """A traceback for each error that is not documented."""


def fuzz(count: int, seed: int = 1, targets: Sequence[Target] = TARGETS) -> dict[str, Tally]:
    """Try so many random inputs, the targets in turn; returns tallies by target."""
    rng = Random(seed)
    texts, tallies = Texts(rng), {target.name: Tally() for target in targets}
    for number in range(count):
        target = targets[number % len(targets)]
        tally = tallies[target.name]
        try:
            target.read(texts, rng)
            tally.accepted += 1
        except target.documented:
            tally.refused += 1
        except Exception:  # noqa: BLE001 - finding these is what this is for
            tally.broken.append(traceback.format_exc())
    return tallies


def main(arguments: Sequence[str] = ()) -> int:
    """Print a Markdown table; returns 1 if anything broke."""
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
    for text in broken[:MOST_SHOWN]:
        print(text, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
