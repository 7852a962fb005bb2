"""The buttons with which everybody says who wins a watched game, before it begins.

Answers what people say of who wins a game between two agents, and begins it.

Answers votes on the moves of a channel that plays together.

Votes in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ButtonStyle, Interaction, app_commands

from bot.board.boards import Boards
from bot.board.runner import GameRunner
from bot.discord.answering import Answering
from bot.discord.commands import (
    GameCommand,
    choices,
    command,
    variant_of,
)
from bot.discord.presses import presses_of
from bot.discord.replies import acknowledge, channel_of, confirm, tell
from bot.discord.routes import ROW
from bot.features.voting.rules import Request, Voting
from bot.game.session import LONGEST, SHORTEST, USUAL_SECONDS, Session
from bot.game.setup import Control
from bot.i18n import Say, escaped, say_for
from bot.show.scenes import seat_name
from bot.store.records import VoteRecord
from bot.store.tables import THE_RESULT
from engine.core.game import Player
from engine.core.package import GamePackage
from engine.strength.roster import LEVELS

if TYPE_CHECKING:
    from bot.handlers import Handlers


def _together(handlers: Handlers, family: GamePackage) -> GameCommand:
    """The command that begins a game of a channel."""

    @command("together", "level", "agent", "first", "seconds")
    @app_commands.choices(
        level=choices("level", LEVELS), first=choices("begins", ("channel", "bot", "random"))
    )
    @variant_of(family)
    async def together(
        interaction: Interaction[Any],
        variant: str = family.usual,
        level: str | None = None,
        agent: str | None = None,
        first: str = "channel",
        seconds: app_commands.Range[int, SHORTEST, LONGEST] = int(USUAL_SECONDS),
    ) -> None:
        await handlers.new_games.together(
            interaction,
            family.key,
            variant,
            level=level,
            agent_name=agent,
            first=first,
            seconds=seconds,
        )

    return together


MOST_LETTERS = 80
"""Discord's limit on a button's label."""


class GuessButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:guess:(?P<game>{ROW}):(?P<winner>[012])",
):
    """Says who wins one game."""

    def __init__(
        self, game_id: int, winner: str, *, label: str = "", row: int | None = None
    ) -> None:
        """A button for a side that wins, or for neither as `0`."""
        super().__init__(
            discord.ui.Button(
                label=(label or winner)[:MOST_LETTERS],
                style=ButtonStyle.primary,
                custom_id=f"cuatro:guess:{game_id}:{winner}",
                row=row,
            )
        )
        self.game_id = game_id
        self.winner = winner

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(int(match["game"]), match["winner"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Say it."""
        await presses_of(interaction).guess(interaction, self.game_id, self.winner)


