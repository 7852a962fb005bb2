"""No token reaches a log from any source or in any format."""

from __future__ import annotations

import base64
import io
import json
import logging
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.__main__ import _set_up_logging
from bot.ops.logs import FoldingHandler, JsonFormatter, PlainFormatter, Redaction, redact_logs
from bot.settings import Settings
from tests.bot.discord_server import TOKEN

SECRET = base64.b64encode(b"interaction:1456074443980800103:qS3x").decode()
"""The form of an interaction's token."""


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The logged text while tokens are redacted."""
    written, logger = io.StringIO(), logging.getLogger("tests.redaction")
    handler = logging.StreamHandler(written)
    handler.setFormatter(logging.Formatter("%(message)s %(place)s", defaults={"place": ""}))
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    redact_logs(TOKEN, handler)
    yield written
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)


@pytest.mark.parametrize(
    ("message", "args", "kept"),
    [
        ("logging in with %s", (TOKEN,), "logging in with"),
        (f"Authorization: Bot {TOKEN}", (), "Authorization"),
        ("POST https://x/api/v10/interactions/12/%s/callback", ("tok-7",), "/callback"),
        ("PATCH http://x/webhooks/12/tok-7/messages/@original?wait=1", (), "/messages/@original"),
        ("event %s", ({"t": "INTERACTION_CREATE", "d": {"token": "tok-7", "id": 3}},), "'id': 3"),
        ('{"op": 2, "d": {"token": "tok-7", "intents": 1}}', (), '"intents": 1'),
        ("executing %r", (("UPDATE lines SET text = ?", (SECRET,)),), "UPDATE lines"),
    ],
)
def test_no_token_is_logged(
    log: io.StringIO, message: str, args: tuple[object, ...], kept: str
) -> None:
    """A token is redacted in messages and arguments, and the rest of the line is kept."""
    logging.getLogger("tests.redaction").debug(message, *args)
    said = log.getvalue()
    assert kept in said
    assert "[token]" in said
    for secret in (TOKEN, "tok-7", SECRET):
        assert secret not in said


def test_no_token_is_logged_with_an_exception(log: io.StringIO) -> None:
    """A token is redacted in an exception and its causes, and the traceback is kept."""
    try:
        try:
            raise ValueError(f"http://x/interactions/12/{SECRET}/callback")
        except ValueError as error:
            raise RuntimeError(TOKEN) from error
    except RuntimeError:
        logging.getLogger("tests.redaction").exception("it failed")
    said = log.getvalue()
    assert "RuntimeError: [token]" in said
    assert "test_redaction.py" in said
    assert SECRET not in said
    assert TOKEN not in said


def test_json_keeps_the_redacted_traceback(log: io.StringIO) -> None:
    """A JSON line keeps the exception, with its token redacted."""
    target = io.StringIO()
    handler = logging.StreamHandler(target)
    handler.setFormatter(JsonFormatter())
    logger = logging.getLogger("tests.redaction")
    logger.addHandler(handler)
    try:
        raise RuntimeError(TOKEN)
    except RuntimeError:
        logger.exception("it failed")
    finally:
        logger.removeHandler(handler)
    written = json.loads(target.getvalue())
    assert written["message"] == "it failed"
    assert written["exception"].startswith("Traceback")
    assert written["exception"].endswith("RuntimeError: [token]")


@pytest.mark.usefixtures("log")
def test_redacted_faults_are_still_distinguished() -> None:
    """Repeats that differ only in tokens and numbers are one fault; other faults are separate."""
    target = io.StringIO()
    stream = logging.StreamHandler(target)
    stream.setFormatter(PlainFormatter())
    handler = FoldingHandler(stream)
    logger = logging.getLogger("tests.redaction")
    logger.addHandler(handler)
    try:
        for error in [KeyError] * 50 + [ValueError]:
            try:
                raise error(TOKEN)
            except (KeyError, ValueError):
                logger.exception("it failed")
        for seconds in range(50):
            url = f"/webhooks/12/tok-{seconds}/messages/{seconds}"
            logger.warning("PATCH %s waits for %.2f seconds", url, seconds / 3)
        assert target.getvalue().count("Traceback") == 2
        assert target.getvalue().count("PATCH") == 1
    finally:
        logger.removeHandler(handler)
        handler.close()
    assert target.getvalue().count("(49 more of these)") == 2


def test_records_without_tokens_stay_as_they_are() -> None:
    """Records without tokens reach the formatters unchanged."""
    try:
        raise ValueError("nothing secret")
    except ValueError:
        found = sys.exc_info()
    record = Redaction(TOKEN)("a", 10, "a.py", 1, "moves: %s of %s", (3, 7), found)
    assert (record.msg, record.args, record.exc_info) == ("moves: %s of %s", (3, 7), found)


def test_extra_attributes_are_redacted(log: io.StringIO) -> None:
    """Extra attributes of a record, which JSON formatters write, are redacted as well."""
    place = {"place": f"/interactions/7/{SECRET}/callback"}
    logging.getLogger("tests.redaction").info("sent", extra=place)
    assert log.getvalue() == "sent /interactions/7/[token]/callback\n"


def test_a_failing_line_does_not_affect_others(log: io.StringIO) -> None:
    """If arguments do not fit their message, both are written with tokens redacted."""
    logging.getLogger("tests.redaction").info("%d games %s", SECRET)
    said = log.getvalue()
    assert "%d games %s" in said
    assert SECRET not in said


def test_the_program_redacts_from_its_start() -> None:
    """The program redacts tokens before anything else can log."""
    before, handlers = logging.getLogRecordFactory(), logging.getLogger().handlers
    _set_up_logging(replace(Settings(), token=TOKEN))
    made = logging.getLogRecordFactory()
    logging.setLogRecordFactory(before)
    for handler in handlers:
        handler.filters = [one for one in handler.filters if one is not made]
    assert isinstance(made, Redaction)
    assert made.redact(f"a {TOKEN}") == "a [token]"
