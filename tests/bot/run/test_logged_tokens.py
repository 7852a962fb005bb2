"""With everything logged, no token of a bot on the real protocol is in the log."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from bot.ops.logs import FoldingHandler, JsonFormatter, PlainFormatter, redact_logs
from bot.settings import Settings
from tests.bot.discord_server import TOKEN, DiscordServer
from tests.bot.run import test_online
from tests.bot.run.test_online import answers, move_buttons, online_bot, start_game
from tests.bot.stand_in.faults import breaks

settings = test_online.settings
TALKATIVE = ("discord", "aiohttp", "aiosqlite", "asyncio", "bot")


class AllAttributesFormatter(logging.Formatter):
    """Format a record with all its attributes, as a formatter for machines might."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line and every attribute."""
        return f"{super().format(record)} {record.__dict__!r}"


@pytest.fixture
def logs() -> Iterator[list[io.StringIO]]:
    """The whole log, at DEBUG, in each format."""
    root, handlers = logging.getLogger(), []
    for formatter in (AllAttributesFormatter, JsonFormatter, PlainFormatter):
        target = logging.StreamHandler(io.StringIO())
        target.setFormatter(formatter())
        handlers.append((target, FoldingHandler(target)))
    loggers = [logging.getLogger(name) for name in TALKATIVE]
    levels = [logger.level for logger in loggers]
    redact_logs(TOKEN, *(handler for _, handler in handlers))
    for _, handler in handlers:
        root.addHandler(handler)
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    yield [target.stream for target, _ in handlers]
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
    for _, handler in handlers:
        root.removeHandler(handler)
        handler.close()


async def test_no_token_is_logged(
    server: DiscordServer, settings: Settings, logs: list[io.StringIO]
) -> None:
    """No token is logged for commands, buttons and failing requests, in any format."""
    async with online_bot(settings, server):
        board = await start_game(server, size="5x4", level="easy")
        await server.press(board, move_buttons(board)[1]["custom_id"])
        await server.until(lambda: answers(server))
        server.faults.on("POST", "/callback", breaks(400))
        lost = await server.command("help")
        await server.answer(lost)
        server.faults.clear()
        await server.answer(await server.command("board"))
    assert lost in server.interactions.asked
    for said in (log.getvalue() for log in logs):
        assert "INTERACTION_CREATE" in said
        assert "/callback" in said
        assert "[token]" in said
        for token in (TOKEN, *server.interactions.asked):
            assert token not in said
