"""Help: three lines of commands that can be pressed, topics to choose from, and each game's rules.

Commands and buttons of features that are not there are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import discord
from discord import ButtonStyle, Interaction, app_commands

from bot.board.messages import Button
from bot.board.starting import LAB, WATCH
from bot.board.welcome import BEGIN, HELP, friend_button, play_button, rules_pictures
from bot.discord.commands import (
    CommandMentions,
    GameCommand,
    GlobalCommand,
    command,
    command_path,
    game_option,
)
from bot.discord.replies import answer_privately
from bot.discord.routes import FAMILY, CustomId, Route, chosen, lasting_view
from bot.game.refusal import Refusal
from bot.i18n import ENGLISH, Translator, say_for, say_in
from bot.store.records import AUTO
from engine.core.registry import default_game, games

OVERVIEW = "overview"
"""The topic that help begins with."""

PLAYING, FRIENDS, TRAINING, DATA = "playing", "friends", "training", "data"
SERVER, EXPERTS = "server", "experts"

TOPIC = CustomId("help:topic")
"""The menu of topics."""

RULES = CustomId("help:rules", f"(?P<family>{FAMILY})")
"""The ids of buttons that show the rules of a game."""

SUMMARY = (
    (("play", ("begin",)), ("puzzles", ("puzzle", "daily"))),
    (("learn", ("learn",)), ("you", ("stats", "history", "settings"))),
)
"""The first lines of the overview: subjects, with the keys of their commands."""

MAX_LINES = 5
"""The most lines of a topic."""


@dataclass(frozen=True, slots=True)
class HelpButton:
    """A button under some topics of help."""

    order: int
    topics: tuple[str, ...]
    make: Callable[[str, Translator], Button]
    """Makes it for the game with a key."""
    main_in: tuple[str, ...] = ()
    """The topics whose main button it is; others keep the style that it is made with."""


def watch_button(family: str, say: Translator) -> Button:
    """The button that begins a game between two agents."""
    return WATCH.button(family, label=say("button.watch"))


BUTTONS = (
    HelpButton(10, (OVERVIEW, PLAYING), play_button),
    HelpButton(
        60, (OVERVIEW, FRIENDS), lambda _family, say: friend_button(say), main_in=(FRIENDS,)
    ),
    HelpButton(70, (EXPERTS,), watch_button),
)
"""The buttons of the core, besides those that begin other games and show rules."""


class HelpHandler:
    """Answers people who ask for help, privately."""

    def __init__(
        self,
        tree: app_commands.CommandTree[Any],
        mentions: CommandMentions,
        buttons: Iterable[HelpButton] = (),
    ) -> None:
        """Name the commands of `tree` by `mentions`; `buttons` are those of features."""
        self._tree = tree
        self._mentions = mentions
        self._buttons = sorted((*BUTTONS, *buttons), key=lambda one: one.order)

    @property
    def global_commands(self) -> tuple[GlobalCommand, ...]:
        """The command `help`."""
        return (GlobalCommand(130, self._command()),)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The button under the greeting that asks for help, and the menu of topics."""
        return HELP.route(self._more), TOPIC.route(self._choose), RULES.route(self.help)

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
            await answer_privately(interaction, self._overview(say), self._view(OVERVIEW, say))
        else:
            text, view = say(f"help.{family}"), rules_view(family, say)
            pictures = await rules_pictures(family, say)
            await answer_privately(interaction, text, view, pictures)

    async def _choose(self, interaction: Interaction[Any]) -> None:
        """Show a topic in place of the overview or of another topic."""
        topic, say = chosen(interaction), say_for(interaction.locale.value)
        if topic not in TOPICS:
            raise Refusal("unknown_button")
        # The menu shows which topic it is.
        text = "\n".join(self._lines(topic, say))
        await interaction.response.edit_message(content=text, view=self._view(topic, say))

    def _overview(self, say: Translator) -> str:
        """The lines with the commands that there are."""
        lines = [[self._subject(name, keys, say) for name, keys in line] for line in SUMMARY]
        texts = [" · ".join(filter(None, line)) for line in lines]
        return "\n".join((*filter(None, texts), say("help.threads")))

    def _subject(self, subject: str, keys: tuple[str, ...], say: Translator) -> str:
        """A subject with its commands; empty if there are none."""
        named = [self._mentions(key, say=say) for key in keys if self._has((key,))]
        listed = say.all_of(named)
        return say(f"help.{subject}", commands=listed) if named else ""

    def _lines(self, topic: str, say: Translator) -> Iterator[str]:
        """The lines of a topic, each a command and what it is for."""
        present = [one for one in TOPICS[topic] if self._has(one[1])]
        for about, keys in present[:MAX_LINES]:
            family = keys[0] if keys[0] in games() else default_game().key
            text = say(f"about.{topic}.{about}", game=say(f"game.{family}"))
            yield f"{self._mentions(*keys, say=say)} – {text}"

    def _has(self, keys: tuple[str, ...]) -> bool:
        """Whether there is a command whose texts have these keys, with its group first."""
        english = say_in(ENGLISH)
        try:
            name, *rest = command_path(keys, english).split()
        except KeyError:
            return False
        found = self._tree.get_command(name)
        if isinstance(found, app_commands.Group):
            return bool(rest) and found.get_command(*rest) is not None
        return found is not None and not rest

    def _view(self, topic: str, say: Translator) -> discord.ui.View:
        """The buttons of a topic, above the menu of all topics."""
        view, family = lasting_view(), default_game().key
        for one in self._buttons:
            if topic in one.topics:
                button = one.make(family, say)
                if topic in one.main_in:
                    button.style = ButtonStyle.primary
                view.add_item(button)
        if topic == PLAYING:
            for other in (key for key in games() if key != family):
                view.add_item(BEGIN.button(other, AUTO, label=say(f"game.{other}")))
            view.add_item(RULES.button(family, label=say("button.rules")))
        options = [
            discord.SelectOption(label=say(f"help.topic.{name}"), value=name, default=name == topic)
            for name in TOPICS
        ]
        view.add_item(TOPIC.menu(options=options, text=say("help.menu")))
        return view


Line = tuple[str, tuple[str, ...]]
"""The key of a text, and those of a command."""


def _lines_of(*keys: str, group: str | None = None) -> tuple[Line, ...]:
    """Lines about commands of a group, or about commands without one."""
    return tuple((key, (key,) if group is None else (group, key)) for key in keys)


TOPICS: dict[str, tuple[Line, ...]] = {
    PLAYING: (
        *_lines_of("begin"),
        # One line is left for hints.
        *(("start", (key, "start")) for key in list(games())[: MAX_LINES - 2]),
        *_lines_of("hint", group=default_game().key),
    ),
    FRIENDS: _lines_of("begin", "together", "storm", "games", "leaderboard"),
    TRAINING: _lines_of("puzzle", "daily", "learn", "history", "analyze"),
    DATA: _lines_of("stats", "settings", "privacy"),
    SERVER: (*_lines_of("settings", "daily"), *_lines_of("resign", group=default_game().key)),
    EXPERTS: _lines_of("watch", "league", "report", "export", "play_agent", group=LAB),
}
"""The topics in the order of the menu, and the commands that they name."""


def rules_view(family: str, say: Translator) -> discord.ui.View:
    """The button under a game's rules, which begins that game."""
    view = lasting_view()
    label = say("button.play_game", game=say(f"game.{family}"))
    view.add_item(BEGIN.button(family, AUTO, label=label, style=ButtonStyle.primary))
    return view
