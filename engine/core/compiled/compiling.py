"""Numba, told where compiled code is kept: kernels take `njit` from here.

Numba reads the folder when a function is decorated, so it must be set before that. It is not done
where the package is imported, because Numba takes a while to load and most of what imports the
package only wants to know its parts.
"""

from __future__ import annotations

import numba

from engine.core.compiled import CACHE_FOLDER

numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]  # made at run time

njit = numba.njit
