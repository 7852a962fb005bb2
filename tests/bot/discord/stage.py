"""A channel with one game, in which tests provoke refusals in every language."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.i18n import LANGUAGES, say_in
from engine.core.registry import games
from tests.bot.present import require

Act = Callable[[], Awaitable[Any]]
Scene = Callable[["Stage"], Awaitable[None]]
SCENES: dict[str, tuple[tuple[str, ...], Scene]] = {}
"""Scenes by name, each with the refusals that it provokes."""


def scene(*keys: str) -> Callable[[Scene], Scene]:
    """Register a scene that provokes these refusals on any stage and proves their advice."""

    def add(play: Scene) -> Scene:
        SCENES[play.__name__] = (keys, play)
        return play

    return add


async def move_by_command(actor: Any, channel: Any, family: str, move: str) -> Any:
    """Make a move by the game's command for it."""
    commands = {command.text: command for command in reversed(games()[family].commands)}
    command = commands.get(move, commands["{}"])
    value = int(move) if command.is_number else move
    options = {command.option: value} if command.option else {}
    return await actor.slash(channel, f"{family} {command.name}", **options)


LAB = ("watch", "league", "report", "export")
GLOBAL = ("analyze", "daily", "games", "help", "history", "leaderboard", "learn", "puzzle", "stats")
NOT_OF_A_GAME = ("export", "settings", "privacy")


def command_for(family: str, command: str) -> tuple[str, dict[str, Any]]:
    """The name of a command, and the options that make it one for a game."""
    own = {} if command in NOT_OF_A_GAME else {"game": family}
    if command == "watch":
        own |= {"first": "medium", "second": "hard"}
    if command in LAB:
        return f"lab {command}", own
    if command in (*GLOBAL, *NOT_OF_A_GAME, "together"):
        return command, own
    return f"{family} {command}", {}


