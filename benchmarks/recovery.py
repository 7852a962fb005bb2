"""How soon boards are right after a kill: `python -m benchmarks.recovery --games 400`.

The real program has many open games on a simulated Discord that limits requests as Discord does.
Some of them have stored moves whose boards could not be edited, others a move made just before the
kill. Then the program is killed with SIGKILL and restarted, without further input. Afterwards it is
stopped with SIGTERM and restarted, which should edit no board.
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

from benchmarks.printing import MAXIMUM, MEDIAN, quantile, table
from tests.bot.discord_server import GUILD, DiscordServer, Json, Request
from tests.bot.stand_in.faults import breaks
from tests.bot.support.wire.boards import Truth, game_in, open_truth
from tests.bot.support.wire.program import Program
from tests.bot.support.wire.tables import moves_on

STARTS_AT_ONCE = 6
QUIET = 8.0
"""Seconds without an edit after which no more edits are expected."""
PATIENCE = 240.0
"""Longest time after a start to wait for edits in seconds."""
BOARDS = "/channels/"
HEAD = (
    "start", "connected after s", "wrong boards right after s, p50, most", "edits (pictures)",
    "last edit after s", "posts",
)  # fmt: skip
STORED = (
    "SELECT message_id, (SELECT count(*) FROM moves WHERE game_id = games.id) FROM games "
    "WHERE finished_at IS NULL"
)


@dataclass(slots=True)
class Restart:
    """The events after a start of the program."""

    connected: float = 0.0
    """Seconds from the start until it was connected."""
    right: dict[str, float] = field(default_factory=dict)
    """Seconds from the start until each wrong board was corrected, by channel."""
    last_edit: float = 0.0
    edits: int = 0
    pictures: int = 0
    """Edits with a picture."""
    posts: int = 0
    """Boards posted as a new message."""

    def cells(self) -> tuple[object, ...]:
        """The results as cells of a row."""
        times = [quantile(self.right.values(), share) for share in (MEDIAN, MAXIMUM)]
        right = ", ".join(f"{seconds:.1f}" for seconds in times)
        edits = f"{self.edits} ({self.pictures})"
        return (f"{self.connected:.1f}", right, edits, f"{self.last_edit:.1f}", self.posts)


class Channel:
    """A channel in which one person plays against an agent."""

    def __init__(self, server: DiscordServer, number: int) -> None:
        """Create the channel with this number, before the bot connects."""
        self.id, self.person = str(7 * 10**18 + number), str(8 * 10**18 + number)
        self._server = server
        server.guilds[GUILD].append(self.id)

    @property
    def board(self) -> Json:
        """The message that shows the game."""
        *_, latest = (m for m in self._server.board.in_channel(self.id) if game_in(m))
        return latest

    async def begin(self) -> None:
        """Begin a game in which the person is to move."""
        await self._server.command(
            "start", channel=self.id, user_id=self.person, size="6x7", level="easy", first="me"
        )
        await self._server.until(lambda: self._has_board(), 60.0)

    async def move(self) -> None:
        """Make a move, and wait for its acknowledgement."""
        board = self.board
        token = await self._server.press(board, moves_on(board)[0].custom_id, user_id=self.person)
        await self._server.answer(token, 60.0)

    def _has_board(self) -> bool:
        return any(game_in(one) for one in self._server.board.in_channel(self.id))


class Run:
    """A bot with many open games."""

    def __init__(self, server: DiscordServer, program: Program, games: int) -> None:
        """Create the channels, before the bot connects."""
        self._server = server
        self._program = program
        self._channels = [Channel(server, number) for number in range(1, games + 1)]

    async def prepare(self, wrong: int, recent: int) -> None:
        """Begin all games, and kill the program while boards are wrong or just edited."""
        for at in range(0, len(self._channels), STARTS_AT_ONCE):
            begun = self._channels[at : at + STARTS_AT_ONCE]
            await asyncio.gather(*(channel.begin() for channel in begun))
        await asyncio.sleep(5.0)
        late = self._channels[:wrong]
        for channel in late:
            self._server.faults.on("PATCH", f"{BOARDS}{channel.id}/", breaks(503), times=None)
        for channel in late:
            await channel.move()
        await asyncio.sleep(3.0)
        for channel in self._channels[wrong : wrong + recent]:
            await channel.move()
        await self._program.kill()
        self._server.faults.clear()

    async def restart(self) -> Restart:
        """Start the program, and wait until it stops editing."""
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

    async def wrong_boards(self, truth: Truth) -> int:
        """The number of boards that do not match the database."""
        sessions = (await truth.sessions()).values()
        return sum([bool(await truth.difference(self._server, one)) for one in sessions])

    def _wrong(self) -> set[str]:
        """Ids of the channels whose boards lack a stored move or the agent's answer."""
        with closing(sqlite3.connect(self._program.database)) as connection:
            stored = {str(message): moves for message, moves in connection.execute(STORED)}
        shown = {channel.id: channel.board for channel in self._channels}
        return {
            channel
            for channel, board in shown.items()
            if stored.get(board["id"]) != _moves_in(board) or _moves_in(board) % 2
        }

    def _edits(self) -> list[Request]:
        return self._server.sent("PATCH", BOARDS)

    def _posts(self) -> list[Request]:
        return self._server.sent("POST", BOARDS)


def _moves_in(board: Json) -> int:
    """The number of moves on a board, from the name of its picture."""
    return int(board["attachments"][0]["filename"].removesuffix(".png").rsplit("-", 1)[-1])


async def run(games: int, wrong: int, recent: int, folder: Path) -> tuple[list[Restart], int]:
    """Restart after SIGKILL, then after SIGTERM; also returns the number of wrong boards."""
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
            left = await running.wrong_boards(truth)
        await program.stop()
    return found, left


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--wrong", type=int, default=60, help="boards that lack a move")
    parser.add_argument("--recent", type=int, default=40, help="games with a move just before")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found, left = asyncio.run(run(options.games, options.wrong, options.recent, Path(folder)))
    rows = zip(("after SIGKILL", "after SIGTERM"), found, strict=True)
    print(table(HEAD, ((name, *one.cells()) for name, one in rows)))
    print(f"boards that are wrong at the end: {left}")


if __name__ == "__main__":
    main()
