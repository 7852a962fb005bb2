"""Names and typed texts cannot break a message."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.i18n import (
    LONGEST_MESSAGE,
    LONGEST_NAME,
    MAX_ECHOED,
    cleaned,
    escaped,
    fitting,
    in_code,
    quoted,
)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana", "Ana"),
        ("José Ñandú 李", "José Ñandú 李"),
        ("👩\u200d🚀 Ana", "👩\u200d🚀 Ana"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("\u200f\u2067Ana\u2069", "Ana"),
        ("Ana\n# Bea", "Ana # Bea"),
        ("a\x00b\x1b[31m", "ab[31m"),
        ("\ufeffAna\u200b", "Ana"),
        ("  Ana \u3000 Bea ", "Ana Bea"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * 4),
        ("\ue000\ud800Ana", "Ana"),
        ("\u202e\u200b", ""),
    ],
)
def test_names_are_one_visible_line(name: str, shown: str) -> None:
    """Names lose direction marks, control characters, invisible characters and stacked accents."""
    assert cleaned(name) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<@1>", r"\<@" + "\u200b" + r"1\>"),
        ("<@&7> <#8> <:a:9>", r"\<@" + "\u200b" + r"&7\> \<#8\> \<:a:9\>"),
        ("@everyone @here", "@\u200beveryone @\u200bhere"),
        ("*a* _b_ ~c~ `d` ||e||", r"\*a\* \_b\_ \~c\~ \`d\` \|\|e\|\|"),
        ("[safe](https://evil.test)", r"\[safe\](https:\//evil.test)"),
        ("# big", r"\# big"),
        ("-# small", r"\-# small"),
        ("-1", "-1"),
        ("> said", r"\> said"),
        ("a\\*b", r"a\\\*b"),
    ],
)
def test_nothing_in_a_name_is_read_as_markdown(name: str, shown: str) -> None:
    """Mentions, styles, headings, quotes and links are shown as they were typed."""
    assert escaped(name) == shown


@given(st.text(st.characters(exclude_categories=()), max_size=300))
@settings(max_examples=300)
def test_any_text_can_be_repeated(text: str) -> None:
    """Typed text is repeated in short form on one line that Discord accepts."""
    for echo, most in ((quoted(text), 4 * MAX_ECHOED), (in_code(text), MAX_ECHOED)):
        assert 0 < len(echo) <= most
        assert "\n" not in echo
        echo.encode()
    assert "`" not in in_code(text)
    assert len(cleaned(text)) <= LONGEST_NAME
    assert all(unicodedata.category(c) != "Cf" or c in "\u200c\u200d" for c in cleaned(text))
    assert cleaned(cleaned(text)) == cleaned(text)


def test_typed_text_is_cut() -> None:
    """Six thousand typed characters are repeated as sixty, marked as cut."""
    assert quoted("x" * 6000) == "x" * (MAX_ECHOED - 1) + "…"


def test_a_message_fits() -> None:
    """A list that is too long loses its last lines, and a single line its end."""
    lines = "\n".join(f"{number}: {'x' * 40}" for number in range(100))
    kept = fitting(lines)
    assert len(kept) <= LONGEST_MESSAGE
    assert lines.startswith(kept.removesuffix("…"))
    assert kept.endswith("x\n…")
    assert len(fitting("y" * 5000)) == LONGEST_MESSAGE
    assert fitting("short") == "short"
