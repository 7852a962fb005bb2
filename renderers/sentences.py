"""The sentences of an alternative text: their punctuation, and fitting them into its limit."""

from __future__ import annotations

from collections.abc import Iterable

LIMIT = 1024
"""The most characters that an alternative text may have."""

_ELLIPSIS = "…"

_ENDS = ".!?…。\uff01\uff1f؟।"
"""The characters that end a sentence in various scripts; no full stop is added after them."""


def flat(text: str) -> str:
    """Return text with every run of white space as one space, and none at either end."""
    return " ".join(text.split())


def sentence(text: str) -> str:
    """Return text as one line with a full stop if it needs one; an empty text stays empty."""
    text = flat(text)
    ended = not text or text[-1] in _ENDS
    return text if ended else f"{text}."


def shorten(text: str, length: int) -> str:
    """Cut text to `length` characters, the last of them an ellipsis if anything is missing."""
    return text if len(text) <= length else text[: length - 1].rstrip() + _ELLIPSIS


def join(sentences: Iterable[str]) -> str:
    """Join sentences with spaces, leaving out empty ones."""
    return " ".join(item for item in sentences if item)


def cut(items: Iterable[str]) -> str:
    """Join as many whole items as the limit allows, with an ellipsis in place of the rest."""
    items = [item for item in items if item]
    text = join(items)
    while len(text) > LIMIT and len(items) > 1:
        items.pop()
        text = join([*items, _ELLIPSIS])
    return shorten(text, LIMIT)
