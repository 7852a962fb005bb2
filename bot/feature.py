"""The registration of a feature: what it provides (`Parts`) and what it uses (`Core`).

A feature is a folder of `bot.features` whose package defines `FEATURE`. `bot.app` finds them, calls
`Feature.build` of each once, and passes the parts to the code that uses them. Nothing in the core
imports a feature, so deleting its folder removes it.

The order of discovery has no effect: commands, lines and buttons carry an `order` of their own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.board.apart import Openings
from bot.board.boards import Boards
from bot.board.challenge_form import FormButton
from bot.board.challenges import ChallengeButton, ChallengeHandler, FindWaiting
from bot.board.convergence import UnreadableNotices
from bot.board.help import HelpButton
from bot.board.menus import BoardMenus
from bot.board.messages import BoardButton, BoardLine, BoardMessages, Button, Continuation
from bot.board.moves import ChannelMoves, GamesSection
from bot.board.runner import GameRunner
from bot.board.starting import BeginSeries, OfferToAnyone, Question
from bot.board.welcome import GreetingButton
from bot.discord.answering import Answering
from bot.discord.background import Task
from bot.discord.commands import (
    ChosenGame,
    CommandFactory,
    CommandMentions,
    GlobalCommand,
)
from bot.discord.names import NameBook
from bot.discord.routes import Route
from bot.drills.discord import DrillHandler
from bot.drills.rules import ButtonSpec, DrillSource, PositionButton, PracticeButton
from bot.game.clocks import Clock
from bot.i18n import Translator
from bot.ratings.levels import SizeClass
from bot.sessions.holding import FindHold
from bot.sessions.ownership import Ownership
from bot.sessions.people import Challenges, FindBar, FindObjection, Limiter
from bot.sessions.people import PersonalData as PersonalData
from bot.sessions.running import Alarm
from bot.sessions.sessions import Sessions
from bot.sessions.settling import DueQueue, RatingQueue
from bot.sessions.timer import Deadline, Presence, TurnTimer
from bot.settings import Settings
from bot.store.records import Place
from bot.store.rows import EndStep
from bot.store.store import Store
from bot.telemetry import Meter
from bot.workers.workers import Workers
from engine.core.game import Move, Position
from renderers import Figure


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of a process without Discord: storage, the engine and the running games."""

    settings: Settings
    store: Store
    workers: Workers
    sessions: Sessions
    challenges: Challenges
    timer: TurnTimer
    ownership: Ownership
    presence: Presence
    alarm: Alarm
    ratings: RatingQueue
    clock: Clock
    limiter: Limiter
    rng: Random
    meter: Meter

    def toss(self) -> bool:
        """Toss a coin."""
        return self.rng.random() < 0.5


@dataclass(frozen=True, slots=True)
class Core(Services):
    """The services and the core's Discord side; built before the features and passed to each."""

    client: discord.Client
    answering: Answering
    names: NameBook
    messages: BoardMessages
    boards: Boards
    runner: GameRunner
    challenge_posts: ChallengeHandler
    drills: DrillHandler
    notices: UnreadableNotices
    contributions: Contributions
    board_menus: BoardMenus
    chosen: ChosenGame
    mentions: CommandMentions


@dataclass(frozen=True, slots=True)
class CardFigures:
    """What a feature adds to a player's card."""

    order: int
    figures: Callable[
        [int, SizeClass, Translator], Awaitable[tuple[Sequence[Figure], Sequence[str]]]
    ]
    """Figures about a person on the ladder of a size class, and lines below the card."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """What a feature adds below the report of a server."""

    order: int
    line: Callable[[str, int | None, Translator], Awaitable[str | None]]
    """The line about a game's key on a server; None or an empty text for no line."""


@dataclass(frozen=True, slots=True)
class PuzzlePosts:
    """How the managers of a server choose where and when its puzzle of the day is posted."""

    find: Callable[[int], Awaitable[tuple[int, int] | None]]
    """The channel of a server's puzzles and their hour in UTC; None if it wants none."""
    start: Callable[[int, int, str, int], Awaitable[tuple[float, bool]]]
    """Post a server's puzzles in a channel, in a locale, from an hour on. Returns the time of today
    at that hour, and whether today's is posted in a moment."""
    stop: Callable[[int], Awaitable[None]]
    """Post no more puzzles on a server."""


