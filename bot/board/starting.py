"""The slash commands, the same for every game except for how its moves are entered.

Answers requests for a new game: against an agent or a person, to watch, or a rematch.

The same game again, with the sides swapped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import discord
from discord import Interaction, app_commands

from bot.board.challenges import ChallengeHandler
from bot.board.runner import GameRunner
from bot.discord.answering import Answering
from bot.discord.commands import (
    Commands,
    choices,
    command,
    option,
    spoken,
    suggest_agents,
    suggest_variants,
    variant_of,
)
from bot.discord.names import NameBook
from bot.discord.replies import channel_of, require_permissions
from bot.game.clocks import OFFERED, NotATimeControl, parse_control
from bot.game.refusal import Refusal
from bot.game.session import LONGEST, SHORTEST, Session
from bot.game.setup import AUTO, Order, Seat, agent, channel, other_seat, person
from bot.sessions.people import Limiter
from bot.sessions.sessions import Sessions
from bot.settings import LONGEST_GUESS
from bot.store.records import FORMER_PLAYER, SeatRecord, TimeControl
from engine.core.game import Game, UnknownVariant
from engine.core.package import GamePackage
from engine.core.registry import game_of, games
from engine.strength.roster import LEVELS

if TYPE_CHECKING:
    from bot.handlers import Handlers


def challenge_menu(handlers: Handlers, family: GamePackage) -> app_commands.ContextMenu:
    """The entry in a person's menu that challenges them."""

    async def challenge(interaction: Interaction[Any], user: discord.User) -> None:
        await handlers.new_games.start(
            interaction, family.key, family.usual, opponent=user, first="random"
        )

    name = spoken(f"menu.challenge.{family.key}")
    return app_commands.ContextMenu(name=name, callback=challenge)


def _beginning(handlers: Handlers, family: GamePackage) -> Commands:
    """The commands that begin a game."""
    from bot.features.voting.discord import _together

    @command("start", "level", "opponent", "agent", "first", "clock", "pie")
    @app_commands.choices(
        level=choices("level", (AUTO, *LEVELS)),
        first=choices("first", ("me", "bot", "random")),
        clock=choices("clock", OFFERED),
    )
    @variant_of(family)
    async def start(
        interaction: Interaction[Any],
        variant: str = family.usual,
        level: str | None = None,
        opponent: discord.User | None = None,
        agent: str | None = None,
        first: str = "me",
        clock: str | None = None,
        pie: bool = False,
    ) -> None:
        await handlers.new_games.start(
            interaction,
            family.key,
            variant,
            level=level,
            agent_name=agent,
            opponent=opponent,
            first=first,
            clock=clock,
            pie=pie,
        )

    @command("watch", "first_agent", "second_agent")
    @option("seconds", "guess_seconds")
    @variant_of(family)
    async def watch(
        interaction: Interaction[Any],
        first_agent: str = "medium",
        second_agent: str = "hard",
        variant: str = family.usual,
        seconds: app_commands.Range[int, 0, LONGEST_GUESS] | None = None,
    ) -> None:
        await handlers.new_games.watch(
            interaction, family.key, variant, first_agent, second_agent, seconds
        )

    together = _together(handlers, family)
    if len(family.variants) > 1:
        suggest_variants(family, start)
        suggest_variants(family, watch)
        suggest_variants(family, together)
    suggest_agents(family.key, start, "agent")
    suggest_agents(family.key, together, "agent")
    suggest_agents(family.key, watch, "first_agent", "second_agent")
    return start, watch, together


TOGETHER = "hard"
"""The level that a channel meets where it asks for none: many eyes see more than two."""


