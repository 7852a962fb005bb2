"""The command line `cuatro`, also `python -m bot`.

Each command imports what it needs when it runs: SimCord only where it is used, and most of the bot
only while other processes compile the engine. A health check imports neither.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.ops import logs
from bot.settings import Settings, SettingsError

if TYPE_CHECKING:
    from rich.console import Console

OK, FAILED, BAD_SETTINGS, CLOSED_PIPE = 0, 1, 2, 141

CANCEL_AGAIN = 12.0
"""Seconds after which work that has not stopped is cancelled again."""

HEALTH_TIMEOUT = 10.0
"""Seconds within which the bot must answer a health check."""

Command = Callable[[Settings, argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, 1 on a failure, 2 for a wrong setting.

    A reader that closes the pipe, as `head` does, ends a command silently.
    """
    try:
        status = _main(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python would write what is left once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    return status


def _main(arguments: Sequence[str] | None) -> int:
    options = _parser().parse_args(arguments)
    try:
        over = {"CUATRO_SHARDS": options.shards} if options.shards is not None else None
        settings = Settings.load(over=over)
        _set_up_logging(settings)
        run: Command = options.run
        return run(settings, options)
    except SettingsError as error:
        print(f"cuatro: {error}", file=sys.stderr)
        return BAD_SETTINGS
    except KeyboardInterrupt:
        print("Stopped.")
        return OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cuatro",
        description="Plays Connect 4 on Discord, or without a token on a page in your browser.",
    )
    parser.add_argument(
        "--shards", metavar="IDS/COUNT", help="serve these of Discord's shards, such as 0-3/16"
    )
    parser.set_defaults(run=_serve)
    commands = parser.add_subparsers(metavar="COMMAND")

    def add(name: str, run: Command, summary: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=summary)
        command.set_defaults(run=run)
        return command

    demo = add("demo", _demo, "play a game by itself and write its pictures")
    demo.add_argument("--out", type=Path, required=True, help="the folder to write to")
    add("sync", _sync, "send the commands to Discord, changed or not")
    backup = add("backup", _backup, "copy the database, also while the bot runs")
    backup.add_argument("file", type=Path, help="the file to write")
    restore = add(
        "restore", _restore, "put a copy in the database's place; a running bot goes on with it"
    )
    restore.add_argument("file", type=Path, help="what `cuatro backup` has written")
    moving = add(
        "migrate-data",
        _migrate_data,
        "copy everything to another database while the bot is stopped",
    )
    moving.add_argument(
        "--from", dest="source", metavar="ADDRESS", required=True, help="as in DATABASE_URL"
    )
    moving.add_argument(
        "--to", dest="target", metavar="ADDRESS", required=True, help="that of an empty database"
    )
    fitting = add(
        "fit-opponents",
        _fit_opponents,
        "fit perfect play's model of its opponents to the games in the database",
    )
    fitting.add_argument("file", type=Path, help="the file to write")
    fitting.add_argument(
        "--moves", type=int, default=2000, metavar="N", help="at most N of each ladder: 2000"
    )
    add("idle", _idle, "answer like a process that has handed its shards over, until stopped")
    add("health", _health, "say how the running bot is; exit with 0 if it is well, 1 if not")
    return parser


def _set_up_logging(settings: Settings) -> None:
    logs.set_up(settings.log_level, settings.log_format)
    logs.redact_logs(settings.token, *logging.getLogger().handlers)
    # Alembic lists its migrations at every start.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    if settings.token is None:
        # Offline, discord.py's messages would push the page's address out of sight.
        logging.getLogger("discord").setLevel(logging.ERROR)
        logging.getLogger("bot.board.starting").setLevel(logging.WARNING)


def _console() -> Console:
    """Return a terminal for commands that show progress or colours."""
    from rich.console import Console

    return Console()


def _check_games() -> None:
    """Raise SettingsError if the texts of a registered game are incomplete."""
    from bot.i18n import check_texts
    from engine.core.checks import IncompleteGame
    from engine.core.registry import WITHOUT

    try:
        check_texts()
    except IncompleteGame as error:
        advice = f"Complete its package, or start without it: {WITHOUT}={error.game}"
        raise SettingsError(f"the game {error}. {advice}") from error


