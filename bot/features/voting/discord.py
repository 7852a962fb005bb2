"""Votes on Discord: the command `together`, the buttons of guesses, and the lines of boards.

A board shows votes a little later, all that have come in by then with one edit: it differs from
what is stored, so `Convergence` brings it up to date.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from discord import ButtonStyle, Interaction, app_commands

from bot.board.boards import Boards
from bot.board.messages import Button
from bot.board.runner import GameRunner
from bot.board.starting import GameStarter, game_called, order_of
from bot.discord.answering import Answering
from bot.discord.commands import (
    GameCommand,
    choices,
    command,
    suggest_agents,
    suggest_variants,
    variant_of,
)
from bot.discord.names import NameBook
from bot.discord.replies import Lifelines, acknowledge, channel_of, confirm, tell
from bot.discord.routes import GAME, CustomId, game_action
from bot.features.voting.rules import Request, Voting
from bot.game.refusal import Refusal
from bot.game.session import LONGEST, SHORTEST, USUAL_SECONDS, Session
from bot.game.setup import Control, channel, other_seat
from bot.i18n import Say, escaped, say_for
from bot.sessions.people import Preferences
from bot.show.scenes import Names, seat_name
from bot.store.tables import THE_RESULT
from engine.core.game import Player
from engine.core.package import GamePackage
from engine.strength.roster import LEVELS

TOGETHER = "hard"
"""The level that a channel meets where it asks for none: many eyes see more than two."""

DRAW = "0"
"""Stands for neither side, where somebody says who wins."""

CHOICES = ("1", DRAW, "2")
"""What can be said of who wins, in the order in which it is offered."""

MOST_NAMED = 10
"""How many of those who were right are named at most."""

MOST_LETTERS = 80
"""Discord's limit on a button's label."""

GUESS = CustomId("guess", GAME, "(?P<winner>[012])", game=int)
"""The ids of buttons that say who wins a game: a side, or 0 for neither."""

GO = game_action("go")


@dataclass(frozen=True, slots=True)
class Together:
    """Begins games of a whole channel against an agent."""

    answering: Answering
    starter: GameStarter
    toss: Callable[[], bool]
    """Tosses a coin."""

    def commands(self, family: GamePackage) -> tuple[GameCommand]:
        """The command of a game."""

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
            self.answering.require_in_time(interaction)
            if not SHORTEST <= seconds <= LONGEST:
                raise Refusal("vote_seconds", least=SHORTEST, most=LONGEST)
            other = other_seat(level or (None if agent else TOGETHER), agent, None)
            begins = first == "channel" or (first == "random" and self.toss())
            seats = (channel(), other) if begins else (other, channel())
            order = order_of(interaction, game_called(family.key, variant), *seats)
            await self.starter.begin(interaction, replace(order, vote_seconds=float(seconds)))

        suggest_variants(family, together)
        suggest_agents(family.key, together, "agent")
        return (together,)


@dataclass(frozen=True, slots=True)
class VoteHandler:
    """Takes votes on a channel's moves (see `ChannelMoves`), and on who wins a watched game."""

    answering: Answering
    voting: Voting
    boards: Boards
    runner: GameRunner
    lifelines: Lifelines

    async def take(self, interaction: Interaction[Any], family: str, text: str) -> None:
        """Take a vote on a move by command."""
        session = await self.voting.vote(self._request(interaction, text, family=family))
        await confirm(tell(interaction, _voted_text(session, interaction)))
        await self.boards.make_up(interaction, session)

    async def press(self, interaction: Interaction[Any], control: Control, text: str) -> Session:
        """Take a vote on a move by button, and return the game for its board to be looked after."""
        session = await self.voting.vote(self._request(interaction, text, control=control))
        # Silently first: it is then through this answer that the board can be edited.
        await confirm(acknowledge(interaction))
        await confirm(tell(interaction, _voted_text(session, interaction)))
        return session

    async def guess(self, interaction: Interaction[Any], game_id: int, winner: str) -> None:
        """Take what somebody says of who wins."""
        session = await self.voting.guess(game_id, self._request(interaction, winner))
        await confirm(acknowledge(interaction))
        if interaction.message is not None and session.message_id == interaction.message.id:
            self.lifelines.note(session.id, interaction.message.id, interaction)
        say = say_for(interaction.locale.value)
        assert session.ballot is not None
        assert session.ballot.until is not None
        until = f"<t:{int(session.ballot.until)}:R>"
        name = escaped(choice_name(session, winner, say))
        await confirm(tell(interaction, say("guess.yours", name=name, until=until)))
        await self.boards.make_up(interaction, session)

    async def begin(self, interaction: Interaction[Any], game_id: int) -> None:
        """Begin a watched game before its time."""
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


