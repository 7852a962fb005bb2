"""`python -m tests.golden --write` writes the golden files and README's command table again."""

from __future__ import annotations

import sys

from tests.golden.command_table import README, readme_with_table
from tests.golden.files import FILES, write

if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.golden --write")
    for name in FILES:
        sys.stdout.write(f"{write(name)}\n")
    README.write_text(readme_with_table(), "utf-8")
    sys.stdout.write(f"{README}\n")
