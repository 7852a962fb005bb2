"""Golden conversations: the bot's messages on Discord, button by button, and its commands.

People talk to the bot on the offline Discord, and everything that they see is recorded. Nothing
here names a class or function of the bot, except those that start it, so the files stay valid when
its code is reorganised. A change of a text, a button, a custom id or a command appears in them as
readable text.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import discord

from bot.app import open_services
from bot.game.clocks import SILENCE
from bot.sessions.people import OPEN_SECONDS
from bot.settings import UNLIMITED, Settings
from engine.core.registry import games
from tests.bot.clock import StepClock
from tests.bot.conftest import empty_database, open_venue
from tests.bot.databases import address_of
from tests.bot.discord.forging import forge
from tests.golden.recorder import Recorder

Conversation = Callable[[Recorder], Awaitable[None]]

ENGLISH, SPANISH = "en-US", "es-419"
LANGUAGE_OF = {"connect4": ENGLISH, "gato": SPANISH, "boom": ENGLISH}
"""One language for each game, as most texts are the same for all of them."""
NOON_IN_2040 = 2_209_032_000.0
"""The time of the conversations, so that the puzzle of the day is always the same."""
SEED = 7
STORED = Path(__file__).with_name("conversations")
"""The folder of the recorded conversations."""

MOVES = {
    "connect4": ("ababab", "4 1 4 2 4 6"),
    "gato": ("abababab", "a1 b2 a2 b3 a3 b1 c2 a4"),
    "boom": ("abbaabbaab", "2 5 5 2 3 5 4 6 5 1"),
}
"""Games between two people with mistakes in them, so that exercises exist: the player of each move,
Ana or Bea, and the moves."""
ANALYSED = {
    "connect4": {"moves": "1121", "size": "5x4"},
    "gato": {"moves": "a1b1a2b2a3"},
    "boom": {"moves": "1772"},
}
"""A position of each game that is analysed quickly."""
SOLVED = ("connect4",)
"""Games whose answers do not depend on the engine's speed; in others it may search less far."""
BOARDS = {
    "connect4": ("size", ("4x4", "5x5", "7x6", "6x8")),
    "boom": ("full_board", ("7x7-draw",)),
}
"""Boards of other shapes: the option of `start`, and its values."""


def game_lines(family: str) -> Iterator[str]:
    """Yield the file of a game: all interactions with its boards."""
    boards = (challenge, against_agent, pie_rule, watched, together, analysis, daily_puzzle)
    yield from _recorded(family, LANGUAGE_OF[family], *boards)
    if games()[family].lessons:
        for language in (ENGLISH, SPANISH):
            yield from _recorded(family, language, lessons)


def person_lines() -> Iterator[str]:
    """Yield the file of interactions without a board: the greeting, lists, settings, privacy."""
    for language in (ENGLISH, SPANISH):
        yield from _recorded(
            "connect4", language, greeting, puzzles, lists, privacy, server_settings
        )
        yield from _recorded("connect4", language, invitations)
        yield from _recorded("connect4", language, match_of_four)
        yield from _recorded("connect4", language, fair_play)
    yield from _recorded("connect4", ENGLISH, long_lists)


def press_lines() -> Iterator[str]:
    """Yield the answers to each kind of custom id, on buttons of any age."""
    yield from _recorded("connect4", ENGLISH, old_buttons)


def command_lines() -> Iterator[str]:
    """Yield the commands as they are sent to Discord, as JSON."""
    payload = asyncio.run(_command_payload())
    yield from json.dumps(payload, ensure_ascii=False, indent=1, sort_keys=True).splitlines()


