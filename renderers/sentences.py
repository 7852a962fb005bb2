"""Sentences of an alternative text: how they end, and how they are made to fit."""

from __future__ import annotations

from collections.abc import Iterable

LIMIT = 1024
"""How many characters an alternative text may have."""
_ELLIPSIS = "…"
_ENDS = ".!?…。\uff01\uff1f؟।"
"""What ends a sentence in one script or another, so that no full stop is added."""


def flat(text: str) -> str:
    """Return text with single spaces for all white space, and none around it."""
    return " ".join(text.split())


def sentence(text: str) -> str:
    """Return text as one line that ends as a sentence does; nothing stays nothing."""
    text = flat(text)
    ended = not text or text[-1] in _ENDS
    return text if ended else f"{text}."


def shorten(text: str, length: int) -> str:
    """Cut text to `length` characters; an ellipsis says that something is missing."""
    return text if len(text) <= length else text[: length - 1].rstrip() + _ELLIPSIS


def join(sentences: Iterable[str]) -> str:
    """Put sentences behind each other, without the empty ones."""
    return " ".join(item for item in sentences if item)


def cut(items: Iterable[str]) -> str:
    """Join as many whole items as the limit allows, with an ellipsis for the rest."""
    items = [item for item in items if item]
    text = join(items)
    while len(text) > LIMIT and len(items) > 1:
        items.pop()
        text = join([*items, _ELLIPSIS])
    return shorten(text, LIMIT)
