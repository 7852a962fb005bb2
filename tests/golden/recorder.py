"""Records the bot's messages in a conversation: texts, files, and above all buttons and menus.

It does not use the bot's code: it reads the messages on the offline Discord.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import discord
from simcord.results import ResponseMessage

from tests.bot.discord.stage import command_for
from tests.bot.features.settings.entering import enter

WIDTH = 100
INDENT = "|   "
"""Begins the rest of a broken line; other lines of a message begin with `| `."""
TIME = re.compile(r"<t:\d+(:\w)?>")
DURATION = re.compile(r"\b\d+([.,]\d+)? s\b")
SNOWFLAKE = re.compile(r"(?<=[/@#])\d{16,}")
LESSON_FROM_GAME = re.compile(r"(?<=learn:)\d+\.\d+")
WAY = re.compile(r"((?:explore|threats):\w+):\w+:\w+")
PUZZLE = re.compile(r"(?<=puzzle:)[0-9A-Z]{6}\b")
MAX_OPTIONS = 10
"""Longer menus of a form are cut."""
MAX_STEPS = 60
"""How often a condition is checked before the recorder gives up."""
MOVES = {
    "connect4": ("drop", "column", int),
    "gato": ("place", "square", str),
    "boom": ("drop", "column", int),
}
"""How a move is made by command: the command, its option and the option's kind."""


