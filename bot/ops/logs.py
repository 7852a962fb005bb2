"""The log: plain or JSON, with the ids that are known, without tokens, repeated faults in one line.

discord.py and aiohttp log whole addresses and events at DEBUG, and errors may quote them. Whoever
has a token can speak as the bot, so records are redacted as they are made: no handler or formatter
ever sees one.
"""

from __future__ import annotations

import json
import logging
import re
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from threading import Lock, Timer
from types import TracebackType
from typing import Any, Literal, cast

from bot.telemetry import Whereabouts, here

FOLD_SECONDS = 60.0
"""Seconds over which repeats of a fault are counted before their number is logged."""

MOST_FAULTS = 100
"""Different faults that are told apart at a time; further ones are logged whole."""

LogFormat = Literal["plain", "json"]

Key = tuple[object, ...]


def set_up(level: str, log_format: LogFormat) -> None:
    """Log to stderr; does nothing where something else has set logging up."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if log_format == "json" else PlainFormatter())
    logging.basicConfig(level=level, handlers=[FoldingHandler(handler)])


class PlainFormatter(logging.Formatter):
    """Lines for people, such as `... WARNING bot.discord.boards: ... [game=3 channel=5]`."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s%(about)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Add the ids to the message."""
        ids = " ".join(f"{name}={id_}" for name, id_ in _ids(record).items())
        record.about = f" [{ids}]" if ids else ""
        return super().formatMessage(record)


class JsonFormatter(logging.Formatter):
    """One line of JSON a record: time, level, logger, message, ids, and the exception if any."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        written: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_ids(record),
        }
        if record.exc_info:
            written["exception"] = self.formatException(record.exc_info)
        elif record.exc_text:  # a traceback that quoted a token
            written["exception"] = record.exc_text
        return json.dumps(written, ensure_ascii=False)


@dataclass(slots=True)
class _Fold:
    """A fault that has been logged whole, and how often it has come again since."""

    latest: logging.LogRecord
    timer: Timer
    times: int = 0


class FoldingHandler(logging.Handler):
    """Passes records on to another handler, and a fault that repeats only once.

    The first record of a fault (a warning or worse) is passed on whole. For as long as it repeats,
    a line a minute says how often. Two records are of one fault if the same code says the same
    about the same kind of exception, whatever the ids and numbers in it.
    """

    def __init__(self, target: logging.Handler, seconds: float = FOLD_SECONDS) -> None:
        """Pass records on to `target`, and counts every few `seconds`."""
        super().__init__()
        self._target = target
        self._seconds = seconds
        self._folds: dict[Key, _Fold] = {}
        self._guard = Lock()

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a record on, or count it."""
        record.here = here()
        if record.levelno < logging.WARNING or not self._is_repeated(record):
            self._target.handle(record)

    def close(self) -> None:
        """Pass on what has been counted so far."""
        for key in tuple(self._folds):
            self._tell(key, is_closing=True)
        self._target.close()
        super().close()

    def _is_repeated(self, record: logging.LogRecord) -> bool:
        """Whether this fault has been logged lately; it is counted then."""
        key = _key(record)
        with self._guard:
            fold = self._folds.get(key)
            if fold is not None:
                fold.latest, fold.times = record, fold.times + 1
                return True
            if len(self._folds) < MOST_FAULTS:
                self._folds[key] = _Fold(record, self._start_timer(key))
            return False

    def _tell(self, key: Key, *, is_closing: bool = False) -> None:
        """Say how often a fault has come again; one that has not is forgotten."""
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
        timer = Timer(self._seconds, self._tell, (key,))
        timer.daemon = True
        timer.start()
        return timer


def _key(record: logging.LogRecord) -> Key:
    """What the records of one fault have in common."""
    kind = record.exc_info[0] if record.exc_info else None
    place = _place(record.exc_info[2]) if record.exc_info else None
    # Where a token was redacted, the message holds its arguments and the traceback is a text.
    told = _bare(record.exc_text or "") if place is None else ""
    said = record.name, record.levelno, record.pathname, record.lineno, _bare(str(record.msg))
    return *said, kind, place, told


def _bare(text: str) -> str:
    """A text without the numbers in it."""
    return re.sub(r"\d+(\.\d+)?", "0", text)


def _place(trace: TracebackType | None) -> tuple[str, int] | None:
    """Where an exception was raised."""
    if trace is None:
        return None
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename, trace.tb_lineno


def _summary(latest: logging.LogRecord, times: int) -> logging.LogRecord:
    """The line that stands for all repeats: the last of them, without its traceback."""
    text = f"{latest.getMessage()} ({times} more of these)"
    summary = logging.LogRecord(
        latest.name, latest.levelno, latest.pathname, latest.lineno, text, None, None
    )
    summary.here = getattr(latest, "here", None)
    return summary


def _ids(record: logging.LogRecord) -> Mapping[str, int]:
    """The ids that are known, by name."""
    known = cast("Whereabouts", getattr(record, "here", None) or here())
    return {name: id_ for name, id_ in asdict(known).items() if id_ is not None}


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
