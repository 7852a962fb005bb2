"""Starting games: against an agent or a person, between two agents, and rematches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ButtonStyle, Interaction, app_commands

from bot.board.boards import Boards, played_directly
from bot.board.challenges import AGAIN, INSTEAD, ChallengeHandler
from bot.board.messages import REMATCH
from bot.board.runner import GameRunner
from bot.board.setups import (
    EMPTY,
    control_from_text,
    game_from_text,
    openings_of,
    other_seat,
    rematch_of,
    setup_for,
    usual_opening,
    with_opening,
)
from bot.board.welcome import BEGIN, DIRECT
from bot.discord.answering import Answering
from bot.discord.background import time_limit
from bot.discord.commands import (
    ChosenGame,
    CommandFactory,
    GameCommand,
    GlobalCommand,
    choices,
    command,
    game_option,
    level_choices,
    option,
    suggest_agents_by_game,
    suggest_variants,
    suggest_variants_by_game,
    variant_of,
    without,
)
from bot.discord.locales import public_locale
from bot.discord.names import NameBook, jump_url
from bot.discord.replies import (
    NO_PINGS,
    acknowledge,
    answer_privately,
    channel_of,
    confirm,
    require_games_allowed,
    require_permissions,
)
from bot.discord.replies import replace as replace_message
from bot.discord.routes import FAMILY, CustomId, Route, lasting_view
from bot.game.clocks import OFFERED
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import say_for
from bot.sessions.people import Limiter
from bot.sessions.sessions import Sessions
from bot.settings import LONGEST_GUESS, LONGEST_SERIES
from bot.show.texts import with_variant
from bot.store.records import (
    AUTO,
    ChallengeRecord,
    GameSetup,
    Place,
    agent,
    free,
    person,
)
from engine.core.game import Game, Move
from engine.core.package import GamePackage
from engine.core.registry import games
from engine.strength.roster import LEVELS

Question = Callable[[Interaction[Any], Game], Awaitable[bool]]
"""Asks a person something before a game against `auto`; False if there is nothing to ask."""

FIRST = ("me", "bot", "random")
"""Who may move first, as people choose it."""

WATCH = CustomId("watch", f"(?P<family>{FAMILY})")
"""The ids of buttons that begin a game of the usual size between two agents."""

WATCHED = ("medium", "hard")
"""The agents of such a game."""

LAB = "lab"
"""The key of the group of commands for experts."""


BeginSeries = Callable[[Interaction[Any], GameSetup, int, int | None], Awaitable[None]]
"""Begins a series of this number of games between two agents, as the answer to a request. The last
argument is the time for guesses that was asked for."""


OfferToAnyone = Callable[[Interaction[Any], GameSetup, int | None], Awaitable[None]]
"""Offers a game with a free seat to anyone in a channel, as the answer to a request. The last
argument is the greatest difference of ratings that was asked for."""

NARROWEST_RANGE, WIDEST_RANGE = 50, 1000
"""The limits of that difference."""


@dataclass(frozen=True, slots=True)
class GameStarter:
    """Starts games that need no consent from another person, and shows them."""

    sessions: Sessions
    runner: GameRunner
    limiter: Limiter

    async def begin(
        self, interaction: Interaction[Any], setup: GameSetup, opening: Sequence[Move] = ()
    ) -> None:
        """Begin a game as the answer to an interaction; refused if the bot may not post there.

        With `opening`, it goes on from the position after these moves.
        """
        if self.runner.apart.is_asked(interaction):
            await self._begin_apart(interaction, setup, opening)
            return
        require_permissions(interaction, setup.family, **played_directly(setup))
        with (
            self.runner.apart.offered(interaction),
            self.limiter.counting("starts", interaction.user.id),
        ):
            session = await self.sessions.start(setup, opening=opening)
        await self.runner.open(interaction, session)

    async def _begin_apart(
        self, interaction: Interaction[Any], setup: GameSetup, opening: Sequence[Move]
    ) -> None:
        """Begin a game in a channel of its own; the refusal that offered it says where that is."""
        require_games_allowed(interaction)

        async def start(channel_id: int) -> Session:
            there = replace(setup, channel_id=channel_id)
            return await self.sessions.start(there, opening=opening)

        with (
            self.runner.apart.offered(interaction),
            self.limiter.counting("starts", interaction.user.id),
        ):
            await self.sessions.require_few_games(setup, setup.requester)
            await acknowledge(interaction)
            link = await self.runner.begin_apart(setup, start, interaction)
        say = say_for(interaction.locale.value)
        await confirm(replace_message(interaction, say("apart.begun", link=link)))


@dataclass(frozen=True, slots=True)
class NewGameHandler:
    """Begins games against agents, and challenges people."""

    answering: Answering
    sessions: Sessions
    names: NameBook
    starter: GameStarter
    boards: Boards
    challenges: ChallengeHandler
    limiter: Limiter
    toss: Callable[[], bool]
    """Tosses a coin."""
    chosen: ChosenGame
    watch_vote: int | None
    """The default number of seconds for guessing the winner of a watched game; None if no feature
    takes such votes."""
    questions: Sequence[Question] = ()
    """What features ask before a game that a person begins with Play."""
    begin_series: BeginSeries | None = None
    """Begins a series of games between two agents; None if no feature plays series."""
    offer_to_anyone: OfferToAnyone | None = None
    """Offers a game to anyone in a channel; None if no feature does so."""
    match_lengths: tuple[int, ...] = ()
    """How many games a match can have; none if no feature plays matches."""

    @property
    def commands(self) -> tuple[CommandFactory, ...]:
        """The command `start` of each game."""
        return (CommandFactory(10, self._start),)

    @property
    def global_commands(self) -> tuple[GlobalCommand, ...]:
        """The commands `lab play` and `lab watch`."""
        return (
            GlobalCommand(900, self._play_agent(), LAB),
            GlobalCommand(910, self._watch(), LAB),
        )

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons of rematches, the welcome, help, and challenges that were not accepted."""
        return (
            REMATCH.route(self.rematch),
            BEGIN.route(self.begin),
            DIRECT.route(self.play_directly),
            INSTEAD.route(self.play_instead),
            AGAIN.route(self.offer_again),
            WATCH.route(self.show_agents),
        )

    def _start(self, family: GamePackage) -> tuple[GameCommand]:
        has_offers = self.offer_to_anyone is not None
        lengths = [app_commands.Choice(name=str(one), value=one) for one in self.match_lengths]

        @command("start", "level", "opponent", "first", "clock", "rated", "opening")
        @app_commands.choices(
            level=level_choices((AUTO, *LEVELS), family.key),
            first=choices("first", FIRST),
            clock=choices("clock", OFFERED),
            opening=choices("opening", openings_of(family)),
        )
        @(option("within", "rating_range") if has_offers else without("within"))
        @(option("anyone", "open") if has_offers else without("anyone"))
        @(app_commands.choices(match=lengths) if lengths else without("match"))
        @(option("match", "match") if lengths else without("match"))
        @variant_of(family)
        async def start(
            interaction: Interaction[Any],
            variant: str = family.usual,
            level: str | None = None,
            opponent: discord.User | None = None,
            first: str = "me",
            clock: str | None = None,
            rated: bool = True,
            opening: str | None = None,
            match: int = 0,
            anyone: bool = False,
            within: app_commands.Range[int, NARROWEST_RANGE, WIDEST_RANGE] | None = None,
        ) -> None:
            await self.start(
                interaction,
                family.key,
                variant,
                level=level,
                opponent=opponent,
                first=first,
                clock=clock,
                rated=rated,
                opening=opening,
                match=match if match in self.match_lengths else 0,
                anyone=anyone,
                within=within,
            )

        suggest_variants(family, start)
        return (start,)

    def _play_agent(self) -> GameCommand:
        @command("play_agent", "agent", "first")
        @option("variant", "board")
        @game_option(games())
        @app_commands.choices(first=choices("first", FIRST))
        async def play_agent(
            interaction: Interaction[Any],
            agent: str,
            game: str | None = None,
            variant: str | None = None,
            first: str = "me",
        ) -> None:
            family = await self.chosen(interaction, game, variant=variant)
            variant = variant or family.usual
            await self.start(interaction, family.key, variant, level=agent, first=first)

        suggest_variants_by_game(play_agent)
        suggest_agents_by_game(play_agent, "agent")
        return play_agent

    def _watch(self) -> GameCommand:
        has_series = self.begin_series is not None

        @command("watch", "first_agent", "second_agent")
        @option("seconds", "guess_seconds")
        @(option("count", "series_games") if has_series else without("count"))
        @option("variant", "board")
        @game_option(games())
        async def watch(
            interaction: Interaction[Any],
            first_agent: str,
            second_agent: str,
            game: str | None = None,
            variant: str | None = None,
            count: app_commands.Range[int, 1, LONGEST_SERIES] = 1,
            seconds: app_commands.Range[int, 0, LONGEST_GUESS] | None = None,
        ) -> None:
            family = await self.chosen(interaction, game, variant=variant)
            variant = variant or family.usual
            if count != 1 and self.begin_series is not None:
                seats = agent(first_agent), agent(second_agent)
                setup = setup_for(interaction, game_from_text(family.key, variant), *seats)
                await self.begin_series(interaction, setup, count, seconds)
                return
            await self.watch(interaction, family.key, variant, first_agent, second_agent, seconds)

        suggest_variants_by_game(watch)
        suggest_agents_by_game(watch, "first_agent", "second_agent")
        return watch

    async def start(
        self,
        interaction: Interaction[Any],
        family: str,
        variant: str,
        *,
        level: str | None = None,
        opponent: discord.User | discord.Member | None = None,
        first: str,
        clock: str | None = None,
        rated: bool = True,
        opening: str | None = None,
        match: int = 0,
        anyone: bool = False,
        within: int | None = None,
    ) -> None:
        """Begin a game against an agent, challenge another person, or offer a game to anyone.

        Args:
            interaction: The request.
            family: The game.
            variant: Its size or rules.
            level: The agent's level, `auto`, or the name of a particular agent.
            opponent: The person to challenge, instead of an agent.
            first: Who moves first: `me`, `bot` (the other side, even if a person) or `random`.
            clock: The time for a move, such as `5m`; None for the usual time.
            rated: Whether it counts for ratings.
            opening: How a game between people begins: one of OPENINGS; None for what is usual.
            match: How many games the match has that it begins; 0 for a game of its own.
            anyone: Whether anyone in the channel may take the other seat.
            within: The greatest difference of ratings with which they may.
        """
        self.answering.require_in_time(interaction)
        me = person(interaction.user.id)
        if within is not None and not anyone:
            raise Refusal("range_alone")
        if anyone and (level, opponent) != (None, None):
            raise Refusal("open_alone")
        other = free() if anyone else other_seat(level, opponent.id if opponent else None)
        begins = first == "me" or (first == "random" and self.toss())
        seats = (me, other) if begins else (other, me)
        setup = setup_for(interaction, game_from_text(family, variant), *seats)
        setup = replace(setup, clock=control_from_text(clock), friendly=not rated, match=match)
        setup = with_opening(setup, opening or usual_opening(setup, is_open=anyone))
        if opening not in (None, EMPTY) and opponent is None and not anyone:
            raise Refusal("opening_alone")
        if match and opponent is None and not anyone:
            raise Refusal("match_alone")
        if anyone and self.offer_to_anyone is not None:
            await self.offer_to_anyone(interaction, setup, within)
            return
        if opponent is not None:
            if opponent.bot:
                raise Refusal("challenge_bot")
            self.names.note(opponent)
        await self._begin(interaction, setup)

    async def begin(
        self, interaction: Interaction[Any], family: str, level: str, variant: str | None
    ) -> None:
        """Begin a game against an agent with Play, of the usual size by default.

        Features may ask something first; then the answer begins the game.
        """
        variant = variant or games()[family].usual
        apart = self.starter.runner.apart
        if level == AUTO and not apart.is_asked(interaction):
            for ask in self.questions:
                with apart.offered(interaction):
                    is_asked = await ask(interaction, game_from_text(family, variant))
                if is_asked:
                    return
        await self.start(interaction, family, variant, level=level, first="me")

    async def play_directly(
        self, interaction: Interaction[Any], family: str, level: str, variant: str
    ) -> None:
        """Send a direct message with a button that begins a game there, and say where it is."""
        self.limiter.take("starts", interaction.user.id)
        say, view = say_for(interaction.locale.value), lasting_view()
        label, style = say("button.play_now"), ButtonStyle.primary
        view.add_item(BEGIN.button(family, level, variant, label=label, style=style))
        text = say("direct.offer", game=with_variant(say(f"game.{family}"), family, variant, say))
        await acknowledge(interaction)
        try:
            async with time_limit(interaction.client):
                direct = await interaction.user.create_dm()
                message = await direct.send(text, view=view, allowed_mentions=NO_PINGS)
        except discord.Forbidden:
            await answer_privately(interaction, say("direct.closed"))
            return
        link = jump_url(Place(None, direct.id, message.id))
        await replace_message(interaction, say("direct.sent", link=link))

    async def watch(
        self,
        interaction: Interaction[Any],
        family: str,
        variant: str,
        first: str,
        second: str,
        seconds: int | None,
    ) -> None:
        """Begin a game between two agents, after `seconds` in which people can guess the winner."""
        self.answering.require_in_time(interaction)
        seconds = self.watch_vote if seconds is None else seconds
        if seconds is not None and not 0 <= seconds <= LONGEST_GUESS:
            raise Refusal("vote_seconds", least=0, most=LONGEST_GUESS)
        seats = agent(first), agent(second)
        setup = setup_for(interaction, game_from_text(family, variant), *seats)
        if seconds and self.watch_vote is not None:
            setup = replace(setup, vote_seconds=float(seconds))
        await self.starter.begin(interaction, setup)

    async def show_agents(self, interaction: Interaction[Any], family: str) -> None:
        """Begin a game of the usual size between two agents, after a press of a button."""
        await self.watch(interaction, family, games()[family].usual, *WATCHED, None)

    async def rematch(self, interaction: Interaction[Any], game_id: int) -> None:
        """Begin the same game again with the sides swapped, or offer that to the other person."""
        self.answering.require_in_time(interaction)
        old = await self.sessions.games.require(game_id)
        channel_id, user_id = channel_of(interaction), interaction.user.id
        setup = rematch_of(old, channel_id, user_id, public_locale(interaction))
        if old.setup.goes_on:
            opening = [old.game.parse(one.move) for one in old.moves[: old.setup.opening]]
            await self.starter.begin(interaction, setup, opening)
        else:
            await self._begin(interaction, setup, old.id)
        await self.boards.follow(old)

    async def _begin(
        self, interaction: Interaction[Any], setup: GameSetup, rematch_of: int | None = None
    ) -> None:
        """Begin a game, or challenge the other person if two people are to play."""
        if None in (setup.first.user_id, setup.second.user_id):
            await self.starter.begin(interaction, setup)
            return
        challenge = await self.offer(interaction, setup, rematch_of)
        await self.challenges.confirm_sent(interaction, challenge)

    async def offer(
        self, interaction: Interaction[Any], setup: GameSetup, rematch_of: int | None = None
    ) -> ChallengeRecord:
        """Send a challenge in the channel; refused if the bot may not post there."""
        require_permissions(interaction, setup.family)
        with self.limiter.counting("starts", interaction.user.id):
            return await self.challenges.offer(interaction, setup, rematch_of)

    async def offer_again(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Send a challenge again that has expired; only its challenger can."""
        self.answering.require_in_time(interaction)
        old = await self.challenges.challenges.find(challenge_id)
        if old is None:
            raise Refusal("challenge_over")
        if interaction.user.id != old.offer.challenger:
            raise Refusal("again_not_yours", person=old.offer.challenger)
        await self._begin(interaction, old.offer.setup, old.offer.rematch_of)
        await self.challenges.close_expired(old)

    async def play_instead(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Begin the game of a declined challenge against an agent, for anyone who wants it."""
        declined = await self.challenges.challenges.find(challenge_id)
        if declined is None:
            raise Refusal("challenge_over")
        setup = declined.offer.setup
        await self.start(interaction, setup.family, setup.variant, first="me")
