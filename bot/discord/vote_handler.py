"""Answers votes on the moves of a channel that plays together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import channel_of, confirm
from bot.discord.late import acknowledge, tell
from bot.play.voting import Request, Voting
from bot.table.orders import Control
from bot.table.session import Session
from bot.words import say_for


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
