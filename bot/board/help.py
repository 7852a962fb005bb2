"""Help: three lines of commands that can be pressed, and the rules of each game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import ButtonStyle, Interaction

from bot.board.welcome import BEGIN, HELP
from bot.discord.commands import (
    CommandMentions,
    GameCommand,
    GlobalCommand,
    command,
    command_path,
    game_option,
)
from bot.discord.replies import answer_privately
from bot.discord.routes import Route, lasting_view
from bot.i18n import ENGLISH, Translator, say_for, say_in
from bot.store.records import AUTO
from engine.core.registry import default_game, games

LINES = (
    (("play", ("begin",)), ("puzzles", ("puzzle", "daily"))),
    (("learn", ("learn",)), ("you", ("stats", "history", "settings"))),
)
"""The lines of help: topics, with the keys of their commands."""


@dataclass(frozen=True, slots=True)
class HelpHandler:
    """Answers people who ask for help, privately."""

    client: discord.Client
    mentions: CommandMentions

    @property
    def global_commands(self) -> tuple[GlobalCommand, ...]:
        """The command `help`."""
        return (GlobalCommand(130, self._command()),)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The button under the greeting that asks for help."""
        return (HELP.route(self._more),)

    def _command(self) -> GameCommand:
        @command("help")
        @game_option(games())
        async def help_(interaction: Interaction[Any], game: str | None = None) -> None:
            await self.help(interaction, game)

        return help_

    async def _more(self, interaction: Interaction[Any], _family: str) -> None:
        await self.help(interaction, None)

    async def help(self, interaction: Interaction[Any], family: str | None) -> None:
        """Say what the bot can do, or how one game is played."""
        say = say_for(interaction.locale.value)
        if family is None:
            text, label = self._overview(say), say("button.play_now")
        else:
            label = say("button.play_game", game=say(f"game.{family}"))
            text = say(f"help.{family}")
        view = play_view(family or default_game().key, label)
        await answer_privately(interaction, text, view)

    def _overview(self, say: Translator) -> str:
        """The lines with the commands that there are."""
        lines = [[self._topic(name, keys, say) for name, keys in line] for line in LINES]
        texts = [" · ".join(filter(None, line)) for line in lines]
        return "\n".join((*filter(None, texts), say("help.threads")))

    def _topic(self, topic: str, keys: tuple[str, ...], say: Translator) -> str:
        """A topic with its commands; empty if there are none."""
        named = [self.mentions(key, say=say) for key in keys if self._has(key)]
        listed = ", ".join(named)
        if len(named) == 2:
            listed = say("help.pair", first=named[0], last=named[1])
        return say(f"help.{topic}", commands=listed) if named else ""

    def _has(self, key: str) -> bool:
        """Whether there is a global command whose texts have this key."""
        tree = getattr(self.client, "tree")  # noqa: B009  # only clients with commands have one
        english = say_in(ENGLISH)
        return f"command.{key}.name" in english.texts and bool(
            tree.get_command(command_path((key,), english))
        )


def play_view(family: str, label: str) -> discord.ui.View:
    """A button that starts a game of a family."""
    view = lasting_view()
    view.add_item(BEGIN.button(family, AUTO, label=label, style=ButtonStyle.primary))
    return view