@dataclass(frozen=True, slots=True)
class NewGameHandler:
    """Begins games against agents, and challenges people."""

    answering: Answering
    sessions: Sessions
    names: NameBook
    runner: GameRunner
    challenges: ChallengeHandler
    limiter: Limiter
    toss: Callable[[], bool]
    """Tosses a coin."""
    watch_vote: int
    """Seconds in which everybody can say who wins a watched game, where nobody says how long."""

    async def start(
        self,
        interaction: Interaction[Any],
        family: str,
        variant: str,
        *,
        level: str | None = None,
        agent_name: str | None = None,
        opponent: discord.User | discord.Member | None = None,
        first: str,
        clock: str | None = None,
        pie: bool = False,
    ) -> None:
        """Begin a game against an agent, or challenge another person.

        Args:
            interaction: The request.
            family: Which game.
            variant: Which size or rules.
            level: How well the agent plays, or `auto`.
            agent_name: A particular agent, instead of a level.
            opponent: The person to challenge, instead of an agent.
            first: Who moves first: `me`, `bot` (the other side, even if a person) or `random`.
            clock: How long people have for a move, such as `5m`; None for what is usual.
            pie: Whether the second person may swap sides after the first turn.
        """
        async with self.answering(interaction, family):
            self.answering.require_in_time(interaction)
            me = person(interaction.user.id)
            other = other_seat(level, agent_name, opponent.id if opponent else None)
            begins = first == "me" or (first == "random" and self.toss())
            seats = (me, other) if begins else (other, me)
            order = _order(interaction, _game(family, variant), *seats, clock=_control(clock))
            order = replace(order, pie=pie)
            if pie and opponent is None:
                raise Refusal("pie_alone")
            if opponent is not None:
                if opponent.bot:
                    raise Refusal("challenge_bot")
                self.names.note(opponent)
            await self._begin(interaction, order)

    async def begin(self, interaction: Interaction[Any], family: str, level: str) -> None:
        """Begin a game of the usual size against an agent, at the press of a button."""
        usual = games()[family].usual
        await self.start(interaction, family, usual, level=level, first="me")

    async def watch(
        self,
        interaction: Interaction[Any],
        family: str,
        variant: str,
        first: str,
        second: str,
        seconds: int | None = None,
    ) -> None:
        """Begin a game between two agents, once everybody has had `seconds` to say who wins."""
        async with self.answering(interaction, family):
            self.answering.require_in_time(interaction)
            seconds = self.watch_vote if seconds is None else seconds
            if not 0 <= seconds <= LONGEST_GUESS:
                raise Refusal("vote_seconds", least=0, most=LONGEST_GUESS)
            order = _order(interaction, _game(family, variant), agent(first), agent(second))
            await self._begin(interaction, replace(order, vote_seconds=float(seconds) or None))

    async def together(
        self,
        interaction: Interaction[Any],
        family: str,
        variant: str,
        *,
        level: str | None = None,
        agent_name: str | None = None,
        first: str,
        seconds: int,
    ) -> None:
        """Begin a game of the whole channel against an agent.

        Args:
            interaction: The request.
            family: Which game.
            variant: Which size or rules.
            level: How well the agent plays; TOGETHER if nothing is said of it.
            agent_name: A particular agent, instead of a level.
            first: Who moves first: `channel`, `bot` or `random`.
            seconds: How long each vote takes.
        """
        async with self.answering(interaction, family):
            self.answering.require_in_time(interaction)
            if not SHORTEST <= seconds <= LONGEST:
                raise Refusal("vote_seconds", least=SHORTEST, most=LONGEST)
            other = other_seat(level or (None if agent_name else TOGETHER), agent_name, None)
            begins = first == "channel" or (first == "random" and self.toss())
            seats = (channel(), other) if begins else (other, channel())
            order = _order(interaction, _game(family, variant), *seats)
            await self._begin(interaction, replace(order, vote_seconds=float(seconds)))

    async def press_rematch(self, interaction: Interaction[Any], game_id: int) -> None:
        """Begin the same game again with the sides swapped."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            old = await self.sessions.games.find(game_id)
            if old is None:
                raise Refusal("game_is_gone")
            channel_id, user_id = channel_of(interaction), interaction.user.id
            order = rematch_of(old, channel_id, user_id, interaction.locale.value)
            await self._begin(interaction, order)

    async def _begin(self, interaction: Interaction[Any], order: Order) -> None:
        """Begin a game; one between two people is offered to the other first."""
        require_permissions(interaction, order.game.key)
        with self.limiter.counting("starts", order.user_id):
            if None not in (order.first.user_id, order.second.user_id):
                await self.challenges.offer(interaction, order)
                return
            session = await self.sessions.start(order)
        await self.runner.open(interaction, session)


def _game(family: str, variant: str) -> Game:
    try:
        return game_of(family, variant)
    except UnknownVariant as error:
        raise Refusal("not_a_variant", text=error.text, expected=error.expected) from error


def _control(text: str | None) -> TimeControl | None:
    if text is None:
        return None
    try:
        return parse_control(text)
    except NotATimeControl as error:
        raise Refusal("not_a_clock", text=text) from error


def _order(
    interaction: Interaction[Any],
    game: Game,
    first: SeatRecord,
    second: SeatRecord,
    clock: TimeControl | None = None,
) -> Order:
    return Order(
        channel_id=channel_of(interaction),
        guild_id=interaction.guild_id,
        user_id=interaction.user.id,
        locale=interaction.locale.value,
        game=game,
        first=first,
        second=second,
        clock=clock,
    )


def rematch_of(old: Session, channel_id: int, user_id: int, locale: str) -> Order:
    """The order for a rematch; refused for anybody but the players, if people played."""
    if old.people and user_id not in old.people:
        raise Refusal("rematch_not_yours", game=old.game.key)
    if FORMER_PLAYER in old.people:
        raise Refusal("rematch_former", game=old.game.key)
    first, second = old.seats
    return Order(
        channel_id=channel_id,
        guild_id=old.guild_id,
        user_id=user_id,
        locale=locale,
        game=old.game,
        first=_again(old, second),
        second=_again(old, first),
        clock=old.clock,
        vote_seconds=None if old.ballot is None else old.ballot.seconds,
        pie=old.pie,
    )


def _again(old: Session, seat: Seat) -> SeatRecord:
    if seat.user_id is not None:
        return person(seat.user_id)
    assert seat.agent_name is not None
    return agent(AUTO if old.auto else seat.agent_name)