@dataclass(frozen=True, slots=True)
class GuessHandler:
    """Takes votes on who wins; the board shows them a little later, as those on moves."""

    answering: Answering
    voting: Voting
    boards: Boards
    runner: GameRunner

    async def press(self, interaction: Interaction[Any], game_id: int, winner: str) -> None:
        """Take somebody's vote."""
        async with self.answering(interaction):
            is_late = partial(self.answering.is_late, interaction)
            request = Request(channel_of(interaction), interaction.user.id, winner, is_late=is_late)
            session = await self.voting.guess(game_id, request)
            await confirm(acknowledge(interaction))
            if interaction.message is not None and session.message_id == interaction.message.id:
                self.boards.lifelines.note(session.id, interaction.message.id, interaction)
            say = say_for(interaction.locale.value)
            assert session.ballot is not None
            assert session.ballot.until is not None
            until = f"<t:{int(session.ballot.until)}:R>"
            name = escaped(choice_name(session, winner, say))
            await confirm(tell(interaction, say("guess.yours", name=name, until=until)))
            await self.boards.make_up(interaction, session)

    async def begin(self, interaction: Interaction[Any], game_id: int) -> None:
        """Begin the game before its time."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            session = await self.voting.begin(
                channel_of(interaction),
                interaction.user.id,
                game_id,
                moderator=interaction.permissions.manage_messages,
            )
            await confirm(acknowledge(interaction))
            await self.runner.resume(session)
            await self.boards.make_up(interaction, session)


@dataclass(frozen=True, slots=True)
class VoteHandler:
    """Takes people's votes, inside the frame of whoever answers their moves.

    The board shows them a little later, all that have come in by then with one edit: it differs
    from what is stored, so `Convergence` brings it up to date.
    """

    answering: Answering
    voting: Voting
    boards: Boards

    async def take(self, interaction: Interaction[Any], family: str, text: str) -> None:
        """Take a vote by command."""
        session = await self.voting.vote(self._request(interaction, text, family=family))
        await confirm(tell(interaction, voted_text(session, interaction)))
        await self.boards.make_up(interaction, session)

    async def press(self, interaction: Interaction[Any], control: Control, text: str) -> Session:
        """Take a vote by button, and return the game for its board to be looked after."""
        session = await self.voting.vote(self._request(interaction, text, control=control))
        # Silently first: it is then through this answer that the board can be edited.
        await confirm(acknowledge(interaction))
        await confirm(tell(interaction, voted_text(session, interaction)))
        return session

    def _request(
        self,
        interaction: Interaction[Any],
        text: str,
        *,
        family: str | None = None,
        control: Control | None = None,
    ) -> Request:
        is_late = partial(self.answering.is_late, interaction)
        return Request(channel_of(interaction), interaction.user.id, text, family, control, is_late)


def voted_text(session: Session, interaction: Interaction[Any]) -> str:
    """What somebody has voted for, and until when they may change that."""
    say, ballot = say_for(interaction.locale.value), session.ballot
    assert ballot is not None, "votes are taken in it"
    vote = ballot.vote_of(interaction.user.id, session.number)
    assert vote is not None, "it has just been stored"
    assert ballot.until is not None, "it has begun with this vote or before"
    move, until = say.move(session.game.key, vote.choice), f"<t:{int(ballot.until)}:R>"
    return say("vote.yours", move=move, until=until)


DRAW = "0"
"""Stands for neither side, where somebody says who wins."""

CHOICES = ("1", DRAW, "2")
"""What can be said of who wins, in the order in which it is offered."""

MOST_NAMED = 10
"""How many of those who were right are named at most."""


def vote_line(session: Session, say: Say) -> str:
    """How the vote on the channel's next move stands and when it ends, or how it begins."""
    ballot = session.ballot
    assert ballot is not None, "votes are taken in it"
    if ballot.until is None:
        return say("vote.open", time=say.duration(ballot.seconds))
    votes = " · ".join(
        say("vote.one", move=say.move(session.game.key, choice), count=say.number(count))
        for choice, count in ballot.tally(session.number).items()
    )
    return say("vote.tally", votes=votes, until=f"<t:{int(ballot.until)}:R>")


def choice_name(session: Session, choice: str, say: Say) -> str:
    """What somebody says who says that a side wins a watched game, or neither."""
    if choice == DRAW:
        return say("guess.draw")
    return seat_name(session, Player(int(choice)), {}, say)


def guesses_line(session: Session, say: Say) -> str:
    """How many say that each side wins, and when the game begins."""
    ballot = session.ballot
    assert ballot is not None, "votes are taken in it"
    assert ballot.until is not None, "it has not begun"
    tally = ballot.tally(THE_RESULT)
    votes = " · ".join(
        say(
            "vote.one",
            move=escaped(choice_name(session, choice, say)),
            count=say.number(tally.get(choice, 0)),
        )
        for choice in CHOICES
    )
    return say("guess.tally", votes=votes, until=f"<t:{int(ballot.until)}:R>")


def right_guesses(session: Session) -> tuple[VoteRecord, ...]:
    """The votes on who wins that were right, the earliest first; none before there is a result."""
    if session.ballot is None or session.end is None or _is_without_result(session):
        return ()
    right = str(session.end.winner or DRAW)
    return tuple(vote for vote in session.ballot.about(THE_RESULT) if vote.choice == right)


def right_line(session: Session, names: Sequence[str], say: Say) -> str:
    """How many knew who would win, and those of them who may be named; empty without votes."""
    if session.ballot is None or session.end is None or _is_without_result(session):
        return ""
    given = len(session.ballot.about(THE_RESULT))
    if not given:
        return ""
    right = len(right_guesses(session))
    told = say("guess.right", right=say.number(right), of=say.number(given))
    if not names:
        return told
    others = right - len(names)
    listed = ", ".join(f"**{escaped(name)}**" for name in names)
    if others:
        listed = say("guess.others", names=listed, count=say.number(others))
    return f"{told}: {listed}"


def _is_without_result(session: Session) -> bool:
    return session.end is not None and session.end.ending in ("stopped", "aborted")
