"""How soon boards are right after a kill: `python -m benchmarks.recovery --games 400`.

The real program has so many open games on a stand-in for Discord that limits requests as Discord
does. In some of them moves are stored whose boards cannot be edited, in some others moves are made
in the last moment. Then the program is killed with SIGKILL and started again, and nobody does
anything. Afterwards it is stopped politely and started once more, which should edit no board.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from tests.bot.discord_server import GUILD, DiscordServer, Json, Request
from tests.bot.stand_in.faults import breaks
from tests.bot.support.wire.boards import Truth, game_in, open_truth, shown_by
from tests.bot.support.wire.program import Program
from tests.bot.support.wire.tables import moves_on

STARTS_AT_ONCE = 6
QUIET = 8.0
"""Seconds without an edit after which no more is expected."""
PATIENCE = 240.0
"""Seconds after a start in which edits are waited for."""
BOARDS = "/channels/"
STORED = (
    "SELECT message_id, (SELECT count(*) FROM moves WHERE game_id = games.id) FROM games "
    "WHERE finished_at IS NULL"
)


@dataclass(slots=True)
class Restart:
    """What came after a start of the program."""

    connected: float = 0.0
    """Seconds from the start until it was connected."""
    right: dict[str, float] = field(default_factory=dict)
    """Seconds from the start until each board that had been wrong was right, by channel."""
    last_edit: float = 0.0
    edits: int = 0
    pictures: int = 0
    """How many of the edits sent a picture."""
    posts: int = 0
    """How many boards were posted anew."""

    def line(self, name: str) -> str:
        """All of it as a row of a table."""
        ordered = sorted(self.right.values()) or [float("nan")]
        half, most = ordered[len(ordered) // 2], ordered[-1]
        edits = f"{self.edits} ({self.pictures}) | {self.last_edit:.1f} | {self.posts}"
        return f"| {name} | {self.connected:.1f} | {half:.1f}, {most:.1f} | {edits} |"


class Room:
    """A channel in which one person plays against an agent."""

    def __init__(self, server: DiscordServer, number: int) -> None:
        """Make the channel with this number, before the bot connects."""
        self.channel, self.person = str(7 * 10**18 + number), str(8 * 10**18 + number)
        self._server = server
        server.guilds[GUILD].append(self.channel)

    @property
    def board(self) -> Json:
        """The message that shows the game."""
        *_, latest = (m for m in self._server.board.in_channel(self.channel) if game_in(m))
        return latest

    async def begin(self) -> None:
        """Begin a game in which the person is to move."""
        where = {"channel": self.channel, "user_id": self.person}
        given = {"size": "6x7", "level": "easy", "first": "me"}
        await self._server.command("start", **where, **given)
        await self._server.until(lambda: self._has_board(), 60.0)

    async def move(self) -> None:
        """Make a move; returns once it is acknowledged."""
        board = self.board
        token = await self._server.press(board, moves_on(board)[0].custom_id, user_id=self.person)
        await self._server.answer(token, 60.0)

    def _has_board(self) -> bool:
        return any(game_in(one) for one in self._server.board.in_channel(self.channel))


class Run:
    """One bot with many open games."""

    def __init__(self, server: DiscordServer, program: Program, games: int) -> None:
        """Make the rooms, before the bot connects."""
        self._server = server
        self._program = program
        self._rooms = [Room(server, number) for number in range(1, games + 1)]

    async def prepare(self, wrong: int, recent: int) -> None:
        """Begin all games, and kill the program with boards that are wrong or not known."""
        rooms = asyncio.Queue[Room]()
        for room in self._rooms:
            rooms.put_nowait(room)
        await asyncio.gather(*(_each(rooms) for _ in range(STARTS_AT_ONCE)))
        await asyncio.sleep(5.0)
        late = self._rooms[:wrong]
        for room in late:
            self._server.faults.on("PATCH", f"{BOARDS}{room.channel}/", breaks(503), times=None)
        for room in late:
            await room.move()
        await asyncio.sleep(3.0)
        for room in self._rooms[wrong : wrong + recent]:
            await room.move()
        await self._program.kill()
        self._server.faults.clear()

    async def restart(self) -> Restart:
        """Start the program, and look on until it edits nothing any more."""
        wrong, found = self._wrong(), Restart()
        edited, posted = len(self._edits()), len(self._posts())
        began = last = monotonic()
        await self._program.start()
        await self._program.connected()
        found.connected = monotonic() - began
        looked = edited
        while True:
            await asyncio.sleep(0.2)
            now, edits = monotonic(), self._edits()
            if len(edits) > looked:
                looked, last = len(edits), now
                found.last_edit = now - began
            still = self._wrong()
            for channel in wrong - still:
                found.right[channel] = now - began
            wrong = still
            is_quiet = now - max(last, began + found.connected) > QUIET
            if (is_quiet and not wrong) or now - began > PATIENCE:
                break
        new = self._edits()[edited:]
        found.edits, found.pictures = len(new), sum(bool(one.files) for one in new)
        found.posts = len(self._posts()) - posted
        return found

    async def all_right(self, truth: Truth) -> int:
        """How many boards are not what is drawn from the store."""
        wrong = 0
        for session in (await truth.sessions()).values():
            message = self._server.messages.get(str(session.message_id))
            due = await truth.board(session)
            wrong += message is None or bool(shown_by(message).differences(due))
        return wrong

    def _wrong(self) -> set[str]:
        """The channels whose boards show another number of moves than is stored, or no answer."""
        with closing(sqlite3.connect(self._program.database)) as connection:
            stored = {str(message): moves for message, moves in connection.execute(STORED)}
        shown = {room.channel: room.board for room in self._rooms}
        return {
            channel
            for channel, board in shown.items()
            if stored.get(board["id"]) != _moves_in(board) or _moves_in(board) % 2
        }

    def _edits(self) -> list[Request]:
        return self._server.sent("PATCH", BOARDS)

    def _posts(self) -> list[Request]:
        return self._server.sent("POST", BOARDS)


async def _each(rooms: asyncio.Queue[Room]) -> None:
    while not rooms.empty():
        await rooms.get_nowait().begin()


def _moves_in(board: Json) -> int:
    """How many moves a board shows: its picture's name says so."""
    return int(board["attachments"][0]["filename"].removesuffix(".png").rsplit("-", 1)[-1])


async def run(games: int, wrong: int, recent: int, folder: Path) -> tuple[list[Restart], int]:
    """Kill, restart, and restart politely; also how many boards are wrong in the end."""
    async with DiscordServer() as server:
        server.limits.as_usual()
        program = Program(server, folder)
        running = Run(server, program, games)
        await program.start()
        await program.connected()
        await running.prepare(wrong, recent)
        found = [await running.restart()]
        await program.stop()
        found.append(await running.restart())
        async with open_truth(server, program.database, folder) as truth:
            left = await running.all_right(truth)
        await program.stop()
    return found, left


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--wrong", type=int, default=60, help="boards that are really wrong")
    parser.add_argument("--recent", type=int, default=40, help="games with a move just before")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found, left = asyncio.run(run(options.games, options.wrong, options.recent, Path(folder)))
    print(
        "| start | connected after s | wrong boards right after s, p50, most | edits (pictures) "
        "| last edit after s | posts |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, one in zip(("after SIGKILL", "after SIGTERM"), found, strict=True):
        print(one.line(name))
    print(f"boards that are wrong in the end: {left}")


if __name__ == "__main__":
    main()
