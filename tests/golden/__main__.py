"""`python -m tests.golden --write` writes the golden files again."""

from __future__ import annotations

import sys

from tests.golden.files import FILES, write

if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.golden --write")
    for name in FILES:
        sys.stdout.write(f"{write(name)}\n")