def _voted_text(session: Session, interaction: Interaction[Any]) -> str:
    """What somebody has voted for, and until when they may change that."""
    say, ballot = say_for(interaction.locale.value), session.ballot
    assert ballot is not None, "votes are taken in it"
    vote = ballot.vote_of(interaction.user.id, session.number)
    assert vote is not None, "it has just been stored"
    assert ballot.until is not None, "it has begun with this vote or before"
    move, until = say.move(session.game.key, vote.choice), f"<t:{int(ballot.until)}:R>"
    return say("vote.yours", move=move, until=until)


def guess_button(choice: str) -> Callable[[Session, Say], Button | None]:
    """Makes the button that says that a side wins, or neither, until the game begins."""

    def make(session: Session, say: Say) -> Button | None:
        if not session.awaits_guesses:
            return None
        label = choice_name(session, choice, say)[:MOST_LETTERS]
        return GUESS.button(session.id, choice, label=label, style=ButtonStyle.primary)

    return make


def go_button(session: Session, say: Say) -> Button | None:
    """The button that begins a watched game before its time."""
    return GO.button(session.id, label=say("button.go")) if session.awaits_guesses else None


def choice_name(session: Session, choice: str, say: Say) -> str:
    """What a side of a watched game is called, or a draw."""
    if choice == DRAW:
        return say("guess.draw")
    return seat_name(session, Player(int(choice)), {}, say)


async def votes_line(session: Session, _names: Names, say: Say) -> str | None:
    """How the vote that a game waits for stands, and when it ends."""
    ballot = session.ballot
    if ballot is None or not (session.awaits_guesses or session.awaits_channel):
        return None
    if ballot.until is None:
        return say("vote.open", time=say.duration(ballot.seconds))
    until = f"<t:{int(ballot.until)}:R>"
    if session.awaits_guesses:
        tally = ballot.tally(THE_RESULT)
        names = {choice: escaped(choice_name(session, choice, say)) for choice in CHOICES}
        counted = [(name, tally.get(choice, 0)) for choice, name in names.items()]
    else:
        tally = ballot.tally(session.number)
        key = session.game.key
        counted = [(say.move(key, choice), count) for choice, count in tally.items()]
    votes = " · ".join(
        say("vote.one", move=name, count=say.number(count)) for name, count in counted
    )
    key = "guess.tally" if session.awaits_guesses else "vote.tally"
    return say(key, votes=votes, until=until)


@dataclass(frozen=True, slots=True)
class RightGuesses:
    """Says below a finished game who knew how it would end."""

    names: NameBook
    preferences: Preferences

    async def line(self, session: Session, _names: Names, say: Say) -> str | None:
        """How many knew it, and who, the earliest first; people who hide are only counted."""
        ballot, end = session.ballot, session.end
        if ballot is None or end is None or not end.ending.has_result:
            return None
        given = ballot.about(THE_RESULT)
        if not given:
            return None
        winner = str(end.winner or DRAW)
        right = [vote.user_id for vote in given if vote.choice == winner]
        told = say("guess.right", right=say.number(len(right)), of=say.number(len(given)))
        shown: list[int] = []
        for user_id in right:
            if len(shown) < MOST_NAMED and not await self.preferences.hides_statistics(user_id):
                shown.append(user_id)
        if not shown:
            return told
        found = await self.names.of(shown, say)
        listed = ", ".join(f"**{escaped(name)}**" for name in found.values())
        others = len(right) - len(shown)
        if others:
            listed = say("guess.others", names=listed, count=say.number(others))
        return f"{told}: {listed}"