def custom_id_lines() -> Iterator[str]:
    """Yield each form of custom id in the stored conversations, with the first and last example.

    In a form `#` replaces every part that has digits.
    """
    texts = [file.read_text("utf-8") for file in sorted(STORED.glob("*.txt"))]
    found = {one for text in texts for one in re.findall(r"^row .* (cuatro:\S*)", text, re.M)}
    forms = dict[str, list[str]]()
    for one in sorted(found):
        parts = [part if part in games() else _form(part) for part in one.split(":")]
        forms.setdefault(":".join(parts), []).append(one)
    for form, found_ids in sorted(forms.items()):
        examples = [one for one in found_ids if not re.search("[A-Z]{3}", one)] or found_ids
        yield f"{form}  {' '.join(dict.fromkeys((examples[0], examples[-1])))}"


def _form(part: str) -> str:
    return "#" if any(map(str.isdigit, part)) or part.isupper() else part


async def _command_payload() -> Any:
    async with _opened() as venue:
        requests = [r for r in venue.env.http_requests if r.method == "PUT"]
        (sent,) = (r.json for r in requests if r.path.endswith("/commands"))
        return sent


def _recorded(family: str, language: str, *parts: Conversation) -> list[str]:
    """Return the records of conversations on one server."""
    return asyncio.run(_record(family, language, parts))


async def _record(family: str, language: str, parts: tuple[Conversation, ...]) -> list[str]:
    lines = list[str]()
    async with _opened() as venue:
        for part in parts:
            recorder = Recorder(venue, family, language)
            await part(recorder)
            title = f"######## {part.__name__.replace('_', ' ')}, {family}, {language}"
            lines += [title, *recorder.lines, ""]
    return lines


@asynccontextmanager
async def _opened() -> AsyncIterator[Any]:
    """A bot with default settings, but without limits, on an empty database and a new server."""
    clock = StepClock()
    clock.forward(NOON_IN_2040 - clock())
    with TemporaryDirectory() as folder:
        file = Path(folder) / "golden.db"
        file.write_bytes(_template())
        address = address_of(file)
        settings = replace(Settings(), database_url=address, workers=2, limits=UNLIMITED)
        async with (
            open_services(settings, Random(SEED), clock) as services,
            open_venue(services) as venue,
        ):
            yield venue


@cache
def _template() -> bytes:
    """An empty database of the newest version."""
    with TemporaryDirectory() as folder:
        return empty_database(Path(folder) / "template.db").read_bytes()


async def challenge(on: Recorder) -> None:
    """Two people play with undo, draw and hint, then use review, replay and rematch."""
    ana, bea = on.ana, on.bea
    await on.slash(ana, "start", opponent=bea)
    await on.press(bea, "decline:")
    await on.slash(ana, "start", opponent=bea)
    await on.press(bea, "accept:")
    await on.press(ana, "move:")
    await on.press(bea, "move:")
    await on.press(bea, "undo:")
    await on.press(ana, "undo:decline:")
    await on.press(bea, "undo:")
    await on.press(bea, "draw:")
    await on.press(ana, "undo:")
    await on.press(bea, "undo:accept:")
    await on.wait(SILENCE)
    await on.press(ana, "mute:")
    await on.press(ana, "mute:")
    if on.family in SOLVED:
        await on.press(ana, "hint:")
        while await on.press(ana, "more:", optional=True):
            pass
    await on.slash(bea, "games")
    await on.slash(bea, "board")
    await play(on, ana, bea)
    await on.press(ana, "draw:")
    await on.press(bea, "draw:decline:")
    await on.press(ana, "resign:")
    await on.press(ana, "keep:")
    await on.press(ana, "resign:")
    await on.press(ana, "sure:")
    on.is_vague = on.family not in SOLVED
    await on.press(bea, "review:")
    for word in ("details", "back", "moves", "back", "why", "lines"):
        await on.press(bea, f"review:{word}:", optional=True)
    await on.press(bea, "drill:open:")
    await on.press(bea, "try:")
    for word in ("again", "solve", "ask"):
        await on.press(bea, f"drill:{word}:")
    on.is_vague = False
    await on.press(bea, "replay:")
    for word in ("last", "back", "forward", "first"):
        await on.press(bea, f"step:{word}:")
    await on.press(bea, "play:")
    await on.press(bea, "share:")
    await on.press(bea, "rematch:")
    await on.press(ana, "accept:")
    await play(on, bea, ana)
    await on.press(bea, "undo:")
    await on.press(ana, "undo:accept:")
    await on.slash(ana, "draw")
    await on.slash(bea, "draw")


