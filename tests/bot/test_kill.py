"""A process that is killed loses nothing that it has acknowledged."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copyfile

import pytest

from bot.app import open_services
from bot.settings import Settings
from tests.bot.databases import address_of
from tests.builders import ROOT
from tests.children import Child

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork"),
]

PROGRAM = """
import asyncio, os, signal, sys
from bot.app import find_features, open_services
from bot.settings import Settings
from bot.store.records import GameSetup, agent, person
from engine.core.compiled import compile_all
from engine.core.registry import compiled_modules
from tests.bot.hinting import note_hint

async def main(way, url):
    async with open_services(Settings(database_url=url, workers=1)) as services:
        order = GameSetup("connect4", "6x7", 5, None, "en", person(1), agent("easy"), 1)
        await services.sessions.start(order)
        await WAYS[way](services, services.sessions)

def say(*words):
    global lines
    # In one piece, because the processes share a pipe.
    os.write(1, (" ".join(map(str, (url, *words))) + "\\n").encode())
    lines -= 1
    if not lines:
        signal.setitimer(signal.ITIMER_REAL, MOMENT)

async def playing(services, sessions):
    while (session := await sessions.games.current(5)) is not None:
        legal = session.position.legal_moves()
        move = session.game.label(legal[session.number % len(legal)])
        if await sessions.play(5, 1, move):
            say("person", session.number, move)
        answered = await sessions.reply(5)
        if answered:
            say("agent", len(answered.moves), answered.moves[-1].move)
    say("over")

async def undoing(services, sessions):
    # Of three turns: with a fourth one the agent may have won.
    for move in "441":
        await sessions.play(5, 1, move)
        await sessions.reply(5)
    await note_hint(services, 5, 1)
    while True:
        session = await sessions.take_back(5, lambda present: max(0, len(present.moves) - 2))
        say(session.undos, *(move.move for move in session.moves))

MOMENT = 0.002
WAYS = {"playing": playing, "undoing": undoing}
find_features()
compile_all(compiled_modules())
for way, number, url in zip(*(sys.argv[first::3] for first in (1, 2, 3))):
    lines = int(number)
    if not os.fork():
        asyncio.run(main(way, url))
        sys.exit("not killed")
for _ in sys.argv[1::3]:
    _, status = os.wait()
    assert os.WTERMSIG(status) == signal.SIGALRM
"""
"""Starts a game in each database, and continues it in one of two ways until it is killed.

Each has a process of its own, forked from one that has loaded everything. A moment after it has
said a number of lines the system ends it; nothing in it handles that signal.
"""
PLAYING, UNDOING = "playing", "undoing"
KILLED = ((PLAYING, 1), (PLAYING, 2), (PLAYING, 3), (UNDOING, 1), (UNDOING, 2))
"""The processes, and after how many lines each is killed: a third move does not end a game."""


@dataclass(slots=True)
class Killed:
    """A process that was killed, and what it had said until then."""

    address: str
    way: str
    lines: int
    said: list[list[str]] = field(default_factory=list)


@pytest.fixture(scope="module")
def killed(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Killed]:
    """Processes that were killed as soon as they had acknowledged a number of moves."""
    folder, found = tmp_path_factory.mktemp("killed"), {}
    for way, lines in KILLED:
        file = Path(copyfile(migrated, folder / f"{way}-{lines}.db"))
        address = address_of(file)
        found[address] = Killed(address, way, lines)
    what = [str(word) for one in found.values() for word in (one.way, one.lines, one.address)]
    with Child(sys.executable, "-c", PROGRAM, *what, cwd=ROOT, own_group=True) as child:
        ended = child.wait()
    assert ended.status == 0, ended.err
    for line in ended.out.splitlines():
        address, *words = line.split()
        found[address].said.append(words)
    assert all(len(one.said) >= one.lines for one in found.values())
    return list(found.values())


async def test_a_killed_process_loses_no_acknowledged_move(killed: list[Killed]) -> None:
    """After a kill the store has every acknowledged move, in order."""
    for one in (one for one in killed if one.way == PLAYING):
        async with open_services(Settings(database_url=one.address, workers=1)) as services:
            game = await services.store.games.running_in(5)
            assert game is not None
            stored = [move.move for move in game.moves]
            assert stored[: len(one.said)] == [move for _, _, move in one.said]
            session = await services.sessions.games.current(5)
            assert session is not None
            assert session.position.ply == len(stored)
            if session.awaits_agent:
                session = await services.sessions.reply(5)
                assert session is not None
            move = session.game.label(session.position.legal_moves()[0])
            await services.sessions.play(5, 1, move)


async def test_a_killed_process_keeps_what_was_taken_back(killed: list[Killed]) -> None:
    """After a kill the board is the one after the last complete undo, and the game is unrated."""
    for one in (one for one in killed if one.way == UNDOING):
        async with open_services(Settings(database_url=one.address, workers=1)) as services:
            session = await services.sessions.games.current(5)
            assert session is not None
            # It may have taken back once more before it was killed, but never half a turn.
            assert session.undos >= len(one.said)
            assert len(session.moves) == max(0, 2 * (3 - session.undos))
            acknowledged_moves = one.said[-1][1:]
            assert [one.move for one in session.moves] == acknowledged_moves[: len(session.moves)]
            assert session.position.ply == len(session.moves)
            # The hint was for a move that was taken back; it still counts.
            assert len(session.hints) >= 1
            assert session.mover.user_id == 1
            after = await services.sessions.play(5, 1, "1")
            assert (after.undos, len(after.moves)) == (session.undos, len(session.moves) + 1)
