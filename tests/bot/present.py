"""The installed features, for tests of more than one package.

A feature can be removed by deleting its folder and its tests' folder. A test in another folder that
uses a feature is marked with `needs`, or uses it only if it is installed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

FEATURES = frozenset(
    path.parent.name for path in (Path(__file__).parents[2] / "bot/features").glob("*/__init__.py")
)


def needs(*features: str) -> pytest.MarkDecorator:
    """Skip a test if one of these features has been removed."""
    return pytest.mark.skipif(bool(_missing(features)), reason=_missing(features))


def require(*features: str) -> None:
    """Skip the running test if one of these features has been removed."""
    if _missing(features):
        pytest.skip(_missing(features))


def _missing(features: tuple[str, ...]) -> str:
    """Which of these features have been removed; empty for none."""
    missing = sorted(set(features) - FEATURES)
    return f"there is no {', '.join(missing)}" if missing else ""