@dataclass(frozen=True, slots=True)
class SettingsBox:
    """A checkbox that a feature adds to people's settings, for each server."""

    field: str
    """The field: `tell`, `others` or `access`."""
    name: str
    """The value of the box in the form, which no other box has."""
    label: str
    """The key of its text."""
    is_ticked: Callable[[int, int], Awaitable[bool]]
    """Whether a person has ticked it on a server."""
    choose: Callable[[int, int, bool], Awaitable[None]]
    """Stores whether a person ticks it on a server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A person looks for a game on a server, which others can join."""

    kind: str
    """What the feature calls its searches, as in `Parts.searches`."""
    id: int
    """The feature's number of this search."""
    user_id: int
    place: Place
    """The channel, and the message with which others join, if there is one."""
    locale: str
    """The language of public messages there."""
    family: str
    variant: str
    buttons: tuple[Button, ...] = ()
    """Buttons with which others join; empty if the message has them."""
    may_join: Callable[[int], Awaitable[bool]] | None = None
    """Whether a person may join; None if all may, apart from objections."""

    @property
    def key(self) -> str:
        """Names the search among those of all features, such as `queue:7`."""
        return f"{self.kind}:{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Events:
    """What a feature does when something happens to the bot."""

    guild_joined: Callable[[discord.Guild], Coroutine[Any, Any, None]] | None = None
    guild_left: Callable[[discord.Guild], Coroutine[Any, Any, None]] | None = None
    connected: Callable[[], Coroutine[Any, Any, None]] | None = None
    """Runs in the background once the bot is connected, and again after a database outage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Everything that a feature contributes."""

    commands: tuple[CommandFactory, ...] = ()
    """Commands of each game's group: what is done at the board."""
    global_commands: tuple[GlobalCommand, ...] = ()
    """Commands beside the groups of the games: everything about a person or a server."""
    menus: tuple[app_commands.ContextMenu, ...] = ()
    """Entries in the context menus of people and messages."""
    routes: tuple[Route, ...] = ()
    """The handlers of its buttons and select menus."""
    tasks: tuple[Task, ...] = ()
    """Its periodic tasks."""
    board_lines: tuple[BoardLine, ...] = ()
    board_buttons: tuple[BoardButton, ...] = ()
    channel_moves: ChannelMoves | None = None
    """Handles moves in games that a channel plays; at most one feature may provide this."""
    question: Question | None = None
    """Asks something before a game that a person begins with Play."""
    deadlines: tuple[Deadline, ...] = ()
    """Handlers that may settle a game that is due, under its lock."""
    card_figures: tuple[CardFigures, ...] = ()
    report_lines: tuple[ReportLine, ...] = ()
    help_buttons: tuple[HelpButton, ...] = ()
    games_sections: tuple[GamesSection, ...] = ()
    """What it adds to the list of running games."""
    waiting_lines: tuple[FindWaiting, ...] = ()
    """What people wait for by it, shown above these, with a button to give it up."""
    drills: Mapping[str, DrillSource] = field(default_factory=dict)
    """Sources of drills, by the name that their buttons have in ids."""
    practice: tuple[PracticeButton, ...] = ()
    position_buttons: tuple[PositionButton, ...] = ()
    queues: tuple[DueQueue, ...] = ()
    """Work on finished games, woken whenever their ratings are done."""
    puzzle_posts: PuzzlePosts | None = None
    """Posts puzzles on servers; at most one feature may provide this."""
    begin_series: BeginSeries | None = None
    """Plays series of games between agents; at most one feature may provide this."""
    offer_to_anyone: OfferToAnyone | None = None
    """Offers games to anyone in a channel; at most one feature may provide this."""
    openings: Openings | None = None
    """Opens channels for games where one has a game; at most one feature may provide this."""
    match_lengths: tuple[int, ...] = ()
    """How many games a match between two people can have; at most one feature may provide this."""
    continuation: Continuation | None = None
    """Goes on with what finished games are parts of; at most one feature may provide this."""
    greeting_buttons: tuple[GreetingButton, ...] = ()
    """Buttons of the greeting, after those of the core."""
    form_buttons: tuple[FormButton, ...] = ()
    """Buttons of the form with which people challenge each other."""
    challenge_buttons: tuple[ChallengeButton, ...] = ()
    """Buttons under challenges that wait for an answer."""
    objections: tuple[FindObjection, ...] = ()
    """Why people cannot ask each other to play, by challenges to one person or to anyone."""
    bars: tuple[FindBar, ...] = ()
    """Why people may get no help with positions, from any feature."""
    holds: tuple[FindHold, ...] = ()
    """Why running games have to wait."""
    personal: PersonalData | None = None
    visibility_changed: Callable[[int], Awaitable[None]] | None = None
    """Called when a person has hidden or shown their statistics."""
    settings_boxes: tuple[SettingsBox, ...] = ()
    """Checkboxes in people's settings."""
    searches: Mapping[str, Callable[[int], Awaitable[bool]]] = field(default_factory=dict)
    """The kinds of this feature's searches for a game, and whether a search is still open."""
    game_sought: Callable[[Search], Awaitable[None]] | None = None
    """Called when a person looks for a game that others can join."""
    events: Events | None = None


P = TypeVar("P")


