"""The command `cuatro` as it is typed: exit statuses, output and end."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from pathlib import Path
from shutil import copyfile
from threading import Thread
from typing import Any

import pytest

import bot.__main__ as program
from bot.i18n import LANGUAGES
from bot.run import online
from bot.run.online import ConnectionTrouble
from bot.settings import Settings, SettingsError
from tests.bot.discord_server import CHANNEL, GUILD, TOKEN, DiscordServer
from tests.bot.stand_in.faults import breaks
from tests.bot.support.wire.tables import moves_on
from tests.builders import PATIENCE, ROOT
from tests.children import Child

pytestmark = pytest.mark.long

NOUGHTS = """
from dataclasses import replace
from engine.games.gato import GAME as GATO
GAME = replace(
    GATO, key="noughts", home="noughts", code=None, place=None, puzzles=None, parts=(),
    ladder="guessed", calibrations={},
)
"""
"""A game of another distribution."""
NAME = """msgid ""
msgstr "Content-Type: text/plain; charset=utf-8"

msgid "game.noughts"
msgstr "Noughts"
"""
"""The only text that it brings."""
WRONG_TOKEN = ".".join(("MTAwMg", "Zq1XwB", "another-part-to-be-kept"))


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings and no `.env` are present, and the database is migrated."""
    monkeypatch.chdir(tmp_path)
    copyfile(migrated, "cuatro.db")
    for name in os.environ.copy():
        if name.startswith(("DISCORD_", "CUATRO_", "DATABASE_URL")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("CUATRO_HEALTH_PORT", "0")


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A Discord to connect to."""
    async with DiscordServer() as server:
        yield server


@pytest.fixture
def served() -> Iterator[DiscordServer]:
    """A Discord to connect to that runs in a thread, for commands that run in this one."""
    loop, server = asyncio.new_event_loop(), DiscordServer()
    thread = Thread(target=loop.run_forever)
    thread.start()

    def run(work: Coroutine[Any, Any, object]) -> None:
        asyncio.run_coroutine_threadsafe(work, loop).result(PATIENCE)

    run(server.__aenter__())
    yield server
    run(server.__aexit__())
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def use(patch: pytest.MonkeyPatch, environment: Mapping[str, str]) -> None:
    """Set these variables of the environment."""
    for name, value in environment.items():
        patch.setenv(name, value)


def cuatro(*arguments: str, **surroundings: str) -> Child:
    """A separate process that runs the command, killed if it outlives its test."""
    root = Path(program.__file__).parents[1]
    env = {**os.environ, "PYTHONPATH": str(root), **surroundings}
    return Child(sys.executable, "-m", "bot", *arguments, env=env, stop=signal.SIGKILL)


def addresses(server: DiscordServer, token: str = TOKEN) -> dict[str, str]:
    """The environment of a bot that connects to the server."""
    names = ("DISCORD_TOKEN", "DISCORD_API_URL", "DISCORD_GATEWAY_URL")
    return dict(zip(names, (token, server.api_url, server.gateway_url), strict=True))


def unused_address() -> str:
    """An address at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """`cuatro --help` lists every command."""
    with pytest.raises(SystemExit) as ended:
        program.main(["--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    commands = ("demo", "sync", "backup", "restore", "migrate-data", "fit-opponents", "health")
    assert all(command in out for command in commands)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["sync"],
        ["health"],
        ["demo", "--out", "x"],
        ["backup", "x"],
        ["restore", "x"],
        ["migrate-data", "--from", "x", "--to", "y"],
    ],
)
def test_a_wrong_setting_ends_each_command(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With an invalid setting every command exits with 2 and names it on stderr."""
    monkeypatch.setenv("CUATRO_PORT", "many")
    assert program.main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("cuatro: CUATRO_PORT")
    assert printed.out == ""


def test_shards_can_be_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--shards` overrides the setting; an invalid value is named in one line with status 2."""
    monkeypatch.setenv("CUATRO_SHARDS", "0/1")
    assert program.main(["--shards", "0-3/2"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("cuatro: CUATRO_SHARDS (or --shards) is '0-3/2': of 2 shards")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end differently there")
def test_a_closed_pipe_ends_a_command_silently() -> None:
    """A reader that closes the pipe, as `head` does, ends a command without a traceback."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "bot", "health"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CUATRO_HEALTH_PORT": "1"}
    ended = subprocess.run(
        command, stdout=writing, stderr=subprocess.PIPE, env=environment, check=False
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_sync_needs_a_token(capsys: pytest.CaptureFixture[str]) -> None:
    """`cuatro sync` without a token exits with 2 and says which setting is missing."""
    assert program.main(["sync"]) == 2
    assert "DISCORD_TOKEN" in capsys.readouterr().err


def test_commands_of_a_game_without_texts_are_not_sent(tmp_path: Path) -> None:
    """An installed game without one of its texts is named, and no commands are sent."""
    (tmp_path / "noughts" / "texts").mkdir(parents=True)
    (tmp_path / "noughts" / "__init__.py").write_text(NOUGHTS, "utf-8")
    for language in LANGUAGES:
        (tmp_path / "noughts" / "texts" / f"{language}.po").write_text(NAME, "utf-8")
    about = tmp_path / "noughts-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: noughts\nVersion: 1\n", "utf-8")
    (about / "entry_points.txt").write_text("[cuatro.games]\nnoughts = noughts:GAME\n", "utf-8")
    with cuatro(
        "sync",
        PYTHONPATH=os.pathsep.join((str(ROOT), str(tmp_path))),
        DISCORD_TOKEN=TOKEN,
    ) as process:
        refused = process.wait()
    assert refused.status == 2
    (line,) = refused.err.splitlines()
    assert line.startswith("cuatro: the game noughts: texts: en.po has no help.noughts.")
    assert line.endswith("CUATRO_GAMES_WITHOUT=noughts")


def test_the_demo_plays_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`cuatro demo` writes the pictures of a whole game and a transcript that shows each."""
    folder = tmp_path / "demo" / "out"
    assert program.main(["demo", "--out", str(folder)]) == 0
    pictures = sorted(folder.glob("*.png"))
    assert len(pictures) >= 5
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in pictures)
    transcript = (folder / "transcript.md").read_text(encoding="utf-8")
    assert all(f"]({picture.name})" in transcript for picture in pictures)
    assert str(folder) in capsys.readouterr().out


def test_sync_sends_the_commands(
    served: DiscordServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`cuatro sync` sends the commands, prints that and exits with 0."""
    use(monkeypatch, addresses(served))
    assert program.main(["sync"]) == 0
    assert "sent to Discord" in capsys.readouterr().out
    assert len(served.sent("PUT", "/commands")) == 1


def test_a_refused_token_is_named_and_never_shown(
    served: DiscordServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A refused token ends the bot with 2, and the token itself is neither printed nor logged."""
    caplog.set_level(logging.DEBUG)
    use(monkeypatch, addresses(served, WRONG_TOKEN))
    assert program.main([]) == 2
    printed = capsys.readouterr()
    assert "DISCORD_TOKEN" in printed.err
    assert "Traceback" not in printed.err
    assert "discord.http" in {record.name for record in caplog.records}
    for part in WRONG_TOKEN.split("."):
        assert part not in printed.out + printed.err + caplog.text


@pytest.mark.parametrize("arguments", [[], ["sync"]])
def test_an_api_out_of_reach_is_named(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If the API's address has no listener, the bot exits with 1 and says what to check."""
    address = f"http://{unused_address()}/api/v10"
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DISCORD_API_URL", address)
    monkeypatch.setenv("DISCORD_GATEWAY_URL", f"ws://{unused_address()}/gateway")
    assert program.main(arguments) == 1
    err = capsys.readouterr().err
    assert f"cuatro: {address} cannot be reached" in err
    assert "DISCORD_API_URL" in err
    assert "Traceback" not in err


def test_a_gateway_out_of_reach_is_named(
    served: DiscordServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If the gateway's address has no listener, the bot exits with 1 and says what to check."""
    address = f"ws://{unused_address()}/gateway"
    use(monkeypatch, {**addresses(served), "DISCORD_GATEWAY_URL": address})
    assert program.main([]) == 1
    err = capsys.readouterr().err
    assert f"cuatro: {address} cannot be reached" in err
    assert "DISCORD_GATEWAY_URL" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("status", [403, 404, 503])
@pytest.mark.parametrize("end", ["@me", "commands"])
async def test_a_failing_api_is_trouble(server: DiscordServer, end: str, status: int) -> None:
    """An API that answers the login or the commands with an error is reported as such."""
    server.faults.on("*", f"/{end}", breaks(status), times=None)
    with pytest.raises((ConnectionTrouble, SettingsError)):
        await asyncio.wait_for(online.serve(Settings.read(addresses(server))), PATIENCE)


@pytest.mark.parametrize("code", [4004, 4014])
async def test_a_refusing_gateway_is_trouble(server: DiscordServer, code: int) -> None:
    """A gateway that closes the connection for good is reported as such."""
    server.gateway.close_code = code
    with pytest.raises((ConnectionTrouble, SettingsError)):
        await asyncio.wait_for(online.serve(Settings.read(addresses(server))), PATIENCE)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no polite kill")
async def test_sigterm_ends_it_cleanly(server: DiscordServer) -> None:
    """SIGTERM closes the connection and ends the bot with 0, even during a search."""
    async with cuatro(**addresses(server)) as process:
        await process.brings(server.until(lambda: server.bots))
        board = await server.start_game(size="8x8", level="perfect")
        await server.answer(await server.press(board, moves_on(board)[0].custom_id))
        process.signal(signal.SIGTERM)
        ended = await asyncio.to_thread(process.wait)
    assert ended.status == 0
    assert "Traceback" not in ended.err
    await server.until(lambda: not server.bots)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no polite kill")
async def test_the_log_can_be_json(server: DiscordServer) -> None:
    """With CUATRO_LOG_FORMAT=json each line of the log is JSON; faults name game and channel.

    Even at DEBUG it contains no token. Ctrl-C closes the connection and ends the bot with 0.
    """
    settings = {"CUATRO_LOG_FORMAT": "json", "CUATRO_LOG_LEVEL": "DEBUG"}
    async with cuatro(**settings, **addresses(server)) as process:
        await process.brings(server.until(lambda: server.bots))
        board = await server.start_game(size="5x4", level="easy")
        server.faults.on("PATCH", board["id"], breaks(400), times=None)
        await server.answer(await server.command("drop", column=1))
        await server.until(lambda: server.sent("PATCH", "/messages/"))
        shown = await server.command("board")
        await server.answer(shown)
        await server.until(lambda: moves_on(server.message_of(shown)))
        database = sqlite3.connect("cuatro.db")
        database.execute("DROP TABLE moves")
        database.close()
        await server.answer(await server.command("drop", column=1))
        process.signal(signal.SIGINT)
        ended = await asyncio.to_thread(process.wait)
    assert ended.status == 0
    await server.until(lambda: not server.bots)
    lines = [json.loads(line) for line in ended.err.splitlines()]
    for part in ("could not be shown", "Ignoring exception in command"):
        fault = next(line for line in lines if part in line["message"])
        assert fault["game"] == 1
        assert str(fault["channel"]) == CHANNEL
        assert str(fault["guild"]) == GUILD
    assert fault["level"] == "ERROR"
    assert "no such table" in fault["exception"]
    assert server.interactions.asked
    for token in (TOKEN, *server.interactions.asked):
        assert token not in ended.out + ended.err
