"""Random texts, most of them almost valid."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

SNIPPETS = (
    "", " ", "0", "1", "-1", "+3", "3.0", "1e9", "٣", "²", "Ⅳ", "①", "\uff19", "9" * 19, "9" * 30,
    "9" * 5000, str(2**63), str(2**64), "x" * 6000, "\x00", "\n", "\u202e", "\u200b", "\ud800",
    "<@1>", "@everyone", "`", "```", "*", "||", "[a](http://b)", "{0}", "{text}", "%s", "$(id)",
    "'; DROP TABLE games; --", "../..", ":", "::", "/", "\\", "e\u0301\u0301", "\u0131", "İ", "ß",
    "ﬁ", "None", "null", "true", "nan", "inf", "🙂", "👩\u200d🚀", "\U0010ffff",
)  # fmt: skip
"""Texts that often cause errors."""
ALPHABETS = ("0123456789", "abcdefghijklmnopqrstuvwxyz", "0123456789abcdB:x-_ ")
MAX_CUSTOM_ID = 100
"""Maximum length of a button's id on Discord."""


class Texts:
    """A reproducible source of texts."""

    def __init__(self, rng: Random) -> None:
        """Draw from `rng`."""
        self._rng = rng

    def like(self, examples: Sequence[str]) -> str:
        """An example, an example with a few errors, or any text."""
        text, kind = self._rng.choice(examples), self._rng.random()
        if kind < 0.2:
            return text
        if kind < 0.8:
            for _ in range(self._rng.randint(1, 3)):
                text = self._spoilt(text)
            return text
        return self.anything()

    def anything(self) -> str:
        """Any text at all."""
        kind = self._rng.random()
        if kind < 0.4:
            return "".join(self._rng.choices(SNIPPETS, k=self._rng.randint(1, 3)))
        if kind < 0.7:
            alphabet = self._rng.choice(ALPHABETS)
            return "".join(self._rng.choices(alphabet, k=self._rng.randint(1, 12)))
        return "".join(chr(self._rng.randrange(0x110000)) for _ in range(self._rng.randint(1, 8)))

    def number(self) -> int:
        """An integer, also beyond the range that Discord sends."""
        bits = self._rng.choice((3, 8, 31, 53, 63, 64, 100))
        return self._rng.randint(-(2**bits), 2**bits)

    def _spoilt(self, text: str) -> str:
        at = self._rng.randint(0, len(text))
        return self._rng.choice(
            (
                lambda: text[:at] + self._rng.choice(SNIPPETS) + text[at:],
                lambda: text[:at] + text[at + 1 :],
                lambda: text[:at] + self._rng.choice(ALPHABETS[2]) + text[at + 1 :],
                lambda: text.upper(),
                lambda: text + text,
                lambda: f" {text}\t",
            )
        )()
