"""Keeps tokens off the log: the bot's own, and those of interactions.

discord.py and aiohttp log whole addresses and events at DEBUG, and errors may quote them. Whoever
has such a token can speak as the bot, so records are redacted as they are made: whatever handlers
and formatters there are, now or later, they never see one.
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Callable
from typing import Any

REDACTED = "[token]"
PATTERNS = (
    # What addresses of interactions and webhooks end in.
    re.compile(r"(?<=/interactions/)(\d+/)[^/\s?'\"]+"),
    re.compile(r"(?<=/webhooks/)(\d+/)[^/\s?'\"]+"),
    # Fields of events, and headers.
    re.compile(r"""(['"]token['"]\s*:\s*['"])[^'"]*"""),
    re.compile(r"(\bBot )[\w.=-]{20,}"),
    # The tokens of Discord's interactions, and of bots, wherever they stand.
    re.compile(r"()\baW50ZXJhY3Rpb2[\w=-]+"),
    re.compile(r"()\b[\w-]{20,}\.[\w-]{6}\.[\w-]{24,}"),
)
Factory = Callable[..., logging.LogRecord]


class Redaction(logging.Filter):
    """A factory of log records that hold no token, and a filter for what is added to them."""

    def __init__(self, token: str | None, make: Factory = logging.LogRecord) -> None:
        """Hide `token`, and whatever looks like one, in the records that `make` makes."""
        super().__init__()
        self._token = token
        self._make = make

    def __call__(self, *args: Any, **more: Any) -> logging.LogRecord:
        """Make a record."""
        record = self._make(*args, **more)
        said = _message_of(record)
        told = self.clean(said)
        if told != said:
            record.msg, record.args = told, ()
        self._clean_error(record)
        if record.stack_info:
            record.stack_info = self.clean(record.stack_info)
        return record

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean what the caller has added to a record after it was made; lets every record pass."""
        for name, value in vars(record).items():
            if isinstance(value, str):
                setattr(record, name, self.clean(value))
        return True

    def clean(self, text: str) -> str:
        """A text without tokens."""
        if self._token:
            text = text.replace(self._token, REDACTED)
        for pattern in PATTERNS:
            text = pattern.sub(rf"\1{REDACTED}", text)
        return text

    def _clean_error(self, record: logging.LogRecord) -> None:
        """Where a traceback quotes a token, replace the exception by its redacted text."""
        if not record.exc_info or record.exc_info[0] is None:
            return
        said = "".join(traceback.format_exception(*record.exc_info))
        told = self.clean(said)
        if told != said:
            record.exc_text, record.exc_info = told.rstrip("\n"), None


def _message_of(record: logging.LogRecord) -> str:
    """What a record says; its parts side by side where they do not fit together."""
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001 - a wrong line of a log must not break who wrote it
        record.msg, record.args = f"{record.msg} {record.args!r}", ()
        return str(record.msg)


def redact_logs(token: str | None, *handlers: logging.Handler) -> None:
    """Keep tokens off all logs of this process, from now on.

    What callers add to records as `extra` is cleaned for these `handlers` alone.
    """
    redaction = Redaction(token)
    logging.setLogRecordFactory(redaction)
    for handler in handlers:
        handler.addFilter(redaction)