async def play(on: Recorder, first: Any, second: Any) -> None:
    """Two people make the moves of MOVES."""
    movers, moves = MOVES[on.family]
    people = {"a": first, "b": second}
    for mover, move in zip(movers, moves.split(), strict=True):
        await on.move(people[mover], move)
    on.note(f"moves: {moves}")


async def against_agent(on: Recorder) -> None:
    """A person plays an agent, on boards of several shapes."""
    ana = on.ana
    on.is_vague = True
    await on.slash(ana, "start", level="easy", first="bot")
    on.is_vague = False
    on.first_answer()
    await on.venue.resign(ana, family=on.family)
    on.skip()
    await on.slash(ana, "start", level="easy", first="me")
    await on.press(ana, "hint:")
    on.is_vague = True
    await on.press(ana, "move:")
    await on.press(ana, "move:")
    on.is_vague = False
    await on.press(ana, "undo:")
    on.is_vague = True
    while await on.press(ana, "takeback:", optional=True):
        pass
    await on.press(ana, "move:")
    await on.press(ana, "resign:")
    if not await on.press(ana, "sure:", optional=True):
        await on.press(ana, "cancel:")
    if await on.press(ana, "review:", optional=True):
        await on.press(ana, "review:details:")
        await on.press(ana, "why:")
        await on.press(ana, "review:back:")
    on.is_vague = False
    option, values = BOARDS.get(on.family, ("", ()))
    for value in values:
        await on.slash(ana, "start", level="easy", first="me", **{option: value})
        await on.venue.resign(ana, family=on.family)
        on.skip()


async def pie_rule(on: Recorder) -> None:
    """The second player may swap sides."""
    await on.slash(on.ana, "start", opponent=on.bea, opening="swap", clock="5m")
    await on.press(on.bea, "accept:")
    await on.press(on.ana, "move:")
    await on.press(on.bea, "swap:")
    await on.slash(on.mod, "resign")
    await on.press(on.mod, "halt:")


async def watched(on: Recorder) -> None:
    """Two agents play, after people have guessed the winner."""
    await on.slash(on.ana, "watch", first="easy", second="medium")
    await on.press(on.ana, "guess:")
    await on.press(on.bea, "guess:")
    await on.wait(2)
    await on.press(on.ana, "go:")
    on.is_vague = True
    await on.until(lambda: on.shows("why:"))
    on.note("after the first move")
    await on.press(on.bea, "why:")
    await on.press(on.ana, "stop:")
    on.is_vague = False


async def together(on: Recorder) -> None:
    """A channel plays an agent by votes."""
    await on.slash(on.ana, "together", level="easy")
    await on.press(on.ana, "move:")
    await on.wait(2)
    await on.press(on.ana, "stop:")


async def analysis(on: Recorder) -> None:
    """A position is analysed, explored and shared."""
    on.is_vague = on.family not in SOLVED
    await on.slash(on.ana, "analyze", **ANALYSED[on.family])
    if games()[on.family].threat_map is not None:
        for prefix in ("threats:move:", "explore:move:"):
            await on.press(on.ana, prefix)
    for word in ("details", "move", "last", "back", "forward", "first", "share"):
        await on.press(on.ana, f"explore:{word}:")
    on.is_vague = False


async def daily_puzzle(on: Recorder) -> None:
    """The puzzle of the day, alone and posted on a server; later puzzles are random."""
    env = on.venue.env
    role = env.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    manager = env.guild.add_member(env.create_user("max", global_name="Max"), roles=[role])
    await on.slash(on.ana, "daily")
    await on.press(on.ana, "drill:solve:")
    await on.slash(manager, "settings")
    await on.press(manager, "settings:server", form={"puzzles": [on.venue.other_channel]})
    await on.wait(11)
    await on.press(on.bea, "drill:open:")
    await on.slash(manager, "settings")
    await on.press(manager, "settings:server", form={})