class Recorder:
    """One conversation in one language, with the results of each step."""

    def __init__(self, venue: Any, family: str, language: str) -> None:
        """Begin with the messages that exist already."""
        self.venue = venue
        self.family = family
        self.ana, self.bea, self.mod = venue.ana, venue.bea, venue.mod
        self.language = language
        self.lines: list[str] = []
        self.is_vague = False
        """Whether only kinds of buttons are recorded, because the rest is random."""
        self._shown: dict[int, list[str]] = {}
        venue.speak(language)
        self.skip()

    async def slash(self, actor: Any, command: str, **options: Any) -> None:
        """Use a command of the game, or any command by its full name."""
        name, own = (command, {}) if " " in command else command_for(self.family, command)
        options = own | options
        await actor.slash(self.venue.channel, name, **options)
        given = " ".join(f"{key}={_given(value)}" for key, value in options.items())
        self.note(f"{_name(actor)}: /{name} {given}".rstrip())

    async def fill(self, actor: Any, command: str, **changed: Any) -> None:
        """Open a form by command, change some of its fields, and submit it."""
        shown = await actor.slash(self.venue.channel, command)
        await self._submit(actor, shown, f"{_name(actor)}: /{command}", changed)

    async def _submit(
        self, actor: Any, shown: Any, opened: str, changed: Mapping[str, Any]
    ) -> None:
        self.lines += ["", f"-- {opened}", f"   form: {shown.modal['title']}"]
        for part in shown.modal["components"]:
            options = part["component"].get("options", ())
            texts = [("*" if one.get("default") else "") + one["label"] for one in options]
            texts = [*texts[:2], "…", *texts[-1:]] if len(texts) > MAX_OPTIONS else texts
            self.lines.append(f"   {part['label']}: {' | '.join(texts) or 'a channel'}")
        await enter(actor, shown, **changed)
        self.note(f"{_name(actor)} submits it")

    async def move(self, actor: Any, move: str) -> None:
        """Make a move by command, and record nothing."""
        name, option, kind = MOVES[self.family]
        command = f"{self.family} {name}"
        await actor.slash(self.venue.channel, command, **{option: kind(move)})

    async def press(
        self,
        actor: Any,
        start: str,
        *,
        optional: bool = False,
        name: str = "",
        form: Mapping[str, Any] | None = None,
    ) -> bool:
        """Press the newest button with this start of a custom id; returns whether there is one.

        Without `optional` there must be one. It is recorded by its custom id or by `name`. If it
        opens a form, that is submitted with the changes in `form`.
        """
        found = self.find(actor, f"cuatro:{start}")
        if found is None:
            assert optional, f"no button {start} for {_name(actor)}"
            return False
        message, custom_id = found
        shown = await actor.click(message, custom_id=custom_id)
        known = f"cuatro:{start}…" if self.is_vague else custom_id
        if form is not None:
            await self._submit(actor, shown, f"{_name(actor)} presses {name or known}", form)
            return True
        self.note(f"{_name(actor)} presses {name or known}")
        return True

    async def choose(self, actor: Any, start: str, value: Any) -> None:
        """Choose from the newest menu whose custom id begins with `start`."""
        found = self.find(actor, f"cuatro:{start}")
        assert found is not None, f"no menu {start} for {_name(actor)}"
        message, custom_id = found
        await actor.select(message, [value], custom_id=custom_id)
        self.note(f"{_name(actor)} chooses {_given(value)} from {custom_id}")

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        await self.venue.let_pass(seconds)
        self.note(f"{seconds:.0f} seconds later")

    async def until(
        self, is_done: Callable[[], bool], act: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        """Let time pass, or repeat an action, until a condition holds."""
        for _ in range(MAX_STEPS):
            if is_done():
                return
            await (act() if act else self.venue.env.advance_time(2))
        raise AssertionError("it is never done")

    def shows(self, start: str) -> bool:
        """Return whether any message has a button or menu whose custom id begins with `start`."""
        people = (self.ana, self.bea, self.mod)
        return any(self.find(actor, f"cuatro:{start}") is not None for actor in people)

    def first_answer(self) -> None:
        """Record the first answer to the latest interaction, which may have been edited since."""
        sent = [r.json for r in self.venue.env.http_requests if r.path.endswith("/callback")]
        self.lines += ["", "-- what it showed at first"]
        for line in _content(sent[-1]["data"]):
            self.lines.append(self._plain(line))

    def skip(self) -> None:
        """Do not record the changes since the last step."""
        self._shown = {message.id: _of_message(message) for message in self._messages()}

    def note(self, title: str) -> None:
        """Record the messages that are new or have changed."""
        self.lines += ["", f"-- {self._plain(title)}"]
        now = dict[int, list[str]]()
        for message in self._messages():
            now[message.id] = content = _of_message(message)
            before = self._shown.get(message.id)
            if content != before:
                kind = "new" if before is None else "changed"
                self.lines.append(f"{kind} message {self._seen_by(message)}")
                self.lines += [self._plain(one) for one in content if self._is_kept(one)]
        self.lines += ["a message was deleted"] * len(self._shown.keys() - now.keys())
        self._shown = now

    def _is_kept(self, line: str) -> bool:
        return not self.is_vague or (line.startswith("row ") and ":   option" not in line)

    def find(self, actor: Any, start: str) -> tuple[ResponseMessage, str] | None:
        """The newest message with a usable control whose id begins with `start`, and the id."""
        for message in reversed(list(self._messages())):
            for row in message.components if message.visible_to(actor.id) else ():
                for item in row.get("components", ()):
                    custom_id = str(item.get("custom_id", ""))
                    if custom_id.startswith(start) and not item.get("disabled"):
                        return ResponseMessage(self.venue.env, message), custom_id
        return None

    def _messages(self) -> Iterator[Any]:
        """All messages of the server, the oldest first."""
        channels = self.venue.env.backend.messages.values()
        found = {key: message for channel in channels for key, message in channel.items()}
        yield from (found[key] for key in sorted(found))

    def _seen_by(self, message: Any) -> str:
        """The channel of a message, and its reader if it is private."""
        place = "here" if message.channel_id == self.venue.channel.id else "in the other channel"
        people = (self.ana, self.bea, self.mod)
        seen = [_name(actor) for actor in people if message.visible_to(actor.id)]
        return (
            place if len(seen) == len(people) else f"{place}, for {' '.join(seen) or 'Max'} alone"
        )

    def _plain(self, line: str) -> str:
        """A line without the parts that differ from run to run."""
        for actor in (self.ana, self.bea, self.mod):
            line = line.replace(str(actor.id), _name(actor).upper())
        line = line.replace(str(self.venue.env.guild.id), "GUILD")
        line = PUZZLE.sub("PUZZLE", SNOWFLAKE.sub("ID", line))
        if self.is_vague:
            line = WAY.sub(r"\1:CODE:WAY", line.removesuffix(" disabled"))
            line = LESSON_FROM_GAME.sub("GAME.MOVE", line)
        return line


def _name(actor: Any) -> str:
    return str(actor.user.global_name)


def _given(value: Any) -> str:
    return _name(value) if hasattr(value, "user") else str(getattr(value, "name", value))


def _of_message(message: Any) -> list[str]:
    shown = {key: getattr(message, key) for key in ("content", "components", "attachments")}
    return _content(shown) + [f"pings {user_id}" for user_id in message.ping_user_ids]


def _content(message: Any) -> list[str]:
    """The content of a message, with one line for each button."""
    lines = list[str]()
    content = TIME.sub(r"<t:TIME\1>", DURATION.sub("N s", message.get("content") or ""))
    for text in content.splitlines():
        lines += textwrap.wrap(f"| {text}", WIDTH, subsequent_indent=INDENT) or ["|"]
    lines += [f"file {file['filename']}" for file in message.get("attachments") or ()]
    for number, row in enumerate(message.get("components") or (), 1):
        for item in row["components"]:
            lines += [f"row {number}: {line}" for line in _of_item(item)]
    return lines


def _of_item(item: Any) -> Iterator[str]:
    """The lines of a button, or of a menu with its options."""
    state = " disabled" if item.get("disabled") else ""
    emoji = f" {item['emoji']}" if item.get("emoji") else ""
    if item["type"] == discord.ComponentType.button.value:
        style = discord.ButtonStyle(item["style"]).name
        yield f"{style} [{item.get('label')}]{emoji} {item['custom_id']}{state}"
        return
    kind = discord.ComponentType(item["type"]).name
    yield f"{kind} [{item.get('placeholder')}] {item['custom_id']}{state}"
    for option in item.get("options", ()):
        extra = [f" {key}={option[key]}" for key in ("description", "emoji") if option.get(key)]
        yield f"  option {option['value']} [{option['label']}]{''.join(extra)}"
