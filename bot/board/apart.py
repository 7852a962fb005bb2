"""Games in a channel of their own: where a channel has a game, another one can begin beside it.

A feature opens such channels. The same request begins its game there if it is repeated by a button,
and an accepted challenge does so by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from discord import Interaction

from bot.discord.names import jump_url
from bot.discord.replies import NEEDED_IN_THREADS, channel_of
from bot.discord.retries import is_apart, written_again
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.store.records import GameSetup, Place

TAKEN = "refusal.channel_taken_"
"""The beginning of the refusals of a game in a channel that has one."""

NEEDED = ("create_public_threads", *NEEDED_IN_THREADS)
"""The permissions for a game in a thread that the bot opens."""


class Openings(Protocol):
    """Opens channels for games, as a feature provides it.

    Nothing here needs an interaction, so a background task can use it as well: it asks `suits` and
    `require_allowed` about the channel where the game would belong, then enters `opened` with the
    game's setup and, in the block, begins that game in the channel whose id it gets.
    """

    def suits(self, channel_id: int) -> bool:
        """Whether there can be such channels beside one."""
        ...

    def require_allowed(self, channel_id: int) -> None:
        """Refuse if the bot lacks the permissions to open one beside a channel that suits."""
        ...

    def offering(self, refusal: Refusal) -> Refusal:
        """The refusal of a game in a taken channel, as people read it who can have one opened."""
        ...

    def opened(self, setup: GameSetup) -> AbstractAsyncContextManager[int]:
        """Open a channel beside `setup.channel_id`, which suits, and yield the new channel's id.

        The block begins the game there, that is the setup with this id as its channel. Then its
        people and the one who requests it see the channel; without a game it is removed again.
        Raises Refusal.
        """
        ...

    async def can_go_on(self, session: Session) -> bool:
        """Whether a game can go on in another channel, since its own does not exist any more.

        Its people are informed. It is asked again as long as the game has not moved.
        """
        ...

    async def place_of(self, session: Session) -> Place:
        """Where people find a running game, or can let it go on."""
        ...


@dataclass(frozen=True, slots=True)
class Apart:
    """Decides which games begin in a channel of their own."""

    openings: Callable[[], Openings | None]
    """Those of a feature, once all are built; None if no feature opens channels."""

    def is_asked(self, interaction: Interaction[Any]) -> bool:
        """Whether a request asks for a game in a channel of its own."""
        return is_apart(interaction) and self.openings() is not None

    def is_possible(self, interaction: Interaction[Any]) -> bool:
        """Whether a game can wait for an opponent in a request's channel while that has another.

        If the request asks for a channel of its own, the reason against it is raised as a Refusal.
        """
        openings, channel_id = self.openings(), channel_of(interaction)
        if openings is None or not openings.suits(channel_id):
            return False
        try:
            openings.require_allowed(channel_id)
        except Refusal:
            if self.is_asked(interaction):
                raise
            return False
        return True

    def moves(self, channel_id: int, refusal: Refusal) -> bool:
        """Whether a game that was refused because of its channel can begin beside it."""
        openings = self.openings()
        is_taken = refusal.key.startswith(TAKEN)
        return is_taken and openings is not None and openings.suits(channel_id)

    @contextmanager
    def offered(self, interaction: Interaction[Any]) -> Iterator[None]:
        """Let refusals of the block, in a taken channel, offer the game a channel of its own.

        If the request asks for one already, they offer to try again.
        """
        try:
            yield
        except Refusal as refusal:
            openings, label = self.openings(), "button.try_again"
            if openings is None:
                raise
            if not self.is_asked(interaction):
                if not self.moves(channel_of(interaction), refusal):
                    raise
                refusal, label = openings.offering(refusal), "button.apart"
            again = written_again(interaction, apart=True)
            refusal.details["offers"] = ((again, label),) if again else ()
            raise refusal from None

    def opened(self, setup: GameSetup) -> AbstractAsyncContextManager[int]:
        """Open a channel for a game and yield its id, as `Openings.opened` does."""
        openings = self.openings()
        if openings is None or not openings.suits(setup.channel_id):
            raise Refusal("unknown_button")
        return openings.opened(setup)

    async def can_go_on(self, session: Session) -> bool:
        """Whether a game can go on in another channel, as `Openings.can_go_on` says."""
        openings = self.openings()
        return openings is not None and await openings.can_go_on(session)

    async def place_of(self, session: Session) -> Place:
        """Where people find a running game, as `Openings.place_of` says."""
        openings = self.openings()
        return session.place if openings is None else await openings.place_of(session)


def channel_link(guild_id: int | None, channel_id: int) -> str:
    """The address of a channel."""
    return jump_url(Place(guild_id, channel_id, None))
