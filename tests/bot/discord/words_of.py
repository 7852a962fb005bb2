"""The words of a message: its text and its picture's alternative text."""

from __future__ import annotations

import re

import discord


def words_of(message: discord.Message) -> str:
    """The text, with `Moves **7 + 6**` as `Moves: 7 + 6`, then the alternative text."""
    text = re.sub(r" \*\*(.*?)\*\*", r": \1", message.content)
    return f"{text}\n{message.attachments[0].description}"
