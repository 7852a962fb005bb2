"""A process that is killed without warning loses nothing that it acknowledged."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.services import open_services
from bot.settings import Settings

ROOT = Path(__file__).parents[2]

CHILD = """
import asyncio, sys
from bot.services import open_services
from bot.orders import Order, agent, person
from bot.settings import Settings
from engine.games import game_of

async def main(url):
    async with open_services(Settings(database_url=url, workers=1)) as services:
        sessions = services.sessions
        game = game_of("connect4", "6x7")
        await sessions.start(Order(5, None, 1, "en", game, person(1), agent("easy")))
        while (session := await sessions.current(5)) is not None:
            legal = session.position.legal_moves()
            move = session.game.label(legal[session.number % len(legal)])
            if await sessions.play(5, 1, move):
                print("person", session.number, move, flush=True)
            answered = await sessions.reply(5)
            if answered:
                print("agent", len(answered.moves), answered.moves[-1].move, flush=True)
        print("over", flush=True)

asyncio.run(main(sys.argv[1]))
"""


def acknowledged(child: subprocess.Popen[str], lines: int) -> list[list[str]]:
    """The first so many moves that the child acknowledges."""
    assert child.stdout is not None
    said = []
    for line in child.stdout:
        said.append(line.split())
        if len(said) == lines:
            break
    return said


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("moves", [1, 2, 5])
async def test_a_killed_process_loses_no_acknowledged_move(tmp_path: Path, moves: int) -> None:
    """After SIGKILL the store has every move that had been acknowledged, in order."""
    url = f"sqlite+aiosqlite:///{(tmp_path / 'killed.db').as_posix()}"
    child = await asyncio.to_thread(
        subprocess.Popen,
        [sys.executable, "-c", CHILD, url],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        said = await asyncio.to_thread(acknowledged, child, moves)
    finally:
        child.send_signal(signal.SIGKILL)
        await asyncio.to_thread(child.wait)
        assert child.stdout is not None
        child.stdout.close()
    assert len(said) == moves
    async with open_services(Settings(database_url=url, workers=1)) as services:
        game = await services.store.running_game(5)
        assert game is not None
        stored = [move.move for move in game.moves]
        assert stored[:moves] == [move for _, _, move in said]
        session = await services.sessions.current(5)
        assert session is not None
        assert session.position.ply == len(stored)
        if session.awaits_agent:
            session = await services.sessions.reply(5)
            assert session is not None
        await services.sessions.play(5, 1, session.game.label(session.position.legal_moves()[0]))
