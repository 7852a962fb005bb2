"""A process that is killed loses nothing that it has acknowledged."""

from __future__ import annotations

import asyncio
import signal
import sys

import pytest

from bot.app import open_services
from bot.settings import Settings
from tests.builders import ROOT
from tests.children import Child

pytestmark = pytest.mark.long


PROGRAM = """
import asyncio, sys
from bot.app import open_services
from bot.store.records import agent
from bot.store.records import person
from bot.settings import Settings
from bot.store.records import GameSetup
from tests.bot.hinting import note_hint

async def main(url):
    async with open_services(Settings(database_url=url, workers=1)) as services:
        order = GameSetup("connect4", "6x7", 5, None, "en", person(1), agent("easy"), 1)
        await services.sessions.start(order)
        await go_on(services, services.sessions)

asyncio.run(main(sys.argv[1]))
"""
"""Starts a game and continues it by the code that precedes this."""

PLAYING = """
async def go_on(services, sessions):
    while (session := await sessions.games.current(5)) is not None:
        legal = session.position.legal_moves()
        move = session.game.label(legal[session.number % len(legal)])
        if await sessions.play(5, 1, move):
            print("person", session.number, move, flush=True)
        answered = await sessions.reply(5)
        if answered:
            print("agent", len(answered.moves), answered.moves[-1].move, flush=True)
    print("over", flush=True)
"""

UNDOING = """
async def go_on(services, sessions):
    for move in "441":
        await sessions.play(5, 1, move)
        await sessions.reply(5)
    await note_hint(services, 5, 1)
    while True:
        session = await sessions.take_back(5, lambda present: max(0, len(present.moves) - 2))
        print(session.undos, *(move.move for move in session.moves), flush=True)
"""
"""Takes moves back, of three turns: with a fourth one the agent may have won."""


async def said_before_killed(way: str, url: str, lines: int) -> list[list[str]]:
    """Run a game in a child process until it has acknowledged this much, and kill it."""
    command = (sys.executable, "-c", way + PROGRAM, url)
    async with Child(*command, cwd=ROOT, stop=signal.SIGKILL) as child:
        return await asyncio.to_thread(lambda: [child.line().string.split() for _ in range(lines)])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("moves", [1, 2, 5])
async def test_a_killed_process_loses_no_acknowledged_move(address: str, moves: int) -> None:
    """After SIGKILL the store has every acknowledged move, in order."""
    said = await said_before_killed(PLAYING, address, moves)
    assert len(said) == moves
    async with open_services(Settings(database_url=address, workers=1)) as services:
        game = await services.store.games.running_in(5)
        assert game is not None
        stored = [move.move for move in game.moves]
        assert stored[:moves] == [move for _, _, move in said]
        session = await services.sessions.games.current(5)
        assert session is not None
        assert session.position.ply == len(stored)
        if session.awaits_agent:
            session = await services.sessions.reply(5)
            assert session is not None
        await services.sessions.play(5, 1, session.game.label(session.position.legal_moves()[0]))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("undos", [1, 2])
async def test_a_killed_process_keeps_what_was_taken_back(address: str, undos: int) -> None:
    """After SIGKILL the board is the one after the last complete undo, and the game is unrated."""
    said = await said_before_killed(UNDOING, address, undos)
    assert len(said) == undos
    async with open_services(Settings(database_url=address, workers=1)) as services:
        session = await services.sessions.games.current(5)
        assert session is not None
        # It may have taken back once more before it was killed, but never half a turn.
        assert session.undos >= undos
        assert len(session.moves) == max(0, 2 * (3 - session.undos))
        acknowledged_moves = said[-1][1:]
        assert [move.move for move in session.moves] == acknowledged_moves[: len(session.moves)]
        assert session.position.ply == len(session.moves)
        # The hint was for a move that was taken back; it still counts.
        assert len(session.hints) >= 1
        assert session.mover.user_id == 1
        after = await services.sessions.play(5, 1, "1")
        assert (after.undos, len(after.moves)) == (session.undos, len(session.moves) + 1)
