"""How much of Discord's limits the registered commands use."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

MAX_NAME, MAX_DESCRIPTION = 32, 100
"""Discord's limits on names and descriptions."""

MAX_IN_GROUP, MAX_CHARACTERS = 8, 6_500
"""The most subcommands of a group, and the most characters of a command with all of its own."""

MAX_BELOW = 25
"""Discord's limit on the subcommands or options of a command, and on the choices of an option."""


def characters(payload: Any, longer: float = 1.0) -> int:
    """The characters that Discord counts of a command: names, descriptions and values.

    Of each translated text the longest counts; `longer` says how much longer texts of a further
    language are than the longest present ones.
    """
    own = sum(_longest(payload, key, longer) for key in ("name", "description"))
    value = payload.get("value")
    own += 0 if value is None else len(str(value))
    below = (*payload.get("options", ()), *payload.get("choices", ()))
    return own + sum(characters(one, longer) for one in below)


def _longest(payload: Any, key: str, longer: float) -> int:
    texts = _texts(payload, key)
    # The names of choices may be as long as descriptions.
    most = MAX_NAME if key == "name" and "value" not in payload else MAX_DESCRIPTION
    return min(most, ceil(longer * max(map(len, texts)))) if texts else 0


def _texts(payload: Any, key: str) -> list[str]:
    own = [payload[key]] if payload.get(key) else []
    return own + list((payload.get(f"{key}_localizations") or {}).values())


def descriptions(payload: Any) -> Iterator[str]:
    """All names and descriptions of a payload, in every language."""
    for key in ("name", "description"):
        yield from _texts(payload, key)
    for one in (*payload.get("options", ()), *payload.get("choices", ())):
        yield from descriptions(one)


def require_within_limits(payload: list[Any], longer: float = 1.0) -> None:
    """Require that commands, as they are sent, keep to the limits."""
    assert len(payload) <= 100
    for one in payload:
        assert characters(one, longer) <= MAX_CHARACTERS, one["name"]
        assert all(0 < len(text) <= MAX_DESCRIPTION for text in descriptions(one)), one["name"]
        below = [option for option in one.get("options", ()) if option["type"] == 1]
        assert len(below) <= MAX_IN_GROUP, one["name"]
        assert all(count <= MAX_BELOW for count in _counts(one)), one["name"]


def _counts(payload: Any) -> Iterator[int]:
    """How many options and how many choices each part of a payload has."""
    for key in ("options", "choices"):
        below = payload.get(key, ())
        yield len(below)
        for one in below:
            yield from _counts(one)