async def lessons(on: Recorder) -> None:
    """The list of lessons, one with its positions, and a game that ends one if there is one."""
    ana, taught = on.ana, games()[on.family].lessons
    await on.slash(ana, "learn")
    await on.choose(ana, "lessons:", "1")
    await on.press(ana, "drill:ask:")
    await on.press(ana, "try:")
    await on.press(ana, "drill:solve:")
    played = [number for number, lesson in enumerate(taught, 1) if lesson.is_played]
    for number in played:
        await on.slash(ana, "learn", lesson=number)
        while not await on.press(ana, "lessongame:", optional=True):
            await on.press(ana, "drill:ask:")
            await on.press(ana, "drill:solve:")
        await on.press(ana, "lessongame:")
    await on.slash(ana, "learn")
    await on.press(ana, "lesson:")


async def greeting(on: Recorder) -> None:
    """A server is greeted; the greeting's buttons begin games and explain commands."""
    guild = on.venue.env.bot.get_guild(on.venue.env.guild.id)
    on.venue.env.bot.dispatch("guild_join", guild)
    while on.find(on.ana, "cuatro:help:") is None:  # noqa: ASYNC110  # drawn in a thread
        await asyncio.sleep(0.01)
    await on.wait(2)
    await on.press(on.ana, "help:")
    await on.press(on.ana, "begin:")
    await on.press(on.ana, "experience:unknown:")
    await on.slash(on.ana, "resign")
    await on.press(on.ana, "cancel:")
    await on.slash(on.ana, "help")
    for topic in ("playing", "friends", "training", "data", "server", "experts"):
        await on.choose(on.ana, "help:topic", topic)


async def puzzles(on: Recorder) -> None:
    """Puzzles, of which a random one is given."""
    on.is_vague = True
    await on.slash(on.ana, "puzzle")
    await on.press(on.ana, "drill:solve:puzzle:")
    await on.press(on.ana, "drill:ask:puzzle:")


async def invitations(on: Recorder) -> None:
    """Challenges by the form, with all their ends and for another person; the queue."""
    ana, bea = on.ana, on.bea
    await ana.context_menu(on.venue.channel, "Challenge to Connect 4", bea)
    on.note("Ana: menu Challenge to Connect 4, Bea")
    await on.choose(ana, "friend:game:", "gato")
    await on.choose(ana, "friend:time:", "5m")
    await on.press(ana, "friend:rated:")
    await on.press(ana, "friend:send:")
    await on.press(on.mod, "accept:")
    await on.press(on.mod, "friend")
    await on.choose(on.mod, "friend:who:", bea)
    await on.press(ana, "decline:")
    await on.press(ana, "challenge:withdraw:")
    await ana.slash(on.venue.channel, "play", opponent=bea)
    on.note("Ana: /play opponent=Bea")
    await on.press(ana, "queue:find:")
    await on.choose(ana, "queue:time:", "30s")
    await on.press(ana, "queue:leave:")
    await on.press(ana, "queue:find:")
    await on.press(on.mod, "queue:find:")
    await on.press(ana, "resign:")
    await on.press(ana, "cancel:")
    await on.press(ana, "friend:send:")
    await on.press(bea, "decline:")
    await on.press(ana, "challenge:instead:")
    await on.venue.resign(ana)
    on.skip()
    await on.slash(ana, "start", opponent=bea, clock="30s")
    await on.wait(OPEN_SECONDS + 30)
    await on.press(bea, "challenge:again:")
    await on.press(ana, "challenge:again:")
    await on.press(bea, "accept:")
    await on.wait(23)
    await on.wait(8)