def the_only(parts: Iterable[P | None]) -> P | None:
    """The part that one feature provides; None if none does, ValueError if several do."""
    found = [part for part in parts if part is not None]
    if len(found) > 1:
        raise ValueError(f"several features provide the same part: {found}")
    return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature, as its package defines it in `FEATURE`."""

    name: str
    """The name of its folder."""
    build: Callable[[Core], Parts]
    """Called once for each client."""
    requires: tuple[str, ...] = ()
    """The features whose packages it imports."""
    at_end: tuple[EndStep, ...] = ()
    """Steps in the transaction that ends a game."""


class Contributions:
    """The parts of all features, for those that use them; sealed before the client connects."""

    def __init__(self) -> None:
        """Nothing has been contributed yet."""
        self._parts: tuple[Parts, ...] | None = None

    def seal(self, parts: Iterable[Parts]) -> None:
        """Take the parts of all features; nothing can be added later."""
        if self._parts is not None:
            raise RuntimeError("the features have been built already")
        self._parts = tuple(parts)

    @property
    def parts(self) -> tuple[Parts, ...]:
        """The parts of all features. Raises RuntimeError while features are still being built."""
        if self._parts is None:
            raise RuntimeError("not all features have been built yet")
        return self._parts

    @property
    def personal(self) -> tuple[PersonalData, ...]:
        """What features store about people, in its order."""
        found = (parts.personal for parts in self.parts if parts.personal is not None)
        return tuple(sorted(found, key=lambda one: one.order))

    @property
    def card_figures(self) -> tuple[CardFigures, ...]:
        """What features add to a player's card, in its order."""
        found = (one for parts in self.parts for one in parts.card_figures)
        return tuple(sorted(found, key=lambda one: one.order))

    @property
    def report_lines(self) -> tuple[ReportLine, ...]:
        """What features add below the report of a server, in its order."""
        found = (one for parts in self.parts for one in parts.report_lines)
        return tuple(sorted(found, key=lambda one: one.order))

    def practice(self, after: str, family: str, say: Translator) -> tuple[ButtonSpec, ...]:
        """The buttons at the end of a series of drills about the game with a key."""
        found = (one for parts in self.parts for one in parts.practice if one.after == after)
        made = (one.make(family, say) for one in sorted(found, key=lambda one: one.order))
        return tuple(spec for spec in made if spec is not None)

    def position_buttons(
        self, root: Position, moves: Sequence[Move], say: Translator
    ) -> tuple[ButtonSpec, ...]:
        """The buttons under the position after some moves from another."""
        found = (one for parts in self.parts for one in parts.position_buttons)
        made = (one.make(root, moves, say) for one in sorted(found, key=lambda one: one.order))
        return tuple(spec for spec in made if spec is not None)

    @property
    def openings(self) -> Openings | None:
        """The feature that opens channels for games; None without one."""
        return the_only(parts.openings for parts in self.parts)

    @property
    def match_lengths(self) -> tuple[int, ...]:
        """How many games a match between two people can have; none without matches."""
        return the_only(parts.match_lengths or None for parts in self.parts) or ()

    @property
    def greeting_buttons(self) -> tuple[GreetingButton, ...]:
        """The buttons that features add to the greeting."""
        return tuple(one for parts in self.parts for one in parts.greeting_buttons)

    @property
    def challenge_buttons(self) -> tuple[ChallengeButton, ...]:
        """The buttons that features add under open challenges."""
        return tuple(one for parts in self.parts for one in parts.challenge_buttons)

    @property
    def settings_boxes(self) -> tuple[SettingsBox, ...]:
        """The checkboxes that features add to people's settings."""
        return tuple(one for parts in self.parts for one in parts.settings_boxes)

    async def game_sought(self, search: Search) -> None:
        """Notify all features that a person looks for a game that others can join."""
        for parts in self.parts:
            if parts.game_sought is not None:
                await parts.game_sought(search)

    async def is_sought(self, key: str) -> bool:
        """Whether the search with a key is still open."""
        kind, _, id = key.partition(":")
        finds = [parts.searches[kind] for parts in self.parts if kind in parts.searches]
        return any([await find(int(id)) for find in finds])

    @property
    def puzzle_posts(self) -> PuzzlePosts | None:
        """The feature that posts puzzles on servers; None without one."""
        found = (parts.puzzle_posts for parts in self.parts)
        return next((one for one in found if one is not None), None)

    async def require_help(self, user_id: int, positions: Sequence[Position]) -> None:
        """Refuse help with these positions to a person if any feature bars it now.

        Features call this before they tell people about the moves of a position.
        """
        for find in (one for parts in self.parts for one in parts.bars):
            refusal = await find(user_id, positions)
            if refusal is not None:
                raise refusal

    async def visibility_changed(self, user_id: int) -> None:
        """Notify all features that a person has hidden or shown their statistics."""
        for parts in self.parts:
            if parts.visibility_changed is not None:
                await parts.visibility_changed(user_id)
