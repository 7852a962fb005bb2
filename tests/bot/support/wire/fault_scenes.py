"""Games in which a request to Discord fails, and the time until their boards are right."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

from bot.game.session import Session
from tests.bot.discord_server import GUILD, DiscordServer, Json
from tests.bot.stand_in.faults import Fault, Rule, breaks, fails, hangs, limited, resets
from tests.bot.support.wire.boards import Truth, game_in, shown_by
from tests.bot.support.wire.tables import button_for, moves_on

START, CONFIRM, FIRST, LAST, END = "start", "confirmation", "first edit", "last edit", "end"
"""Requests that fail: the response to a start, the confirmation of a stored move, the edits with a
person's move and with the agent's answer, and the edit with the end."""
PLACES = (START, CONFIRM, FIRST, LAST, END)
ONCE: dict[str, Fault] = {
    "429, Retry-After 2 s": limited(2.0),
    "429, Retry-After 7 s": limited(7.0),
    "429 on all routes": limited(1.0, everywhere=True),
    "500": breaks(500),
    "502": breaks(502),
    "503": breaks(503),
    "reset before it was taken": resets(),
    "reset after it was taken": resets().once_taken(),
    "hangs": hangs(),
    "hangs after it was taken": hangs().once_taken(),
    "10062": fails(10062),
    "40060": fails(40060),
}
"""Faults of a single request."""
LASTING: dict[str, Fault] = {
    "500 for a while": breaks(500),
    "50001": fails(50001),
    "50013": fails(50013),
    "50013, no token lives": fails(50013),
    "429 for a while": limited(1.0),
    "429 for a while, no token lives": limited(1.0),
}
"""Faults of all requests, until they are repaired."""
OF_MESSAGES: dict[str, Fault] = {
    "30046 as 400": fails(30046),
    "30046 as 429": limited(1800.0, code=30046),
}
"""Faults of all edits of one message."""
DELETED, GONE = "10008", "10003"
"""The message, or its channel, is deleted."""
ARCHIVED = "50083"
"""The channel is a thread that is archived and locked, until a person opens it again."""
EXPIRED = "no token lives"
LASTS = 3.0
"""Duration of lasting faults in seconds."""
LOOKS = 0.1
"""Seconds between two looks at the boards."""
TURNS = 3
"""The most moves that a person makes until a fault occurs."""
CHANNELS, PEOPLE = count(7 * 10**18), count(8 * 10**18)


def faults_at(place: str) -> tuple[str, ...]:
    """The faults that can occur at a place."""
    if place in (START, CONFIRM):
        return tuple(ONCE)
    return (*ONCE, *LASTING, *OF_MESSAGES, DELETED, GONE, ARCHIVED)


@dataclass(slots=True)
class Scene:
    """A game against an agent in its own channel, and a fault."""

    name: str
    place: str
    channel: str = field(default_factory=lambda: str(next(CHANNELS)))
    person: str = field(default_factory=lambda: str(next(PEOPLE)))
    seconds: float | None = None
    """Time until the board was right; None if it never was."""
    wrong: str = "nothing happened"
    """Description of the present error."""
    least_moves: int = 0
    began: float = 0.0

    async def play(self, server: DiscordServer) -> None:
        """Begin the game, and cause the fault."""
        if self.place == START:
            rule = server.faults.on("POST", "/callback", ONCE[self.name])
            self.began = time.monotonic()
            await self._start(server)
            await server.until(lambda: rule.hits)
            return
        token = await self._start(server)
        await server.answer(token)
        board = await server.until(lambda: self._board(server))
        if self.name.endswith(EXPIRED):
            server.interactions.expire(token)
        if self.name == ARCHIVED:
            await server.archive(self.channel)
        rule = self._break(server, board)
        self.began = time.monotonic()
        if self.place == END:
            await self._give_up(server)
        else:
            self.least_moves = 2
            await self._move(server, board, rule)
        if rule is not None:
            await server.until(lambda: rule.hits)
        if rule is not None and self.name in LASTING:
            asyncio.get_running_loop().call_later(LASTS, _stop, rule)
        if self.name == ARCHIVED:
            await asyncio.sleep(LASTS)
            await server.reopen(self.channel)

    def look(self, server: DiscordServer, session: Session | None) -> Session | None:
        """The session whose board must be compared; None if something else is wrong."""
        self.wrong = ""
        if self.name == GONE and session is not None and session.is_over:
            return None
        message = server.messages.get(str(session.message_id)) if session else None
        if session is None or message is None:
            self.wrong = "no message shows the game"
        elif len(session.moves) < self.least_moves or (self.place == END and not session.is_over):
            self.wrong = f"it is at {len(session.moves)} moves"
        elif any(m is not message and moves_on(m) for m in self._boards(server)):
            self.wrong = "two boards can be played on"
        return None if self.wrong else session

    async def _start(self, server: DiscordServer) -> str:
        where = {"channel": self.channel, "user_id": self.person}
        return await server.command("start", size="5x4", level="easy", **where)

    async def _move(self, server: DiscordServer, board: Json, rule: Rule | None) -> None:
        """Make a move, and further ones until the fault occurs.

        On a busy machine one edit can show both a move and its answer, so the second never comes.
        """
        for _ in range(TURNS):
            control = moves_on(board)[1]
            token = await server.press(board, control.custom_id, user_id=self.person)
            if self.name.endswith(EXPIRED):
                await server.answer(token)
                server.interactions.expire(token)
            if rule is None:
                return
            shown = await server.until(
                lambda number=control.number: rule.hits or self._next_turn(server, number)
            )
            if rule.hits:
                return
            board = shown
        raise AssertionError(f"{self.name}: {TURNS} moves were shown without the fault")

    def _next_turn(self, server: DiscordServer, number: int) -> Json | None:
        board = self._board(server)
        controls = moves_on(board) if board else []
        return board if controls and controls[0].number > number else None

    async def _give_up(self, server: DiscordServer) -> None:
        await server.resign(channel=self.channel, user_id=self.person)

    def _break(self, server: DiscordServer, board: Json) -> Rule | None:
        edits, message = f"/channels/{self.channel}/messages/", board["id"]
        nth = 2 if self.place == LAST else 1
        if self.name == DELETED:
            server.board.delete(message)
        elif self.name == GONE:
            server.board.close(self.channel)
        elif self.name == ARCHIVED:
            return None
        elif self.place == CONFIRM:
            return server.faults.on("POST", "/callback", ONCE[self.name])
        elif self.name in OF_MESSAGES:
            fault = OF_MESSAGES[self.name]
            return server.faults.on("PATCH", edits + message, fault, nth=nth, times=None)
        elif self.name in LASTING:
            return server.faults.on("PATCH", edits, LASTING[self.name], nth=nth, times=None)
        else:
            return server.faults.on("PATCH", edits, ONCE[self.name], nth=nth)
        return None

    def _board(self, server: DiscordServer) -> Json | None:
        boards = [m for m in self._boards(server) if button_for(m, "resign")]
        return boards[-1] if boards else None

    def _boards(self, server: DiscordServer) -> list[Json]:
        return [m for m in server.board.in_channel(self.channel) if game_in(m)]


def scenes_at(places: Iterable[str]) -> list[Scene]:
    """A scene for each fault at these places."""
    return [Scene(name, place) for place in places for name in faults_at(place)]


def prepare(server: DiscordServer, scenes: list[Scene]) -> None:
    """Create the channels, before the bot connects."""
    server.guilds[GUILD].extend(scene.channel for scene in scenes)


async def watch(server: DiscordServer, truth: Truth, scenes: list[Scene], patience: float) -> None:
    """Play all scenes and record when each board is right."""
    watching = asyncio.create_task(_watch(server, truth, scenes))
    confirmed = [scene for scene in scenes if scene.place in (START, CONFIRM)]
    for scene in confirmed:
        # One after the other, since this fault is not limited to a channel.
        await scene.play(server)
    await asyncio.gather(*(one.play(server) for one in scenes if one not in confirmed))
    await asyncio.wait({watching}, timeout=patience)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


async def _watch(server: DiscordServer, truth: Truth, scenes: list[Scene]) -> None:
    waiting = list(scenes)
    while waiting:
        sessions = {str(s.channel_id): s for s in (await truth.sessions()).values()}
        for scene in [one for one in waiting if one.began]:
            session = scene.look(server, sessions.get(scene.channel))
            if session is not None:
                shown = shown_by(server.messages[str(session.message_id)])
                scene.wrong = ", ".join(shown.differences(await truth.board(session)))
            if not scene.wrong:
                scene.seconds = time.monotonic() - scene.began
                waiting.remove(scene)
        await asyncio.sleep(LOOKS)


def _stop(rule: Rule) -> None:
    rule.times = rule.hits
