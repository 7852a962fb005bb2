"""Log formats and filters: plain or JSON, with known ids, without tokens, repeated faults counted.

discord.py and aiohttp log whole addresses and events at DEBUG, and errors may quote them. Anyone
with a token can act as the bot, so records are redacted when they are created: no handler or
formatter ever sees a token.
"""

from __future__ import annotations

import json
import logging
import re
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from threading import Lock, Timer
from typing import Any, Literal

from bot.telemetry import log_context

FOLD_SECONDS = 60.0
"""Seconds over which repeats of a fault are counted before their number is logged."""

MAX_FAULTS = 100
"""Different faults whose repeats are counted at a time; further ones are logged in full."""

Key = tuple[object, ...]

REDACTED = "[token]"

TOKEN_PATTERNS = (
    # At the end of addresses of interactions and webhooks.
    re.compile(r"(?<=/interactions/)(\d+/)[^/\s?'\"]+"),
    re.compile(r"(?<=/webhooks/)(\d+/)[^/\s?'\"]+"),
    # In fields of events, and in headers.
    re.compile(r"""(['"]token['"]\s*:\s*['"])[^'"]*"""),
    re.compile(r"(\bBot )[\w.=-]{20,}"),
    # Tokens of interactions and of bots, anywhere.
    re.compile(r"()\baW50ZXJhY3Rpb2[\w=-]+"),
    re.compile(r"()\b[\w-]{20,}\.[\w-]{6}\.[\w-]{24,}"),
)


def set_up(level: str, log_format: Literal["plain", "json"]) -> None:
    """Log to stderr; does nothing if logging has been configured already."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if log_format == "json" else PlainFormatter())
    logging.basicConfig(level=level, handlers=[FoldingHandler(handler)])


class PlainFormatter(logging.Formatter):
    """Formats lines for people, such as `... WARNING bot.board.boards: ... [game=3 channel=5]`."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s%(about)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Add the ids to the message."""
        ids = " ".join(f"{name}={id_}" for name, id_ in _ids(record).items())
        record.about = f" [{ids}]" if ids else ""
        return super().formatMessage(record)


class JsonFormatter(logging.Formatter):
    """Formats one line of JSON: time, level, logger, message, ids, and the exception if any."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON."""
        fields: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_ids(record),
        }
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        elif record.exc_text:  # a traceback that quoted a token
            fields["exception"] = record.exc_text
        return json.dumps(fields, ensure_ascii=False)


@dataclass(slots=True)
class _Fold:
    """A fault that has been logged in full, and how often it has been repeated since."""

    latest: logging.LogRecord
    timer: Timer
    times: int = 0


