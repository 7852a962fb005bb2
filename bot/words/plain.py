"""Making what people have typed, or are called, harmless in a message."""

from __future__ import annotations

import re
import unicodedata

MOST_ECHOED = 60
"""Characters of what somebody typed that an answer repeats."""
LONGEST_NAME = 100
"""Characters of a name that are shown; Discord allows no more in the name of a server."""
LONGEST_MESSAGE = 2000
"""Discord's limit on the text of a message."""
MOST_MARKS = 4
"""Accents that one letter keeps: no language needs more, and more of them cover other lines."""
CUT = "…"

_JOINERS = "\u200c\u200d"
"""What holds emoji and letters of some scripts together: the only invisible characters kept."""
_INVISIBLE = ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")
"""Kinds of characters that cannot be seen but change how others are shown, or have no shape."""
_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]]|^#(?=#*\s)|^-(?=#?\s))")


def cleaned(text: str, most: int = LONGEST_NAME) -> str:
    """One line without controls, marks of direction and piled up accents; cut to `most`.

    The work is bounded however long the text is.
    """
    shown, marks = [], 0
    for character in text[: 4 * most]:
        category = unicodedata.category(character)
        marks = marks + 1 if category == "Mn" else 0
        if category == "Zs" or character in "\n\r\t\u2028\u2029":
            shown.append(" ")
        elif marks <= MOST_MARKS and (character in _JOINERS or category not in _INVISIBLE):
            shown.append(character)
    return clipped(" ".join("".join(shown).split()), most)


def escaped(text: str) -> str:
    """A text that Discord shows as it is: no Markdown, no mentions and no links."""
    plain = _MARKDOWN.sub(r"\\\1", cleaned(text, LONGEST_MESSAGE))
    # Discord reads neither a mention nor an address across these.
    return plain.replace("@", "@\u200b").replace("://", ":\\//")


def quoted(text: str) -> str:
    """What somebody typed, as an answer repeats it: cleaned, short and escaped."""
    return escaped(cleaned(text, MOST_ECHOED)) or CUT


def in_code(text: str) -> str:
    """What somebody typed, where an answer repeats it between backticks."""
    return cleaned(text, MOST_ECHOED).replace("`", "'") or CUT


def clipped(text: str, most: int) -> str:
    """A text of at most so many characters; one that is cut says so."""
    return text if len(text) <= most else text[: most - len(CUT)] + CUT


def fitting(text: str) -> str:
    """A message's text within Discord's limit, cut at the end of a line where that can be."""
    if len(text) <= LONGEST_MESSAGE:
        return text
    whole = text[: LONGEST_MESSAGE - 2].rpartition("\n")[0]
    # A single line of that length has no end to cut at.
    cuts_much = len(whole) < LONGEST_MESSAGE // 2
    return clipped(text, LONGEST_MESSAGE) if cuts_much else f"{whole}\n{CUT}"