def _serve(settings: Settings, _options: argparse.Namespace) -> int:
    _check_games()
    from bot.workers.preparation import Preparation

    preparation = Preparation(_say)
    preparation.start()
    try:
        if settings.token is None:
            from bot.local import local

            return _run(local.serve(settings, _console(), preparation))
        from bot.run import online

        return _run_online(online.serve(settings, preparation))
    finally:
        preparation.close()


def _say(line: str) -> None:
    """Print a line; the bot runs on after a reader has closed the pipe."""
    with suppress(BrokenPipeError):
        print(line, flush=True)


def _demo(settings: Settings, options: argparse.Namespace) -> int:
    _check_games()
    from bot.workers.preparation import warm_up

    console = _console()
    warm_up(console)
    from bot.local.local import play_demo

    return _run(play_demo(options.out, console))


def _sync(settings: Settings, _options: argparse.Namespace) -> int:
    if settings.token is None:
        raise SettingsError("DISCORD_TOKEN is not set: there is no Discord to send commands to.")
    _check_games()
    from bot.run import online

    status = _run_online(online.sync(settings))
    if status == OK:
        print("The commands were sent to Discord.")
    return status


def _backup(settings: Settings, options: argparse.Namespace) -> int:
    from bot.run import maintenance

    return maintenance.back_up(settings, options.file, _console())


def _restore(settings: Settings, options: argparse.Namespace) -> int:
    from bot.run import maintenance

    return maintenance.restore(settings, options.file, _console())


def _migrate_data(_settings: Settings, options: argparse.Namespace) -> int:
    from bot.run import maintenance

    return maintenance.migrate_data(options.source, options.target, _console())


def _fit_opponents(settings: Settings, options: argparse.Namespace) -> int:
    from bot.run import opponents

    return opponents.fit_opponents(settings, options.file, options.moves, _console())


def _health(settings: Settings, _options: argparse.Namespace) -> int:
    """Ask the running bot for its health checks and print them."""
    if not settings.health_port:
        raise SettingsError(
            "CUATRO_HEALTH_PORT is 0, so the bot answers no health checks. Set a port, or leave "
            "it out."
        )
    address = ip_address(settings.health_address)
    loopback = "127.0.0.1" if address.version == 4 else "::1"
    host = loopback if address.is_unspecified else settings.health_address
    connection = HTTPConnection(host, settings.health_port, timeout=HEALTH_TIMEOUT)
    try:
        connection.request("GET", f"/readyz?bot={settings.fingerprint}")
        response = connection.getresponse()
        print(response.read().decode(errors="replace").strip())
    except (OSError, HTTPException) as error:
        print(f"No bot answers on port {settings.health_port} (CUATRO_HEALTH_PORT): {error}")
        return FAILED
    finally:
        connection.close()
    return OK if response.status == HTTPStatus.OK else FAILED


def _idle(settings: Settings, _options: argparse.Namespace) -> int:
    from bot.ops.health import wait_to_be_stopped

    return _run(wait_to_be_stopped(settings))


def _run_online(work: Coroutine[Any, Any, None]) -> int:
    from bot.run.online import ConnectionTrouble

    try:
        return _run(work)
    except ConnectionTrouble as error:
        print(f"cuatro: {error}", file=sys.stderr)
        return FAILED


def _run(work: Coroutine[Any, Any, None]) -> int:
    """Run until done; Ctrl-C and SIGTERM both stop it cleanly."""

    async def stoppable() -> None:
        task = asyncio.current_task()
        assert task is not None
        with suppress(NotImplementedError):  # on Windows, which has only Ctrl-C
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        job = asyncio.ensure_future(work)
        try:
            await asyncio.shield(job)
        except asyncio.CancelledError:
            # Python 3.11's `asyncio.wait_for` loses a cancellation that arrives just as it
            # completes, so cancel until the job is really done.
            while not job.done():
                job.cancel()
                await asyncio.wait({job}, timeout=CANCEL_AGAIN)
            raise

    with suppress(asyncio.CancelledError):
        asyncio.run(stoppable())
    return OK


if __name__ == "__main__":
    sys.exit(main())
