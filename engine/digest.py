"""Which engine this is: processes that share work must have the same one."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from engine.kernels import sources_digest

SUFFIXES = (".py", ".csv", ".book")
"""Of the files that moves depend on: sources, ladders and books."""


@cache
def engine_digest() -> str:
    """A short hash of all that moves depend on, Numba's version included."""
    digest = hashlib.sha256(sources_digest().encode())
    folder = Path(__file__).parent
    files = (file for file in folder.rglob("*") if file.suffix in SUFFIXES)
    # Sorted as text: paths sort differently from one system to another.
    for name in sorted(file.relative_to(folder).as_posix() for file in files):
        digest.update(name.encode())
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:12]
