"""`python -m engine.cli.compiling PART...`: compile parts and print each finished module."""

from __future__ import annotations

import sys

from engine.core.compiled import compile_module
from engine.core.registry import parts

INTERRUPTED = 130
"""The exit status after Ctrl-C; compiled modules are kept, and the next call continues."""


def main(names: list[str]) -> int:
    """Compile the named parts; raises KeyError for an unknown one."""
    try:
        for name in names:
            for module in parts()[name].modules:
                compile_module(module)
                sys.stdout.write(f"{module}\n")
                sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