async def match_of_four(on: Recorder) -> None:
    """A match, from the form to its winner, by buttons only."""
    ana, bea = on.ana, on.bea
    await ana.context_menu(on.venue.channel, "Challenge to Connect 4", bea)
    on.skip()
    for _ in range(2):
        await on.press(ana, "friend:match:")
    await on.press(ana, "friend:send:")
    await on.press(bea, "accept:")
    for number, loser in enumerate((bea, ana, bea, bea), 1):
        await on.press(loser, "resign:")
        await on.press(loser, "sure:")
        if number < 4:
            await on.press(loser, "match:next:")


async def fair_play(on: Recorder) -> None:
    """A game against Cuatro waits as long as a rated one is like it."""
    there = on.venue.other_channel
    await on.ana.slash(there, "connect4 start", level="easy", first="bot")
    on.note("Ana: /connect4 start level=easy first=bot in the other channel")
    (first,) = (await on.venue.services.sessions.games.current(there.id)).moves
    await on.slash(on.ana, "start", opponent=on.bea)
    await on.press(on.bea, "accept:")
    await on.move(on.ana, first.move)
    on.note(f"Ana: /connect4 drop column={first.move}")
    await on.wait(10)
    await on.ana.slash(there, "connect4 drop", column=1)
    on.note("Ana: /connect4 drop column=1 in the other channel")
    await on.move(on.bea, "4")
    on.note("Bea: /connect4 drop column=4")
    await on.wait(10)


async def lists(on: Recorder) -> None:
    """Figures, histories, leaderboards, reports and settings, after one game."""
    ana, bea = on.ana, on.bea
    await on.slash(ana, "start", opponent=bea, opening="swap")
    await on.press(bea, "accept:")
    await on.slash(ana, "hint")
    await on.press(ana, "resign:")
    await on.press(ana, "cancel:")
    await ana.slash(on.venue.channel, "play", game=on.family, opponent=bea)
    on.note(f"Ana: /play game={on.family} opponent=Bea")
    await on.press(ana, "friend:rated:")
    await on.press(ana, "friend:send:")
    await on.press(bea, "accept:")
    await on.slash(ana, "hint")
    while await on.press(ana, "more:", optional=True):
        pass
    await on.press(ana, "hint:details:")
    await play(on, ana, bea)
    await on.slash(bea, "resign")
    await on.press(bea, "sure:")
    for command in ("stats", "report", "history", "leaderboard", "league", "export"):
        await on.slash(ana, command)
    await on.choose(ana, "open:", "3")
    await on.slash(ana, "stats", player=bea)
    await on.slash(ana, "leaderboard", where="everywhere")
    await on.slash(ana, "report", whose="server")
    await on.fill(ana, "settings", theme="dark", others=["shares"], access=["spoken"])


async def long_lists(on: Recorder) -> None:
    """A history of two pages, and a league with a menu of its games."""
    ana, bea, channel = on.ana, on.bea, on.venue.channel
    for _ in range(9):
        await ana.slash(channel, "connect4 start", level="easy", first="me")
        for _ in range(2):
            await on.move(ana, "1")
        await on.venue.resign(ana)
    on.skip()
    await on.slash(ana, "history")
    await on.press(ana, "page:")
    await on.press(ana, "page:")
    on.is_vague = True
    agents = {"first": "easy", "second": "easy", "size": "4x4", "seconds": 0}
    await ana.slash(channel, "lab watch", game="connect4", **agents)
    await on.until(lambda: on.shows("rematch:10"))
    on.note("a watched game has ended")

    async def ask() -> None:
        await ana.slash(channel, "lab league", game="connect4")

    await on.until(lambda: on.shows("watched:"), ask)
    on.note("its league")
    await on.choose(bea, "watched:", "10")


async def privacy(on: Recorder) -> None:
    """People see and delete the data stored about them."""
    for command in ("show", "export", "delete"):
        await on.slash(on.ana, "privacy", action=command)
    for button in ("privacy:details", "privacy:keep", "privacy:delete", "forget:"):
        await on.press(on.ana, button)