class FoldingHandler(logging.Handler):
    """Passes records on to another handler, but a repeated fault only once.

    The first record of a fault (a warning or worse) is passed on in full. While it repeats, a line
    per minute gives the count. Two records are of one fault if the same code logs the same message
    about the same kind of exception, ignoring ids and numbers in it.
    """

    def __init__(self, target: logging.Handler, seconds: float = FOLD_SECONDS) -> None:
        """Pass records on to `target`, and the number of repeats every `seconds`."""
        super().__init__()
        self._target = target
        self._seconds = seconds
        self._folds: dict[Key, _Fold] = {}
        self._guard = Lock()

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a record on, or count it."""
        record.context = log_context()
        if record.levelno < logging.WARNING or not self._is_repeated(record):
            self._target.handle(record)

    def close(self) -> None:
        """Pass on the repeats that have been counted so far."""
        for key in tuple(self._folds):
            self._report(key, is_closing=True)
        self._target.close()
        super().close()

    def _is_repeated(self, record: logging.LogRecord) -> bool:
        """Count the record if its fault has been logged lately, and return whether it has."""
        key = _key(record)
        with self._guard:
            fold = self._folds.get(key)
            if fold is not None:
                fold.latest, fold.times = record, fold.times + 1
                return True
            if len(self._folds) < MAX_FAULTS:
                self._folds[key] = _Fold(record, self._start_timer(key))
            return False

    def _report(self, key: Key, *, is_closing: bool = False) -> None:
        """Log how often a fault was repeated; forget one that was not."""
        with self._guard:
            fold = self._folds.get(key)
            if fold is None:
                return
            times, fold.times = fold.times, 0
            fold.timer.cancel()
            if is_closing or not times:
                del self._folds[key]
            else:
                fold.timer = self._start_timer(key)
        if times:
            self._target.handle(_summary(fold.latest, times))

    def _start_timer(self, key: Key) -> Timer:
        timer = Timer(self._seconds, self._report, (key,))
        timer.daemon = True
        timer.start()
        return timer


def _key(record: logging.LogRecord) -> Key:
    """Return what the records of one fault have in common."""
    kind, place, redacted = None, None, ""
    if record.exc_info:
        kind, _, trace = record.exc_info
        while trace is not None:
            place, trace = (trace.tb_frame.f_code.co_filename, trace.tb_lineno), trace.tb_next
    if place is None:
        # After a redaction the message contains its arguments and the traceback is a text.
        redacted = _without_numbers(record.exc_text or "")
    message = _without_numbers(str(record.msg))
    source = record.name, record.levelno, record.pathname, record.lineno
    return *source, message, kind, place, redacted


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+(\.\d+)?", "0", text)


def _summary(latest: logging.LogRecord, times: int) -> logging.LogRecord:
    """Return a record for all repeats: the latest one, without its traceback."""
    text = f"{latest.getMessage()} ({times} more of these)"
    summary = logging.LogRecord(
        latest.name, latest.levelno, latest.pathname, latest.lineno, text, None, None
    )
    summary.context = getattr(latest, "context", None)
    return summary


def _ids(record: logging.LogRecord) -> dict[str, int]:
    """Return the known ids by name."""
    context = getattr(record, "context", None) or log_context()
    return {name: id_ for name, id_ in asdict(context).items() if id_ is not None}


class Redaction(logging.Filter):
    """Creates log records without tokens, and removes tokens that are added to them later."""

    def __init__(
        self, token: str | None, make: Callable[..., logging.LogRecord] = logging.LogRecord
    ) -> None:
        """Redact `token`, and text that looks like a token, in the records that `make` creates."""
        super().__init__()
        self._token = token
        self._make = make

    def __call__(self, *args: Any, **more: Any) -> logging.LogRecord:
        """Create a record."""
        record = self._make(*args, **more)
        try:
            message = record.getMessage()
        except Exception:  # noqa: BLE001 - a wrong log call must not break its caller
            message = record.msg = f"{record.msg} {record.args!r}"
            record.args = ()
        if (redacted := self.redact(message)) != message:
            record.msg, record.args = redacted, ()
        if record.exc_info and record.exc_info[0] is not None:
            trace = "".join(traceback.format_exception(*record.exc_info))
            if (redacted := self.redact(trace)) != trace:
                record.exc_text, record.exc_info = redacted.rstrip("\n"), None
        if record.stack_info:
            record.stack_info = self.redact(record.stack_info)
        return record

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact what the caller added to a record as `extra`; lets every record pass."""
        for name, value in vars(record).items():
            if isinstance(value, str):
                setattr(record, name, self.redact(value))
        return True

    def redact(self, text: str) -> str:
        """Return a text without tokens."""
        if self._token:
            text = text.replace(self._token, REDACTED)
        for pattern in TOKEN_PATTERNS:
            text = pattern.sub(rf"\1{REDACTED}", text)
        return text


def redact_logs(token: str | None, *handlers: logging.Handler) -> None:
    """Keep tokens out of all logs of this process from now on.

    What callers add to records as `extra` is redacted for these `handlers` alone.
    """
    redaction = Redaction(token)
    logging.setLogRecordFactory(redaction)
    for handler in handlers:
        handler.addFilter(redaction)
