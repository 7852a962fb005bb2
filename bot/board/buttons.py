"""The core's buttons beside moves: the rules, a finished game's details, and another level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from discord import Interaction

from bot.board.boards import Boards
from bot.board.messages import DETAILS, EASIER, HARDER, RULES
from bot.board.moves import require_seen
from bot.board.setups import rematch_of
from bot.board.starting import GameStarter
from bot.board.welcome import rules_pictures
from bot.discord.answering import Answering
from bot.discord.locales import public_locale
from bot.discord.replies import answer_privately, channel_of
from bot.discord.routes import Route
from bot.game.refusal import Refusal
from bot.i18n import say_for
from bot.ratings.levels import next_level
from bot.sessions.running import RunningGames
from bot.show.board_text import details_text
from bot.store.records import agent


@dataclass(frozen=True, slots=True)
class ButtonHandler:
    """Answers the buttons of a board that neither move nor end its game."""

    answering: Answering
    games: RunningGames
    boards: Boards
    starter: GameStarter

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons under running and finished boards."""
        return (
            RULES.route(self.rules),
            DETAILS.route(self.details),
            EASIER.route(self.neighbour),
            HARDER.route(self.neighbour),
        )

    async def rules(self, interaction: Interaction[Any], game_id: int) -> None:
        """Explain a game's rules privately."""
        session = await self.games.require(game_id)
        say = say_for(interaction.locale.value)
        pictures = await rules_pictures(session.game.key, say)
        await answer_privately(interaction, say(f"help.{session.game.key}"), files=pictures)

    async def details(self, interaction: Interaction[Any], game_id: int) -> None:
        """Give the figures of a finished game privately."""
        session = await self.games.require(game_id)
        require_seen(session, interaction)
        if not session.is_over:
            raise Refusal("moved_on", game=session.game.key)
        text = details_text(session, say_for(interaction.locale.value))
        await answer_privately(interaction, text)

    async def neighbour(self, interaction: Interaction[Any], game_id: int) -> None:
        """Begin the same game at the level beside the one that was played, on the same sides."""
        self.answering.require_in_time(interaction)
        old = await self.games.require(game_id)
        level = next_level(old)
        if level is None or interaction.user.id not in old.people:
            raise Refusal("rematch_not_yours", game=old.game.key)
        first, second = (agent(level) if seat.agent else seat for seat in old.seats)
        locale = public_locale(interaction)
        setup = rematch_of(old, channel_of(interaction), interaction.user.id, locale)
        setup = replace(setup, first=first, second=second, auto=False)
        await self.starter.begin(interaction, setup)
        await self.boards.follow(old)
