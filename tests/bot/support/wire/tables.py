"""Simulated players: each table is a channel in which they play one game after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, cycle
from random import Random
from time import monotonic

from tests.bot.discord_server import GUILD, DiscordServer, Json, Person
from tests.bot.support.wire.boards import buttons_of, game_in
from tests.bot.support.wire.ledger import Ledger

KINDS: dict[str, tuple[tuple[str, str], ...]] = {
    "connect4": (("size", "5x4"), ("size", "6x7")),
    "gato": (),
    "boom": (("full_board", "7x7"),),
}
"""The games, with the options for their variants."""
LEVELS = ("easy", "medium")
OVER = ("rematch", "review", "replay")
LATER_SECONDS = 5.0
"""Seconds that players wait for a board after a private response."""
NEW_CHANNELS = count(5 * 10**18)
NEW_PEOPLE = count(6 * 10**18)


@dataclass(frozen=True, slots=True)
class Control:
    """A button that makes a move."""

    custom_id: str
    game_id: int
    number: int
    move: str


def moves_on(message: Json) -> list[Control]:
    """The moves that a board offers."""
    return [
        Control(button["custom_id"], int(parts[2]), int(parts[3]), parts[4])
        for button, parts in _parted(message)
        if parts[1] == "move" and not button.get("disabled")
    ]


def button_for(message: Json, action: str) -> str | None:
    """The custom id of the enabled button for an action; None without one."""
    return next(
        (
            button["custom_id"]
            for button, parts in _parted(message)
            if action in parts[1:3] and not button.get("disabled")
        ),
        None,
    )


def is_over(message: Json) -> bool:
    """Whether a board shows the end of its game."""
    return any(parts[1] in OVER for _, parts in _parted(message))


def is_answered(message: Json | None, number: int) -> bool:
    """Whether a board shows more than `number` moves and the next player may move."""
    if message is None:
        return False
    return is_over(message) or any(one.number > number for one in moves_on(message))


def _parted(message: Json) -> Iterator[tuple[Json, list[str]]]:
    for button in buttons_of(message["components"]):
        yield button, [*button["custom_id"].split(":"), "", ""]


@dataclass(frozen=True, slots=True)
class Seen:
    """A move as seen by its player; times are of the monotonic clock."""

    token: str
    clicked: float
    shown: float
    ended: bool
    """Whether it or the answer ended the game."""


@dataclass(slots=True)
class Table:
    """A channel with players of one kind of game."""

    server: DiscordServer
    ledger: Ledger
    rng: Random
    family: str
    between_people: bool = False
    levels: tuple[str, ...] = LEVELS
    variants: tuple[tuple[str, str], ...] | None = None
    channel: str = ""
    people: list[str] = field(default_factory=list)
    board_id: str | None = None
    guild: str = GUILD
    """The server of its channels."""
    answer_seconds: float = 10.0
    """Timeout of players in seconds."""
    waits: list[float] = field(default_factory=list)
    """Seconds from each click to the board with the answer to it."""
    seen: list[Seen] = field(default_factory=list)
    """These moves with their tokens."""
    silent: int = 0
    """Moves without an answer in time."""
    unbegun: int = 0
    """Starts without a board in time."""

    def __post_init__(self) -> None:
        """Create a channel."""
        self.move_away()

    def move_away(self) -> None:
        """Continue in another channel with other players."""
        self.channel = str(next(NEW_CHANNELS))
        self.server.guilds.setdefault(self.guild, []).append(self.channel)
        self.meet()

    def meet(self) -> None:
        """Replace the players by new ones without games or challenges."""
        self.people = [str(next(NEW_PEOPLE)) for _ in range(2 if self.between_people else 1)]
        self.board_id = None

    @property
    def board(self) -> Json | None:
        """The message that shows the game; None without one."""
        known = self.server.messages.get(self.board_id or "")
        if known is None:
            boards = (m for m in self.server.board.in_channel(self.channel) if game_in(m))
            known = max(boards, key=lambda m: int(m["id"]), default=None)
            self.board_id = known and known["id"]
        return known

    async def play_on(self, pause: float) -> None:
        """Play until cancelled, with random pauses of `pause` seconds on average."""
        while True:
            await asyncio.sleep(self.rng.expovariate(1 / pause))
            try:
                await self.step()
            except TimeoutError:
                continue

    async def step(self) -> None:
        """Begin a game, resign, or move; raises TimeoutError."""
        board = self.board
        if board is None or is_over(board):
            await self.begin()
        elif self.rng.random() < 0.02:
            await self.give_up(board)
        else:
            await self.move(board)

    async def begin(self) -> None:
        """Begin a game by command or by the rematch button."""
        board, mine = self.board, self.people[0]
        rematch = board and button_for(board, "rematch")
        if board is not None and rematch and self.rng.random() < 0.5:
            token = await self.server.press(board, rematch, user_id=mine)
        else:
            variants = KINDS[self.family] if self.variants is None else self.variants
            given: dict[str, str | Person] = dict([self.rng.choice(variants)] if variants else [])
            if self.between_people:
                given["opponent"] = Person(self.people[1])
            else:
                given["level"] = self.rng.choice(self.levels)
                given["first"] = self.rng.choice(("me", "bot"))
            token = await self.server.command(
                "start", family=self.family, channel=self.channel, user_id=mine, **given
            )
        await self._begun(token, board and board["id"])

    async def _begun(self, token: str, before: str | None) -> None:
        """Wait for the board of a requested game; `before` is the id of the previous board."""
        try:
            await self._acknowledged(token)
        except TimeoutError:
            self.unbegun += 1
            raise
        shown = self.server.messages.get(self.server.interactions.answered[token] or "")
        if shown is not None and shown["flags"]:
            shown = await self._came_later(before)
        if shown is None:
            # Refused, for example because of a challenge whose message was never sent.
            self.meet()
            return
        accept = button_for(shown, "accept")
        if accept is not None:
            await self.server.press(shown, accept, user_id=self.people[-1])
            await self.server.until(lambda: game_in(shown_again(self.server, shown)), 10.0)
        self.board_id = shown["id"]
        game = game_in(shown_again(self.server, shown))
        if game is not None:
            self.ledger.begun.add(game)

    async def _came_later(self, before: str | None) -> Json | None:
        """A board that followed a private response; None if that was a refusal."""

        def found() -> Json | None:
            here = self.server.board.in_channel(self.channel)
            return next((m for m in here if game_in(m) and m["id"] != before), None)

        with suppress(TimeoutError):
            return await self.server.until(found, LATER_SECONDS)
        return None

    async def give_up(self, board: Json) -> None:
        """Resign and confirm it."""
        resign = button_for(board, "resign")
        if resign is None:
            return
        user = self.rng.choice(self.people)
        token = await self.server.press(board, resign, user_id=user)
        await self._acknowledged(token)
        question = self.server.messages.get(self.server.interactions.answered[token] or "")
        # A game that has hardly begun is cancelled instead.
        sure = question and (button_for(question, "sure") or button_for(question, "cancel"))
        if question and sure:
            token = await self.server.press(question, sure, user_id=user)
            self.ledger.given_up[token] = int(sure.rsplit(":", 1)[-1])
            await self._acknowledged(token)
            await self.settled()

    async def move(self, board: Json) -> None:
        """Make a random move and wait until the board shows it and the answer."""
        possible = moves_on(board)
        if not possible:
            await self._until(lambda: is_answered(self.board, 0))
            return
        made, began, token = self.rng.choice(possible), monotonic(), ""
        for user in self.rng.sample(self.people, len(self.people)):
            token = await self._ask(board, made, user)
            await self._acknowledged(token)
            if self.ledger.is_acknowledged(self.ledger.asked[-1]):
                break
        try:
            await self._until(lambda: is_answered(self.board, made.number))
        except TimeoutError:
            self.silent += 1
            raise
        shown, board = monotonic(), self.board
        self.waits.append(shown - began)
        self.seen.append(Seen(token, began, shown, board is not None and is_over(board)))

    async def settled(self) -> None:
        """Wait until the board shows the end."""
        await self._until(lambda: self.board is not None and is_over(self.board))

    async def _ask(self, board: Json, made: Control, user: str) -> str:
        """Request a move by button or by command."""
        by_button = self.rng.random() < 0.75
        if by_button:
            token = await self.server.press(board, made.custom_id, user_id=user)
        else:
            name, given = _command(self.family, made.move)
            token = await self.server.command(
                name, family=self.family, channel=self.channel, user_id=user, **given
            )
        self.ledger.ask(token, made.game_id, made.number, int(user), made.move, by_button=by_button)
        return token

    async def _acknowledged(self, token: str) -> None:
        await self._until(lambda: token in self.server.interactions.answered)

    async def _until(self, find: object) -> None:
        assert callable(find)
        await self.server.until(find, self.answer_seconds)


def tables_of_every_game(
    server: DiscordServer, ledger: Ledger, rng: Random, other_guild: str | None = None
) -> list[Table]:
    """A table against an agent and one between players for each game.

    With `other_guild`, the tables against agents are on that server.
    """
    return [
        Table(
            *(server, ledger, Random(rng.getrandbits(64)), family, between_people),
            guild=GUILD if between_people or other_guild is None else other_guild,
        )
        for family in KINDS
        for between_people in (False, True)
    ]


def tables_on(server: DiscordServer, ledger: Ledger, number: int, guilds: int = 1) -> list[Table]:
    """Tables against agents for the games in turn, spread over the given servers and shards."""
    ids = [str(int(GUILD) + (n << 22)) for n in range(guilds)]
    for guild in ids:
        server.guilds.setdefault(guild, [])
    families = cycle(KINDS)
    return [
        Table(server, ledger, Random(n), next(families), guild=ids[n % guilds])
        for n in range(number)
    ]


def shown_again(server: DiscordServer, message: Json) -> Json:
    """The present version of a message."""
    return server.messages.get(message["id"], message)


def _command(family: str, move: str) -> tuple[str, dict[str, str | int]]:
    """The command that makes a move."""
    if family == "gato":
        return "place", {"square": move}
    return ("drop", {"column": int(move)}) if move.isdecimal() else ("explode", {})
