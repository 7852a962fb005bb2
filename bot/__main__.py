"""The command `cuatro`, also `python -m bot`: the only place where everything is put together."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.ops import logs
from bot.ops.logs import redact_logs
from bot.settings import Settings, SettingsError

if TYPE_CHECKING:
    from rich.console import Console

OK, FAILED, BAD_SETTINGS = 0, 1, 2

CANCEL_AGAIN = 12.0
"""Seconds after which work that has not stopped is cancelled once more."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0, 1 on a failure, 2 for a wrong setting."""
    options = _parser().parse_args(arguments)
    try:
        over = {"CUATRO_SHARDS": options.shards} if options.shards is not None else None
        settings = Settings.load(over=over)
        _set_up_logging(settings)
        status: int = options.run(settings, options)
    except SettingsError as error:
        print(f"cuatro: {error}", file=sys.stderr)
        return BAD_SETTINGS
    except KeyboardInterrupt:
        print("Stopped.")
        return OK
    return status


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
    demo = commands.add_parser("demo", help="play a game by itself and write its pictures")
    demo.add_argument("--out", type=Path, required=True, help="the folder to write to")
    demo.set_defaults(run=_demo)
    sync = commands.add_parser("sync", help="send the commands to Discord, changed or not")
    sync.set_defaults(run=_sync)
    backup = commands.add_parser("backup", help="copy the database, also while the bot runs")
    backup.add_argument("file", type=Path, help="the file to write")
    backup.set_defaults(run=_backup)
    restore = commands.add_parser(
        "restore", help="put a copy in the database's place; a running bot goes on with it"
    )
    restore.add_argument("file", type=Path, help="what `cuatro backup` has written")
    restore.set_defaults(run=_restore)
    moving = commands.add_parser(
        "migrate-data", help="copy everything to another database while the bot is stopped"
    )
    moving.add_argument(
        "--from", dest="source", metavar="ADDRESS", required=True, help="as in DATABASE_URL"
    )
    moving.add_argument(
        "--to", dest="target", metavar="ADDRESS", required=True, help="that of an empty database"
    )
    moving.set_defaults(run=_migrate_data)
    idle = commands.add_parser(
        "idle", help="answer like a process that has handed its shards over, until stopped"
    )
    idle.set_defaults(run=_idle)
    health = commands.add_parser(
        "health", help="say how the running bot is; exit with 0 if it is well, 1 if not"
    )
    health.set_defaults(run=_health)
    return parser


def _set_up_logging(settings: Settings) -> None:
    logs.set_up(settings.log_level, settings.log_format)
    redact_logs(settings.token, *logging.getLogger().handlers)
    # Alembic would list its migrations at every start.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    if settings.token is None:
        # Offline, discord.py's messages about connections and voice would bury the page's address.
        logging.getLogger("discord").setLevel(logging.ERROR)
        logging.getLogger("bot.board.starting").setLevel(logging.WARNING)


def _console() -> Console:
    """A terminal for commands that show progress or colours; the bot on Discord needs none."""
    from rich.console import Console

    return Console()


# The commands import what they need when they run: SimCord only where it is used, the rest while
# the engine is being compiled in other processes, and nothing for a health check.


def _check_games() -> None:
    """Raise SettingsError for a game whose package or texts are incomplete."""
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

    preparation = Preparation(lambda line: print(line, flush=True))
    preparation.start()
    try:
        if settings.token is None:
            from bot.local import local

            return _run(local.serve(settings, _console(), preparation))
        from bot.run import online

        return _run_online(online.serve(settings, preparation))
    finally:
        preparation.close()


def _demo(settings: Settings, options: argparse.Namespace) -> int:
    _check_games()
    from bot.workers.preparation import warm_up

    console = _console()
    warm_up(console)
    from bot.local.demo import play_demo

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
    from bot.run.maintenance import back_up

    return back_up(settings, options.file, _console())


def _restore(settings: Settings, options: argparse.Namespace) -> int:
    from bot.run.maintenance import restore

    return restore(settings, options.file, _console())


def _migrate_data(_settings: Settings, options: argparse.Namespace) -> int:
    from bot.run.maintenance import migrate_data

    return migrate_data(options.source, options.target, _console())


def _health(settings: Settings, _options: argparse.Namespace) -> int:
    from bot.ops.health import ask

    is_well, text = ask(settings)
    print(text)
    return OK if is_well else FAILED


def _idle(settings: Settings, _options: argparse.Namespace) -> int:
    from bot.ops.http import wait_to_be_stopped

    return _run(wait_to_be_stopped(settings))


def _run_online(work: Coroutine[Any, Any, None]) -> int:
    from bot.run.online import ConnectionTrouble

    try:
        return _run(work)
    except ConnectionTrouble as error:
        print(f"cuatro: {error}", file=sys.stderr)
        return FAILED


def _run(work: Coroutine[Any, Any, None]) -> int:
    """Run until done; Ctrl-C and SIGTERM both end it cleanly."""

    async def stoppable() -> None:
        task = asyncio.current_task()
        assert task is not None
        with suppress(NotImplementedError):  # on Windows, where Ctrl-C is the way
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        job = asyncio.ensure_future(work)
        try:
            await asyncio.shield(job)
        except asyncio.CancelledError:
            # Python 3.11's `asyncio.wait_for`, in which discord.py connects, loses a cancellation
            # that arrives just as it completes, so cancel until the job is really done.
            while not job.done():
                job.cancel()
                await asyncio.wait({job}, timeout=CANCEL_AGAIN)
            raise

    with suppress(asyncio.CancelledError):
        asyncio.run(stoppable())
    return OK


if __name__ == "__main__":
    sys.exit(main())