async def server_settings(on: Recorder) -> None:
    """A manager chooses what a server gets; a member may not, and games begin in one channel."""
    env = on.venue.env
    role = env.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    manager = env.guild.add_member(env.create_user("max", global_name="Max"), roles=[role])
    there = [on.venue.other_channel]
    forms = (
        ("settings:server", {"puzzles": there, "hour": ["7"]}),
        ("settings:server", {"games": there, "theme": "dark", "language": "es"}),
        ("settings:mine", {"language": "es"}),
    )
    for button, entered in forms:
        await on.slash(manager, "settings")
        await on.press(manager, button, form=entered)
    await on.slash(on.ana, "start", level="easy")


OLD_BUTTONS = (
    "move:9:1:3", "more:9:1:1", "more:9:1:3", "guess:9:1", "accept:9", "decline:9",
    "undo:accept:9", "undo:decline:9", "draw:accept:9", "draw:decline:9",
    *(f"{word}:9" for word in (
        "hint", "undo", "takeback", "draw", "resign", "sure", "stop", "rematch", "replay", "play",
        "share", "why", "review", "go", "swap", "cancel", "halt", "keep", "challenge:withdraw",
        "challenge:instead", "challenge:again",
    )),
    "friend", "friend:send:0:connect4:6x7:usual:-", "friend:rated:0:gato:4x4:30s:fps",
    "friend:game:0:connect4:6x7:usual:-", "friend:time:0:connect4:9x9:1s:-", "mute:pings:on",
    *(f"step:{word}:9:1" for word in ("first", "back", "forward", "last")),
    *(f"explore:{word}:15053:{way}" for word in (
        "move", "first", "back", "forward", "last", "details", "share",
    ) for way in ("", "01")),
    "explore:move:zzzz:", "explore:move:15053:9", "threats:move:15053:01", "threats:share:15053:",
    "review:board:9:3:threats",
    *(f"drill:{word}:{step}" for word in ("open", "ask", "solve") for step in (
        "learn:9.3:0", "lesson:connect4.1.1:0", "puzzle:RFD1RY:0", "daily:connect4.25567:0",
        "nothing:1:0",
    )),
    "try:learn:9.3:0:1", "try:lesson:connect4.1.1:0:1", "try:puzzle:RFD1RY:0:1",
    "try:daily:connect4.25567:0:1", "try:lesson:connect4.1.1:0:z", "try:nothing:1:0:1",
    "lesson:connect4:0", "lesson:connect4:1", "lesson:connect4:99", "lesson:gato:1",
    "lessongame:connect4:12:", "lessongame:connect4:12:1", "lessongame:connect4:1:",
    "lessongame:connect4:12:99999",
    "page:history:connect4:0:7", "page:server:connect4:0:7", "page:everywhere:connect4:0:0",
    "page:everywhere:connect4:0:0:classic", "page:everywhere:connect4:9999:0:small:by7",
    "page:nothing:connect4:0:0",
    "queue:leave:9", "queue:yes:9:9", "queue:find:gato:4x4:5m",
    "forget:7", "help:gato", "begin:gato:nobody", "begin:boom:easy",
    "move:1:1", "move:1:1:1:1", "hint", "hint:x", "undo:perhaps:1", "nonsense", "",
)  # fmt: skip
"""Custom ids of every form, of the present and of earlier versions, most of which refer to nothing
that exists, and some that no version has sent."""


async def old_buttons(on: Recorder) -> None:
    """A person presses buttons whose game or question no longer exists."""
    for custom_id in OLD_BUTTONS:
        if not on.shows("begin:"):
            await on.ana.slash(on.venue.channel, "help")
            on.skip()
        forge(on.venue, custom_id=f"cuatro:{custom_id}")
        await on.press(on.ana, "begin:", name=f"cuatro:{custom_id}")
        on.venue.speak(on.language)
