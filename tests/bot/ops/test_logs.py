"""The log: whole lines in both formats, with ids, and with repeated faults summarised."""

from __future__ import annotations

import io
import json
import logging
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.ops.logs import FoldingHandler, JsonFormatter, PlainFormatter
from bot.telemetry import about

LONG_INTERVAL = 3600.0
"""More seconds than any test takes."""


@contextmanager
def log(
    formatter: logging.Formatter, seconds: float = LONG_INTERVAL
) -> Iterator[tuple[logging.Logger, Callable[[], list[str]]]]:
    """A separate logger, and its lines so far."""
    stream = io.StringIO()
    target = logging.StreamHandler(stream)
    target.setFormatter(formatter)
    folding = FoldingHandler(target, seconds)
    logger = logging.Logger("test.logs", logging.DEBUG)
    logger.addHandler(folding)
    try:
        yield logger, lambda: stream.getvalue().splitlines()
    finally:
        folding.close()


def fail(logger: logging.Logger, number: int = 0) -> None:
    """Log an exception as the bot does."""
    try:
        raise OSError("the disk is gone")
    except OSError:
        logger.exception("game %s could not be stored", number)


def fail_elsewhere(logger: logging.Logger) -> None:
    """Log the same text about an exception from another place."""
    try:
        raise OSError("the disk is gone")
    except OSError:
        logger.exception("game %s could not be stored", 0)


def test_plain_lines_name_the_ids() -> None:
    """A plain line ends with the known ids of game, channel and server."""
    with log(PlainFormatter()) as (logger, lines):
        logger.info("the first")
        with about(game=3, guild=9):
            logger.info("the second")
            with about(channel=5):
                logger.info("the third")
        logger.info("the fourth")
    ends = [line.split("test.logs: ")[1] for line in lines()]
    assert ends == [
        "the first",
        "the second [game=3 guild=9]",
        "the third [game=3 channel=5 guild=9]",
        "the fourth",
    ]
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO ", line) for line in lines())


def test_json_lines_hold_everything() -> None:
    """A JSON line holds one whole record, with its exception and the known ids."""
    with log(JsonFormatter()) as (logger, lines), about(game=3, channel=5):
        logger.info("%s moves: ¡sí!", 7)
        fail(logger, 3)
    plain, failed = map(json.loads, lines())
    assert plain["message"] == "7 moves: ¡sí!"
    assert (plain["level"], plain["logger"]) == ("INFO", "test.logs")
    assert (plain["game"], plain["channel"]) == (3, 5)
    assert "guild" not in plain
    assert "exception" not in plain
    assert plain["time"].endswith("Z")
    assert failed["exception"].startswith("Traceback")
    assert failed["exception"].endswith("OSError: the disk is gone")


def test_200_equal_faults_are_summarised() -> None:
    """Of 200 equal faults the first is logged in full and the others as a number."""
    with log(PlainFormatter()) as (logger, lines):
        for number in range(200):
            fail(logger, number)
        assert sum("Traceback" in line for line in lines()) == 1
        assert sum("could not be stored" in line for line in lines()) == 1
        whole = len(lines())
    assert len(lines()) == whole + 1
    assert lines()[-1].endswith("game 199 could not be stored (199 more of these)")


def test_repeats_are_counted_again_and_again() -> None:
    """While a fault repeats, each period logs its number of repeats, and the numbers add up."""
    with log(JsonFormatter(), 0.2) as (logger, lines):
        counts: list[str] = []
        for _ in range(2):
            for _ in range(50):
                fail(logger)
            seen, until = len(counts), time.monotonic() + 30
            while len(counts) == seen and time.monotonic() < until:
                time.sleep(0.05)
                counts = re.findall(r"\((\d+) more of these\)", "\n".join(lines()))
            assert len(counts) > seen
        wholes = sum("exception" in json.loads(line) for line in lines())
    counts = re.findall(r"\((\d+) more of these\)", "\n".join(lines()))
    assert wholes + sum(map(int, counts)) == 100


def test_a_fault_that_comes_back_is_whole_again() -> None:
    """A fault that returns after a period without it is logged in full."""
    with log(PlainFormatter(), 0.05) as (logger, lines):
        fail(logger)
        until = time.monotonic() + 30
        while sum("Traceback" in line for line in lines()) < 2 and time.monotonic() < until:
            time.sleep(0.3)
            fail(logger)
        assert sum("Traceback" in line for line in lines()) >= 2


def test_different_faults_are_distinguished() -> None:
    """Faults with another place, text or severity are separate; infos are never summarised."""
    with log(PlainFormatter()) as (logger, lines):
        fail(logger)
        fail_elsewhere(logger)
        for _ in range(3):
            logger.warning("a warning")
            logger.info("an info")
        logger.warning("another warning")
        whole = "\n".join(lines())
        assert whole.count("Traceback") == 2
        assert len(re.findall(r": a warning$", whole, re.MULTILINE)) == 1
        assert whole.count("an info") == 3
        assert whole.count("another warning") == 1


def test_a_summary_names_the_latest_ids() -> None:
    """The line with the number of repeats has the ids of the latest one."""
    with log(PlainFormatter()) as (logger, lines):
        for game in (1, 2, 3):
            with about(game=game):
                logger.error("a fault")
    assert lines()[-1].endswith("a fault (2 more of these) [game=3]")
