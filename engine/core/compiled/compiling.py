"""Numba with its cache folder set: kernels import `njit` from here.

Numba reads the folder when a function is decorated, so it must be set before that. The package
itself does not set it, because Numba takes a while to load and most importers of the package only
need the list of parts.
"""

from __future__ import annotations

import numba

from engine.core.compiled import CACHE_FOLDER

numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]  # made at run time

njit = numba.njit