@dataclass(frozen=True)
class Stage:
    """One game's commands in one channel."""

    venue: Any
    family: str
    channel: Any

    async def slash(self, actor: Any, command: str, **options: Any) -> Any:
        """Use a command here: one of the game, or a global one for the game."""
        name, given = command_for(self.family, command)
        return await actor.slash(self.channel, name, **(given | options))

    async def play(self, actor: Any, move: str | None = None) -> Any:
        """Make this move by command, or the first allowed one."""
        if move is None:
            session = await self.game()
            move = session.game.label(session.position.legal_moves()[0])
        return await move_by_command(actor, self.channel, self.family, move)

    async def game(self) -> Any:
        """The running game, if there is one."""
        return await self.venue.services.sessions.games.current(self.channel.id)

    async def befriend(self) -> None:
        """Begin a friendly game between Ana and Bea, Ana first."""
        ana, bea = self.venue.ana, self.venue.bea
        form = await ana.slash(self.channel, "play", game=self.family, opponent=bea)
        await ana.click(form.response, label="Friendly")
        sent = await ana.click(form.response, label="Send")
        await bea.click(sent.followups[0].message, label="Accept")

    async def pair(self, moves: int = 0) -> None:
        """Begin a game between Ana and Bea, Ana first, and make this number of moves."""
        offered = await self.slash(self.venue.ana, "start", opponent=self.venue.bea)
        await self.venue.bea.click(offered.response, label="Accept")
        for _ in range(moves - 1):
            session = await self.game()
            await self.make([session.game.label(session.position.legal_moves()[0])])
        if moves:
            # The board shows the last one.
            await self.play(await self.mover())

    async def make(self, moves: Iterable[str]) -> None:
        """Make moves, each for the person to move, without showing them."""
        sessions = self.venue.services.sessions
        for move in moves:
            user_id = (await self.game()).mover.user_id
            await sessions.play(self.channel.id, user_id, move)

    async def mover(self) -> Any:
        """The player to move in a game between Ana and Bea."""
        session, venue = await self.game(), self.venue
        return venue.ana if session.mover.user_id == venue.ana.id else venue.bea

    def board(self) -> Any:
        """The newest board in this channel."""
        return self.venue.board(self.channel)

    def has(self, command: str) -> bool:
        """Whether the game has this command; some commands come from features."""
        name, *rest = command_for(self.family, command)[0].split()
        found = self.venue.env.bot.tree.get_command(name)
        return found is not None and (not rest or found.get_command(*rest) is not None)

    def labels(self) -> set[str]:
        """The labels of the board's buttons."""
        return {button.label for row in self.board().components for button in row.children}

    async def press(self, actor: Any, label: str) -> Any:
        """Press a button of the board."""
        return await actor.click(self.board(), label=label)

    async def replay(self, actor: Any) -> Any:
        """Open the replay of the finished game, which is behind its review."""
        require("reviews")
        review = await self.press(actor, "Review")
        rows = review.response.components
        ids = (str(button["custom_id"]) for row in rows for button in row["components"])
        replay = next(one for one in ids if one.startswith("cuatro:replay:"))
        return await actor.click(review.response, custom_id=replay)

    async def press_unseen(self, actor: Any, message: Any, label: str) -> None:
        """Press a button whose answer never arrives, so that the message keeps its buttons."""
        late = {"status": 404, "code": 10062, "message": "Unknown interaction"}
        self.venue.env.inject_error("POST", "/interactions/*/callback", **late, times=1)
        await actor.click(message, label=label)

    async def in_another_channel(self, *, thread: bool = False) -> Stage:
        """A stage for the same game in another channel, or in a thread of this one."""
        if not thread:
            return Stage(self.venue, self.family, self.venue.env.guild.create_text_channel("new"))
        channel = self.venue.env.bot.get_channel(self.channel.id)
        await channel.create_thread(name="ours", type=discord.ChannelType.public_thread)
        return Stage(self.venue, self.family, self.channel.threads[-1])

    async def refuses(
        self, key: str, act: Act, languages: Sequence[str] = tuple(reversed(LANGUAGES))
    ) -> str:
        """Require this refusal of an action in every language; return the last answer."""
        said = ""
        for language in languages:
            self.venue.speak(language)
            result = await act()
            messages = [m for m in (result.response, *result.followups) if m is not None]
            said = messages[-1].content
            assert messages[-1].ephemeral, said
            say = say_in(language)
            kind, _, name = f"refusal.{key}".rpartition(".")
            assert re.fullmatch(_pattern(say.texts[say.key(kind, self.family, name)]), said), said
            assert "None" not in said
        return said

    async def offers(self, actor: Any, other: Any) -> Any:
        """Challenge another person; return the message."""
        offered = await self.slash(actor, "start", opponent=other)
        assert not offered.ephemeral, offered.response.content
        return offered.response

    async def withdraw(self, actor: Any, challenge: Any) -> None:
        """Withdraw one's own challenge."""
        asked = await actor.click(challenge, label="Decline")
        await actor.click(asked.response.message, label="Withdraw")

    async def fills(self, actor: Any, games: int = 5) -> list[Stage]:
        """Begin this number of games for one person, each in a channel of its own."""
        stages = [await self.in_another_channel() for _ in range(games)]
        for stage in stages:
            await stage.begins(actor)
        return stages

    async def begins(self, actor: Any, **options: Any) -> None:
        """Require that a person can begin a game here."""
        started = await self.slash(actor, "start", **(options or {"level": "easy"}))
        assert not started.ephemeral, started.response.content

    async def resign(self, actor: Any) -> Any:
        """Resign this game or stop it, and confirm that where it is asked."""
        return await self.venue.resign(actor, self.channel, self.family)

    async def clear(self) -> None:
        """End every game and withdraw every challenge."""
        services = self.venue.services
        for record in await services.store.games.running():
            channel = record.setup.channel_id
            await services.sessions.resign(channel, 1, moderator=True)
        for challenge in await services.store.challenges.open():
            await services.store.challenges.answer(challenge.id, "withdrawn")


def _pattern(text: str) -> str:
    """A pattern that matches a text with any values in its fields."""
    parts = re.split(r"\{[a-z]+\}", text)
    return "(?s)" + ".+".join(re.escape(part) for part in parts)
