"""`python -m engine.kernels PART...`: compiles parts of the kernels and says each module."""

from __future__ import annotations

import sys

from engine.core.compiled import compile_part


def _say(name: str) -> None:
    sys.stdout.write(f"{name}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        for part in sys.argv[1:]:
            compile_part(part, _say)
    except KeyboardInterrupt:
        # What is compiled so far is kept, and the next call goes on from there.
        sys.exit(130)
